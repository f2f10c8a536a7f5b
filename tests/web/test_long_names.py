"""Long names on the narrowest phone: no word of a name breaks in its middle."""

import random
from pathlib import Path

import pytest
from playwright.sync_api import ViewportSize

from companion import games
from companion.events import Event, Player
from companion.judge.match import Match, judge
from companion.kit.in_chromium import Glass, Rendered
from companion.kit.random_matches import play
from companion.storage.log import Log
from tests.chromium import TELEVISION
from tests.web.evenings import NIGHT, store_match
from tests.web.table import app_of, living
from tests.web.test_states import all_of_scripts

NARROW: ViewportSize = {"width": 320, "height": 640}
NAMES = ("Maximilienne", "Jean-Christophe", "Bo", "Marie-Antoinette", "Anne-Sophie", "Guillaumette")
SIX = tuple(Player(seat, name) for seat, name in enumerate(NAMES, 1))
_BROKEN = """names => {
  const broken = [], all = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (const one of document.querySelectorAll("details")) one.open = true;
  while (all.nextNode()) {
    const said = all.currentNode, said_in = said.parentElement;
    if (!said_in.checkVisibility() || said_in.closest("svg") || said_in.offsetWidth < 2) continue;
    for (const word of names.flatMap(name => name.split("-")))
      for (let at = said.data.indexOf(word); at >= 0; at = said.data.indexOf(word, at + 1)) {
        const range = document.createRange();
        range.setStart(said, at);
        range.setEnd(said, at + word.length);
        if (new Set([...range.getClientRects()].map(line => Math.round(line.top))).size > 1)
          broken.push(`${said.data}: ${said_in.outerHTML.slice(0, 150)}`);
      }
  }
  return broken;
}"""


def broken(*names: str) -> str:
    """Return the script that lists where these break."""
    return f"() => ({_BROKEN})({list(names)})"


BROKEN = broken(*NAMES)
PILES_CUT = """() => {
  const lies = document.querySelector(".smg-piles");
  return lies.scrollWidth <= lies.clientWidth ? [] : [`cut off: ${lies.outerHTML.slice(0, 150)}`];
}"""


def won_by_a_long_name(slug: str) -> list[Event]:
    """Return a match of as many as can play, that who has the longest word in their name wins alone."""
    game = games.known()[slug]
    chance = random.Random(2)
    people = SIX[: games.known()[slug].most_players]
    events: list[Event] = []
    while not events or judge(events).outcome.winners != (1,):  # that comes soon, or never
        events = play(game, chance, {}, most=5000, noise=0.0, undo=0.0, people=people)
    return events


@pytest.mark.parametrize("slug", games.known())
def test_no_name_breaks_within_a_word_on_a_narrow_phone(slug: str, tmp_path: Path, glass: Glass) -> None:
    log = Log(tmp_path / "log.sqlite", writes=True)
    match = store_match(log, NIGHT, won_by_a_long_name(slug))
    log.close()
    paths = ("/", f"/results/{match}", "/seat/1", "/story", "/results", "/season")
    with living(tmp_path, simulated=True) as live:
        phone = app_of(live).test_client()
        pages = [
            Rendered(path, language, phone.get(path, query_string={"lang": language}).text)
            for path in paths
            for language in ("fr", "en")
        ]
    assert glass.ask(pages, BROKEN, NARROW) == []
    own_pages = [page for page in pages if page.path == "/seat/1"]
    assert glass.ask(own_pages, BROKEN, {"width": 390, "height": 844}) == []


@pytest.mark.parametrize("phase", ["intervention", "reward"])
def test_six_long_names_stay_clear_of_what_lies_between_them(phase: str, tmp_path: Path, glass: Glass) -> None:
    """Eight tokens are still to win, and gangsters got away: the longest row of STOP me GO on the big screen."""
    log = Log(tmp_path / "log.sqlite", writes=True)
    chance = random.Random(1)
    game = games.known()["stop-me-go"]

    def crowded(match: Match) -> bool:
        table = match.game.view(match.state, None)
        return table["phase"] == phase and table["tokens_left"] == 8 and len(table["discard"]) > 2

    events: list[Event] = []
    while not events or not crowded(judge(events)):  # that comes soon, or never
        events = play(game, chance, {}, most=60, noise=0.0, undo=0.0, enough=crowded, people=SIX)
    store_match(log, NIGHT, events)
    log.close()
    with living(tmp_path, simulated=True) as live:
        big = Rendered("/big", "fr", app_of(live).test_client().get("/big", query_string={"lang": "fr"}).text)
    assert glass.ask([big], all_of_scripts(BROKEN, *[PILES_CUT] * (phase == "intervention")), TELEVISION) == []
