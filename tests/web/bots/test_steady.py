"""Where all may act at once, nothing moves under a thumb; and a card that can't be played now never looks playable."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import games
from companion.kit.in_chromium import Glass, Rendered
from companion.live.simulation import Simulation
from tests.chromium import PHONE
from tests.web.table import PEOPLE, Clock, app_of, living

THINGS = ".at-once :is(.in-hand li, .sd-piles > span, .sd-press, .ss-buzzer)"
PLACES = f"""() => [...document.querySelectorAll("{THINGS}")].map((one) => {{
  const {{ left, top }} = one.getBoundingClientRect();
  const at = [...one.parentElement.children].indexOf(one);
  const name = one.closest("ul") ? "hand" : one.className.split(" ")[0];
  return `${{name}} ${{at}} is at ${{Math.round(left)}} ${{Math.round(top)}}`;
}})"""
LOOKS = """() => [...document.querySelectorAll(".in-hand li:not(.empty-place)")]
  .map((one) => `${Boolean(one.querySelector("button"))} ${Number(getComputedStyle(one).opacity) === 1}`)"""


def seats_pages(slug: str, folder: Path, moves: int) -> Iterator[Rendered]:
    """Render both players' own pages at the beginning and after each of so many moves, drawn by lot."""
    chance = random.Random(f"{slug} steady")
    clock = Clock()
    with living(folder, clock, simulated=True) as live:
        simulation = Simulation(live, seed=lambda: "always the same")
        simulation.begin(slug, PEOPLE[: games.known()[slug].most_players], {})
        phone = app_of(live, simulation=simulation).test_client()
        for number in range(moves):
            clock.now += 1.0
            live.ask(lambda match: None)
            for path in ("/seat/1", "/seat/3"):
                yield Rendered(f"{path} after {number}", "en", phone.get(path).text)
            possible = [move for sight in simulation.sights.values() for move in sight.moves]
            laying = [move for move in possible if move.card]
            if possible:
                simulation.play(chance.choice(laying if laying and chance.random() < 0.8 else possible))


@pytest.mark.parametrize("slug", ["speed-duel", "speed-snap"])
def test_where_all_may_act_at_once_nothing_moves_under_a_thumb(slug: str, tmp_path: Path, glass: Glass) -> None:
    pages = list(seats_pages(slug, tmp_path, 70))
    places = {place.partition(": ")[2] for place in glass.ask(pages, PLACES, PHONE)}
    things = [place.partition(" is at ")[0] for place in places]
    assert things
    assert sorted(things) == sorted({*things}), sorted(places)


@pytest.mark.parametrize("slug", ["speed-duel", "crazy-eights", "hearts"])
def test_a_card_of_an_ordinary_deck_looks_playable_where_it_can_be_played_and_nowhere_else(
    slug: str, tmp_path: Path, glass: Glass
) -> None:
    pages = list(seats_pages(slug, tmp_path, 40))
    looks = {look.partition(": ")[2] for look in glass.ask(pages, LOOKS, PHONE)}
    assert looks == {"true true", "false false"}
