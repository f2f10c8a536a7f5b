"""A round robin: everybody meets everybody of their group, once."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.club.hub.draw import CupFault, TooFew, met
from companion.club.hub.round_robin import circle, drawn_groups, rounds_left
from companion.club.hub.tournament import Tournament, entered, fitted, gone, new, next_round, removed, waiting

PEOPLE = [f"P{number:02}" for number in range(60)]


def pairs_of(tournament: Tournament) -> Counter[frozenset[str]]:
    return Counter(frozenset(pod.people) for drawn in tournament.drawn for pod in drawn.pods)


@given(st.integers(2, 12))
def test_everybody_meets_everybody_once_in_as_few_rounds_as_can_be(people: int) -> None:
    group = PEOPLE[:people]
    rounds = circle(group)
    assert sorted(map(sorted, (pair for pairs in rounds for pair in pairs))) == [*map(list, combinations(group, 2))]
    assert len(rounds) == people - 1 + people % 2
    for pairs in rounds:
        assert len({name for pair in pairs for name in pair}) == 2 * (people // 2)


@given(st.integers(2, 60), st.integers(2, 12), st.integers())
def test_groups_are_as_even_as_can_be(people: int, wished: int, seed: int) -> None:
    groups = drawn_groups(PEOPLE[:people], wished, seed)
    sizes = [len(group) for group in groups]
    assert sorted(name for group in groups for name in group) == PEOPLE[:people]
    assert max(sizes) - min(sizes) <= 1
    assert min(sizes) >= 2
    assert max(sizes) <= max(wished, 3)
    assert groups == drawn_groups(PEOPLE[people - 1 :: -1], wished, seed)


def test_nobody_is_a_group() -> None:
    with pytest.raises(TooFew):
        drawn_groups(["Ana"], 6, seed=1)
    with pytest.raises(CupFault):
        next_round(new([], 1, 6, "round-robin"), 1, 0, [])


@given(st.integers(2, 14), st.lists(st.sampled_from(["leave", "come", "back"])), st.randoms(use_true_random=False))
def test_whoever_comes_leaves_and_is_back_in_the_end_all_who_are_there_have_met_once(
    people: int, changes: Sequence[str], chance: Random
) -> None:
    cup = next_round(new(PEOPLE[:people], 1, 5, "round-robin"), seed=1, after=0, tables=[])
    strangers = PEOPLE[people:]
    steps = iter(changes)
    while len(cup.drawn) < cup.rounds:
        change = next(steps, "")
        if change == "leave" and len(cup.people) > 2:
            cup = fitted(gone(cup, chance.choice(cup.people)), ())
        if change == "come" and strangers:
            cup = fitted(entered(cup, strangers.pop()), ())
        if change == "back" and cup.left:
            cup = fitted(entered(cup, cup.left[0].lower()), ())
        if len(cup.drawn) < cup.rounds:
            cup = next_round(cup, seed=1, after=0, tables=[])
    together = {frozenset(pair) for group in cup.groups for pair in combinations(group, 2) if not {*pair} & {*cup.left}}
    counts = pairs_of(cup)
    assert {pair for pair in counts if not pair & {*cup.left}} == together
    assert {*counts.values()} <= {1}


@given(st.integers(3, 12), st.data())
def test_who_leaves_changes_nobody_elses_opponents(people: int, data: st.DataObject) -> None:
    group = PEOPLE[:people]
    leaver = data.draw(st.sampled_from(group))
    played = circle(group)[: data.draw(st.integers(0, people - 1))]
    left = [[pair for pair in pairs if leaver not in pair] for pairs in circle(group)[len(played) :]]
    planned = rounds_left(group, [leaver], met(played))
    assert sorted(pair for pairs in planned for pair in pairs) == sorted(pair for pairs in left for pair in pairs)
    assert len(planned) <= len(left)


def test_who_has_no_opponent_in_an_odd_group_waits() -> None:
    cup = next_round(new(["Ana", "Bo", "Cy"], 1, 3, "round-robin"), seed=1, after=0, tables=[])
    assert cup.rounds == 3
    assert len(waiting(cup)) == 1


def test_who_was_taken_out_by_mistake_has_their_place_again() -> None:
    drawn = next_round(new(["Ana", "Bo", "Cy", "Dee"], 1, 4, "round-robin"), seed=1, after=0, tables=[])
    name = drawn.drawn[0].pods[0].people[0]
    back = entered(fitted(removed(drawn, name), ()), name.upper())
    assert sorted(back.people) == ["Ana", "Bo", "Cy", "Dee"]
    assert back.groups == drawn.groups


@given(st.integers(4, 12), st.data())
def test_who_is_taken_out_changes_nobody_elses_opponents(people: int, data: st.DataObject) -> None:
    drawn = next_round(new(PEOPLE[:people], 1, people, "round-robin"), seed=1, after=0, tables=[])
    name = data.draw(st.sampled_from(PEOPLE[:people]))
    taken_out = fitted(removed(drawn, name), ())
    assert taken_out.left == ()
    assert taken_out.rounds == fitted(gone(drawn, name), ()).rounds
    while len(taken_out.drawn) < taken_out.rounds:
        taken_out = next_round(taken_out, seed=1, after=0, tables=[])
    assert pairs_of(taken_out) == Counter(
        frozenset(pair) for pair in combinations(sorted({*PEOPLE[:people]} - {name}), 2)
    )


def test_whoever_comes_late_plays_at_once_whoever_has_no_opponent() -> None:
    of = next_round(new(["Ana", "Bo", "Cy", "Dee", "Eve"], 1, 6, "round-robin"), seed=1, after=0, tables=[])
    (idle,) = waiting(of)
    of = fitted(entered(of, "Finn"), finished=[0])
    assert of.drawn[0].pods[-1].people in ((idle, "Finn"), ("Finn", idle))
    assert waiting(of) == []
    assert of.rounds == 5
