"""A player's count is seen by nobody until every player's count is in."""

from collections.abc import Callable

from tests.games.stop_it.table import Table, cards, counting

EVERYBODY = (None, 1, 2, 3)
Acts = Callable[[Table], object]


def views(acts: Acts, *who: int | None, card: str = "red-stop-1") -> list[str]:
    table = counting(card)
    acts(table)
    return [table.sees(one) for one in who or EVERYBODY]


def tapped(seat: int, *numbers: int, done: bool = True) -> Acts:
    def acts(table: Table) -> None:
        table.tap(seat, *cards("red", numbers), after=0.1)
        if done:
            table.press(seat, at=150.0)

    return acts


def test_a_count_told_is_sealed() -> None:
    assert views(lambda table: table.count(2, 3)) == views(lambda table: table.count(2, 17))


def test_zero_is_sealed() -> None:
    assert views(lambda table: table.count(2, 0)) == views(lambda table: table.count(2, 1))


def test_a_count_tapped_is_sealed() -> None:
    assert views(tapped(2, 1, 2, 3)) == views(tapped(2, 4, 5, 6, 7, 8)) == views(tapped(2))


def test_the_cards_tapped_are_sealed_before_done_too() -> None:
    assert views(tapped(2, 1, 2, 3, done=False)) == views(tapped(2, 9, done=False)) == views(tapped(2, done=False))


def test_whether_it_was_told_or_tapped_is_not_seen() -> None:
    assert views(tapped(2, 1, 2)) == views(lambda table: table.count(2, 2))


def test_all_counts_but_the_last_are_sealed() -> None:
    assert views(lambda table: table.counts({1: 1, 2: 2})) == views(lambda table: table.counts({1: 8, 2: 9}))


def test_at_a_special_stop_counts_are_sealed_too() -> None:
    few, many = (lambda table: table.count(2, 1)), (lambda table: table.count(2, 119))
    assert views(few, card="special-stop-1") == views(many, card="special-stop-1")


def test_when_all_counts_are_in_they_may_be_seen() -> None:
    one, other = {1: 1, 2: 2, 3: 3}, {1: 1, 2: 2, 3: 4}
    assert views(lambda table: table.counts(one)) != views(lambda table: table.counts(other))


def test_that_a_player_has_counted_may_be_seen() -> None:
    assert views(lambda table: table.count(2, 3)) != views(lambda table: None)


def test_a_count_refused_is_not_seen_by_the_others() -> None:
    for wrong in (18, 60, -1, "five"):
        assert views(lambda table, value=wrong: table.count(2, value), None, 1, 3) == views(
            lambda table: None, None, 1, 3
        )


def test_a_card_refused_is_not_seen_by_the_others() -> None:
    for wrong in ("blue-7", "red-stop-2", "gangster-1", "negative-1"):
        assert views(lambda table, card=wrong: table.tap(2, card), None, 1, 3) == views(lambda table: None, None, 1, 3)


def test_a_card_in_anothers_hand_is_not_seen_by_the_others() -> None:
    def meeting(table: Table) -> None:
        table.tap(1, "red-17")
        table.tap(2, "red-17")

    def passing(table: Table) -> None:
        table.tap(1, "red-16")
        table.tap(2, "red-17")

    assert views(meeting, None, 1, 3) == views(passing, None, 1, 3)


def test_the_sum_refused_tells_no_count() -> None:
    assert views(lambda table: table.counts({1: 9, 2: 6, 3: 4})) == views(
        lambda table: table.counts({1: 17, 2: 1, 3: 17})
    )


def test_after_the_sum_was_refused_the_counts_stay_sealed() -> None:
    def recount(first: int) -> Acts:
        def acts(table: Table) -> None:
            wrong = table.count(1, first)
            table.counts({2: 6, 3: 14})
            table.retract(wrong)

        return acts

    assert views(recount(9)) == views(recount(12))


def test_a_count_taken_back_leaves_no_trace() -> None:
    def mended(table: Table) -> None:
        table.retract(table.count(2, 3))

    assert views(mended) == views(lambda table: None)


def test_taking_the_last_count_back_seals_them_again() -> None:
    def reopened(first: int) -> Acts:
        def acts(table: Table) -> None:
            table.counts({1: first, 2: 4})
            table.retract(table.count(3, 3))

        return acts

    assert views(reopened(1)) == views(reopened(9))


def test_a_fault_may_be_seen_at_once_and_tells_no_count() -> None:
    def faulty(count: int) -> Acts:
        def acts(table: Table) -> None:
            table.count(2, count)
            table.fault(2)

        return acts

    assert views(faulty(0)) == views(faulty(9))


def test_counts_of_earlier_stops_stay_public() -> None:
    table = counting()
    table.counts({1: 1, 2: 2, 3: 3})
    before = table.sees(None)
    table.press(1)
    table.call(1, "blue-stop-1")
    assert '"2": 2' in before
    assert '"2": 2' in table.sees(None)


def test_whose_hand_a_card_lies_in_is_told_only_when_all_counts_are_in() -> None:
    def twice(held: str) -> Acts:
        def acts(table: Table) -> None:
            table.tap(2, held)
            table.tap(1, "red-4")

        return acts

    assert views(twice("red-4")) == views(twice("red-5"))
    table = counting()
    twice("red-4")(table)
    table.counts({1: 1, 2: 1, 3: 1})
    assert '"code": "in-another-hand"' in table.sees(None)


def test_a_card_tapped_in_secret_makes_no_misplay_speak_again() -> None:
    def wrong_card_again(place: int | str, *between: str) -> Acts:
        def acts(table: Table) -> None:
            table.tap(place, "blue-1")
            table.tap(2, *between)
            table.tap(place, "blue-1")

        return acts

    for place in ("centre", 1):
        assert views(wrong_card_again(place, "red-4")) == views(wrong_card_again(place))
