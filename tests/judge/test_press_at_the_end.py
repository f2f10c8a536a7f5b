"""A press that ended a match, felt twice by a worn button, is no press after the end."""

from typing import Any

import msgspec
import pytest

from companion import games
from companion.events import Event, Player, Pressed, Retracted, Said, Started
from companion.game import GameMoves, HowSaid, Presses, Taps, Word
from companion.games.speed_snap.state import Phase
from companion.judge.match import Match

PEOPLE = (Player(1, "Ana"), Player(2, "Bo"))
END = 104.0


def end(state: Any, event: Event) -> Any:
    return msgspec.structs.replace(state, phase=Phase.OVER), ()


ENDINGS = [Pressed(2, END, 1), Said(2, END, 1, "enough")]
"""The press itself, or what its player says by it."""


def ended_by(ending: Event) -> Match:
    """Return a match of a game in which a press, and a word, ends it."""
    match = Match(Started(1, 100.0, "speed-snap", PEOPLE, {}))
    moves: GameMoves[Any] = GameMoves(
        taps=Taps(end), presses=Presses(end), words={"enough": Word(end, (HowSaid.PRESS,))}
    )
    match.game = msgspec.structs.replace(games.known()["speed-snap"], moves=moves)
    match.add(ending)
    assert match.over
    return match


def codes(match: Match) -> list[str]:
    return [misplay.code for misplay in match.misplays]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_press_felt_twice_says_nothing_of_the_end(ending: Event) -> None:
    match = ended_by(ending)
    match.add(Pressed(3, END + 0.29, 1))
    assert codes(match) == []


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_later_press_or_one_of_another_seat_is_told_that_the_match_is_over(ending: Event) -> None:
    match = ended_by(ending)
    match.add_all((Pressed(3, END + 0.1, 2), Pressed(4, END + 0.6, 1)))
    assert codes(match) == ["match-over", "match-over"]


def test_with_the_first_press_taken_back_the_second_is_the_one() -> None:
    match = ended_by(ENDINGS[0])
    match.add_all((Pressed(3, END + 0.1, 1), Retracted(4, END + 5.0, 2)))
    assert match.over
    assert codes(match) == []


def test_a_press_is_not_its_own_repetition_where_a_match_goes_on_with_what_stood_later() -> None:
    match = ended_by(ENDINGS[0])
    match.add_all((Retracted(3, END + 1.0, 2), Pressed(4, END + 5.0, 1), Pressed(5, END + 6.0, 1)))
    gone_on_with = match.before(2)
    gone_on_with.game = match.game
    gone_on_with.add_all(match.standing(2))
    assert codes(gone_on_with) == codes(match) == ["match-over"]
