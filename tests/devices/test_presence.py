"""When a card counts as there, and when as gone."""

from collections.abc import Iterable
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.readers.presence import MISSES, REMOVAL, UNSEEN, Presence, faulted, polled
from companion.devices.sensing import Appeared, Crowded, Gone, Hurried, Sensing, Tag, Uncrowded

A = "04A1B2C3D4E5F6"
B = "04B1B2C3D4E5F6"
C = "04C1B2C3D4E5F6"
NAMES = {A: "A", B: "B", C: "C"}
EMPTY: tuple[str, ...] = ()
FAULT = None

Seen = tuple[str, ...] | None
Step = tuple[int, Seen]  # milliseconds since the step before, what the poll saw


def sensings_of(steps: Iterable[Step], presence: Presence = Presence()) -> list[Sensing]:  # noqa: B008 - it is frozen
    milliseconds_passed = 0
    news = list[Sensing]()
    for milliseconds, uids_lying in steps:
        milliseconds_passed += milliseconds
        if uids_lying is FAULT:
            presence = faulted(presence)
        else:
            presence, more = polled(presence, "pad", tuple(Tag(uid) for uid in uids_lying), milliseconds_passed / 1000)
            news += more
    return news


def words(steps: Iterable[Step]) -> str:
    signs = []
    for news in sensings_of(steps):
        match news:
            case Appeared(_, uid):
                signs.append(f"+{NAMES[uid]}")
            case Gone(_, uid):
                signs.append(f"-{NAMES[uid]}")
            case _:
                signs.append({Crowded: "crowd", Uncrowded: "alone", Hurried: "again"}[type(news)])
    return " ".join(signs)


def every_10_ms(count: int, *polls: Seen) -> list[Step]:
    return [(10, poll) for _ in range(count) for poll in polls]


any_steps = st.lists(
    st.tuples(st.integers(1, 120), st.sampled_from([(A,), (B,), (A, B), EMPTY, EMPTY, FAULT])),
    max_size=60,
)


@st.composite
def a_still_card(draw: st.DrawFn) -> list[Step]:
    """Good sights of one card, with faults and bursts of misses shorter than 300 ms between them."""
    steps: list[Step] = [(10, (A,))]
    for _ in range(draw(st.integers(0, 15))):
        gaps = draw(st.lists(st.integers(1, 90), max_size=40))
        burst: list[Step] = []
        for gap in gaps:
            if sum(ms for ms, _ in burst[1:]) + gap >= 300:
                break
            burst.append((gap, EMPTY))
        steps += [*burst, (draw(st.integers(1, 2000)), draw(st.sampled_from([(A,), FAULT])))]
    return steps


# A still card


@given(a_still_card())
def test_a_still_card_is_told_exactly_once(steps: list[Step]) -> None:
    assert sensings_of(steps) == [Appeared("pad", A, 0.01)]


@given(st.integers(0, 50))
def test_a_still_card_that_two_polls_of_three_miss_is_told_once_however_long_it_lies(seed: int) -> None:
    chance = Random(seed)
    news = sensings_of([(10, (A,)), *((50, (A,) if chance.random() > 0.66 else EMPTY) for _ in range(2000))])
    assert news == [Appeared("pad", A, 0.01)]


def test_a_card_that_the_first_polls_miss_lay_there_already() -> None:
    [appeared] = sensings_of([*every_10_ms(20, EMPTY), *[(100, EMPTY)] * 5, (10, (A,))], UNSEEN)
    assert isinstance(appeared, Appeared)
    assert appeared.already


# What lay there before anybody looked


@given(st.lists(st.sampled_from([EMPTY, FAULT, (A, B)]), max_size=3))
def test_a_card_found_when_the_reader_begins_lay_there_already(first_polls: list[Seen]) -> None:
    steps = [*((10, poll) for poll in first_polls), *every_10_ms(50, (A,))]
    [appeared] = [news for news in sensings_of(steps, UNSEEN) if isinstance(news, Appeared)]
    assert appeared.already


