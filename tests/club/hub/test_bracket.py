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


def winners(bracket: Bracket, played: Iterable[PlayedMatch]) -> list[list[str | None]]:
    return [[duel.winner for duel in in_round] for in_round in rounds(bracket, played)]


@given(st.integers(2, 64), st.randoms(use_true_random=False))
def test_all_play_till_they_lose_and_nobody_meets_twice(people: int, chance: Random) -> None:
    bracket = begun([f"P{seed}" for seed in range(people)], 0, [f"t{table}" for table in range(people)])
    played: list[PlayedMatch] = []
    while open_now := [
        duel for duel in chain(*rounds(bracket, played)) if duel.how == "open" and None not in duel.people
    ]:
        assert len({duel.table for duel in open_now}) == len(open_now)
        rival, other = chance.choice(open_now).people
        played.append(won(len(played) + 1, *chance.sample([str(rival), str(other)], 2)))
    all_rounds = rounds(bracket, played)
    duels = [duel for duel in chain(*all_rounds) if duel.how == "played"]
    assert len(all_rounds) == math.ceil(math.log2(people))
    assert len({frozenset(duel.people) for duel in duels}) == len(duels) == people - 1
    lost = [str(name) for duel in duels for name in duel.people if name != duel.winner]
    assert sorted([*lost, str(all_rounds[-1][0].winner)]) == sorted(bracket.people)
    byes = [duel.winner for duel in all_rounds[0] if duel.how == "bye"]
    assert {*byes} == {*bracket.people[: len(byes)]}
    assert all(duel.how != "bye" for duel in chain(*all_rounds[1:]))


def test_the_best_meet_last() -> None:
    assert [duel.people for duel in rounds(FOUR, ())[0]] == [("Ana", "Dee"), ("Bo", "Cy")]


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
    later = [won(12, "Bo", "Cy"), won(13, "Ana", "Bo")]
    rounds_before = rounds(FOUR, [won(11, "Ana", "Dee"), *later])
    rounds_after = rounds(FOUR, [won(11, "Dee", "Ana"), *later])
    assert rounds_after[0][1] == rounds_before[0][1]
    assert rounds_after[1][0].people == ("Dee", "Bo")
    assert rounds_after[1][0].winner is None
    assert rounds_before[1][0].winner == "Ana"


def test_paper_goes_before_a_match_and_can_be_taken_back() -> None:
    bracket = entered_won(FOUR, "Dee", "Ana")
    match = won(11, "Ana", "Dee")
    assert winners(bracket, [match])[0][0] == "Dee"
    assert winners(entered_won(bracket, "Ana", "Dee"), [])[0][0] == "Ana"
    assert cleared_won(bracket, "Dee", "Ana") == FOUR


def test_what_is_entered_twice_is_entered_and_who_is_taken_out_twice_has_left() -> None:
    assert entered_won(entered_won(FOUR, "Dee", "Ana"), "Dee", "Ana") == entered_won(FOUR, "Dee", "Ana")
    assert withdrawn(withdrawn(FOUR, "Ana"), "Ana") == withdrawn(FOUR, "Ana")
    assert cleared_won(FOUR, "Dee", "Ana") == back(FOUR, "Ana") == FOUR


def test_two_who_are_moved_play_at_the_other_table_and_whoever_follows_where_they_were_to() -> None:
    assert [duel.table for duel in rounds(FOUR, ())[0]] == ["t", "u"]
    bracket = moved(moved(FOUR, ("Ana", "Dee"), "v"), ("Dee", "Ana"), "w")
    assert [duel.table for duel in rounds(bracket, ())[0]] == ["w", "u"]
    assert rounds(bracket, ())[1][0].table == "t"
    with pytest.raises(CupFault):
        moved(FOUR, ("Ana", "Zoe"), "v")


def test_who_leaves_gives_up_what_they_have_not_played() -> None:
    bracket = withdrawn(withdrawn(FOUR, "Ana"), "Dee")
    assert winners(bracket, [won(11, "Ana", "Dee"), won(12, "Bo", "Cy")]) == [["Ana", "Bo"], ["Bo"]]
    empty = rounds(bracket, [won(12, "Bo", "Cy")])
    assert (empty[0][0].winner, empty[1][0]) == (NOBODY, Duel((NOBODY, "Bo"), "Bo", "bye", "t", 12))
    assert back(back(bracket, "Ana"), "Dee") == FOUR


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
