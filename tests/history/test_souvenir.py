"""What is worth keeping of a match, and of an evening."""

import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion import games
from companion.events import Pressed, Said, Tapped
from companion.game import Chart
from companion.history.evening import evening
from companion.history.souvenir import NOTHING, Highlight, Photo, Souvenir, behind, bests, souvenir, turned
from companion.history.standings import Result, Seated
from companion.judge import record_file, views
from companion.judge.match import judge
from companion.kit.random_matches import play
from companion.web.render.podium import worth_telling
from companion.words import catalogue
from tests.web.evenings import close_shouts

RECORDS = Path(__file__).parents[1] / "games"


def souvenir_of_record(path: str) -> Souvenir:
    return souvenir(judge(record_file.decode((RECORDS / path).read_bytes())))


def codes(of: Souvenir) -> list[str]:
    return [highlight.code for highlight in of.highlights]


def test_it_turned_where_the_winner_went_ahead_for_good() -> None:
    course = [{"Ana": 0, "Bo": 0}, {"Ana": 2, "Bo": 0}, {"Ana": 2, "Bo": 2}, {"Ana": 3, "Bo": 2}, {"Ana": 4, "Bo": 2}]
    assert turned(course, "Ana") == 3
    assert turned(course, "Bo") is None


def test_a_match_turned_only_if_somebody_else_was_ahead_before() -> None:
    game = games.known()["kartel"]
    chances = map(random.Random, range(20))
    codes_of_each = [codes(souvenir(judge(play(game, seed, {}, most=600, noise=0.0, undo=0.0)))) for seed in chances]
    assert {"turning", "led"} <= {code for each in codes_of_each for code in each}
    assert not any({"led", "comeback"} <= {*each} for each in codes_of_each)


def test_whoever_gains_the_only_points_there_were_never_led() -> None:
    game = games.known()["go"]
    once = {"target": 1}
    played = [judge(play(game, random.Random(seed), once, noise=0.0, undo=0.0)) for seed in range(8)]
    alone = [codes(souvenir(match)) for match in played if len(match.outcome.winners) == 1]
    assert alone
    assert not any({"led", "turning", "finish"} & {*each} for each in alone)


def test_a_comeback_is_from_the_last_place() -> None:
    course = [{"Ana": 0, "Bo": 0, "Cléo": 0}, {"Ana": 0, "Bo": 5, "Cléo": 3}, {"Ana": 9, "Bo": 5, "Cléo": 3}]
    assert behind(course, "Ana") == (1, 5)
    assert behind(course, "Bo") is None


def test_a_shared_win_is_the_closest_finish() -> None:
    chances = map(random.Random, range(40))
    played = (judge(play(games.known()["stop-it"], chance, {}, most=1500, noise=0.0, undo=0.0)) for chance in chances)
    shared = next(match for match in played if len(match.outcome.winners) > 1)
    (finish,) = (highlight for highlight in souvenir(shared).highlights if highlight.code == "finish")
    assert (finish.seats, finish.value) == (shared.outcome.winners, 0)


def test_a_match_that_goes_on_is_kept_for_nothing() -> None:
    assert souvenir(judge(close_shouts())) == NOTHING


@pytest.mark.parametrize("folder", ["go", "kartel", "stop_it", "stop_me_go"])
def test_every_game_has_something_to_remember(folder: str) -> None:
    keepsake = souvenir_of_record(f"{folder}/records/match-clean.jsonl")
    assert keepsake.highlights
    assert all(seats for seats in keepsake.feats.values())


@pytest.mark.parametrize(
    ("rows", "records"),
    [
        ({1: (4, 1), 3: (2, 2)}, 1),
        ({1: (1, 0), 3: (0, 0)}, 0),
        ({1: (4, 1), 3: (1, 4)}, 0),
        ({1: (4, 1), 3: (1, 4), 5: (2, 2), 6: (1, 1)}, 1),
        ({1: (4, 1), 3: (1, 4), 5: (2, 4), 6: (1, 1)}, 0),
        ({1: (4, 1), 3: (4, 2)}, 0),
    ],
)
def test_what_most_have_or_only_one_of_is_no_record(rows: dict[int, tuple[int, ...]], records: int) -> None:
    chart = Chart("tokens", "bars", ({"colour": "red"}, {"colour": "blue"}), rows)
    assert len([*bests(games.known()["kartel"], [chart], chart.rows)]) == records


def test_two_records_in_two_columns_are_of_none_of_them() -> None:
    rows = {1: (4, 1), 3: (1, 4), 5: (2, 2), 6: (1, 1)}
    (record,) = bests(
        games.known()["kartel"], [Chart("tokens", "bars", ({"colour": "red"}, {"colour": "blue"}), rows)], rows
    )
    assert (record.seats, record.column) == ((1, 3), ("tokens", ()))