def test_a_card_that_comes_after_300_ms_of_empty_polls_did_not() -> None:
    assert sensings_of([*every_10_ms(31, EMPTY), (10, (A,))], UNSEEN) == [Appeared("pad", A, 0.32)]


def test_nor_does_the_second_card() -> None:
    [first, _, second] = sensings_of([(10, (A,)), *every_10_ms(2, (B,))], UNSEEN)
    assert isinstance(first, Appeared)
    assert first.already
    assert second == Appeared("pad", B, 0.03)


# A card taken away


def test_a_card_is_gone_after_300_ms_of_empty_polls() -> None:
    assert sensings_of([*every_10_ms(5, (A,)), *every_10_ms(40, EMPTY)]) == [
        Appeared("pad", A, 0.01),
        Gone("pad", A, 0.36),
    ]


@given(any_steps)
def test_gone_means_300_ms_of_empty_good_polls_or_another_card(steps: list[Step]) -> None:
    times = [sum(ms for ms, _ in steps[: n + 1]) for n in range(len(steps))]
    for gone in sensings_of(steps):
        if not isinstance(gone, Gone):
            continue
        last = times.index(round(gone.at * 1000))
        uids_lying = steps[last][1]
        if uids_lying == EMPTY:
            first = last
            while first and steps[first - 1][1] == EMPTY:
                first -= 1
            if first and (uids_before := steps[first - 1][1]) and gone.uid not in uids_before:
                continue  # another card, seen once
            assert gone.at - times[first] / 1000 >= REMOVAL
            assert last - first + 1 >= MISSES
        else:
            assert uids_lying is not None
            assert gone.uid not in uids_lying


@given(any_steps)
def test_at_most_one_card_lies_at_a_place_and_each_removal_follows_its_arrival(steps: list[Step]) -> None:
    cards = [news for news in sensings_of(steps) if isinstance(news, Appeared | Gone)]
    assert all(isinstance(news, Appeared) for news in cards[::2])
    for arrived, left in zip(cards[::2], cards[1::2], strict=False):
        assert isinstance(left, Gone)
        assert isinstance(arrived, Appeared)
        assert left.uid == arrived.uid


@given(any_steps)
def test_times_never_run_back(steps: list[Step]) -> None:
    assert all(sensing_told.at <= other.at for sensing_told, other in pairwise(sensings_of(steps)))


# Examples

ALMOST_GONE: list[Step] = [(10, (A,)), *every_10_ms(30, EMPTY)]
CROWD = every_10_ms(5, (A, B))
ON_A_CARD = [*every_10_ms(5, (A,)), *CROWD]


