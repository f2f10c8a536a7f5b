"""GO or STOP is seen by nobody until the cards are turned up, a token's value until all tokens are won."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from tests.games.stop_me_go.table import Table, arrest, card, colours, five, laying, won

EVERYBODY = (None, 1, 2, 3)
Acts = Callable[[Table], object]


def views(acts: Acts, *who: int | None, begin: Callable[..., Table] = laying, **options: Any) -> list[str]:
    """What everybody, or these, may know after these acts."""
    table = begin(**options)
    acts(table)
    return [table.sees(one) for one in who or EVERYBODY]


def lays(*whiches: int | str, seat: int = 1, spot: int | str | None = None) -> Acts:
    return lambda table: table.tap(spot or seat, *(card(seat, which) for which in whiches))


def lies(table: Table) -> list[str]:
    return [each for each in (*five(1), *five(2), *five(3)) if any(each in table.sees(who) for who in EVERYBODY)]


# A laid card.


@pytest.mark.parametrize("spot", [1, "centre"])
def test_a_laid_card_is_sealed_from_everybody_and_from_its_owner(spot: int | str) -> None:
    stop, *go = (views(lays(which, spot=spot), colours=colours(1, 2, 3)) for which in ("stop", 1, 2, 3, 4))
    assert all(one == stop for one in go)


def test_the_card_that_gives_a_colour_is_sealed_too() -> None:
    assert views(lays("stop")) == views(lays(1))
    assert views(lays("stop"), begin=Table) == views(lays(3), begin=Table)


def test_no_view_names_a_laid_card() -> None:
    table = arrest({8: [1], 2: [2], 5: [1, 2], 3: [3]})
    assert lies(table) == []


def test_that_a_seat_has_laid_may_be_seen() -> None:
    assert views(lays(1)) != views(lambda table: None)


def test_when_the_cards_are_turned_up_they_may_be_seen() -> None:
    stops: Iterable[Mapping[int, list[int]]] = (
        {8: [], 2: [], 5: [], 3: []},
        {8: [1, 2], 2: [], 5: [], 3: []},
        {8: [1, 3], 2: [], 5: [], 3: []},
        {8: [1, 2, 3], 2: [], 5: [], 3: []},
        {8: [1], 2: [], 5: [], 3: []},
        {8: [2], 2: [], 5: [], 3: []},
    )
    tables = [arrest(one) for one in stops]
    for who in EVERYBODY:
        assert len({table.sees(who) for table in tables}) == 1
    for table in tables:
        table.flip()
    for who in EVERYBODY:
        assert len({table.sees(who) for table in tables}) == 6


def test_after_a_flight_the_other_three_stay_sealed() -> None:
    one, other = arrest({8: [], 2: [1], 5: [2], 3: []}), arrest({8: [], 2: [], 5: [1], 3: [2, 3]})
    for table in (one, other):
        table.flip()
        table.gangster(9)
    assert [one.sees(who) for who in EVERYBODY] == [other.sees(who) for who in EVERYBODY]
    for table in (one, other):
        for seat in table.seats:
            table.lay(seat, 1)
    assert [one.sees(who) for who in EVERYBODY] == [other.sees(who) for who in EVERYBODY]
    one.flip()
    other.flip()
    assert one.sees(None) != other.sees(None)


def test_after_a_capture_the_other_three_stay_sealed_one_by_one() -> None:
    one, other = arrest({8: [1], 2: [2], 5: [], 3: [3]}), arrest({8: [1], 2: [2], 5: [3], 3: []})
    for alike in (True, True, False):
        one.flip()
        other.flip()
        assert [one.sees(who) == other.sees(who) for who in EVERYBODY] == [alike] * 4


def test_who_will_win_the_round_is_not_told_before_the_last_flip() -> None:
    """The judge knows it since the last card was laid; the table does not."""
    one, other = arrest({8: [1], 2: [], 5: [], 9: []}), arrest({8: [1], 2: [], 5: [], 9: [2]})
    for table in (one, other):
        table.flip(3)
        for seat in table.seats:
            table.tap(seat, f"token-0-{seat}")
        for seat in table.seats:
            table.say(seat, "token")
        table.tap("centre", "token-1-1", "gangster-4")
    assert one.misplays == other.misplays != []
    assert [one.sees(who) for who in EVERYBODY] == [other.sees(who) for who in EVERYBODY]
    one.flip()
    other.flip()
    assert (one.takers, other.takers) == ([1], [2])


def test_whether_the_gangster_will_flee_is_not_told_before_the_flip() -> None:
    tables = [arrest({8: stops, 2: [], 5: [], 3: []}) for stops in ([], [1], [1, 2], [3])]
    for table in tables:
        table.tap("centre", "gangster-9")
        table.tap("centre", "gangster-2")
        table.say(1, "token")
        table.tap(1, "token-0-1")
        table.tap(2, "token-1-1")
        table.say("host", "token-values", {"1": [1]})
        table.say(1, "count", 3)
    for who in EVERYBODY:
        assert len({table.sees(who) for table in tables}) == 1
    assert len({tuple(table.misplays) for table in tables}) == 1


def test_what_is_left_in_a_hand_is_told_by_nothing() -> None:
    """Which GO lay there and which is held makes no difference, before the flip and after."""
    one, other = arrest({8: [], 2: [1], 5: [], 3: []}), Table()
    other.misdeed(8)
    for number, which in ((2, "stop"), (5, 4), (3, 3)):
        other.gangster(number)
        other.lay(1, which)
        for seat in (2, 3):
            other.lay(seat, other.hand(seat)[0].rpartition("-")[2])
    assert (one.hand(1), other.hand(1)) == ([card(1, 4)], [card(1, 2)])
    assert [one.sees(who) for who in EVERYBODY] == [other.sees(who) for who in EVERYBODY]
    one.tap(1, card(1, 4))
    other.tap(1, card(1, 2))
    assert [one.sees(who) for who in EVERYBODY] == [other.sees(who) for who in EVERYBODY]


# A change of mind.


def test_a_change_is_not_seen_by_the_others() -> None:
    seen = [
        views(lays(*taps), None, 2, 3)
        for taps in (("stop",), (1,), ("stop", 1), (1, "stop"), (1, 2, 3, 4, "stop"), (1, 1), ("stop", "stop"))
    ]
    assert all(one == seen[0] for one in seen)


def test_a_change_at_the_centre_is_not_seen_by_the_others() -> None:
    given = {"colours": colours(1, 2, 3)}
    seen = [
        views(lays(*taps, spot="centre"), None, 2, 3, **given)
        for taps in (("stop",), ("stop", 1), (1, "stop", 1), (1, 1))
    ]
    assert all(one == seen[0] for one in seen)


def test_to_what_a_card_was_changed_is_sealed_from_its_owner_too() -> None:
    assert views(lays("stop", 1)) == views(lays(1, "stop")) == views(lays(1, 2))


def test_a_card_refused_where_no_change_is_allowed_is_not_seen_by_the_others() -> None:
    seen = [
        views(lays(*taps), None, 2, 3, allow_change=False)
        for taps in (("stop",), ("stop", "stop"), ("stop", 1), (1, "stop"), (1, 2, 3))
    ]
    assert all(one == seen[0] for one in seen)


def test_what_card_was_refused_is_sealed_from_its_owner_too() -> None:
    assert views(lays("stop", 1), allow_change=False) == views(lays(1, "stop"), allow_change=False)
    assert views(lays(2, 1), allow_change=False) == views(lays(1, "stop"), allow_change=False)


def test_a_card_taken_back_leaves_no_trace() -> None:
    def mended(wrong: int | str, right: int | str) -> Acts:
        def acts(table: Table) -> None:
            table.retract(table.tap(1, card(1, wrong)))
            table.tap(1, card(1, right))

        return acts

    assert views(mended("stop", 1)) == views(mended(1, "stop")) == views(lays("stop")) == views(lays(4))


def test_a_change_lets_no_misplay_speak_again() -> None:
    def twice(*between: str) -> Acts:
        def acts(table: Table) -> None:
            table.tap(1, card(1, 1))
            table.tap("centre", "gangster-2")
            table.tap(1, *between)
            table.tap("centre", "gangster-2")

        return acts

    assert (
        views(twice(), None, 2, 3) == views(twice(card(1, "stop")), None, 2, 3) == views(twice(card(1, 1)), None, 2, 3)
    )


# A card that breaks the rules.


def second_gangster(**options: Any) -> Table:
    """Seat 1 has STOP on the 8, seat 2 GO 1; the 2 is turned up."""
    table = Table(**options)
    table.misdeed(8, 1)
    table.gangster(2)
    return table


@pytest.mark.parametrize("spot", [1, 3, "prison"])
def test_a_misplay_tells_nobody_which_card_it_was(spot: int | str) -> None:
    seen = [views(lambda table, c=each: table.tap(spot, c), begin=second_gangster) for each in five(2)]
    assert all(one == seen[0] for one in seen)


def test_a_card_before_the_first_gangster_tells_nobody_which_it_was() -> None:
    def acts(which: int | str) -> Acts:
        def act(table: Table) -> None:
            table.tap(1, card(1, 1))
            table.tap(1, card(1, which))

        return act

    assert views(acts(2), begin=Table) == views(acts("stop"), begin=Table)


@pytest.mark.parametrize("spot", [1, "centre"])
def test_a_card_of_nobodys_colour_tells_nobody_which_it_was(spot: int | str) -> None:
    seen = [views(lambda table, c=each: table.tap(spot, c), begin=second_gangster) for each in five(6)]
    assert all(one == seen[0] for one in seen)


@pytest.mark.parametrize("spot", [1, "centre"])
def test_a_card_that_lies_on_an_older_gangster_is_not_told_to_the_others(spot: int | str) -> None:
    """Whether it lies there, or is a reading twice, or a change, is its owner's affair."""
    seen = [
        views(lambda table, c=each: (table.tap(1, card(1, 1)), table.tap(spot, c)), None, 2, 3, begin=second_gangster)
        for each in five(1)
    ]
    assert all(one == seen[0] for one in seen)


