"""GO or STOP is seen by nobody until the cards are turned up, a token's value until all tokens are won.

That two matches which differ in nothing else look the same is a law of every game; these are its examples.
"""

from collections.abc import Callable, Iterable
from typing import Any

from companion.kit.table_for_tests import EVERYBODY, Spot, cases
from tests.games.stop_me_go.table import FOUR, Table, arrest, card, colours, five, laying, second, won

OTHERS = (None, 2, 3)
"""Whoever is not seat 1."""
Act = Callable[[Table], Any]
Begin = Callable[[], Table]


def views_of(table: Table, observers: Iterable[int | None] = EVERYBODY) -> list[str]:
    return [table.sees(observer) for observer in observers]


def look_the_same(begin: Begin, acts: Iterable[Act], observers: Iterable[int | None] = EVERYBODY) -> bool:
    """Whether the table looks the same to all of these after any of these acts."""
    looked = []
    for act in acts:
        table = begin()
        act(table)
        looked.append(views_of(table, observers))
    return all(look == looked[0] for look in looked)


def lays(*whiches: int | str, spot: Spot = 1) -> Act:
    """Seat 1 taps these cards, one after the other."""
    return lambda table: table.tap(spot, *(card(1, which) for which in whiches))


def taps(spot: Spot, *each: str) -> list[Act]:
    return [lambda table, card_id=card_id: table.tap(spot, card_id) for card_id in each]


def at_centre() -> Table:
    return laying(colours=colours(1, 2, 3))


def unchanging() -> Table:
    return laying(allow_change=False)


def twice_won(seat: int = 2, *, took: bool = False) -> Table:
    """Seat 1 has a token, and this seat has won another, or taken it."""
    table = won(1)
    table.tap(1, "token-2-1")
    table.win(seat)
    if took:
        table.tap(seat, "token-3-1")
    return table


def stop_below() -> Table:
    """Seat 1 has STOP on the 8 and GO on the 2, which all others are laying on."""
    table = Table()
    table.misdeed(8, 1)
    table.gangster(2)
    table.lay(1, 1)
    return table


# A laid card.


@cases(
    "begin, acts",
    ("at the seat", laying, [lays("stop"), lays(1), lays(4)]),
    ("at the centre", at_centre, [lays("stop", spot="centre"), lays(1, spot="centre")]),
    ("changed", laying, [lays("stop", 1), lays(1, "stop"), lays(1, 2)]),
    ("refused", unchanging, [lays("stop", 1), lays(1, "stop"), lays(2, 1)]),
    ("taken back", laying, [lambda t: t.retract(lays("stop")(t)), lambda t: t.retract(lays(1)(t))]),
    ("before its time", Table, [lays(1, 2), lays(1, "stop")]),
    ("at another seat", second, taps(3, *five(2))),
    ("nobody's", second, taps("centre", *five(6))),
)
def test_a_laid_card_is_sealed_from_everybody_and_from_its_owner(begin: Begin, acts: list[Act]) -> None:
    assert look_the_same(begin, acts)


@cases(
    "begin, acts",
    ("changed or not", laying, [lays("stop"), lays("stop", 1), lays(1, 2, 3, 4, "stop"), lays(1, 1)]),
    ("at the centre", at_centre, [lays(1, spot="centre"), lays(1, "stop", spot="centre")]),
    ("refused or not", unchanging, [lays("stop"), lays("stop", "stop"), lays(1, "stop"), lays(1, 2, 3)]),
    ("lying on an older gangster or not", stop_below, taps("centre", *five(1))),
    ("in the arrest", lambda: arrest({**FOUR, 5: [1]}), taps(1, *five(1))),
)
def test_what_is_their_own_affair_is_sealed_from_the_others(begin: Begin, acts: list[Act]) -> None:
    assert look_the_same(begin, acts, OTHERS)


@cases(
    "begin, acts",
    ("when all have laid", lambda: arrest({8: [1]}), taps(1, *five(1))),
    ("where none is changed", unchanging, [lays(1, which) for which in (1, 2, "stop")]),
)
def test_which_card_lies_there_is_told_to_nobody_who_tries_all_five(begin: Begin, acts: list[Act]) -> None:
    assert look_the_same(begin, acts)


# Until the flip.


def test_whether_the_gangster_will_flee_is_seen_with_the_flip_and_not_before() -> None:
    """The judge knows it since the last card was laid; whatever anybody tries, the table does not."""
    tables = [arrest({**FOUR, 8: stops}) for stops in ([], [1], [2], [1, 2], [1, 3], [1, 2, 3])]
    for table in tables:
        table.tap("centre", "gangster-9", "gangster-2")
        table.say(1, "token")
        table.tap(1, "token-0-1")
        table.say("host", "token-values", {"1": [1]})
    assert len({(*views_of(table), *table.misplays) for table in tables}) == 1
    for table in tables:
        table.flip()
    for observer in EVERYBODY:
        assert len({table.sees(observer) for table in tables}) == 6


# A token.


@cases(
    "begin, acts",
    ("at the seat", won, taps(1, "token-0-1", "token-2-9", "token-3-10")),
    ("at another seat", won, taps(2, "token-0-1", "token-3-2")),
    ("one that another has, or nobody", twice_won, taps(2, "token-2-1", "token-2-2")),
    ("the one just taken, or another", lambda: twice_won(took=True), taps(2, "token-3-1", "token-2-1", "token-2-2")),
    ("a second one", won, [lambda t: t.tap(1, "token-0-1", "token-3-1"), lambda t: t.tap(1, "token-2-1", "token-2-2")]),
)
def test_a_tokens_value_is_sealed_from_everybody_and_from_its_owner(begin: Begin, acts: list[Act]) -> None:
    assert look_the_same(begin, acts)
