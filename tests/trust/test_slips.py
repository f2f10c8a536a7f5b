"""People who slip do what the table's words ask: every misplay has its answer."""

import pytest

from companion import games
from companion.words import catalogue
from tests.trust.slip.told import BY_GAME, EVERY_GAME, codes
from tests.trust.slips import of_game

GAMES = pytest.mark.parametrize("slug", BY_GAME)


@GAMES
def test_every_misplay_of_a_game_says_what_people_do(slug: str) -> None:
    assert codes(games.known()[slug]) <= {*BY_GAME[slug], *EVERY_GAME}


@GAMES
def test_nobody_does_what_no_sentence_asks(slug: str) -> None:
    assert BY_GAME[slug].keys() | EVERY_GAME.keys() <= catalogue(slug).keys()


def test_people_slip_in_every_game() -> None:
    assert BY_GAME.keys() == games.known().keys()


def test_people_do_what_reads_as_a_refusal_asks_though_the_card_counts() -> None:
    """In this match a thirteenth card takes the place of one that lies in another hand too."""
    assert not of_game(games.known()["go"], range(20119, 20120)).broken
