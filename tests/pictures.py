"""`make pictures`: the README's pictures, taken of the real pages while an example match stands in the log."""

import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import msgspec
from flask import Flask
from msgspec.structs import replace
from playwright.sync_api import Browser, sync_playwright

from companion import games
from companion.events import Event, Player, Pressed, Said, Started, Tapped
from companion.judge import views
from companion.judge.match import Match
from companion.kit.random_matches import play
from companion.live.table import Live
from companion.storage.log import Log
from tests import film, plans
from tests.chromium import CHROMIUM
from tests.games.go.table import cards
from tests.trust.fairness import plot, shares
from tests.web.table import ANAS, BOS, app_with, living, phones_of, serving

FOLDER = Path(__file__).parent.parent / "web/pictures"
PEOPLE = (Player(1, "Ana"), Player(3, "Bo"), Player(5, "Cléo"), Player(6, "Dédé"))
CALLS = (
    # caller, who was second, by how much (seconds), the stop card, everybody's cards of its colour
    (6, 1, 0.0412, "orange-stop-2", (3, 1, 4, 2)),
    (3, 5, 0.0087, "red-stop-1", (5, 2, 4, 2)),
    (1, 6, 0.1204, "special-stop-1", (17, 21, 12, 14)),
    (5, 3, 0.0018, "violet-stop-2", (2, 1)),
)


def calls() -> list[Event]:
    """Return a match of stop it! of which three calls are scored; in the fourth, two of four have counted."""
    at = 20.0
    events: list[Event] = [Started(1, 10.0, "stop-it", PEOPLE, {}), Pressed(2, at, 1)]
    for caller, second, margin, card, counts in CALLS:
        at += 60
        calls_made: list[Event] = [
            Said(0, at + 9, player.seat, "count", n) for player, n in zip(PEOPLE, counts, strict=False)
        ]
        events += [Pressed(0, at, caller), Pressed(0, at + margin, second), Tapped(0, at + 4, "centre", card)]
        events += [*calls_made, Pressed(0, at + 20, caller)] if len(calls_made) == len(PEOPLE) else calls_made
    return [replace(event, seq=seq) for seq, event in enumerate(events, 1)]


def series() -> list[Event]:
    """Return a match of ¡Go! in which the caller's twelve cards are read, and they choose their series."""
    events: list[Event] = [Started(1, 10.0, "go", PEOPLE, {}), Pressed(2, 20.0, 1), Tapped(3, 23.0, "row", "grey-11")]
    hand = cards("O1 O2 P4 O5 P6 P11 O8 P9 K10 K3 R2 Y7")
    return [*events, *(Tapped(seq, 20.0 + seq, "seat-1", card) for seq, card in enumerate(hand, 4))]


def by_chance(slug: str, seed: int, enough: Callable[[Match], bool], **options: Any) -> Callable[[], list[Event]]:
    """Return a random match of this game, the same each time, played until it is worth looking at."""
    game = games.known()[slug]
    return lambda: play(game, random.Random(seed), options, most=600, noise=0.0, undo=0.0, enough=enough, people=PEOPLE)


class Picture(msgspec.Struct, frozen=True):
    """One picture: of which match, and how the page is looked at."""

    match: Callable[[], list[Event]]
    path: str
    width: int
    height: int
    language: str = "en"
    scheme: Literal["light", "dark"] = "light"


def laying(match: Match) -> bool:
    """Whether everybody but seat 1 has laid a card."""
    waited = match.game.now(match.state)
    return waited.code == "now-intervention" and waited.seats == (1,)


def rolled(match: Match) -> bool:
    """Whether two bosses are in prison, and the die has been rolled."""
    state: Any = match.state
    return len(state.jailed) >= 2 and bool(state.roll)


def shows(stage: str) -> Callable[[Match], bool]:
    """Return whether the big screen stages this now."""

    def shown(match: Match) -> bool:
        newest = views.newest(views.view(match, None))
        return newest is not None and newest.kind.stage == stage and len(match.events) > 60

    return shown


# A large picture with soft shades is a JPEG: as a PNG it is four times as long.
PICTURES = {
    "hands.jpg": Picture(by_chance("go", 7, shows("counting")), "/big", 1120, 630, "fr"),
    "kartel.jpg": Picture(by_chance("kartel", 3, rolled, ring=True), "/big", 1120, 630),
    "turn.png": Picture(by_chance("stop-me-go", 4, laying), "/seat/1", 390, 740),
    "seat.png": Picture(series, "/seat/1", 390, 740),
    "verdict.png": Picture(lambda: calls()[:-2], "/seat/3", 390, 740, "fr", "dark"),
    "host.png": Picture(calls, "/host", 390, 740),
}


def take_picture(name: str, picture: Picture, browser: Browser) -> None:
    """Take one picture, at a table that goes on with its match."""
    first, *later_events = picture.match()
    assert isinstance(first, Started)
    with tempfile.TemporaryDirectory() as folder:
        log = Log(Path(folder) / "log.sqlite", writes=True)
        log.append(log.open_match("2026-11-20T20:15:00+01:00", True, first), [(event, "") for event in later_events])
        log.close()
        with living(Path(folder)) as live, serving(_home(live)) as port:
            page = browser.new_page(
                viewport={"width": picture.width, "height": picture.height},
                locale=picture.language,
                color_scheme=picture.scheme,
                reduced_motion="reduce",
            )
            address = f"http://127.0.0.1:{port}"
            phone = BOS if picture.path == "/seat/3" else ANAS
            page.context.add_cookies([{"name": "phone", "value": phone, "url": f"{address}/"}])
            page.goto(f"{address}{picture.path}")
            page.wait_for_load_state("load")
            page.evaluate("document.body.classList.add('started')")  # the screen has been started
            page.screenshot(path=FOLDER / name, quality=60 if name.endswith(".jpg") else None)
            page.context.close()


def _home(live: Live) -> Flask:
    """Ana is the host and plays, Bo plays."""
    return app_with(live, phones_of(live, {0: ANAS, 1: ANAS, 3: BOS}), virtual=False)


def main() -> None:
    """Take every picture anew, and draw what `make trust` has kept."""
    plot.drawn(shares.kept())
    with sync_playwright() as playwright, playwright.chromium.launch(**CHROMIUM) as browser:
        for name, picture in PICTURES.items():
            take_picture(name, picture, browser)
        (FOLDER / "demonstration.webp").write_bytes(film.film_of_demo(browser))
        plans.write_plans(browser)


if __name__ == "__main__":
    main()
