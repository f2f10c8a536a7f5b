"""Once around the table: what the walker is told of every button and reader."""

from companion.devices.check.walk import (
    BOTH_S,
    PATIENCE_S,
    TOGETHER_S,
    Act,
    Found,
    Step,
    StepResult,
    Walk,
    around,
    heard,
    passed_over,
    told,
    unproven,
    waited,
)
from companion.devices.sensing import Appeared, Buzzed, Crowded, Gone, Sensing
from companion.words import Words

CARD, OTHER = "04A1B2C3D4E5F6", "04B1B2C3D4E5F6"


def press(seat: int, at: float) -> Buzzed:
    return Buzzed(seat, at, 0.0, "")


def walked(walk: Walk, *sensings: Sensing) -> Walk:
    for sensing in sensings:
        walk = heard(walk, sensing)
    return walk


def answers(walk: Walk) -> list[tuple[str, StepResult, str]]:
    return [(found.step.place, found.answer, found.heard) for found in walk.found]


def of_seats(*seats: int) -> Walk:
    return Walk(around(seats, ()))


def of_places(*places: str) -> Walk:
    return Walk(around((), places))


def test_it_goes_from_seat_to_seat_and_then_from_reader_to_reader() -> None:
    assert around((2, 1), ("centre", "seat-1")) == (
        Step(Act.PRESS, "seat-1"),
        Step(Act.PRESS, "seat-2"),
        Step(Act.LAY, "centre"),
        Step(Act.LAY, "seat-1"),
    )


def test_what_is_heard_where_it_should_be_is_right() -> None:
    walk = Walk(around((1, 2), ("centre",)))
    walk = walked(walk, press(1, 1.0), press(2, 2.0), Appeared("centre", CARD, 3.0))
    assert answers(walk) == [(place, StepResult.RIGHT, "") for place in ("seat-1", "seat-2", "centre")]
    assert walk.now is None
    assert unproven(walk) == ()


def test_the_first_answer_from_elsewhere_may_be_the_walkers_mistake() -> None:
    walk = walked(of_seats(1, 3), press(3, 1.0))
    assert (walk.now, walk.instead, walk.found) == (Step(Act.PRESS, "seat-1"), "seat-3", ())
    assert answers(walked(walk, press(1, 2.0))) == [("seat-1", StepResult.RIGHT, "")]


def test_the_same_answer_from_elsewhere_twice_is_the_tables() -> None:
    walk = walked(of_seats(1, 3), press(3, 1.0), press(3, 2.0))
    assert answers(walk) == [("seat-1", StepResult.WRONG, "seat-3")]
    assert unproven(walk) == (Step(Act.PRESS, "seat-1"), Step(Act.PRESS, "seat-3"))


def test_two_swapped_buttons_are_both_found() -> None:
    walk = walked(of_seats(1, 2), press(2, 1.0), press(2, 2.0), press(1, 3.0), press(1, 4.0))
    assert answers(walk) == [("seat-1", StepResult.WRONG, "seat-2"), ("seat-2", StepResult.WRONG, "seat-1")]


def test_a_step_passed_over_after_a_wrong_answer_is_wrong() -> None:
    walk = passed_over(walked(of_seats(1), press(3, 1.0)), 2.0)
    assert answers(walk) == [("seat-1", StepResult.WRONG, "seat-3")]


def test_a_button_that_was_right_may_be_pressed_again() -> None:
    walk = walked(of_seats(1, 2), press(1, 1.0), press(1, 2.0))
    assert (walk.instead, walk.now) == ("", Step(Act.PRESS, "seat-2"))


def test_one_press_that_is_heard_at_two_seats_is_right_at_neither() -> None:
    for first, second in ((1, 2), (2, 1)):
        walk = walked(of_seats(1, 2), press(first, 1.0), press(second, 1.0 + TOGETHER_S / 2))
        assert answers(walk) == [("seat-1", StepResult.BOTH, "seat-2")]


def test_presses_far_enough_apart_are_two() -> None:
    walk = walked(of_seats(1, 2), press(1, 1.0), press(2, 1.0 + TOGETHER_S))
    assert [found.answer for found in walk.found] == [StepResult.RIGHT, StepResult.RIGHT]


