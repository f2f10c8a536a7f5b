"""When a card counts as there, and when as gone."""

from collections.abc import Iterable
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from companion.devices.readers.presence import MISSES, REMOVAL, UNSEEN, Presence, faulted, polled
from companion.devices.sensing import Appeared, Crowded, Gone, Sensing, Tag, Uncrowded

A, B = "04A1B2C3D4E5F6", "04B1B2C3D4E5F6"
EMPTY: tuple[str, ...] = ()
FAULT = None

Seen = tuple[str, ...] | None
Step = tuple[int, Seen]  # milliseconds since the step before, what the poll saw


def told(steps: Iterable[Step], presence: Presence = Presence()) -> list[Sensing]:  # noqa: B008 - it is frozen
    now, news = 0, list[Sensing]()
    for milliseconds, seen in steps:
        now += milliseconds
        if seen is FAULT:
            presence = faulted(presence)
        else:
            presence, more = polled(presence, "pad", tuple(Tag(uid) for uid in seen), now / 1000)
            news += more
    return news


def words(steps: Iterable[Step]) -> list[str]:
    return [f"{type(news).__name__} {getattr(news, 'uid', '')[:3]}".strip() for news in told(steps)]


def every_10_ms(count: int, *seen: Seen) -> list[Step]:
    return [(10, one) for _ in range(count) for one in seen]


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
    assert told(steps) == [Appeared("pad", A, 0.01)]


def test_a_card_missed_at_every_second_poll_does_not_flicker() -> None:
    assert words(every_10_ms(500, (A,), EMPTY)) == ["Appeared 04A"]


def test_a_fault_however_long_is_not_a_removal() -> None:
    assert words([*every_10_ms(1, (A,)), *every_10_ms(1000, FAULT)]) == ["Appeared 04A"]


# What lay there before anybody looked


@given(st.lists(st.sampled_from([EMPTY, FAULT, (A, B)]), max_size=3))
def test_a_card_found_when_the_reader_begins_lay_there_already(before: list[Seen]) -> None:
    steps = [*((10, one) for one in before), *every_10_ms(50, (A,))]
    [appeared] = [news for news in told(steps, UNSEEN) if isinstance(news, Appeared)]
    assert appeared.already


def test_a_card_that_comes_after_300_ms_of_empty_polls_did_not() -> None:
    assert told([*every_10_ms(31, EMPTY), (10, (A,))], UNSEEN) == [Appeared("pad", A, 0.32)]


def test_nor_does_the_second_card() -> None:
    [first, _, second] = told([(10, (A,)), *every_10_ms(2, (B,))], UNSEEN)
    assert isinstance(first, Appeared)
    assert first.already
    assert second == Appeared("pad", B, 0.03)


# Noise that passes for a card


def test_where_a_card_lies_another_counts_when_it_was_seen_twice() -> None:
    assert words([(10, (A,)), (10, (B,)), (10, (A,)), (10, (B,)), (10, (A,))]) == ["Appeared 04A"]
    assert words([(10, (A,)), (10, (B,)), (10, EMPTY), (10, (B,))]) == ["Appeared 04A", "Gone 04A", "Appeared 04B"]


def test_after_a_fault_a_card_counts_when_it_was_seen_twice() -> None:
    assert words([(10, FAULT), (10, (A,))]) == []
    assert words([(10, FAULT), (10, (B,)), *every_10_ms(2, (A,))]) == ["Appeared 04A"]


def test_after_300_ms_of_empty_polls_a_fault_is_forgotten() -> None:
    assert words([(10, FAULT), *every_10_ms(31, EMPTY), (10, (A,))]) == ["Appeared 04A"]


# A card taken away


def test_a_card_is_gone_after_300_ms_of_empty_polls() -> None:
    assert told([*every_10_ms(5, (A,)), *every_10_ms(40, EMPTY)]) == [
        Appeared("pad", A, 0.01),
        Gone("pad", A, 0.36),
    ]


def test_after_a_fault_the_300_ms_start_anew() -> None:
    almost_gone = [*every_10_ms(1, (A,)), *every_10_ms(30, EMPTY)]
    assert words([*almost_gone, (10, FAULT), *every_10_ms(30, EMPTY)]) == ["Appeared 04A"]
    assert words([*almost_gone, (10, FAULT), *every_10_ms(31, EMPTY)]) == [
        "Appeared 04A",
        "Gone 04A",
    ]