@pytest.mark.parametrize("spot", [1, "centre"])
def test_a_card_tapped_when_all_have_laid_is_not_told_to_the_others(spot: int | str) -> None:
    """A reading twice or a misplay: which of the two it is tells the card."""
    for begin in (lambda: arrest({8: [1]}), lambda: arrest({8: [], 2: [], 5: [1], 3: []})):
        seen = [views(lambda table, c=each: table.tap(spot, c), None, 2, 3, begin=begin) for each in five(1)]
        assert all(one == seen[0] for one in seen)


@pytest.mark.parametrize("spot", [1, "centre"])
def test_a_card_tapped_after_a_flight_is_not_told_to_the_others(spot: int | str) -> None:
    def fled() -> Table:
        table = arrest({8: [], 2: [], 5: [], 3: [1]})
        table.flip()
        return table

    seen = [views(lambda table, c=each: table.tap(spot, c), None, 2, 3, begin=fled) for each in five(1)]
    assert all(one == seen[0] for one in seen)


@pytest.mark.parametrize("spot", [1, "centre"])
def test_a_card_tapped_at_the_end_of_the_round_is_not_told_to_the_others(spot: int | str) -> None:
    def captured() -> Table:
        table = arrest({8: [2], 2: [], 5: [], 3: [1]})
        table.flip()
        return table

    seen = [views(lambda table, c=each: table.tap(spot, c), None, 2, 3, begin=captured) for each in five(1)]
    assert all(one == seen[0] for one in seen)