def test_nothing_for_a_while_passes_a_step_over() -> None:
    walk = of_seats(1, 2)
    assert waited(walk, PATIENCE_S - 1) == walk
    assert answers(waited(walk, PATIENCE_S)) == [("seat-1", StepResult.SKIPPED, "")]


def test_nothing_for_two_whiles_ends_the_walk() -> None:
    walk = waited(waited(of_seats(1, 2, 3, 4), PATIENCE_S), 2 * PATIENCE_S)
    assert [found.answer for found in walk.found] == [StepResult.SKIPPED] * 4


def test_who_goes_on_after_a_while_walks_again() -> None:
    walk = walked(waited(of_seats(1, 2, 3, 4), PATIENCE_S), press(2, PATIENCE_S + 1))
    walk = waited(walk, 2 * PATIENCE_S + 1)
    assert walk.now == Step(Act.PRESS, "seat-4")


def test_who_was_heard_elsewhere_has_the_while_again() -> None:
    walk = walked(of_seats(1), press(3, PATIENCE_S - 1))
    assert waited(walk, PATIENCE_S).found == ()


def test_the_end_is_passed_over_by_nothing() -> None:
    walk = passed_over(of_seats(1), 1.0)
    for later in (passed_over(walk, 2.0), waited(walk, 1000.0), heard(walk, press(1, 3.0))):
        assert (later.now, later.found) == (None, walk.found)


def test_cards_are_no_answer_to_a_press_nor_presses_to_a_card() -> None:
    walk = walked(Walk(around((1,), ("seat-1",))), Appeared("seat-1", CARD, 1.0))
    assert walk.found == ()
    walk = walked(passed_over(walk, 2.0), press(1, 3.0))
    assert len(walk.found) == 1


def test_a_card_laid_elsewhere_twice_is_wrong() -> None:
    walk = walked(of_places("centre"), Appeared("seat-1", CARD, 1.0))
    assert walk.instead == "seat-1"
    walk = walked(walk, Gone("seat-1", CARD, 2.0), Appeared("seat-1", CARD, 3.0))
    assert answers(walk) == [("centre", StepResult.WRONG, "seat-1")]


def test_a_card_carried_from_one_reader_to_the_next_is_one_card() -> None:
    walk = walked(
        of_places("centre", "seat-1"),
        Appeared("centre", CARD, 1.0),
        Appeared("seat-1", CARD, 2.0),  # the first reader takes a while to see that it is gone
        Gone("centre", CARD, 2.2),
    )
    assert [found.answer for found in walk.found] == [StepResult.RIGHT, StepResult.RIGHT]


def test_a_card_that_two_readers_see_is_right_at_neither() -> None:
    walk = walked(of_places("centre", "seat-1"), Appeared("centre", CARD, 1.0), Appeared("seat-1", CARD, 1.1))
    walk = waited(walk, 1.1 + BOTH_S)
    assert answers(walk) == [("centre", StepResult.BOTH, "seat-1")]


def test_a_glimpse_by_a_neighbour_is_nothing() -> None:
    walk = walked(
        of_places("centre", "seat-1"),
        Appeared("centre", CARD, 1.0),
        Appeared("seat-1", CARD, 1.1),
        Gone("seat-1", CARD, 1.5),
    )
    assert answers(waited(walk, 5.0)) == [("centre", StepResult.RIGHT, "")]


def test_another_card_may_lie_elsewhere() -> None:
    walk = walked(of_places("centre", "seat-1"), Appeared("centre", CARD, 1.0), Appeared("seat-1", OTHER, 1.1))
    assert [found.answer for found in walk.found] == [StepResult.RIGHT, StepResult.RIGHT]


def test_a_crowd_ends_no_step() -> None:
    walk = of_places("centre")
    assert heard(walk, Crowded("centre", 1.0)) == walk


def test_what_came_of_a_step_has_words_in_both_languages() -> None:
    for act in Act:
        for answer in StepResult:
            code, facts = told(Found(Step(act, "seat-1"), answer, "seat-3"))
            for language in ("en", "fr"):
                assert Words(None, language).say(code, facts)
        for code in (f"walk-{act}", f"walk-instead-{act}"):
            assert "seat-1" in Words(None, "fr").say(code, {"place": "seat-1", "heard": "seat-3"})
