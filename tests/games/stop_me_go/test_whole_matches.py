"""Laws of whole matches, played at random by the booklet."""

from hypothesis import given
from hypothesis import strategies as st

from companion.events import Said
from companion.judge.match import judge
from tests.games.stop_me_go.evening import Evening

seeds = st.integers(0, 2**32)


@given(seeds)
def test_three_tokens_or_the_highest_sum_win_and_nothing_was_a_misplay(seed: int) -> None:
    """`Evening` sees to it that every round's token goes to the owner of the best gangster."""
    evening = Evening(seed).play()
    table = evening.table
    assert (table.over, table.misplays) == (True, [])
    if evening.third:
        assert (table.winners, table.sealed) == (evening.third, True)
        return
    sums = {seat: sum(value or 0 for value in values) for seat, values in evening.tokens.items()}
    assert len(evening.won) == len(table.seats) + 2
    assert (table.points, table.winners) == (sums, sorted(seat for seat in sums if sums[seat] == max(sums.values())))


@given(seeds)
def test_cards_are_turned_up_only_while_every_hand_holds_one(seed: int) -> None:
    """Four gangsters are out then; after a capture nobody lays any more."""
    evening = Evening(seed)
    evening.round()
    events = evening.table.match.events
    for upto in range(1, len(events)):
        match = judge(events[:upto])
        said = judge([*events[:upto], Said(upto + 1, events[upto].at, "host", "flip")])
        assert (len(said.misplays) == len(match.misplays)) == (upto + 1 in evening.flips)
