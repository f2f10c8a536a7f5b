"""A bracket from its first duel to its last."""

import math
from collections.abc import Iterable
from itertools import chain
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.club.hub.bracket import (
    NOBODY,
    Bracket,
    Duel,
    back,
    begun,
    cleared_won,
    entered_won,
    moved,
    rounds,
    withdrawn,
)
from companion.club.hub.bracket_book import BracketBook
from companion.club.hub.draw import CupFault
from companion.club.hub.people import PeopleBook
from companion.club.hub.store import Store
from companion.club.hub.tournament import PlayedMatch, TablesThen

FOUR = begun(["Ana", "Bo", "Cy", "Dee"], after=10, tables=["t", "u"])


def won(first: int, winner: str, loser: str, *, places: tuple[int, int] = (1, 2)) -> PlayedMatch:
    return PlayedMatch(
        first, "t", first, float(first), dict(zip((winner.casefold(), loser.casefold()), places, strict=True))
    )


def winners(now: Bracket, played: Iterable[PlayedMatch]) -> list[list[str | None]]:
    return [[duel.winner for duel in one] for one in rounds(now, played)]


@given(st.integers(2, 64), st.randoms(use_true_random=False))
def test_all_play_till_they_lose_and_nobody_meets_twice(people: int, chance: Random) -> None:
    now = begun([f"P{seed}" for seed in range(people)], 0, [f"t{table}" for table in range(people)])
    played: list[PlayedMatch] = []
    while open_now := [one for one in chain(*rounds(now, played)) if one.how == "open" and None not in one.people]:
        assert len({one.table for one in open_now}) == len(open_now)
        one, other = chance.choice(open_now).people
        played.append(won(len(played) + 1, *chance.sample([str(one), str(other)], 2)))
    found = rounds(now, played)
    duels = [one for one in chain(*found) if one.how == "played"]
    assert len(found) == math.ceil(math.log2(people))
    assert len({frozenset(one.people) for one in duels}) == len(duels) == people - 1
    lost = [str(name) for one in duels for name in one.people if name != one.winner]
    assert sorted([*lost, str(found[-1][0].winner)]) == sorted(now.people)
    byes = [one.winner for one in found[0] if one.how == "bye"]
    assert {*byes} == {*now.people[: len(byes)]}
    assert all(one.how != "bye" for one in chain(*found[1:]))


def test_the_best_meet_last() -> None:
    assert [one.people for one in rounds(FOUR, ())[0]] == [("Ana", "Dee"), ("Bo", "Cy")]


def test_a_lot_gives_the_same_places_to_whoever_draws_it_again() -> None:
    names = ["Ana", "Bo", "Cy", "Dee", "Eve"]
    assert begun(names, 0, [], lot=3) == begun(names[::-1], 0, [], lot=3) != begun(names, 0, [], lot=4)


def test_a_match_counts_once_the_two_are_to_meet_and_one_of_them_has_won() -> None:
    friendly = won(11, "Bo", "Ana")
    drawn = won(14, "Ana", "Bo", places=(1, 1))
    played = [won(12, "Ana", "Dee"), won(13, "Bo", "Cy"), friendly, drawn]
    assert winners(FOUR, played) == [["Ana", "Bo"], [None]]
    assert winners(FOUR, [*played, won(15, "Ana", "Bo")])[1] == ["Ana"]
    assert winners(FOUR, [won(10, "Ana", "Dee")])[0] == [None, None]


def test_a_correction_changes_what_follows_from_it_alone() -> None:
    after = [won(12, "Bo", "Cy"), won(13, "Ana", "Bo")]
    before = rounds(FOUR, [won(11, "Ana", "Dee"), *after])
    now = rounds(FOUR, [won(11, "Dee", "Ana"), *after])
    assert now[0][1] == before[0][1]
    assert now[1][0].people == ("Dee", "Bo")
    assert now[1][0].winner is None
    assert before[1][0].winner == "Ana"


def test_paper_goes_before_a_match_and_can_be_taken_back() -> None:
    now = entered_won(FOUR, "Dee", "Ana")
    match = won(11, "Ana", "Dee")
    assert winners(now, [match])[0][0] == "Dee"
    assert winners(entered_won(now, "Ana", "Dee"), [])[0][0] == "Ana"
    assert cleared_won(now, "Dee", "Ana") == FOUR


def test_what_is_entered_twice_is_entered_and_who_is_taken_out_twice_has_left() -> None:
    assert entered_won(entered_won(FOUR, "Dee", "Ana"), "Dee", "Ana") == entered_won(FOUR, "Dee", "Ana")
    assert withdrawn(withdrawn(FOUR, "Ana"), "Ana") == withdrawn(FOUR, "Ana")
    assert cleared_won(FOUR, "Dee", "Ana") == back(FOUR, "Ana") == FOUR


def test_two_who_are_moved_play_at_the_other_table_and_whoever_follows_where_they_were_to() -> None:
    assert [duel.table for duel in rounds(FOUR, ())[0]] == ["t", "u"]
    now = moved(moved(FOUR, ("Ana", "Dee"), "v"), ("Dee", "Ana"), "w")
    assert [duel.table for duel in rounds(now, ())[0]] == ["w", "u"]
    assert rounds(now, ())[1][0].table == "t"
    with pytest.raises(CupFault):
        moved(FOUR, ("Ana", "Zoe"), "v")


def test_who_leaves_gives_up_what_they_have_not_played() -> None:
    now = withdrawn(withdrawn(FOUR, "Ana"), "Dee")
    assert winners(now, [won(11, "Ana", "Dee"), won(12, "Bo", "Cy")]) == [["Ana", "Bo"], ["Bo"]]
    empty = rounds(now, [won(12, "Bo", "Cy")])
    assert (empty[0][0].winner, empty[1][0]) == (NOBODY, Duel((NOBODY, "Bo"), "Bo", "bye", "t", 12))
    assert back(back(now, "Ana"), "Dee") == FOUR


@pytest.mark.parametrize("people", [["Ana"], ["Ana", "ana"], ["Ana", " "], [f"P{at}" for at in range(129)]])
def test_who_cannot_be_told_apart_or_counted_does_not_begin(people: list[str]) -> None:
    with pytest.raises(CupFault):
        begun(people, 0, [])


@pytest.mark.parametrize("pair", [("Ana", "Ana"), ("Ana", "Zoe")])
def test_only_two_of_it_have_a_duel(pair: tuple[str, str]) -> None:
    with pytest.raises(CupFault):
        entered_won(FOUR, *pair)


def test_paper_decides_no_duel_of_two_who_do_not_meet_just_now(store: Store) -> None:
    book = BracketBook(store, PeopleBook(store), lambda: TablesThen(0.0, {}))
    book.begin(["Ana", "Bo", "Cy", "Dee"], [], by_lot=False)
    with pytest.raises(CupFault) as refused:
        book.enter_won("Ana", "Bo")
    assert refused.value.code == "no-duel"
    book.enter_won("Ana", "Dee")
    book.enter_won("Bo", "Cy")
    book.enter_won("Ana", "Bo")
    book.enter_won("Ana", "Bo")
    assert book.now().winner == "Ana"