def test_whoever_left_as_little_in_another_round_is_named_too() -> None:
    rows = {1: (20, 18, 30), 3: (25, 22, 18), 5: (19, None, 40)}
    (record,) = bests(games.known()["go"], [Chart("penalties", "lines", ({"number": 1},) * 3, rows)], rows)
    assert (record.seats, record.value, record.column) == ((1, 3), 18, ("penalties", ()))


def test_where_points_share_the_first_place_nobody_was_ahead() -> None:
    assert codes(souvenir_of_record("kartel/records/match-clean.jsonl"))[:1] != ["turning"]  # fewer tokens decided


def test_points_that_are_told_only_at_the_end_do_not_hide_who_led() -> None:
    match = judge(play(games.known()["stop-me-go"], random.Random(1), {}, most=1500, noise=0.0, undo=0.0))
    assert "led" in codes(souvenir(match))


def souvenir_of_ended(events: list[object]) -> Souvenir:
    """End the close shouts: the rest is played out by chance."""
    match = judge(events)  # type: ignore[arg-type]
    chance = random.Random(3)
    while not match.over:
        acts = match.game.moves.likely(match.state)
        act = chance.choice([act_left for act_left in acts if not isinstance(act_left, Pressed)] or acts)
        match.add(replace(act, seq=len(match.events) + 1, at=round(match.events[-1].at + 60, 6)))
    return souvenir(match)


def test_the_closest_finishes_are_photographed_whole() -> None:
    closest, *_ = souvenir_of_ended([*close_shouts()]).photos
    assert closest.presses[:2] == ((6, 0), (1, 1_012_300))
    assert len(closest.presses) == 6


def test_a_dead_heat_stays_one_photograph_though_one_withdraws_and_another_presses_later() -> None:
    finish = (
        Pressed(2, 101.0, 1),
        Pressed(3, 102.0, 1),
        Pressed(4, 102.0002, 2),
        Said(5, 103.0, 1, "no-stop"),
        Pressed(6, 104.0, 3),
        Tapped(7, 105.0, "seat-2", "blue-stop-1"),
    )
    closest, *other_photos = souvenir_of_ended([*close_shouts()[:1], *finish]).photos
    assert (closest.presses[:2], closest.dead_heat, closest.window) == (((1, 0), (2, 200)), True, 500)
    assert len(closest.presses) == 3
    assert not any(photo.dead_heat for photo in other_photos)


def test_what_was_pressed_by_phone_is_no_photograph() -> None:
    by_phone = [replace(press, by="phone") if isinstance(press, Pressed) else press for press in close_shouts()]
    assert souvenir_of_ended([*by_phone]).photos == ()


EQUALS = ((4, "Cléo", "Bo"), (5, "Ana", "Bo"), (5, "Bo", "Ana"), (5, "ana", "Bo"), (3, "Cléo", "Bo"))


def played(match: int, *names: str, souvenir: Souvenir = NOTHING) -> Result:
    players = tuple(Seated(seat, name, 0, seat) for seat, name in enumerate(names, 1))
    return Result(match, f"2026-11-20T20:0{match}:00+01:00", False, "kartel", players, over=True, souvenir=souvenir)


def test_an_evening_is_won_by_whoever_won_most_and_turned_where_they_went_ahead() -> None:
    night = evening([played(1, "Bo", "Ana"), played(2, "ana", "Bo"), played(3, "Ana", "Bo")])
    assert night
    assert (night.winners, night.won, night.turned and night.turned.match) == (("Ana",), 2, 3)


def test_an_evening_keeps_the_closest_finish_and_the_greatest_comeback() -> None:
    def of(lead: int, gap: int) -> Souvenir:
        return Souvenir(
            (Highlight("finish", (1,), lead), Highlight("comeback", (1,), gap)), (Photo(3, ((1, 0), (2, lead)), False),)
        )

    night = evening([played(1, "Ana", "Bo", souvenir=of(4, 2)), played(2, "Bo", "Ana", souvenir=of(1, 7))])
    assert night
    assert {(award.of.match, award.highlight.code) for award in night.awards} == {(2, "finish"), (2, "comeback")}
    assert [match.match for match, _ in night.photos] == [2, 1]


@pytest.mark.parametrize(
    ("points", "closest"), [((100, 33), False), ((100, 85), True), ((1, 5), False), ((3, 2), True)]
)
def test_the_closest_finish_of_an_evening_is_told_only_if_it_was_close(points: tuple[int, int], closest: bool) -> None:
    finish = Souvenir((Highlight("finish", (1,), abs(points[0] - points[1])),))
    match = played(1, "Ana", "Bo", souvenir=finish)
    scored = tuple(replace(player, points=reached) for player, reached in zip(match.players, points, strict=True))
    night = evening([replace(match, players=scored)])
    assert night
    assert bool(night.awards) == closest


