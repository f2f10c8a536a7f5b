"""What a demonstration shows, and for how long."""

import random
from functools import cache
from itertools import groupby
from operator import itemgetter

import pytest

from companion import games
from companion.events import Player, Started, Tapped, seat_at
from companion.game import Misplay, Ruling
from companion.judge.match import Match
from companion.live.demo import PEOPLE
from companion.live.rehearsal import KNOWN, LONGEST, READING, REST, ROUTINE, Story, best, rest_after

SHOWN = {
    "stop-me-go": {"captured", "fled-nobody", "taken", "round-won"},
    "stop-it": {"shouted-later", "dead-heat", "scored"},
    "go": {"took-pile", "called", "scored-caller", "scored-others"},
    "kartel": {"rolled", "won", "won-closed", "boss-jailed"},
}
every_game = pytest.mark.parametrize("game", games.known())


def begun(game: str) -> Started:
    players = tuple(Player(seat, name) for seat, name in PEOPLE.items())
    return Started(1, 0.0, game, players, dict(games.known()[game].on_show))


@cache
def story(game: str) -> Story:
    return best([begun(game)], random.Random(1))


@every_game
def test_a_story_takes_one_to_two_minutes_or_little_more(game: str) -> None:
    assert LONGEST / 2 <= story(game).seconds <= LONGEST * 1.15


@every_game
def test_a_story_shows_what_the_game_is_about(game: str) -> None:
    assert SHOWN[game] <= story(game).told


@every_game
def test_what_is_told_is_looked_at_by_its_weight(game: str) -> None:
    match = Match(begun(game))
    for code, moment in match.game.moments.items():
        told = [Ruling(code, 2)]
        assert rest_after(match, told) == REST[moment.weight]
        assert rest_after(match, told, [code]) == KNOWN[moment.weight] < REST[moment.weight]


@every_game
def test_what_is_no_news_is_routine(game: str) -> None:
    match = Match(begun(game))
    code = next(iter(match.game.moments))
    for told in ([], [Misplay(code, 2)], [Ruling(code, 2, to=1)], [Ruling("no-moment", 2)]):
        assert rest_after(match, told) == ROUTINE


def test_a_hand_of_twelve_is_read_in_two_seconds() -> None:
    taps = [(one.act.place, one.after) for one in story("go").episodes if isinstance(one.act, Tapped)]
    runs = [[after for _, after in run] for place, run in groupby(taps, itemgetter(0)) if seat_at(place)]
    assert [READING] * 11 in [run[1:] for run in runs]