EXAMPLES: dict[str, tuple[list[Step], str]] = {
    "a card missed at every second poll does not flicker": (every_10_ms(500, (A,), EMPTY), "+A"),
    "nor where polls are slow and two of three miss it": (
        [(100, (A,) if n in (0, 4, 5, 9, 13, 14, 21, 24) else EMPTY) for n in range(25)],
        "+A",
    ),
    "there it is gone after some seconds": ([(100, (A,)), *[(100, EMPTY)] * 28], "+A -A"),
    "after two where it was read well": ([*[(100, (A,))] * 10, *[(100, EMPTY)] * 20], "+A -A"),
    "a fault, however long, is no removal": ([(10, (A,)), *every_10_ms(1000, FAULT)], "+A"),
    "after a fault the 300 ms start anew": ([*ALMOST_GONE, (10, FAULT), *every_10_ms(30, EMPTY)], "+A"),
    "and end": ([*ALMOST_GONE, (10, FAULT), *every_10_ms(31, EMPTY)], "+A -A"),
    "two misses far apart are not believed": ([(10, (A,)), (10, EMPTY), (900, EMPTY), (10, (A,))], "+A"),
    "another card at once is a removal and an arrival": ([(10, (A,)), *every_10_ms(2, (B,))], "+A -A +B"),
    "where a card lies, another seen once is noise": (every_10_ms(3, *[(A,)] * 5, (B,), *[(A,)] * 40), "+A"),
    "two that are listed in turn are a crowd": (every_10_ms(50, (A,), (B,)), "+A crowd"),
    "also where each is listed a while": (every_10_ms(50, *[(A,)] * 5, *[(B,)] * 5), "+A -A +B crowd"),
    "and where one is listed seldom": (every_10_ms(20, *[(A,)] * 9, (B,)), "+A crowd"),
    "until one is alone": ([*every_10_ms(5, (A,), (B,)), *every_10_ms(40, (B,))], "+A crowd alone -A +B"),
    "a card laid back after its removal is no crowd": (
        every_10_ms(1, *[*[(A,)] * 5, *[EMPTY] * 31] * 2),
        "+A -A +A -A",
    ),
    "nor when nobody's hand is as quick": ([(10, (A,)), (10, (B,)), (90, (A,))], "+A"),
    "where polls are slow it is told": ([(10, (A,)), (10, (B,)), (110, (A,))], "+A again"),
    "and counts when what lay there is not seen any more": ([(10, (A,)), (500, (B,)), (500, EMPTY)], "+A again -A +B"),
    "also when a third comes": ([(10, (A,)), (150, (B,)), *every_10_ms(1, (C,), (C,))], "+A -A +B -B +C"),
    "a card that may have passed between two polls is told": (
        [(300, EMPTY), (300, (A,)), (300, EMPTY), (300, (B,)), (300, (B,))],
        "+A again -A +B",
    ),
    "but where nobody hurries none is": ([(300, (A,)), *[(300, EMPTY)] * 5, (300, (B,)), (300, (B,))], "+A -A +B"),
    "after a fault a card seen once, at slow polls, is told": (
        [(10, FAULT), (200, (A,)), *[(200, EMPTY)] * 3],
        "again",
    ),
    "but not when it is seen twice": ([(10, (A,)), (10, (B,)), (10, EMPTY), (10, (B,))], "+A -A +B"),
    "after a fault a card seen once is noise": ([(10, FAULT), (10, (A,))], ""),
    "and counts when it is seen twice": ([(10, FAULT), (10, (B,)), *every_10_ms(2, (A,))], "+A"),
    "after 300 ms of empty polls a fault is forgotten": ([(10, FAULT), *every_10_ms(31, EMPTY), (10, (A,))], "+A"),
    "two tags are told as a crowd, once, and as no card": (every_10_ms(50, (A, B)), "crowd"),
    "a crowd of which polls show one now and then": (every_10_ms(50, (A, B), (A,), EMPTY, (B,)), "crowd"),
    "a card left alone by a crowd": ([*CROWD, *every_10_ms(40, (B,))], "crowd alone +B"),
    "also where every second poll misses it": ([*CROWD, *every_10_ms(40, EMPTY, (B,))], "crowd alone +B"),
    "a card told before the crowd is not told again": ([*ON_A_CARD, *every_10_ms(40, (A,))], "+A crowd alone"),
    "the crowd's other card takes its place": ([*ON_A_CARD, *every_10_ms(40, (B,))], "+A crowd alone -A +B"),
    "a crowd swept away takes it along": ([*ON_A_CARD, *every_10_ms(40, EMPTY)], "+A crowd alone -A"),
    "a second crowd is told again": (
        every_10_ms(2, *[(A, B)] * 5, *[(A,)] * 40),
        "crowd alone +A crowd alone",
    ),
}


@pytest.mark.parametrize(("steps", "news"), EXAMPLES.values(), ids=EXAMPLES.keys())
def test_what_polls_see_is_told_so(steps: list[Step], news: str) -> None:
    assert words(steps) == news
