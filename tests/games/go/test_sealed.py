"""Hands are sealed: the caller's until the twelve are in, the others' until the series is told and all hands are in.

That nobody sees more is a law of every game, and of every byte a trial; here stands what that means in ¡Go!.
"""

from collections.abc import Callable

import pytest

from companion.game import NOBODY, Ruling
from companion.judge.views import story
from companion.kit.table_for_tests import EVERYBODY, cases
from tests.games.go.table import (
    PERFECT,
    ROW,
    SEVENTEEN,
    THIRTYTWO,
    TWO,
    Table,
    called,
    cards,
    opened,
    tracked,
)

Begin = Callable[[], Table]
OTHER = "B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 K4"
"""Another hand than THIRTYTWO."""
MOST, MOST_OTHER, MOST_SEVENTEEN, MOST_TWO = (hand.rpartition(" ")[0] for hand in (THIRTYTWO, OTHER, SEVENTEEN, TWO))
TURNS = "discard: N1; 2: N2; discard: N2; 3: N4; discard: N4; 1: N5; discard: N5; 1: press; 1: O1 O2"


def just_called() -> Table:
    """The row card is not told yet."""
    return Table().acts("1: press")


def with_series_told() -> Table:
    """The caller has told a series."""
    return opened().acts("1: series best")


def four() -> Table:
    """Four play, the first has called and is read."""
    return opened(TWO, 1, 2, 3, 4)


def perfect() -> Table:
    """The caller has nothing left."""
    return opened(PERFECT)


def views_after(begin: Begin, acts: str, *but: int) -> list[str]:
    """What everybody sees after these acts, but for these seats."""
    table = begin().acts(acts)
    return [table.sees(observer) for observer in EVERYBODY if observer not in but]


@pytest.mark.parametrize("count", [0, 1, 11])
def test_the_callers_hand_is_sealed_until_the_twelve_are_in(count: int) -> None:
    two_left = TWO.split()
    twelve = PERFECT.split()
    some = views_after(called, f"1: {' '.join(two_left[:count])}", 1)
    assert some == views_after(called, f"1: {' '.join(twelve[1 : count + 1])}", 1)
    assert some == views_after(called, f"1: {' '.join(two_left[: count // 2])}", 1)


@pytest.mark.parametrize("begin", [just_called, called, opened, with_series_told])
def test_how_many_cards_of_a_hand_are_read_is_not_seen(begin: Begin) -> None:
    assert (
        views_after(begin, "2: B1 B2 B3", 2) == views_after(begin, "2: B4 B5 N6 K4 K5", 2) == views_after(begin, "", 2)
    )


@cases(
    "begin, acts, other, but",
    ("a series told too early", called, "1: O1 O2; !1: series O1", "1: K1; !1: series O1", [1]),
    ("a perfect call", perfect, f"2: {THIRTYTWO}; 1: series best", f"2: {OTHER}; 1: series best", [2]),
    ("a void round opens no hand", with_series_told, f"2: {THIRTYTWO}; host: void", f"2: {OTHER}; host: void", [2]),
    ("who reads", opened, "2: claim B1 B2; 3: press; centre: T1", "2: claim R5; 3: press; centre: T1 V6", [2, 3]),
    ("a card of the caller's", opened, "!2: O1 O2", "", [2]),
    ("a card of the caller's, in a full hand", opened, f"!2: O1; 2: {MOST}", f"2: {OTHER}", [2]),
    ("the row card, in a full hand", called, f"!2: K11; 2: {MOST}", f"2: {OTHER}", [2]),
    ("the row card told later", just_called, f"2: B1 K11; row: {ROW}", f"2: B1 K10; row: {ROW}", [2]),
    ("a card in another hand", opened, "2: B5; !3: B5; 3: T1", "2: B6; 3: B5 T1", [2]),
    (
        "until the others' hands are in",
        called,
        f"2: O1; !1: O1; 1: {TWO}; 1: series O1 O2 O3 P4",
        f"2: B6; 1: {TWO}; 1: series O1 O2 O3 P4",
        [2],
    ),
    (
        "nor by a thirteenth card",
        with_series_told,
        f"2: B5; !3: B5; 3: {MOST_SEVENTEEN}; 3: K7",
        f"2: B6; 3: B5; 3: {MOST_SEVENTEEN}; !3: K7",
        [2],
    ),
    ("in whose hand", four, "2: B5; !3: B5", "4: B5; !3: B5", [2, 4]),
    ("no echo", opened, "!3: gangster-1; 2: B1; !3: gangster-1", "!3: gangster-1; 3: gangster-1", [2]),
    ("a card before the call", Table, "!2: B1", "", [2]),
    ("a card of the pile", tracked, "1: B5", "1: G7", [1]),
    ("a card out of turn", tracked, "!2: K8", "", [2]),
    ("what another has drawn", tracked, "1: B5; discard: N1; 2: B5", "1: G7; discard: N1; 2: B5", [1]),
    ("nor to who drew it", tracked, "1: B5; discard: N1; 2: B5", "1: B5; discard: N1; 2: B6", [2]),
)
def test_nobody_else_sees_a_difference(begin: Begin, acts: str, other: str, but: list[int]) -> None:
    assert views_after(begin, acts, *but) == views_after(begin, other, *but)


