"""Who plays with whom: pods, and that as few as can be meet again."""

import random
from itertools import combinations

import pytest

from companion.club.hub.draw import ALL_WAYS, Draw, TooFew, draw, meetings, mended, met, sizes


def people(number: int) -> list[str]:
    return [f"P{seed:03}" for seed in range(number)]


def rounds(number: int, many: int, pod: int = 4) -> list[Draw]:
    drawn: list[Draw] = []
    for seed in range(many):
        drawn.append(draw(people(number), met(round_drawn.pods for round_drawn in drawn), pod, seed))
    return drawn


@pytest.mark.parametrize("wished", [3, 4, 5, 6])
def test_a_pod_has_three_to_six_whoever_comes(wished: int) -> None:
    for number in range(3, 200):
        shape = sizes(number, wished)
        assert sum(shape) == number
        assert set(shape) <= {3, 4, 5, 6}
        assert max(shape) - min(shape) <= 1
    with pytest.raises(TooFew):
        sizes(2, wished)


def test_everybody_sits_once_and_the_seed_gives_the_same_pods_again() -> None:
    met_before = met([[("P000", "P001", "P002", "P003")]])
    for number in (7, 12, 13, 40):
        drawn = draw(people(number), met_before, 4, seed=5)
        assert sorted(name for pod in drawn.pods for name in pod) == people(number)
        assert drawn == draw(people(number)[::-1], met_before, 4, seed=5)
    assert draw(people(40), {}, 4, seed=5) != draw(people(40), {}, 4, seed=6)


def test_a_small_draw_can_not_be_better() -> None:
    chance = random.Random(1)
    names = people(6)
    for _ in range(20):
        met_before = {frozenset(pair): chance.randrange(4) for pair in combinations(names, 2)}
        fewest = min(
            meetings([(*three,), tuple(name for name in names if name not in three)], met_before)
            for three in combinations(names, 3)
        )
        assert draw(names, met_before, 3, seed=1).again == fewest


def test_nobody_meets_again_where_that_can_be() -> None:
    assert [round_drawn.again for round_drawn in rounds(24, 4)] == [0, 0, 0, 0]
    assert [round_drawn.again for round_drawn in rounds(ALL_WAYS, 2, pod=3)] == [0, 0]


def test_who_leaves_changes_their_own_pod_alone_while_it_is_large_enough() -> None:
    pods = (("a", "b", "c", "d"), ("e", "f", "g", "h"))
    assert mended(pods, ["b"], [], {}) == (("a", "c", "d"), ("e", "f", "g", "h"))


def test_a_pod_that_is_too_small_goes_where_there_is_room_and_whoever_comes_where_they_have_met_the_fewest() -> None:
    pods = (("a", "b", "c"), ("d", "e", "f"), ("g", "h", "i"))
    assert mended(pods, ["c"], [], met([[("a", "d")]])) == (("d", "e", "f", "b"), ("g", "h", "i", "a"))
    assert mended(pods, [], ["x"], met([[("x", "a"), ("x", "d")]])) == (*pods[:2], ("g", "h", "i", "x"))


def test_where_every_pod_is_full_another_is_opened() -> None:
    full = (tuple("abcdef"), tuple("ghijkl"))
    opened = mended(full, [], ["x"], {})
    assert [len(pod) for pod in opened] == [5, 5, 3]
    assert sorted(name for pod in opened for name in pod) == sorted("abcdefghijklx")


def test_where_no_pod_is_whole_those_who_stay_and_come_make_one_if_they_are_enough() -> None:
    pods = (("a", "b", "c"),)
    assert mended(pods, ["a"], [], {}) == (("b", "c"),)
    assert mended(pods, ["a"], ["x"], {}) == (("b", "c", "x"),)
    assert mended(pods, ["a", "b"], ["x"], {}) == ()
    assert [len(pod) for pod in mended(pods, ["a"], [*"tuvwx"], {})] == [4, 3]