def test_who_did_as_well_in_another_match_is_named_too_and_once() -> None:
    def of(value: int) -> Souvenir:
        return Souvenir((Highlight("most-tokens", (1,), value, column=("tokens", ())),))

    matches = [played(at, *names, souvenir=of(value)) for at, (value, *names) in enumerate(EQUALS, 1)]
    night = evening(matches)
    assert night
    assert [award.of.match for award in night.awards] == [2, 3]


def test_bots_win_no_evening_and_no_award() -> None:
    won = Souvenir((Highlight("finish", (1,), 1),))
    assert evening([played(1, "Bot Kim", "Ana", souvenir=won)]) is None
    night = evening([played(1, "Bot Kim", "Ana", souvenir=won), played(2, "Ana", "Bot Kim")])
    assert night
    assert (night.winners, night.awards) == (("Ana",), ())


RUSH = (Pressed(2, 101.0, 1), Pressed(3, 102.0, 3), *(Pressed(4 + n, 102.0 + behind, seat) for n, (seat, behind) in
        enumerate(((1, 0.05), (2, 0.18), (6, 0.22)))), Tapped(7, 105.0, "seat-3", "blue-stop-1"))  # fmt: skip


def test_where_three_or_more_press_almost_at_once_that_is_told() -> None:
    (rush,) = (
        highlight
        for highlight in souvenir_of_ended([*close_shouts()[:1], *RUSH]).highlights
        if highlight.code == "rush"
    )
    assert (rush.seats, rush.value) == ((3, 1, 2, 6), 220_000)


def test_what_is_rare_is_told_first() -> None:
    match = judge(close_shouts())
    feats = games.known()["stop-it"].feats(views.view(match, None)["table"])
    tales = [highlight for highlight in souvenir(match).highlights if highlight.code.startswith("tale-")]
    assert [(highlight.code, highlight.seats) for highlight in tales] == [
        ("tale-together", tuple(sorted(feats["together"]))) for _ in range(bool(feats["together"]))
    ]


@pytest.mark.parametrize(
    ("paid", "together"),
    [([{1: 1, 3: 1, 5: 1}, {1: 0, 3: 1, 5: 0}], [1, 3, 5]), ([{1: 1, 3: 1, 5: 0}], [])],
)
def test_three_who_lose_on_one_stop_are_a_tale(paid: list[dict[int, int]], together: list[int]) -> None:
    rounds = [
        {
            "points": {str(seat): points for seat, points in call.items()},
            "lead": None,
            "sure": None,
            "caller": 1,
            "reactions": {},
        }
        for call in paid
    ]
    assert games.known()["stop-it"].feats({"rounds": rounds})["together"] == together


@pytest.mark.parametrize(("over", "giant"), [(3, [1]), (None, [])])
def test_a_1_that_beats_a_10_is_a_tale(over: int | None, giant: list[int]) -> None:
    won = {"seat": 1, "gangster": "gangster-1", "over": over}
    table = {"rounds": [{"flips": [], "owned": {}, "won": won}], "tokens": {}}
    assert games.known()["stop-me-go"].feats(table)["giant"] == giant


def test_every_game_of_the_table_has_a_tale_in_its_own_words() -> None:
    for slug in games.known():
        named = catalogue(slug)
        assert any(code.startswith("tale-") for code in named), slug


def test_two_who_press_almost_at_once_are_no_rush() -> None:
    assert "rush" not in codes(souvenir_of_ended([*close_shouts()[:1], *RUSH[:3], RUSH[-1]]))


def test_a_match_that_turned_with_its_last_act_was_decided_at_the_very_last() -> None:
    game = games.known()["kartel"]
    chances = map(random.Random, range(60))
    codes_of_each = [codes(souvenir(judge(play(game, seed, {}, most=600, noise=0.0, undo=0.0)))) for seed in chances]
    assert "last" in {code for each in codes_of_each for code in each}
    assert not any(len({"last", "turning", "led"} & {*each}) > 1 for each in codes_of_each)


def test_what_never_changed_hands_is_not_told_twice() -> None:
    led = (Highlight("led", (1,), 3, entry=4, minute=2), Highlight("finish", (1,), 5, entry=9))
    turning = (replace(led[0], code="turning"), led[1])
    assert [highlight.code for highlight in worth_telling(led)] == ["led"]
    assert [highlight.code for highlight in worth_telling(turning)] == ["turning", "finish"]