@pytest.mark.parametrize("spot", [1, "centre"])
def test_the_owner_of_a_card_refused_is_told(spot: int | str) -> None:
    for begin in (second_gangster, lambda: arrest({8: [1], 2: []})):
        table = begin()
        before = table.sees(1)
        assert table.tap(spot, card(1, "stop")) in table.misplays
        assert table.sees(1) != before


def test_an_unlaid_seat_shows_nothing_of_its_wrong_cards() -> None:
    """The others see only that nobody has laid there."""
    wrong = views(lambda table: table.tap(1, card(1, "stop")), None, 2, 3, begin=second_gangster)
    assert wrong == views(lambda table: None, None, 2, 3, begin=second_gangster)


# A token.


@pytest.mark.parametrize("spot", [1, "centre"])
def test_a_tokens_value_is_sealed_from_everybody_and_from_its_owner(spot: int | str) -> None:
    tokens = ("token-0-1", "token-1-1", "token-2-9", "token-3-1", "token-3-10")
    seen = [views(lambda table, t=each: table.tap(spot, t), begin=won) for each in tokens]
    assert all(one == seen[0] for one in seen)
    assert not any(each in view for view in seen[0] for each in tokens)


@pytest.mark.parametrize("spot", [2, "row"])
def test_a_token_refused_tells_nobody_its_value(spot: int | str) -> None:
    seen = [views(lambda table, t=each: table.tap(spot, t), begin=won) for each in ("token-0-1", "token-3-2")]
    assert seen[0] == seen[1]


def test_a_second_token_refused_tells_nobody_its_value() -> None:
    seen = [views(lambda table, t=two: table.tap(1, *t), begin=won) for two in TWO]
    assert all(one == seen[0] for one in seen)


