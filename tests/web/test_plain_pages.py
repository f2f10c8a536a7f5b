"""The plain pages, which stand in for those that a game does not bring, or that fail: all on them can be read."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from companion.game import AnyGame
from companion.kit.button_laws import leave_out_pages_of_games, simulated_table, world_stages
from companion.kit.games_to_test import every_game
from companion.kit.in_chromium import Glass, Rendered, at_every_moment
from companion.kit.page_laws import AllPlaces, show_each_stage, table, tablet
from companion.kit.world_laws import every_world
from tests.chromium import PHONE, TELEVISION
from tests.web.axe import CHECK, FLAT, INK, THIN
from tests.web.elements import Elements, with_all

LEGIBLE = CHECK.format(thin=THIN + FLAT, leave="leaveInk", asked=INK)
PAGES = ("/", "/big", "/seat/1", "/seat/2", "/host", "/host/1", "/table")


def see_that_they_are_legible(rendered: list[Rendered], axe: Glass) -> None:
    """Ask those on which all words stand, in every element that they stand in on any: by day and by night."""
    pages = with_all((Elements(page.html).inks, page) for page in rendered)
    big = [page for page in pages if page.path.startswith("/big")]
    other_pages = [page for page in pages if page not in big]
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        assert axe.ask(other_pages, LEGIBLE, PHONE, scheme=scheme) == []
        assert axe.ask(big, LEGIBLE, TELEVISION, scheme=scheme) == []


@pytest.mark.long
@every_game
def test_every_word_of_a_plain_page_is_legible(game: AnyGame, tmp_path: Path, axe: Glass) -> None:
    with table(tmp_path) as live:
        phone = tablet(live, hand=AllPlaces())
        leave_out_pages_of_games(phone)
        see_that_they_are_legible(at_every_moment(phone, PAGES, show_each_stage(live, game)), axe)


@pytest.mark.long
@every_world
def test_every_word_of_the_plain_pages_of_simulated_things_is_legible(
    game: AnyGame, tmp_path: Path, axe: Glass
) -> None:
    with table(tmp_path) as live:
        world, phone = simulated_table(live)
        leave_out_pages_of_games(phone)

        def moments() -> Iterator[str]:
            for waited_for, played in world_stages(game):
                world.show(played)
                yield waited_for

        see_that_they_are_legible(at_every_moment(phone, PAGES, moments()), axe)
