"""What edges mean, without any GPIO: drawn contacts that bounce, watched by a drawn kernel."""

import time
from bisect import bisect_right
from itertools import accumulate, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.devices.buttons.debounce import BLURRED_NS, REST_NS, UNDECIDED_NS, Button, Edge, Numbers
from companion.devices.buttons.stamps import Stamps

US = 1000
MS = 1000 * US
SETTLED = 5 * MS  # a contact has ended to bounce by then, and the kernel to look
LOOK = st.integers(0, MS - 1)
PAUSES = st.lists(st.integers(1 * US, 2 * MS), max_size=15).map(lambda pauses: pauses[: len(pauses) // 2 * 2])


@st.composite
def touched(draw: st.DrawFn) -> tuple[list[int], list[Edge]]:
    """A button that is pressed some times: when its contact first closed, and the edges the kernel tells of it.

    Each edge comes with the level of a moment later; of edges within a millisecond some are not told.
    """
    press_at = draw(st.integers(0, MS))
    presses = []
    toggles = []
    for _ in range(draw(st.integers(1, 5))):
        presses.append(press_at)
        for pause in (draw(st.integers(SETTLED, 500 * MS)), draw(st.integers(REST_NS, 500 * MS))):
            train = [press_at, *accumulate(draw(PAUSES), initial=press_at)][1:]
            toggles += train
            press_at = train[-1] + pause
    merged = draw(st.sets(st.sampled_from(toggles)))
    edges = []
    for number, at in enumerate(toggles):
        ended = number + 1 == len(toggles) or toggles[number + 1] - at >= SETTLED
        if at in merged and edges and at - edges[-1].at < BLURRED_NS and at not in presses and not ended:
            continue
        closed = bisect_right(toggles, at + draw(LOOK)) % 2 == 1
        edges.append(Edge(0, at, closed))
    return presses, edges


def pressed(button: Button, edges: list[Edge]) -> list[int]:
    """The stamps of what is told as a press, until the last contact has been heard for long."""
    presses_told = [button.hear(edge) for edge in edges]
    presses_told.append(button.settle(edges[-1].at + REST_NS))
    return [first.at for first in presses_told if first is not None]


@given(touched())
def test_every_press_is_told_once_by_its_first_edge(contact: tuple[list[int], list[Edge]]) -> None:
    presses, edges = contact
    assert pressed(Button(closed=False), edges) == presses


@given(touched(), st.data())
def test_no_press_bears_a_time_before_that_of_which_all_were_told(
    contact: tuple[list[int], list[Edge]], data: st.DataObject
) -> None:
    button = Button(closed=False)
    told_until = 0
    for edge, next_edge in pairwise(contact[1]):
        heard = data.draw(st.integers(edge.at, next_edge.at))
        for first in (button.hear(edge), button.settle(heard)):
            assert first is None or first.at >= told_until
        since = button.undecided_since
        told_until = max(told_until, heard if since is None else since)


@settings(max_examples=30)
@given(st.data())
def test_presses_of_many_buttons_keep_the_order_of_the_kernel(data: st.DataObject) -> None:
    contacts = [data.draw(touched()) for _ in range(data.draw(st.integers(2, 6)))]
    edges = sorted(
        (Edge(number, edge.at, edge.closed) for number, (_, edges) in enumerate(contacts) for edge in edges),
        key=lambda edge: edge.at,
    )
    buttons = [Button(closed=False) for _ in contacts]
    heard = [first for edge in edges if (first := buttons[edge.button].hear(edge))]
    heard += [first for button in buttons if (first := button.settle(edges[-1].at + REST_NS))]
    truth = sorted((at, number) for number, (presses, _) in enumerate(contacts) for at in presses)
    assert sorted((first.at, first.button) for first in heard) == truth


@given(touched())
def test_a_button_that_is_held_at_the_start_must_be_released_first(contact: tuple[list[int], list[Edge]]) -> None:
    presses, edges = contact
    button = Button(closed=True)
    released = [edge for edge in edges if edge.at >= presses[0] + SETTLED]
    assert pressed(button, released) == presses[1:]


EXAMPLES: dict[str, tuple[list[tuple[int, bool]], list[int]]] = {
    "a spike that never closes is no press": ([(100 * MS, False), (101 * MS, False), (300 * MS, False)], []),
    "a first edge whose level came too late still is": ([(100 * MS, False), (101 * MS, True)], [100 * MS]),
    "a spike long before a press is not its first edge": ([(100 * MS, False), (200 * MS, True)], [200 * MS]),
    "nor one 4 ms before": ([(100 * MS, True), (100 * MS + 1, False), (104 * MS + 1, True)], [104 * MS + 1]),
    "a dip shorter than a millisecond is no press": ([(100 * MS, True), (101 * MS - 1, False)], []),
    "a contact that was closed for a millisecond is one": ([(100 * MS, True), (101 * MS, False)], [100 * MS]),
    "a burst of dips is no press": (
        [(100 * MS + dip * 100 * US + away, not away) for dip in range(20) for away in (0, 3 * US)],
        [],
    ),
    "a button counts again when it has rested for 30 ms": (
        [(0, True), (100 * MS, False), (100 * MS + REST_NS, True)],
        [0, 100 * MS + REST_NS],
    ),
    "and not before": ([(0, True), (100 * MS, False), (100 * MS + REST_NS - 1, True)], [0]),
    "held it is one press however long": (
        [(0, True), (10**10, True), (2 * 10**10, False), (2 * 10**10 + MS, True)],
        [0],
    ),
}


@pytest.mark.parametrize(("edges", "presses"), EXAMPLES.values(), ids=EXAMPLES.keys())
def test_what_edges_mean(edges: list[tuple[int, bool]], presses: list[int]) -> None:
    assert pressed(Button(closed=False), [Edge(0, at, closed) for at, closed in edges]) == presses


def test_dips_that_go_on_all_evening_are_no_press_and_date_the_next_one_by_50_ms_at_the_most() -> None:
    dips = [(dip * MS + away, not away) for dip in range(1000) for away in (0, 3 * US)]
    edges = [Edge(0, REST_NS + at, closed) for at, closed in [*dips, (1000 * MS, True)]]
    assert pressed(Button(closed=False), edges[:-1]) == []
    (at,) = pressed(Button(closed=False), edges)
    assert edges[-1].at - UNDECIDED_NS <= at <= edges[-1].at


# The kernel's numbers.


@given(
    st.integers(0, 2**32 - 1),
    st.lists(st.tuples(st.sampled_from((17, 27, 22)), st.booleans()), max_size=60),
)
def test_every_edge_there_was_no_room_for_is_counted(born: int, edges: list[tuple[int, bool]]) -> None:
    numbers = Numbers()
    numbers_given = dict.fromkeys((17, 27, 22), born)
    lost = 0
    owed = 0
    for line in numbers_given:
        numbers.lost(line, born)
    for line, dropped in edges:
        numbers_given[line] = (numbers_given[line] + 1) % 2**32
        if not dropped:
            lost += numbers.lost(line, numbers_given[line])
    for line, number in numbers_given.items():
        lost += numbers.lost(line, (number + 1) % 2**32)
    owed = sum(dropped for _, dropped in edges)
    assert lost == owed


def test_nothing_is_lost_from_the_first_edge_on() -> None:
    numbers = Numbers()
    assert [numbers.lost(17, number) for number in (1, 2, 3, 6)] == [0, 0, 0, 2]
    assert numbers.lost(27, 3) == 2


def test_a_stamp_that_was_overwritten_may_be_late() -> None:
    numbers = Numbers()
    assert [numbers.early(number) for number in (1, 2, 4, 5)] == [0, 0, BLURRED_NS, 0]


def test_an_edge_that_another_overtook_is_not_late() -> None:
    numbers = Numbers()
    assert [numbers.early(number) for number in (1, 3, 2, 4)] == [0, BLURRED_NS, 0, 0]
    assert [numbers.early(number) for number in (2**32 - 1, 0, 1)][1:] == [0, 0]


# The kernel's stamps on the table's clock.


def test_a_stamp_is_placed_within_its_bound() -> None:
    stamps = Stamps(lambda: time.monotonic() + 1000)
    for ago in (0, 1 * MS, 500 * MS):
        stamp = time.monotonic_ns() - ago
        at, off = stamps.place(stamp)
        assert abs(at - 1000 - stamp / 1e9) <= off


@given(st.lists(st.integers(-2_000, 50_000_000), min_size=2, max_size=20))
def test_stamps_close_to_each_other_keep_order_and_distance(apart: list[int]) -> None:
    began = time.monotonic_ns()
    stamps = Stamps(time.monotonic)
    placed = [(began + away, stamps.place(began + away)[0]) for away in apart]
    for stamp, at in placed:
        for other, then in placed:
            assert abs((at - then) - (stamp - other) / 1e9) <= 1.1e-6
            assert stamp <= other or at >= then