TWO = (("token-0-1", "token-3-1"), ("token-3-1", "token-0-1"), ("token-2-1", "token-2-2"))


def test_a_token_taken_already_tells_nobody_its_value() -> None:
    def again(token: str) -> list[str]:
        table = won(1)
        table.tap(1, token)
        table.win(2)
        table.tap(2, token)
        assert len(table.misplays) == 1
        return [table.sees(who) for who in EVERYBODY]

    assert again("token-0-1") == again("token-3-4")


def test_a_token_tapped_too_soon_tells_nobody_its_value() -> None:
    seen = [views(lambda table, t=each: table.tap("centre", t)) for each in ("token-0-1", "token-3-1")]
    assert seen[0] == seen[1]


def values(*rounds: tuple[int, int]) -> Table:
    table = Table()
    table.rounds(*rounds)
    return table


def test_the_values_stay_sealed_while_tokens_are_left() -> None:
    one, other = values((1, 0), (2, 0), (1, 0), (2, 0)), values((1, 3), (2, 1), (1, 2), (2, 3))
    assert [one.sees(who) for who in EVERYBODY] == [other.sees(who) for who in EVERYBODY]


def test_a_third_token_leaves_the_values_sealed() -> None:
    one, other = values((1, 0), (2, 3), (1, 0), (1, 0)), values((1, 3), (2, 0), (1, 2), (1, 3))
    assert one.over
    assert [one.sees(who) for who in EVERYBODY] == [other.sees(who) for who in EVERYBODY]


def test_a_third_token_that_is_the_last_leaves_them_sealed_too() -> None:
    one = values((1, 0), (2, 3), (1, 0), (2, 3), (1, 0))
    other = values((1, 3), (2, 0), (1, 2), (2, 0), (1, 3))
    assert one.over
    assert one.sealed
    assert [one.sees(who) for who in EVERYBODY] == [other.sees(who) for who in EVERYBODY]


def test_when_all_tokens_are_won_the_values_may_be_seen() -> None:
    one = values((1, 0), (2, 3), (1, 0), (2, 3), (3, 0))
    other = values((1, 0), (2, 3), (1, 1), (2, 3), (3, 0))
    assert all(one.sees(who) != other.sees(who) for who in EVERYBODY)


def test_the_last_token_taken_back_seals_the_values_again() -> None:
    seen = []
    for value in (0, 3):
        table = Table(1, 2)
        table.retract(table.rounds((1, value), (2, 1), (1, 3 - value), (2, value)))
        seen.append([table.sees(who) for who in (None, 1, 2)])
    assert seen[0] == seen[1]


def test_values_that_the_host_told_wrongly_are_not_shown() -> None:
    """What the host may have told right is sealed until all of it is."""
    seen = []
    for wrong in ({"1": [3, 3], "2": [4, 0]}, {"1": [0, 1], "2": [0]}, "values", [3], {"1": [2, 2], "2": [True, 0]}):
        table = Table(1, 2)
        table.rounds(1, 2, 1, 2)
        table.say("host", "token-values", wrong)
        seen.append([table.sees(who) for who in (None, 1, 2)])
    assert all("[3, 3]" not in view and "[2, 2]" not in view for one in seen for view in one)


def test_where_a_token_bears_no_tag_the_others_stay_sealed_until_the_host_tells() -> None:
    seen = []
    for value in (0, 3):
        table = Table(1, 2)
        table.rounds((1, value), 2, (1, 3 - value), 2)
        assert not table.over
        seen.append([table.sees(who) for who in (None, 1, 2)])
    assert seen[0] == seen[1]


# Who looks.


def test_a_view_holds_no_number_of_events() -> None:
    """However often cards are read, changed and read again."""
    one, other = second_gangster(), second_gangster()
    other.tap("centre", "gangster-2")
    one.lay(1, 1)
    other.tap(1, card(1, 2), card(1, 1))
    other.tap("centre", card(1, 1))
    assert [one.sees(who) for who in (None, 2, 3)] == [other.sees(who) for who in (None, 2, 3)]


def test_an_empty_seat_and_the_host_see_what_the_public_sees() -> None:
    for acts in (
        lays("stop"),
        lays(1, "stop"),
        lays(2, seat=1, spot=3),
        lambda table: table.tap("centre", "gangster-2"),
    ):
        table = laying()
        acts(table)
        assert table.sees(5) == table.sees(None)
