"""Negative points and faults."""

from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from companion.kit.table_for_tests import cases
from tests.games.stop_it.table import STOPS, Table, called, collecting, counting

Act = Callable[[Table], object]
Faults = list[tuple[int, str]]


# Faults.

BOTH_OF_1: Faults = [(1, "unsorted"), (1, "dropped")]


@cases(
    "faults, points, options",
    ("an unsorted hand costs one", [(2, "unsorted")], (1, 1, 0), {}),
    ("each kind does, and the fewest costs another", BOTH_OF_1, (3, 0, 0), {}),
    ("not cumulative, the sorting costs the fewest nothing", BOTH_OF_1, (2, 0, 0), {"cumulative": False}),
)
def test_faults_cost_points(faults: Faults, points: tuple[int, ...], options: dict[str, bool]) -> None:
    table = counting(**options)
    for seat, fault in faults:
        table.fault(seat, fault)
        assert table.verdict == f"{fault} seat={seat}"
    table.counts(1, 4, 3)
    assert (table.scores, table.misplays) == (points, [])


@cases(
    "begin, acts",
    ("before the stop card is shown", called, lambda t: (t.fault(2), t.tap(1, "red-stop-1"), t.counts(1, 4, 3))),
    ("of whoever has counted", counting, lambda t: (t.counts(None, 4, 3), t.fault(2), t.count(1, 1))),
)
def test_a_fault_may_be_told(begin: Callable[[], Table], acts: Act) -> None:
    table = begin()
    acts(table)
    assert table.scores == (1, 1, 0)


def test_the_same_fault_costs_once_a_stop() -> None:
    table = collecting()
    for _ in range(2):
        table.call(1)
        table.fault(2)
        table.fault(2, by=1)
        assert table.verdict == "fault-known seat=2"
        table.counts(0, 4, 3)
        table.press(1)
    assert table.scores == (2, 2, 0)


def test_at_this_table_a_false_call_forgets_the_faults() -> None:
    table = called()
    table.fault(2)
    table.say(1, "no-stop")
    table.press(1)
    table.stop(1, 1, 4, 3)
    assert table.scores == (1, 0, 0)


@cases(
    "value",
    ("another kind", {"seat": 2, "fault": "late"}),
    ("an empty seat", {"seat": 5, "fault": "dropped"}),
    ("a yes", {"seat": True, "fault": "dropped"}),
    ("more than that", {"seat": 2, "fault": "dropped", "cards": 4}),
)
def test_what_is_no_fault(value: Any) -> None:
    table = counting()
    table.say("host", "fault", value)
    assert table.verdict == "unknown-value what=fault"


# An independent scorer.

faulted = st.lists(st.tuples(st.integers(1, 6), st.sampled_from(["unsorted", "dropped"])), max_size=6, unique=True)
called_stops = st.permutations([*STOPS, "special-stop-1", "special-stop-2"])


@given(data=st.data(), seats=st.integers(2, 6), cumulative=st.booleans())
def test_any_counts_and_faults_are_scored_like_this(data: st.DataObject, seats: int, cumulative: bool) -> None:
    table = collecting(*range(1, seats + 1), cumulative=cumulative)
    expected = dict.fromkeys(table.seats, 0)
    most = 17 // seats
    for stop in data.draw(called_stops):
        counts = {seat: data.draw(st.integers(0, most)) for seat in table.seats}
        faults = [(seat, fault) for seat, fault in data.draw(faulted) if seat <= seats]
        fewest = min(counts.values())
        for seat, count in counts.items():
            expected[seat] += count == fewest
        for seat, fault in faults:
            expected[seat] += cumulative or fault == "dropped" or counts[seat] != fewest

        table.call(1, stop)
        for seat, fault in faults:
            table.fault(seat, fault)
        colour = stop.split("-")[0].replace("special", "green")
        for seat, count in counts.items():
            if data.draw(st.booleans()):
                table.count(seat, count)
            else:
                table.tap(seat, *(f"{colour}-{most * (seat - 1) + n}" for n in range(1, count + 1)))
                table.press(seat)
        assert (table.points, table.misplays) == (expected, [])
        if sum(expected.values()) >= 15:
            break
        assert not table.over
        table.press(1)
    assert table.winners == [seat for seat in expected if expected[seat] == min(expected.values())]
