"""Swiss rounds: who stands alike meets, and nobody twice while that can be avoided."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.club.hub.draw import Pod, TooFew, draw, meetings, met, sizes
from companion.club.hub.matching import ALONE, largest_matching, without
from companion.club.hub.swiss import draw_swiss, mended_swiss

PEOPLE = [f"P{number:02}" for number in range(40)]


class Evening:
    """Rounds as they are drawn, each table won by whoever a lot says."""

    def __init__(self, people: Sequence[str], size: int, chance: Random):
        self.people = list(people)
        self.size = size
        self.chance = chance
        self.rounds: list[Sequence[Pod]] = []
        self.points = dict.fromkeys(PEOPLE, 0)

    @property
    def byes(self) -> dict[str, int]:
        alone = [pod[0] for pods in self.rounds for pod in pods if len(pod) == 1]
        return {name: alone.count(name) for name in PEOPLE}

    def play(self) -> None:
        drawn = draw_swiss(
            self.people, self.points, met(self.rounds), self.byes, self.size, self.chance.randrange(1000)
        )
        self.rounds.append(drawn.pods)
        for pod in drawn.pods:
            for place, name in enumerate(self.chance.sample(pod, len(pod))):
                self.points[name] += 120 if len(pod) == 1 else 120 * (len(pod) - 1 - place) // (len(pod) - 1)


def every_pairing(people: Sequence[str]) -> Iterator[list[frozenset[str]]]:
    if not people:
        yield []
    for rival in people[1:]:
        unpaired = [name for name in people[1:] if name != rival]
        for pairs in every_pairing(unpaired):
            yield [frozenset((people[0], rival)), *pairs]


def repeated(pairs: Sequence[frozenset[str]], counts: Mapping[frozenset[str], int]) -> int:
    return sum(counts.get(pair, 0) > 0 for pair in pairs)


@given(st.integers(0, 8), st.data())
def test_no_other_matching_has_more_pairs(people: int, data: st.DataObject) -> None:
    edges = data.draw(st.sets(st.sampled_from([*combinations(range(people), 2)]))) if people > 1 else set()
    graph = [
        [rival for rival in range(people) if {(person, rival), (rival, person)} & edges] for person in range(people)
    ]
    mates = largest_matching(graph)
    pairs = {(person, mate) for person, mate in enumerate(mates) if person < mate}
    assert pairs <= edges
    assert all(mates[mate] == person for person, mate in enumerate(mates) if mate != ALONE)
    separate = (
        len(chosen)
        for size in range(people // 2 + 1)
        for chosen in combinations(edges, size)
        if have_no_person_in_common(chosen)
    )
    assert len(pairs) == max(separate)


@given(st.integers(2, 7), st.data())
def test_what_is_left_once_a_pair_has_gone_is_matched_as_far_as_it_can_be(people: int, data: st.DataObject) -> None:
    everybody = range(people)
    edges = data.draw(st.sets(st.sampled_from([*combinations(everybody, 2)])))
    pair = data.draw(st.sampled_from([*combinations(everybody, 2)]))
    absent = data.draw(st.sets(st.sampled_from(everybody))) - {*pair}
    graph = [[rival for rival in everybody if {(person, rival), (rival, person)} & edges] for person in everybody]
    mates = largest_matching(
        [[rival for rival in graph[person] if not {person, rival} & absent] for person in everybody]
    )
    mates_then, lost = without(graph, mates, pair, absent)
    pairs = {(person, mate) for person, mate in enumerate(mates_then) if person < mate}
    edges_left = {edge for edge in edges if {*edge}.isdisjoint({*pair, *absent})}
    chosen = chain(*(combinations(edges_left, size) for size in range(people // 2 + 1)))
    assert pairs <= edges_left
    assert len(pairs) == max(len(separate) for separate in chosen if have_no_person_in_common(separate))
    assert len(pairs) == sum(mate != ALONE for mate in mates) // 2 - lost


def have_no_person_in_common(pairs: Sequence[tuple[int, int]]) -> bool:
    return len({person for pair in pairs for person in pair}) == 2 * len(pairs)


@given(st.integers(2, 40), st.sampled_from([2, 3, 4, 5, 6]), st.randoms(use_true_random=False))
def test_everybody_has_one_place_in_every_round(people: int, size: int, chance: Random) -> None:
    size = size if people > 2 else 2
    evening = Evening(PEOPLE[:people], size, chance)
    for _ in range(2):
        evening.play()
        assert sorted(name for pod in evening.rounds[-1] for name in pod) == PEOPLE[:people]
        pods = [len(pod) for pod in evening.rounds[-1]]
        assert sorted(pods) == sorted(sizes(people, size) if size > 2 else [2] * (people // 2) + [1] * (people % 2))


@given(st.integers(2, 7), st.integers(0, 6), st.randoms(use_true_random=False))
def test_no_other_pairs_repeat_fewer_meetings_and_byes(people: int, rounds: int, chance: Random) -> None:
    evening = Evening(PEOPLE[:people], 2, chance)
    for _ in range(rounds):
        evening.play()
    met_before = {**met(evening.rounds), **{frozenset((name, "bye")): count for name, count in evening.byes.items()}}
    evening.play()
    names = [*PEOPLE[:people], *["bye"] * (people % 2)]
    drawn = [frozenset((*pod, *["bye"] * (len(pod) == 1))) for pod in evening.rounds[-1]]
    assert repeated(drawn, met_before) == min(repeated(pairs, met_before) for pairs in every_pairing(names))


@given(st.integers(2, 40), st.randoms(use_true_random=False))
def test_in_as_many_rounds_as_half_the_people_nobody_meets_again_and_nobody_has_a_second_bye(
    people: int, chance: Random
) -> None:
    """Dirac's theorem: as long as everybody has at least half of the others to meet, all can be paired anew."""
    evening = Evening(PEOPLE[:people], 2, chance)
    for _ in range(-(-people // 2)):
        evening.play()
    assert max(met(evening.rounds).values()) == 1
    assert max(evening.byes.values()) <= 1


@given(st.integers(6, 30), st.lists(st.sampled_from(["leave", "come"]), max_size=4), st.randoms(use_true_random=False))
def test_the_same_holds_while_people_come_and_leave(people: int, changes: Sequence[str], chance: Random) -> None:
    evening = Evening(PEOPLE[:people], 2, chance)
    strangers = PEOPLE[people:]
    for change in changes[: people // 4]:
        evening.play()
        if change == "leave":
            evening.people.remove(chance.choice(evening.people))
        else:
            evening.people.append(strangers.pop())
    assert max(met(evening.rounds).values(), default=0) <= 1
    assert max(evening.byes.values()) <= 1


@given(st.integers(6, 12), st.integers(3, 6), st.randoms(use_true_random=False))
def test_up_to_twelve_at_larger_tables_meet_again_no_more_than_in_the_best_draw(
    people: int, size: int, chance: Random
) -> None:
    evening = Evening(PEOPLE[:people], size, chance)
    evening.play()
    met_before = met(evening.rounds)
    evening.play()
    assert meetings(evening.rounds[-1], met_before) == draw(PEOPLE[:people], met_before, size, seed=1).again


def test_who_stands_alike_meets() -> None:
    points = {"Ana": 360, "Bo": 300, "Cy": 240, "Dee": 120, "Eve": 60, "Finn": 0}
    assert draw_swiss([*points], points, {}, {}, 2, seed=1).pods == (("Ana", "Bo"), ("Cy", "Dee"), ("Eve", "Finn"))
    assert draw_swiss([*points], points, {}, {}, 3, seed=1).pods == (("Ana", "Bo", "Cy"), ("Dee", "Eve", "Finn"))


def test_who_has_met_the_nearest_meets_the_next() -> None:
    points = {"Ana": 360, "Bo": 300, "Cy": 240, "Dee": 120}
    met_before = met([[("Ana", "Bo")]])
    assert draw_swiss([*points], points, met_before, {}, 2, seed=1).pods == (("Ana", "Cy"), ("Bo", "Dee"))


def test_a_bye_goes_to_the_last_who_has_had_none() -> None:
    points = {"Ana": 360, "Bo": 300, "Cy": 240}
    assert draw_swiss([*points], points, {}, {}, 2, seed=1).pods == (("Ana", "Bo"), ("Cy",))
    assert draw_swiss([*points], points, {}, {"Cy": 1}, 2, seed=1).pods == (("Ana", "Cy"), ("Bo",))


def test_nobody_plays_alone() -> None:
    with pytest.raises(TooFew):
        draw_swiss(["Ana"], {}, {}, {}, 2, seed=1)


@pytest.mark.parametrize(
    ("pods", "leavers", "newcomers", "mended"),
    [
        ((("a", "b"), ("c", "d")), ["b", "d"], [], (("a", "c"),)),
        ((("a", "b"), ("c",)), ["b"], [], (("a", "c"),)),
        ((("a", "b"), ("c", "d")), ["b"], [], (("c", "d"), ("a",))),
        ((("a", "b"), ("c",)), [], ["x"], (("a", "b"), ("c", "x"))),
        ((("a", "b"),), [], ["x"], (("a", "b"),)),
        ((("a", "b"),), [], ["x", "y"], (("a", "b"), ("x", "y"))),
        ((("a", "b"),), ["a"], ["x", "y"], (("b", "x"),)),
    ],
    ids=[
        "both alone meet",
        "the bye plays",
        "one alone has a bye",
        "a newcomer plays the bye",
        "one newcomer waits",
        "two newcomers meet",
        "the second newcomer waits",
    ],
)
def test_who_has_lost_their_opponent_plays_whoever_is_free(
    pods: Sequence[Pod], leavers: Sequence[str], newcomers: Sequence[str], mended: Sequence[Pod]
) -> None:
    assert mended_swiss(pods, leavers, newcomers, {}, 2) == mended