def test_two_misses_far_apart_are_not_believed() -> None:
    assert words([(10, (A,)), (10, EMPTY), (900, EMPTY), (10, (A,))]) == ["Appeared 04A"]


@given(any_steps)
def test_gone_means_300_ms_of_empty_good_polls_or_another_card(steps: list[Step]) -> None:
    times = [sum(ms for ms, _ in steps[: n + 1]) for n in range(len(steps))]
    for gone in told(steps):
        if not isinstance(gone, Gone):
            continue
        last = times.index(round(gone.at * 1000))
        seen = steps[last][1]
        if seen == EMPTY:
            first = last
            while first and steps[first - 1][1] == EMPTY:
                first -= 1
            assert gone.at - times[first] / 1000 >= REMOVAL
            assert last - first + 1 >= MISSES
        else:
            assert seen is not None
            assert gone.uid not in seen


@given(any_steps)
def test_at_most_one_card_lies_at_a_place_and_each_removal_follows_its_arrival(
    steps: list[Step],
) -> None:
    cards = [news for news in told(steps) if not isinstance(news, Crowded | Uncrowded)]
    assert all(isinstance(news, Appeared) for news in cards[::2])
    for arrived, left in zip(cards[::2], cards[1::2], strict=False):
        assert isinstance(left, Gone)
        assert isinstance(arrived, Appeared)
        assert left.uid == arrived.uid


@given(any_steps)
def test_times_never_run_back(steps: list[Step]) -> None:
    assert all(one.at <= other.at for one, other in pairwise(told(steps)))


# Another card


def test_another_card_at_once_is_a_removal_and_an_arrival() -> None:
    assert words([(10, (A,)), (10, (B,)), (10, (B,))]) == ["Appeared 04A", "Gone 04A", "Appeared 04B"]


# Two tags


def test_two_tags_are_told_as_a_crowd_once_and_as_no_card() -> None:
    assert words(every_10_ms(50, (A, B))) == ["Crowded"]


def test_a_crowd_of_which_polls_show_only_one_now_and_then_stays_a_crowd() -> None:
    assert words(every_10_ms(50, (A, B), (A,), EMPTY, (B,))) == ["Crowded"]


def test_a_card_left_alone_by_a_crowd_is_told() -> None:
    assert words([*every_10_ms(5, (A, B)), *every_10_ms(40, (B,))]) == ["Crowded", "Uncrowded", "Appeared 04B"]


def test_a_card_missed_at_every_second_poll_still_comes_out_of_a_crowd() -> None:
    assert words([*every_10_ms(5, (A, B)), *every_10_ms(40, EMPTY, (B,))]) == [
        "Crowded",
        "Uncrowded",
        "Appeared 04B",
    ]


def test_a_card_told_before_the_crowd_is_not_told_again_after_it() -> None:
    steps = [*every_10_ms(5, (A,)), *every_10_ms(5, (A, B)), *every_10_ms(40, (A,))]
    assert words(steps) == ["Appeared 04A", "Crowded", "Uncrowded"]


def test_a_second_crowd_is_told_again() -> None:
    assert words(every_10_ms(2, *[(A, B)] * 5, *[(A,)] * 40)) == [
        "Crowded",
        "Uncrowded",
        "Appeared 04A",
        "Crowded",
        "Uncrowded",
    ]


def test_the_other_card_of_a_crowd_takes_the_place_of_the_one_told() -> None:
    steps = [*every_10_ms(5, (A,)), *every_10_ms(5, (A, B)), *every_10_ms(40, (B,))]
    assert words(steps) == ["Appeared 04A", "Crowded", "Uncrowded", "Gone 04A", "Appeared 04B"]


def test_a_crowd_swept_away_takes_the_card_told_with_it() -> None:
    steps = [*every_10_ms(5, (A,)), *every_10_ms(5, (A, B)), *every_10_ms(40, EMPTY)]
    assert words(steps) == ["Appeared 04A", "Crowded", "Uncrowded", "Gone 04A"]
