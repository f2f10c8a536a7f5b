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


def new_tournament(rounds: int = 2) -> Tournament:
    return next_round(new(PEOPLE, rounds, 3), seed=1, after=10, tables=["t", "u"])


def match_of(first: int, *names: str) -> PlayedMatch:
    """A match that the hub heard of as number `first`; who stands first wins."""
    return PlayedMatch(first, "t", first, float(first), {name.casefold(): place for place, name in enumerate(names, 1)})


def played(cup: Tournament, at: int, first: int, number: int = -1) -> PlayedMatch:
    """Have a pod play: who stands first in it wins."""
    pod = cup.drawn[number].pods[at].people
    return match_of(first, *pod)


def points(cup: Tournament, *matches: PlayedMatch) -> dict[str, int]:
    return {standing.name: standing.points for standing in standings(cup, results(cup, matches))}


def test_a_match_of_exactly_its_people_is_a_pods_wherever_and_in_whatever_order_it_comes() -> None:
    cup = new_tournament()
    match = played(cup, 0, 12)
    other = played(cup, 1, 11)
    assert results(cup, [match, other]) == results(cup, [other, match]) == (((1, 2, 3), (1, 2, 3)),)
    assert results(cup, [played(cup, 0, first=9)]) == ((None, None),)
    first, second, third = cup.drawn[0].pods[0].people
    assert (points(cup, match)[first], points(cup, match)[second], points(cup, match)[third]) == (120, 60, 0)


def test_a_late_result_changes_the_standings_and_no_draw() -> None:
    first = new_tournament()
    second = next_round(first, seed=2, after=20, tables=[])
    assert second == next_round(first, seed=2, after=20, tables=[])
    late = played(second, 0, first=30, number=0)
    assert results(second, [late])[0][0] == (1, 2, 3)


def test_who_ties_stands_by_the_letter_of_their_name_whatever_its_accent() -> None:
    cup = new(["Zoé", "Émile", "Ana"], 2, 3)
    assert [standing.name for standing in standings(cup, results(cup, ()))] == ["Ana", "Émile", "Zoé"]


def test_the_same_people_in_two_rounds_have_two_results() -> None:
    cup = new(PEOPLE[:3], 2, 3)
    cup = next_round(next_round(cup, 1, 0, []), 2, 5, [])
    match = match_of(6, "Ana", "Bo", "Cy")
    assert [results_of_round[0] is not None for results_of_round in results(cup, [match])] == [True, False]
    assert all(results_of_round[0] for results_of_round in results(cup, [match, match_of(7, "Ana", "Bo", "Cy")]))


def test_what_was_entered_from_paper_goes_before_a_match_and_can_be_taken_back() -> None:
    cup = new_tournament()
    match = played(new_tournament(), 0, 11)
    assert results(from_paper(cup, 0, 0, [3, 1, 1]), [match])[0][0] == (3, 1, 1)
    assert results(from_paper(from_paper(cup, 0, 0, [3, 1, 1]), 0, 0, ()), [match])[0][0] == (1, 2, 3)


@pytest.mark.parametrize("places", [(1, 2, 3), (1, 1, 1), (1, 1, 3), (3, 1, 1), (1, 1, 2), (1, 2, 2)])
def test_places_with_ties_are_taken_whether_or_not_they_skip_a_number(places: tuple[int, ...]) -> None:
    assert results(from_paper(new_tournament(), 0, 0, places), ())[0][0] == places


@pytest.mark.parametrize(
    ("places", "wrong"), [((2, 2, 3), "no-first"), ((3, 3, 3), "no-first"), ((1, 3, 3), "gap"), ((1, 2), "places")]
)
def test_places_that_are_no_ranking_are_refused(places: tuple[int, ...], wrong: str) -> None:
    with pytest.raises(CupFault) as fault:
        from_paper(new_tournament(), 0, 0, places)
    assert fault.value.code == wrong


def test_equals_share_what_lies_between_them() -> None:
    cup = from_paper(new_tournament(), 0, 0, [1, 1, 3])
    second, other, last = cup.drawn[0].pods[0].people
    assert [points(cup)[name] for name in (second, other, last)] == [90, 90, 0]


def test_who_comes_late_is_fitted_in_and_a_pod_that_has_played_stays() -> None:
    cup = fitted(entered(new_tournament(), "Gil"), finished=[0])
    assert cup.drawn[0].pods[0] == new_tournament().drawn[0].pods[0]
    assert cup.drawn[0].pods[1].people == (*new_tournament().drawn[0].pods[1].people, "Gil")


def test_who_comes_when_every_pod_has_played_waits_for_the_next_round() -> None:
    first = new_tournament()
    cup = fitted(entered(first, "Gil"), finished=[0, 1])
    assert cup.drawn == first.drawn
    assert waiting(cup) == ["Gil"]
    assert waiting(next_round(cup, seed=2, after=20, tables=[])) == []


def test_two_who_are_left_when_the_others_have_played_play_each_other_until_a_third_comes() -> None:
    first = new_tournament()
    leaver, *stayers = first.drawn[0].pods[1].people
    cup = fitted(gone(first, leaver), finished=[0])
    assert cup.drawn[0].pods == (first.drawn[0].pods[0], replace(first.drawn[0].pods[1], people=tuple(stayers)))
    match = match_of(11, *stayers)
    assert [points(cup, match)[name] for name in stayers] == [120, 0]
    assert fitted(entered(cup, "Gil"), finished=[0]).drawn[0].pods[1].people == (*stayers, "Gil")


def test_who_is_left_alone_waits_for_the_next_round() -> None:
    first = new_tournament()
    leaver, other, alone = first.drawn[0].pods[1].people
    cup = fitted(gone(fitted(gone(first, leaver), finished=[0]), other), finished=[0])
    assert cup.drawn[0].pods == first.drawn[0].pods[:1]
    assert waiting(cup) == [alone]


def test_who_leaves_keeps_what_they_played_and_is_not_drawn_again() -> None:
    first = new_tournament()
    name = first.drawn[0].pods[0].people[0]
    match = played(first, 0, 11)
    cup = next_round(gone(first, name), seed=2, after=20, tables=[])
    assert name not in {person for pod in cup.drawn[1].pods for person in pod.people}
    assert points(cup, match)[name] == 120
    back = entered(cup, name)
    assert points(back, match)[name] == 120


def test_a_match_in_which_two_have_one_name_is_no_pods(store: Store) -> None:
    for match, names in ((1, ("Ana", "Bo")), (2, ("Ana", "ana", "Bo"))):
        players = [{"seat": seat, "name": name} for seat, name in enumerate(names, 1)]
        store.take("t", match, 1, msgspec.json.encode(result(match, players=players)))
    assert [match.first for match in tournament_book.played(store, 0, ClubPeople())] == [1]