@cases(
    "begin, acts, hand",
    ("the caller's, when the twelve are in", called, f"1: {TWO}", TWO),
    ("and the series is told", opened, f"2: {THIRTYTWO}; 3: {SEVENTEEN}; 1: series best", f"{THIRTYTWO} {SEVENTEEN}"),
    ("what lies on discard and row", tracked, "1: N1; discard: B5", "V3 B5 K11"),
)
def test_everybody_sees_it(begin: Begin, acts: str, hand: str) -> None:
    for look in views_after(begin, acts):
        assert all(f'"{card}"' in look for card in cards(hand))


def in_two_hands(table: Table) -> list[dict[str, object]]:
    return [dict(verdict.facts) for verdict in table.match.public if verdict.code == "read-in-two-hands"]


def test_a_card_in_two_hands_is_told_when_all_would_be_open_and_stays_with_who_had_it_first() -> None:
    table = with_series_told().acts(f"2: {THIRTYTWO}; !3: Y9; 3: {MOST_SEVENTEEN}")
    assert in_two_hands(table) == [{"card": "yellow-9", "seat": 3, "other": 2}]
    assert table.points == {1: 0, 2: 0, 3: 0}
    table.acts("!3: Y9; 3: K7")
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_a_thirteenth_card_that_may_take_a_place_counts_though_its_player_reads_that_it_does_not() -> None:
    table = with_series_told().acts(f"2: B5; !3: B5; 3: {MOST_SEVENTEEN}; 3: K7")
    (ruling,) = table.match.latest
    assert isinstance(ruling, Ruling)
    assert (ruling.code, table.match.misplays[-1].code) == ("hand-is-complete", "read-elsewhere")
    assert [entry["misplay"] for entry in story(table.match, 3)[-1:]] == [True]


def test_a_card_of_another_hand_is_a_misplay_that_counts_and_that_nobody_is_told_of() -> None:
    table = with_series_told().acts("2: B5; !3: B5")
    (misplay,) = table.match.latest
    assert (misplay.code, misplay.to, misplay.counts) == ("read-elsewhere", NOBODY, True)  # type: ignore[union-attr]


def test_a_card_that_lies_open_is_one_of_the_twelve_until_all_would_be_open() -> None:
    table = with_series_told().acts(f"2: {THIRTYTWO}; !3: O1; 3: T1; !3: O1; 3: {MOST_SEVENTEEN}")
    assert [(verdict.code, verdict.facts) for verdict in table.match.public[-1:]] == [
        ("lies-open", {"card": "orange-1", "seat": 3})
    ]
    table.acts("!3: O1; 3: K7")
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_a_card_that_lies_open_is_none_of_the_callers_when_the_hand_opens() -> None:
    table = called().acts(f"!1: {ROW}; 1: {TWO}")
    assert table.match.public[-1].code == "hand-complete"
    assert ROW not in table.sees(None)


@cases(
    "begins, ends",
    ("the caller's", f"1: {ROW}; row: {ROW}; 1: {MOST_TWO}; 2: {THIRTYTWO}; 3: {SEVENTEEN}", "1: R2; 1: series best"),
    (
        "another's",
        f"2: {ROW}; row: {ROW}; 1: {TWO}; 1: series best; 2: {MOST}; 3: {SEVENTEEN}",
        "2: K4",
    ),
)
def test_a_card_read_in_a_hand_that_proves_to_be_the_row_card_is_none_of_it(begins: str, ends: str) -> None:
    table = just_called().acts(begins)
    assert "lies-open" in [verdict.code for verdict in table.match.public]
    assert table.points == {1: 0, 2: 0, 3: 0}
    assert table.acts(ends).points == {1: 1, 2: 0, 3: 0}


def test_no_perfect_call_rests_on_the_row_card() -> None:
    table = just_called().acts(f"1: {ROW}; row: {ROW}; 1: {PERFECT.rpartition(' ')[0]}")
    table.acts("!1: series best; 1: G9; 1: series best")
    assert not table.over


def test_no_perfect_call_rests_on_a_card_of_a_hidden_hand() -> None:
    table = called().acts(f"2: O6; !1: O6; 1: {PERFECT}; 1: series best")
    assert (in_two_hands(table), table.over) == ([{"card": "orange-6", "seat": 1, "other": 2}], False)
    table.acts("1: G9")
    assert not table.over
