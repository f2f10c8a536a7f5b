"""Once around the table: what the walker is told of every button and reader."""

import pytest

from companion.devices.check.walk import (
    BOTH_S,
    PATIENCE_S,
    TOGETHER_S,
    Act,
    Found,
    Step,
    StepResult,
    Walk,
    advance,
    around,
    passed_over,
    sentence_of,
    unproven,
    waited,
)
from companion.devices.sensing import Appeared, Buzzed, Crowded, Gone, Sensing
from companion.words import Words

CARD = "04A1B2C3D4E5F6"
OTHER = "04B1B2C3D4E5F6"


def press(seat: int, at: float) -> Buzzed:
    return Buzzed(seat, at, 0.0, "")


def walked(walk: Walk, *happens: Sensing | float) -> Walk:
    """Walk on; a number is a moment by which nothing more has come."""
    for happening in happens:
        walk = waited(walk, happening) if isinstance(happening, float) else advance(walk, happening)
    return walk


def answers(walk: Walk) -> str:
    return ", ".join(f"{answered.step.place} {answered.answer} {answered.heard}".strip() for answered in walk.found)


def of_seats(*seats: int) -> Walk:
    return Walk(around(seats, ()))


def of_places(*places: str) -> Walk:
    return Walk(around((), places))


SEATS = of_seats(1, 2)
PADS = of_places("centre", "seat-1")
AT_ONE = press(1, 1.0)
AT_TWO = press(2, 1.0)
LAID = Appeared("centre", CARD, 1.0)

EXAMPLES: dict[str, tuple[Walk, list[Sensing | float], str]] = {
    "two swapped buttons are both found": (
        SEATS,
        [AT_TWO, press(2, 2.0), press(1, 3.0), press(1, 4.0)],
        "seat-1 wrong seat-2, seat-2 wrong seat-1",
    ),
    "one press that is heard at two seats is right at neither": (
        SEATS,
        [AT_ONE, press(2, 1.0 + TOGETHER_S / 2)],
        "seat-1 both seat-2",
    ),
    "in whatever order they tell it": (SEATS, [AT_TWO, press(1, 1.0 + TOGETHER_S / 2)], "seat-1 both seat-2"),
    "presses far enough apart are two": (SEATS, [AT_ONE, press(2, 1.0 + TOGETHER_S)], "seat-1 right, seat-2 right"),
    "a button that was right may be pressed again": (SEATS, [AT_ONE, press(1, 2.0), press(1, 3.0)], "seat-1 right"),
    "for a while a step waits": (SEATS, [PATIENCE_S - 1], ""),
    "and is then passed over": (SEATS, [PATIENCE_S - 1, PATIENCE_S], "seat-1 skipped"),
    "as wrong after a wrong answer": (of_seats(1), [press(3, 1.0), 1.0 + PATIENCE_S], "seat-1 wrong seat-3"),
    "nothing for two whiles ends the walk": (
        of_seats(1, 2, 3),
        [PATIENCE_S, 2 * PATIENCE_S],
        "seat-1 skipped, seat-2 skipped, seat-3 skipped",
    ),
    "who goes on after a while walks again": (
        of_seats(1, 2, 3, 4),
        [PATIENCE_S, press(2, PATIENCE_S + 1), 2 * PATIENCE_S + 1],
        "seat-1 skipped, seat-2 right, seat-3 skipped",
    ),
    "who was heard elsewhere has the while again": (of_seats(1), [press(3, PATIENCE_S - 1), PATIENCE_S], ""),
    "a card is no answer to a press": (of_seats(1), [Appeared("seat-1", CARD, 1.0)], ""),
    "nor a press to a card": (PADS, [AT_ONE, press(1, 2.0)], ""),
    "a card laid elsewhere once may be the walker's mistake": (PADS, [Appeared("seat-1", CARD, 1.0)], ""),
    "twice it is the table's": (
        of_places("centre"),
        [Appeared("seat-1", CARD, 1.0), Gone("seat-1", CARD, 2.0), Appeared("seat-1", CARD, 3.0)],
        "centre wrong seat-1",
    ),
    "a card carried to the next reader is gone from the first after a while": (
        PADS,
        [LAID, Appeared("seat-1", CARD, 2.0), Gone("centre", CARD, 2.2)],
        "centre right, seat-1 right",
    ),
    "a card that two readers see is right at neither": (
        PADS,
        [LAID, Appeared("seat-1", CARD, 1.1), 1.1 + BOTH_S],
        "centre both seat-1",
    ),
    "a glimpse by a neighbour is nothing": (
        PADS,
        [LAID, Appeared("seat-1", CARD, 1.1), Gone("seat-1", CARD, 1.5), 5.0],
        "centre right",
    ),
    "another card may lie elsewhere": (PADS, [LAID, Appeared("seat-1", OTHER, 1.1)], "centre right, seat-1 right"),
    "a crowd ends no step": (PADS, [Crowded("centre", 1.0)], ""),
}


@pytest.mark.parametrize(("walk", "happens", "expected"), EXAMPLES.values(), ids=EXAMPLES.keys())
def test_what_comes_of_a_walk(walk: Walk, happens: list[Sensing | float], expected: str) -> None:
    assert answers(walked(walk, *happens)) == expected


def test_it_goes_from_seat_to_seat_and_then_from_reader_to_reader() -> None:
    walk = Walk(around((2, 1), ("centre", "seat-3")))
    walk = walked(walk, AT_ONE, press(2, 2.0), Appeared("centre", CARD, 3.0), Appeared("seat-3", OTHER, 4.0))
    assert answers(walk) == "seat-1 right, seat-2 right, centre right, seat-3 right"
    assert (walk.next_step, unproven(walk)) == (None, ())


def test_the_first_answer_from_elsewhere_may_be_the_walkers_mistake_and_the_same_twice_is_the_tables() -> None:
    walk = walked(of_seats(1, 3), press(3, 1.0))
    assert (walk.next_step, walk.instead, walk.found) == (Step(Act.PRESS, "seat-1"), "seat-3", ())
    assert answers(walked(walk, press(1, 2.0))) == "seat-1 right"
    walk = walked(walk, press(3, 2.0))
    assert answers(walk) == "seat-1 wrong seat-3"
    assert unproven(walk) == (Step(Act.PRESS, "seat-1"), Step(Act.PRESS, "seat-3"))


def test_the_end_is_passed_over_by_nothing() -> None:
    walk = passed_over(of_seats(1), 1.0)
    for later in (passed_over(walk, 2.0), waited(walk, 1000.0), advance(walk, press(1, 3.0))):
        assert (later.next_step, later.found) == (None, walk.found)


def test_what_came_of_a_step_has_words_in_both_languages() -> None:
    for act in Act:
        for answer in StepResult:
            code, facts = sentence_of(Found(Step(act, "seat-1"), answer, "seat-3"))
            for language in ("en", "fr"):
                assert Words(None, language).say(code, facts)
        for code in (f"walk-{act}", f"walk-instead-{act}"):
            assert "seat-1" in Words(None, "fr").say(code, {"place": "seat-1", "heard": "seat-3"})
