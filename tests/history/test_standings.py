"""How matches ended, and the standings that follow."""

from pathlib import Path

import pytest

from companion.history.standings import Result, Seated, by_game, counted, result, season, standings
from companion.judge import record_file
from companion.judge.match import judge

RECORDS = Path(__file__).parents[1] / "games"


def result_of_record(path: str) -> Result:
    return result(judge(record_file.decode((RECORDS / path).read_bytes())), 1, "2026-11-20T20:00:00+01:00", False)


def places(past_match: Result) -> dict[int, int | None]:
    return {player.seat: player.place for player in past_match.players}


def played(*people: tuple[str, int | None, int | None], game: str = "stop-it", **more: object) -> Result:
    players = tuple(Seated(seat, *person) for seat, person in enumerate(people, 1))
    return Result(1, "2026-11-20T20:00:00+01:00", False, game, players, over=True, **more)  # type: ignore[arg-type]


def test_who_looked_again_alone_against_bots_has_practised() -> None:
    ana = Seated(1, "Ana", 3, 1)
    bo = Seated(3, "Bo", 2, 2)
    bot = Seated(3, "Bot Kim", 2, 2)
    alone = Result(1, "", True, "go", (ana, bot), over=True, looked_again=True)
    agreed = Result(2, "", True, "go", (ana, bo), over=True, looked_again=True)
    fair = Result(3, "", True, "go", (ana, bot), over=True)
    assert counted([alone, agreed, fair], table_simulated=True) == [agreed, fair]


def test_bots_stand_in_no_standings() -> None:
    assert [standing.name for standing in standings([played(("Ana", 3, 2), ("Bot Kim", 1, 1))])] == ["Ana"]


@pytest.mark.parametrize(
    ("began", "evening"),
    [
        ("2026-11-20T20:00:00+01:00", "2026-11-20"),
        ("2026-11-21T05:59:59+01:00", "2026-11-20"),
        ("2026-11-21T06:00:00+01:00", "2026-11-21"),
        ("2026-11-20T23:30:00", "2026-11-20"),
        ("the clock was not set", ""),
        ("0001-01-01T00:00:00", ""),
    ],
)
def test_an_evening_ends_at_six_in_the_morning(began: str, evening: str) -> None:
    assert Result(1, began, False, "go").evening == evening


def test_the_winners_are_first_also_where_others_have_as_many_points() -> None:
    past_match = result_of_record("kartel/records/match-clean.jsonl")  # 4, 4 and 0 points; fewer tokens decided
    assert places(past_match) == {1: 1, 3: 2, 5: 3}
    assert [player.seat for player in past_match.players] == [1, 3, 5]


def test_the_fewest_points_are_best_where_the_game_says_so() -> None:
    past_match = result_of_record("stop_it/records/match-clean.jsonl")
    points = [player.points for player in past_match.players]
    assert points == sorted(points, key=lambda points_or_none: points_or_none or 0)


def test_who_did_not_win_shares_the_next_place_where_points_are_not_told() -> None:
    assert places(result_of_record("stop_me_go/records/match-clean.jsonl")) == {1: 1, 2: 2, 5: 2}


def test_a_match_under_way_has_no_places_and_tells_no_time() -> None:
    past_match = result_of_record("go/records/ig-17-void.jsonl")
    assert (past_match.over, past_match.seconds, set(places(past_match).values())) == (False, None, {None})


def test_a_match_lasts_to_its_last_ruling() -> None:
    events = record_file.decode((RECORDS / "kartel/records/match-clean.jsonl").read_bytes())
    last = events[-1]
    late = type(last)(last.seq + 1, last.at + 5000, "centre", "red-1")  # type: ignore[call-arg, arg-type]
    assert result(judge([*events, late]), 1, "", False).seconds == result(judge(events), 1, "", False).seconds


def test_standings_tell_played_won_mean_place_and_best() -> None:
    rows = standings([played(("Ana", 3, 1), ("Bo", 5, 2)), played(("Bo", 4, 1), ("Ana", 6, 3))])
    assert [(row.name, row.played, row.won, row.place, row.best) for row in rows] == [
        ("Bo", 2, 1, 1.5, 4),
        ("Ana", 2, 1, 2.0, 3),
    ]


def test_the_best_points_are_the_most_in_other_games() -> None:
    (ana,) = standings([played(("Ana", 3, 1), game="kartel"), played(("Ana", 9, 2), game="kartel")])
    assert ana.best == 9


def test_over_several_games_there_is_no_best() -> None:
    (ana,) = standings([played(("Ana", 3, 1)), played(("Ana", 9, 2), game="kartel")])
    assert ana.best is None


def test_a_name_is_one_player_however_it_is_typed() -> None:
    (cleo,) = standings([played(("CLÉO ", 1, 1)), played((" cléo", 1, 1)), played(("Cléo", 1, 1))])
    assert (cleo.name, cleo.played) == ("Cléo", 3)


def test_an_accent_is_the_same_in_one_letter_or_in_two() -> None:
    (cleo,) = standings([played(("Cl\u00e9o", 1, 1)), played(("Cle\u0301o", 1, 1))])
    assert cleo.played == 2


def test_who_gave_no_name_is_in_no_standing() -> None:
    assert standings([played(("", 1, 1), ("  ", 2, 2), ("\u3164", 3, 3))]) == []


def test_a_match_that_was_not_played_to_its_end_counts_for_nothing() -> None:
    assert counted([Result(1, "", False, "go")], table_simulated=False) == []


def test_a_demonstration_counts_nowhere() -> None:
    demo = Result(1, "2026-11-20T20:00:00+01:00", True, "go", over=True, demo=True)
    assert counted([demo], table_simulated=True) == []
    assert season((demo,), True).evenings == ()


def test_simulated_matches_count_only_at_a_simulated_table() -> None:
    simulated = Result(1, "", True, "go", over=True)
    assert counted([simulated], table_simulated=False) == []
    assert counted([simulated], table_simulated=True) == [simulated]


def test_all_games_stand_together_only_where_there_are_several() -> None:
    past_match = played(("Ana", 3, 1))
    other = played(("Ana", 3, 1), game="go")
    assert [game for game, _ in by_game([past_match])] == ["stop-it"]
    assert [game for game, _ in by_game([past_match, other])] == [None, "go", "stop-it"]
    assert by_game([]) == []
