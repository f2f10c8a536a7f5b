"""How people stand, and what decides between those with as many points."""

from companion.club.hub.cup_standings import TournamentStanding, standings
from companion.club.hub.tournament import DrawnRound, SeatedPod, Tournament, gone, new, next_round, results
from tests.club.hub.paper import from_paper


def swiss(*rounds: tuple[tuple[str, ...], ...], people: str = "Ana Bo Cy Dee") -> Tournament:
    """Rounds in which each table was won by whoever is named first."""
    drawn = tuple(
        DrawnRound(0, tuple(SeatedPod(pod, by_hand=tuple(range(1, len(pod) + 1))) for pod in pods), 0, fewest=True)
        for pods in rounds
    )
    return Tournament(tuple(people.split()), 9, 2, drawn=drawn, kind="swiss")


def table(tournament: Tournament) -> dict[str, TournamentStanding]:
    return {standing.name: standing for standing in standings(tournament, results(tournament, ()))}


def test_in_swiss_rounds_the_strength_of_opponents_decides_between_equals() -> None:
    by_name = table(
        swiss((("Ana", "Bo"), ("Cy", "Dee")), (("Ana", "Dee"), ("Cy", "Bo")), (("Bo", "Dee"), ("Ana", "Cy")))
    )
    assert [(standing.name, standing.points, standing.tie_break, standing.place) for standing in by_name.values()] == [
        ("Ana", 360, 120 + 0 + 240, 1),
        ("Cy", 240, 0 + 120 + 360, 2),
        ("Bo", 120, 360 + 240 + 0, 3),
        ("Dee", 0, 240 + 360 + 120, 4),
    ]


def test_between_equals_who_met_the_stronger_is_before() -> None:
    by_name = table(swiss((("Ana", "Bo"), ("Dee", "Cy")), (("Ana", "Dee"), ("Cy", "Bo"))))
    assert [(standing.name, standing.points, standing.tie_break, standing.place) for standing in by_name.values()] == [
        ("Ana", 240, 0 + 120, 1),
        ("Dee", 120, 120 + 240, 2),
        ("Cy", 120, 120 + 0, 3),
        ("Bo", 0, 240 + 120, 4),
    ]


def test_at_a_larger_table_the_opponents_mean_counts() -> None:
    by_name = table(swiss((("Ana", "Bo", "Cy", "Dee"),)))
    assert {standing.name: (standing.points, standing.tie_break) for standing in by_name.values()} == {
        "Ana": (120, 40),  # (80 + 40 + 0) / 3
        "Bo": (80, 53),  # (120 + 40 + 0) / 3 = 53.3
        "Cy": (40, 67),  # (120 + 80 + 0) / 3 = 66.7
        "Dee": (0, 80),
    }


def test_a_bye_is_worth_a_win_and_an_opponent_with_ones_own_points_and_no_match() -> None:
    cy = table(swiss((("Ana", "Bo"), ("Cy",)), (("Ana", "Cy"), ("Bo",)), people="Ana Bo Cy"))["Cy"]
    assert (cy.points, cy.tie_break, cy.byes, cy.wins, cy.played) == (120, 120 + 240, 1, 0, 1)


def test_a_table_that_has_not_played_counts_for_nobody() -> None:
    cup = swiss((("Ana", "Bo"), ("Cy", "Dee")))
    ana = table(from_paper(cup, 0, 0, ()))["Ana"]
    assert (ana.points, ana.tie_break, ana.played) == (0, 0, 0)


def test_in_a_round_robin_the_match_between_equals_decides() -> None:
    cup = new(["Ana", "Bo", "Cy"], 1, 3, "round-robin")
    for seed in range(3):
        cup = next_round(cup, seed, after=0, tables=[])
    for number, drawn in enumerate(cup.drawn):
        for at, pod in enumerate(drawn.pods):
            places = (
                (1, 1) if {*pod.people} == {"Ana", "Cy"} else [1 + (name != min(pod.people)) for name in pod.people]
            )
            cup = from_paper(cup, number, at, places)
    assert [(standing.name, standing.points, standing.tie_break) for standing in table(cup).values()] == [
        ("Ana", 180, 0),
        ("Bo", 120, 0),
        ("Cy", 60, 0),
    ]


def test_three_who_tie_in_a_round_robin_are_sorted_by_what_they_scored_against_each_other() -> None:
    wins = {("Ana", "Bo"), ("Bo", "Cy"), ("Cy", "Dee"), ("Ana", "Dee"), ("Dee", "Bo"), ("Cy", "Ana")}
    cup = new(["Ana", "Bo", "Cy", "Dee"], 1, 4, "round-robin")
    for seed in range(3):
        cup = next_round(cup, seed, after=0, tables=[])
    for number, drawn in enumerate(cup.drawn):
        for at, pod in enumerate(drawn.pods):
            cup = from_paper(cup, number, at, (1, 2) if pod.people in wins else (2, 1))
    assert [
        (standing.place, standing.name, standing.points, standing.tie_break) for standing in table(cup).values()
    ] == [
        (1, "Cy", 240, 120),
        (2, "Ana", 240, 0),
        (3, "Dee", 120, 120),
        (4, "Bo", 120, 0),
    ]


def test_who_leaves_a_round_robin_is_worth_a_win_to_whoever_has_not_met_them() -> None:
    cup = next_round(new(["Ana", "Bo", "Cy", "Dee"], 1, 4, "round-robin"), seed=1, after=0, tables=[])
    leaver, met_already = cup.drawn[0].pods[0].people
    cup = gone(from_paper(cup, 0, 0, (1, 2)), leaver)
    by_name = table(cup)
    assert by_name[leaver].points == 120
    assert (by_name[met_already].points, by_name[met_already].byes) == (0, 0)
    assert {
        (standing.points, standing.byes) for standing in by_name.values() if standing.name not in (leaver, met_already)
    } == {(120, 1)}


def test_who_shares_the_first_place_of_a_table_has_not_won_it() -> None:
    cup = new(["Ana", "Bo", "Cy", "Dee", "Eve", "Finn"], 1, 3)
    pod, other = next_round(cup, seed=1, after=0, tables=[]).drawn[0].pods
    cup = from_paper(from_paper(next_round(cup, seed=1, after=0, tables=[]), 0, 0, (1, 1, 3)), 0, 1, (1, 2, 3))
    wins = {name: standing.wins for name, standing in table(cup).items()}
    assert wins == dict.fromkeys((*pod.people, *other.people[1:]), 0) | {other.people[0]: 1}


def test_where_all_is_equal_the_place_is_shared() -> None:
    cup = next_round(new(["Ana", "Bo"], 1, 2, "swiss"), seed=1, after=0, tables=[])
    assert [(standing.place, standing.shared) for standing in table(from_paper(cup, 0, 0, (1, 1))).values()] == [
        (1, True),
        (1, True),
    ]
    won = table(from_paper(cup, 0, 0, (1, 2))).values()
    assert [(standing.place, standing.shared) for standing in won] == [(1, False), (2, False)]
