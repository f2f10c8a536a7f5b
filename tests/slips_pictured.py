"""Pictures of slips: what the big screen says of each, in English and in French, and what the lamps show meanwhile.

    python -m tests.slips_pictured FOLDER

writes a page with all of them, to be looked at whenever words, pages or lamps have changed.
"""

import argparse
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from companion.devices.lamp_cues import CENTRE, Counted, Cue, Light
from companion.events import Said
from companion.games.kartel.cards import TOKENS
from companion.live.lamps import cues
from tests.chromium import CHROMIUM
from tests.games.go.table import SEVENTEEN, THIRTYTWO, TWO, cards
from tests.live.cards import ANA, BO, CLEO, PEOPLE, UIDS, Cards
from tests.web.table import app_of, serving

SCREEN = {"width": 1280, "height": 720}
STYLE = "body{font:16px sans-serif;margin:1rem}figure{margin:0 0 3rem}i{display:inline-block;padding:.3em .8em}"


def lie(table: Cards, place: str, card: str) -> None:
    """Lay a card there, and leave it."""
    table.lay(place, UIDS[card])


def tap_cards(table: Cards, place: str, *names: str) -> None:
    for name in names:
        table.lay(place, UIDS[name])
        table.lift(place, UIDS[name])


def counting(table: Cards) -> None:
    table.press(ANA)
    table.press(BO, table.live.clock() + 1)
    table.lay_cards(BO, "red-stop-1")


def over_a_neighbours_pad(table: Cards) -> None:
    counting(table)
    table.lay_cards(BO, "red-1")
    table.count(ANA, "red-1", "red-4")
    table.count(BO, "red-2")
    table.count(CLEO, "red-3", "red-5")


def of_another_colour(table: Cards) -> None:
    counting(table)
    lie(table, "seat-1", "blue-3")


def unknown(table: Cards) -> None:
    counting(table)
    table.lay("seat-1", "04FFFFFFFFFFFF")


def done_with_nothing_laid(table: Cards) -> None:
    counting(table)
    table.press(ANA, table.live.clock() + 2)


def after_the_count(table: Cards) -> None:
    counting(table)
    table.count(ANA, "red-1")
    lie(table, "seat-1", "red-2")


def not_a_stop(table: Cards) -> None:
    table.press(ANA)
    table.press(BO, table.live.clock() + 1)
    lie(table, "seat-2", "red-3")


def colour_on_a_neighbours_pad(table: Cards) -> None:
    tap_cards(table, "centre", "gangster-4")
    table.lay_cards(ANA, "blue-go-1")
    table.lay_cards(BO, "blue-go-1")


def another_players_colour(table: Cards) -> None:
    tap_cards(table, "centre", "gangster-4")
    table.lay_cards(ANA, "blue-go-1")
    table.lay_cards(BO, "red-go-1")
    lie(table, "seat-2", "blue-go-2")


def turned_up_too_early(table: Cards) -> None:
    tap_cards(table, "centre", "gangster-4")
    table.lay_cards(ANA, "blue-go-1")
    lie(table, "centre", "gangster-5")


def in_two_hands(table: Cards) -> None:
    table.press(ANA)
    tap_cards(table, "row", "grey-11")
    table.lay_cards(ANA, *cards(TWO))
    table.live.act(lambda match, at: (Said(0, at, ANA, "series", "best"),))
    blue = cards(THIRTYTWO)[0]
    table.lay_cards(CLEO, *cards(SEVENTEEN)[:-1], blue)
    table.lay_cards(BO, *cards(THIRTYTWO))


def one_too_many(table: Cards) -> None:
    table.press(ANA)
    tap_cards(table, "row", "grey-11")
    table.lay_cards(ANA, *cards(TWO))
    lie(table, "seat-1", cards(SEVENTEEN)[0])


def out_of_turn(table: Cards) -> None:
    lie(table, "seat-2", "red-1")


def won_already(table: Cards) -> None:
    table.lay_cards(ANA, "red-1")
    table.lay_cards(BO, "red-2a")
    lie(table, "seat-3", "red-1")


def missed_in_the_ring(table: Cards) -> None:
    tap_cards(table, "centre", TOKENS[0], *TOKENS[2:])
    table.live.act(lambda match, at: (Said(0, at, "host", "ring-done"),))


SLIPS: Mapping[str, tuple[Callable[[Cards], None], ...]] = {
    "stop-it": (
        over_a_neighbours_pad,
        of_another_colour,
        unknown,
        done_with_nothing_laid,
        after_the_count,
        not_a_stop,
    ),
    "stop-me-go": (colour_on_a_neighbours_pad, another_players_colour, turned_up_too_early),
    "go": (in_two_hands, one_too_many),
    "kartel": (out_of_turn, won_already, missed_in_the_ring),
}


def lamps(table: Cards) -> str:
    cue_of = cues(table.live.snapshot)
    names = {CENTRE: "centre", **{player.seat: player.name for player in PEOPLE}}
    return "".join(f"<i>{name}: <b>{named(cue_of.get(seat, Cue.OFF))}</b></i>" for seat, name in names.items())


def named(light: Light) -> str:
    return f"waiting {light.cards}" if isinstance(light, Counted) else light


def pictured(folder: Path, slug: str, slip: Callable[[Cards], None], open_page: Callable[[str], Page]) -> str:
    """Take the pictures of one slip, and return their part of the page."""
    with tempfile.TemporaryDirectory() as place:
        options = {"ring": True} if slip is missed_in_the_ring else {}
        table = Cards(Path(place), slug, **options)
        try:
            slip(table)
            figures = f"<h2>{slug}: {slip.__name__.replace('_', ' ')}</h2><p>{lamps(table)}</p>"
            with serving(app_of(table.live)) as port:
                for language in ("en", "fr"):
                    page = open_page(language)
                    page.goto(f"http://127.0.0.1:{port}/big")
                    page.wait_for_timeout(1500)  # what arrives has arrived
                    name = f"{slug}-{slip.__name__}-{language}.png"
                    page.screenshot(path=folder / name)
                    page.context.close()
                    figures += f'<figure><img src="{name}" alt=""></figure>'
            return figures
        finally:
            table.close()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--only", default="", help="a slip by its name")
    chosen = arguments.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(**CHROMIUM)

        def open_page(language: str) -> Page:
            return browser.new_context(viewport=SCREEN, locale=language, reduced_motion="reduce").new_page()

        parts = [
            pictured(chosen.folder, slug, slip, open_page)
            for slug, slips in SLIPS.items()
            for slip in slips
            if chosen.only in slip.__name__
        ]
    html = f'<!doctype html><meta charset="utf-8"><title>Slips</title><style>{STYLE}</style>{"".join(parts)}'
    (chosen.folder / "index.html").write_text(html, encoding="utf-8")


if __name__ == "__main__":
    main()
