"""How a match stood on its way, and what it costs to come back to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion import games
from companion.events import Event, Retracted
from companion.game import Verdict
from companion.judge.checkpoints import EACH, EVERY, Checkpoint, Checkpoints
from companion.judge.match import Match, judge
from companion.kit.random_matches import random_match

BEGINNING = Checkpoint(0, 1, 0, 0, 0, None, None, 1, frozenset(), (), {})


def laid(acts: int) -> Checkpoints:
    checkpoints = Checkpoints()
    for number in range(acts // EVERY + 1):
        checkpoints.lay(replace(BEGINNING, number=number, taken=1 + number * EVERY))
    return checkpoints


@given(acts=st.integers(1, 20_000), data=st.data())
def test_hardly_more_is_judged_again_than_was_done_since(acts: int, data: st.DataObject) -> None:
    ago = data.draw(st.integers(1, acts))
    last = acts + 1 - ago
    assert last - laid(acts).back_to(last).taken <= ago / (EACH - 1) + EVERY


def test_who_comes_back_forgets_all_that_was_laid_since() -> None:
    for event_count in range(1, 10 * EVERY):
        checkpoints = laid(10 * EVERY)
        checkpoints.back_to(event_count)
        assert all(checkpoint.taken <= event_count for row in checkpoints._rows for checkpoint in row)


def test_what_is_taken_back_of_the_match_before_an_event_is_not_taken_back_of_the_match() -> None:
    match = judge(random_match(games.known()["stop-it"], 1, undo=0.0, most=20))
    standing = match.standing()
    match.before(10).add(Retracted(10, 400.0, 5))
    assert match.standing() == standing


def test_a_long_match_keeps_few() -> None:
    assert sum(map(len, laid(10_000)._rows)) <= 80


def test_several_taken_back_at_once_are_judged_again_from_the_earliest() -> None:
    match = judge(random_match(games.known()["go"], 1, undo=0.0, most=100))
    match.add_all([Retracted(101, 400.0, 20), Retracted(102, 400.0, 90)])
    assert match.verdicts == judge(match.events).verdicts


def test_the_last_act_is_taken_back_without_the_match_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    events = random_match(games.known()["stop-it"], 1, undo=0.0, most=300)
    match = judge(events)
    judged: list[int] = []
    real = Match._judge

    def counted(self: Match, event: Event) -> tuple[Verdict, ...]:
        judged.append(event.seq)
        return real(self, event)

    monkeypatch.setattr(Match, "_judge", counted)
    match.add(Retracted(len(events) + 1, 400.0, len(events)))
    assert len(judged) < EVERY < len(events)
