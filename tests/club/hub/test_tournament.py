"""A tournament from its first name to its last result."""

import msgspec
import pytest
from msgspec.structs import replace

from companion.club.hub import tournament_book
from companion.club.hub.cup_standings import standings
from companion.club.hub.draw import CupFault
from companion.club.hub.people import ClubPeople
from companion.club.hub.store import Store
from companion.club.hub.tournament import (
    PlayedMatch,
    Tournament,
    entered,
    fitted,
    gone,
    new,
    next_round,
    results,
    waiting,
)
from tests.club.hub.paper import from_paper
from tests.club.hub.tables import result

PEOPLE = ["Ana", "Bo", "Cy", "Dee", "Eve", "Finn"]


def begun(rounds: int = 2) -> Tournament:
    return next_round(new(PEOPLE, rounds, 3), seed=1, after=10, tables=["t", "u"])


def match_of(first: int, *names: str) -> PlayedMatch:
    """A match that the hub heard of as number `first`; who stands first wins."""
    return PlayedMatch(first, "t", first, float(first), {name.casefold(): place for place, name in enumerate(names, 1)})


def played(now: Tournament, at: int, first: int, number: int = -1) -> PlayedMatch:
    """Have a pod play: who stands first in it wins."""
    pod = now.drawn[number].pods[at].people
    return match_of(first, *pod)


def points(now: Tournament, *matches: PlayedMatch) -> dict[str, int]:
    return {one.name: one.points for one in standings(now, results(now, matches))}


def test_a_match_of_exactly_its_people_is_a_pods_wherever_and_in_whatever_order_it_comes() -> None:
    now = begun()
    one = played(now, 0, 12)
    other = played(now, 1, 11)
    assert results(now, [one, other]) == results(now, [other, one]) == (((1, 2, 3), (1, 2, 3)),)
    assert results(now, [played(now, 0, first=9)]) == ((None, None),)
    first, second, third = now.drawn[0].pods[0].people
    assert (points(now, one)[first], points(now, one)[second], points(now, one)[third]) == (120, 60, 0)


def test_a_late_result_changes_the_standings_and_no_draw() -> None:
    first = begun()
    second = next_round(first, seed=2, after=20, tables=[])
    assert second == next_round(first, seed=2, after=20, tables=[])
    late = played(second, 0, first=30, number=0)
    assert results(second, [late])[0][0] == (1, 2, 3)


def test_who_ties_stands_by_the_letter_of_their_name_whatever_its_accent() -> None:
    now = new(["Zoé", "Émile", "Ana"], 2, 3)
    assert [one.name for one in standings(now, results(now, ()))] == ["Ana", "Émile", "Zoé"]


def test_the_same_people_in_two_rounds_have_two_results() -> None:
    now = new(PEOPLE[:3], 2, 3)
    now = next_round(next_round(now, 1, 0, []), 2, 5, [])
    match = match_of(6, "Ana", "Bo", "Cy")
    assert [one[0] is not None for one in results(now, [match])] == [True, False]
    assert all(one[0] for one in results(now, [match, match_of(7, "Ana", "Bo", "Cy")]))


def test_what_was_entered_from_paper_goes_before_a_match_and_can_be_taken_back() -> None:
    now = begun()
    match = played(begun(), 0, 11)
    assert results(from_paper(now, 0, 0, [3, 1, 1]), [match])[0][0] == (3, 1, 1)
    assert results(from_paper(from_paper(now, 0, 0, [3, 1, 1]), 0, 0, ()), [match])[0][0] == (1, 2, 3)


@pytest.mark.parametrize("places", [(1, 2, 3), (1, 1, 1), (1, 1, 3), (3, 1, 1), (1, 1, 2), (1, 2, 2)])
def test_places_with_ties_are_taken_whether_or_not_they_skip_a_number(places: tuple[int, ...]) -> None:
    assert results(from_paper(begun(), 0, 0, places), ())[0][0] == places


@pytest.mark.parametrize(
    ("places", "wrong"), [((2, 2, 3), "no-first"), ((3, 3, 3), "no-first"), ((1, 3, 3), "gap"), ((1, 2), "places")]
)
def test_places_that_are_no_ranking_are_refused(places: tuple[int, ...], wrong: str) -> None:
    with pytest.raises(CupFault) as told:
        from_paper(begun(), 0, 0, places)
    assert told.value.code == wrong


def test_equals_share_what_lies_between_them() -> None:
    now = from_paper(begun(), 0, 0, [1, 1, 3])
    one, other, last = now.drawn[0].pods[0].people
    assert [points(now)[name] for name in (one, other, last)] == [90, 90, 0]


def test_who_comes_late_is_fitted_in_and_a_pod_that_has_played_stays() -> None:
    now = fitted(entered(begun(), "Gil"), finished=[0])
    assert now.drawn[0].pods[0] == begun().drawn[0].pods[0]
    assert now.drawn[0].pods[1].people == (*begun().drawn[0].pods[1].people, "Gil")


def test_who_comes_when_every_pod_has_played_waits_for_the_next_round() -> None:
    first = begun()
    now = fitted(entered(first, "Gil"), finished=[0, 1])
    assert now.drawn == first.drawn
    assert waiting(now) == ["Gil"]
    assert waiting(next_round(now, seed=2, after=20, tables=[])) == []


def test_two_who_are_left_when_the_others_have_played_play_each_other_until_a_third_comes() -> None:
    first = begun()
    one, *others = first.drawn[0].pods[1].people
    now = fitted(gone(first, one), finished=[0])
    assert now.drawn[0].pods == (first.drawn[0].pods[0], replace(first.drawn[0].pods[1], people=tuple(others)))
    match = match_of(11, *others)
    assert [points(now, match)[name] for name in others] == [120, 0]
    assert fitted(entered(now, "Gil"), finished=[0]).drawn[0].pods[1].people == (*others, "Gil")


def test_who_is_left_alone_waits_for_the_next_round() -> None:
    first = begun()
    one, other, alone = first.drawn[0].pods[1].people
    now = fitted(gone(fitted(gone(first, one), finished=[0]), other), finished=[0])
    assert now.drawn[0].pods == first.drawn[0].pods[:1]
    assert waiting(now) == [alone]


def test_who_leaves_keeps_what_they_played_and_is_not_drawn_again() -> None:
    first = begun()
    name = first.drawn[0].pods[0].people[0]
    match = played(first, 0, 11)
    now = next_round(gone(first, name), seed=2, after=20, tables=[])
    assert name not in {one for pod in now.drawn[1].pods for one in pod.people}
    assert points(now, match)[name] == 120
    back = entered(now, name)
    assert points(back, match)[name] == 120


def test_a_match_in_which_two_have_one_name_is_no_pods(store: Store) -> None:
    for match, names in ((1, ("Ana", "Bo")), (2, ("Ana", "ana", "Bo"))):
        players = [{"seat": seat, "name": name} for seat, name in enumerate(names, 1)]
        store.take("t", match, 1, msgspec.json.encode(result(match, players=players)))
    assert [one.first for one in tournament_book.played(store, 0, ClubPeople())] == [1]
