"""Who is to play where and when, and whom the keeper calls."""

import time
from collections.abc import Sequence
from datetime import datetime

import pytest
from flask.testing import FlaskClient

from companion.club.hub import schedule, tournament
from companion.club.hub.bracket import begun, rounds
from companion.club.hub.bracket_book import BracketNow
from companion.club.hub.cup_standings import standings
from companion.club.hub.draw import CupFault
from companion.club.hub.hub import Hub
from companion.club.hub.schedule import Turn, moved
from companion.club.hub.tournament import Tournament, entered, fitted, gone, new, next_round, results, timed
from companion.club.hub.tournament_book import TournamentNow
from companion.web.hub import schedule_page
from companion.web.hub.schedule_page import moment_of
from tests.club.hub.conftest import Joined
from tests.club.hub.pages import RECORDS, shown, shown_by_itself, view_of
from tests.club.hub.paper import from_paper, paper
from tests.club.hub.tables import ONE, OTHER, about
from tests.waiting import until

PEOPLE = ["Ana", "Bo", "Cy", "Dee", "Eve", "Finn"]


def drawn(tables: Sequence[str], people: Sequence[str] = PEOPLE) -> Tournament:
    return next_round(new(people, 3, 2, "swiss"), seed=1, after=0, tables=tables)


def now(of: Tournament) -> TournamentNow:
    places = results(of, ())
    return TournamentNow(of, places, standings(of, places))


def turns(of: Tournament, **at_tables: Sequence[str]) -> list[Turn]:
    playing = {table: {name.casefold() for name in names} for table, names in at_tables.items()}
    return [appointment.turn for appointment in schedule.appointments(now(of), playing)]


def test_with_fewer_tables_than_pods_these_play_one_after_the_other() -> None:
    three = drawn(["t", "u"])
    assert [pod.table for pod in three.drawn[0].pods] == ["t", "u", "t"]
    assert turns(three) == ["now", "now", "next"]
    assert turns(from_paper(three, 0, 0, (1, 2))) == ["played", "now", "now"]


def test_whoever_sits_at_a_table_is_playing_and_whoever_plays_there_later_waits() -> None:
    three = drawn(["t", "u"])
    assert turns(three, t=three.drawn[0].pods[0].people) == ["playing", "now", "next"]


def test_without_a_table_everybody_plays_where_there_is_room() -> None:
    assert turns(drawn([])) == ["now", "now", "now"]


def test_who_has_a_bye_needs_no_table_and_is_not_called() -> None:
    five = drawn(["t", "u", "v"], PEOPLE[:5])
    assert [pod.table for pod in five.drawn[0].pods] == ["t", "u", ""]
    assert turns(five) == ["now", "now"]


def test_each_sitting_and_each_round_begins_when_the_one_before_is_over() -> None:
    three = timed(drawn(["t", "u"]), begins=1000.0, minutes=20)
    assert [appointment.at for appointment in schedule.appointments(now(three), {})] == [1000.0, 1000.0, 2200.0]
    assert schedule.round_starts(three) == {0: 1000.0, 1: 3400.0, 2: 5800.0}


def test_times_set_anew_count_from_the_round_that_is_drawn() -> None:
    second = next_round(drawn(["t", "u", "v"]), seed=1, after=0, tables=["t", "u", "v"])
    assert schedule.round_starts(timed(second, begins=1000.0, minutes=20)) == {1: 1000.0, 2: 2200.0}
    assert schedule.round_starts(second) == {}


@pytest.mark.parametrize("minutes", [0, tournament.MOST_MINUTES + 1])
def test_a_match_takes_a_minute_at_least_and_an_evening_at_most(minutes: int) -> None:
    with pytest.raises(CupFault):
        timed(drawn([]), begins=0.0, minutes=minutes)


def test_whoever_stays_of_a_pod_keeps_its_table() -> None:
    of = next_round(new([*PEOPLE, "Gil", "Hal"], 1, 4), seed=1, after=0, tables=["t", "u"])
    first, *stayers = of.drawn[0].pods[0].people
    of = fitted(gone(of, first), ())
    assert [pod.table for pod in of.drawn[0].pods if pod.people == (*stayers,)] == ["t"]


def test_a_newcomer_who_plays_the_bye_is_called_where_there_is_room() -> None:
    of = fitted(entered(drawn(["t", "u", "v"], PEOPLE[:5]), "Gil"), ())
    assert [pod.table for pod in of.drawn[0].pods if "Gil" in pod.people] == [""]


def test_duels_are_called_once_both_are_known() -> None:
    bracket = begun(["Ana", "Bo", "Cy", "Dee"], 0, ["t"])
    duels = schedule.duels(BracketNow(bracket, rounds(bracket, ())), {})
    assert [(duel.people, duel.turn) for duel in duels] == [(("Ana", "Dee"), "now"), (("Bo", "Cy"), "next")]


@pytest.mark.parametrize(
    ("typed", "clock_time", "moment"),
    [
        ("19:30", "2026-11-29T18:00", "2026-11-29T19:30"),
        ("00:15", "2026-11-29T23:50", "2026-11-30T00:15"),
        ("23:50", "2026-11-30T00:15", "2026-11-29T23:50"),
        ("half past", "2026-11-29T18:00", None),
        ("25:00", "2026-11-29T18:00", None),
    ],
)
def test_a_time_of_day_is_the_nearest(typed: str, clock_time: str, moment: str | None) -> None:
    seconds = moment_of(typed, datetime.fromisoformat(clock_time).astimezone())
    assert seconds == (datetime.fromisoformat(moment).timestamp() if moment else None)


def test_the_keeper_sets_times_and_everybody_sees_them(hub: Hub, page: FlaskClient) -> None:
    hub.tournament.begin(PEOPLE, 3, 2, "swiss")
    hub.tournament.draw(1, ["t"])
    assert page.post("/schedule/times", data={"begins": "19:30", "minutes": "20"}).status_code == 403
    page.post("/keeper", data={"code": hub.keeper.now.code})
    wrong = page.post("/schedule/times", data={"begins": "soon", "minutes": "20"})
    assert (wrong.status_code, "such as 19:30" in wrong.text, 'value="soon"' in wrong.text) == (400, True, True)
    assert page.post("/schedule/times", data={"begins": "19:30", "minutes": "20"}).status_code == 303
    text = shown(page, "/schedule")
    assert all(f"<small>{at}</small>" in text for at in ("19:30", "19:50", "20:10"))
    assert "Round 2: 20:30" in text


def test_a_phone_that_follows_somebody_says_when_it_is_their_turn(hub: Hub, page: FlaskClient, joined: Joined) -> None:
    joined(ONE).say("about", about("Window table"), retain=True)
    until(lambda: [known_table.name for known_table in hub.follower.tables().values()] == ["Window table"])
    hub.tournament.begin(["Ana", "Bo", "Cy", "Dee"], 3, 2, "swiss")
    hub.tournament.draw(1, [ONE])
    first, second = (pod.people for pod in hub.tournament.now().of.drawn[0].pods)
    answer = page.get(f"/schedule?name={first[0]}")
    assert answer.headers["Refresh"] == str(schedule_page.LOOKED_AGAIN)
    assert "<title>Now at Window table" in answer.text
    assert second[0] not in answer.text
    assert "Next at Window table" in shown(page, f"/schedule?name={second[0]}")
    hub.keeper.show("schedule")
    assert "Now at Window table" in shown(page)


def test_whom_the_keeper_calls_every_screen_calls_until_they_sit(hub: Hub, page: FlaskClient, joined: Joined) -> None:
    table = joined(ONE)
    table.say("about", about("Window table"), retain=True)
    until(lambda: [known_table.name for known_table in hub.follower.tables().values()] == ["Window table"])
    hub.tournament.begin(["Ana", "Bo"], 3, 2, "swiss")
    hub.tournament.draw(1, [ONE])
    people = hub.tournament.now().of.drawn[0].pods[0].people
    assert page.post("/schedule/call", data={"player": [*people]}).status_code == 403
    page.post("/keeper", data={"code": hub.keeper.now.code})
    assert page.post("/schedule/call", data={"player": ["Ana"]}).status_code == 400
    assert page.post("/schedule/call", data={"player": [*people]}).status_code == 303
    called = f"{', '.join(people)}: now at Window table, please!"
    for path in ("/", "/schedule", "/overlay"):
        assert called in shown(page, path)
    view = view_of(RECORDS[0]) | {"over": False}
    seated = [{"seat": seat, "name": name} for seat, name in enumerate(people, 1)]
    table.shows(1, 1.0, {**view, "players": seated})
    until(lambda: called not in shown_by_itself(page))


def test_a_call_ends_by_itself(hub: Hub, page: FlaskClient) -> None:
    hub.tournament.begin(["Ana", "Bo"], 3, 2, "swiss")
    hub.tournament.draw(1, [])
    people = hub.tournament.now().of.drawn[0].pods[0].people
    hub.keeper.call(people, time.time() - schedule_page.CALLED_FOR - 1)
    assert "please!" not in shown(page)


def test_the_overlay_shows_what_every_screen_does_without_a_ground(hub: Hub, page: FlaskClient) -> None:
    hub.keeper.show("standings")
    assert 'id="standings"' in shown(page, "/overlay") or "No match counts yet" in shown(page, "/overlay")
    assert "/static/club-overlay.css" in shown(page, "/overlay")
    assert "/static/club-overlay.css" not in shown(page)


def test_the_first_three_have_a_certificate_and_anybody_who_is_searched_for(hub: Hub, page: FlaskClient) -> None:
    page.post("/keeper", data={"code": hub.keeper.now.code})
    assert "nobody to honour yet" in shown(page, "/tournament/certificates")
    hub.tournament.begin(["Ana", "Bo", "Cy", "Dee"], 1, 4)
    hub.tournament.draw(1, [])
    people = hub.tournament.now().of.drawn[0].pods[0].people
    assert "nobody to honour yet" in shown(page, "/tournament/certificates")
    page.post("/tournament/places", data=paper(page, [*"1234"]))
    text = shown(page, "/tournament/certificates")
    assert text.count('class="certificate"') == 3
    assert people[3] not in text
    certificates = shown(page, f"/tournament/certificates?name={people[3]}")
    assert certificates.count('class="certificate"') == 1
    assert "Place 4 of 4" in certificates
    assert "Points: 0 · matches: 1<" in certificates


def test_the_next_round_on_every_screen_says_who_plays_after_whom_and_when(
    hub: Hub, page: FlaskClient, joined: Joined
) -> None:
    joined(ONE).say("about", about("Window"), retain=True)
    until(lambda: [known_table.name for known_table in hub.follower.tables().values()] == ["Window"])
    page.post("/keeper", data={"code": hub.keeper.now.code})
    hub.tournament.begin(PEOPLE[:4], 1, 2, "swiss")
    hub.tournament.draw(1, [ONE])
    page.post("/scene", data={"scene": "round"})
    assert "<h3>Window</h3>" in shown(page)
    assert "<h3>Next at Window</h3>" in shown(page)
    page.post("/schedule/times", data={"begins": "19:30", "minutes": "20"})
    assert "<h3>Window <small>19:30</small></h3>" in shown(page)
    assert "<h3>Next at Window <small>19:50</small></h3>" in shown(page)


def test_a_pod_that_is_moved_plays_after_those_who_are_at_that_table() -> None:
    of = drawn(["t", "u"])
    first, second, third = (pod.people for pod in of.drawn[0].pods)
    of = moved(of, first, "u")
    assert [(pod.people, pod.table) for pod in of.drawn[0].pods] == [(second, "u"), (third, "t"), (first, "u")]
    assert turns(of) == ["now", "now", "next"]
    with pytest.raises(CupFault):
        moved(of, ("Ana", "Zoe"), "t")


def test_whoever_waits_for_a_table_that_is_gone_is_told_so_everywhere_and_moved_to_a_free_one(
    hub: Hub, page: FlaskClient, joined: Joined
) -> None:
    window = joined(ONE)
    window.say("about", about("Window"), retain=True)
    joined(OTHER).say("about", about("Fireside"), retain=True)
    until(lambda: {known_table.name for known_table in hub.follower.tables().values()} == {"Window", "Fireside"})
    page.post("/keeper", data={"code": hub.keeper.now.code})
    hub.tournament.begin(["Ana", "Bo"], 1, 2, "swiss")
    hub.tournament.draw(1, [ONE])
    people = hub.tournament.now().of.drawn[0].pods[0].people
    page.post("/scene", data={"scene": "round"})
    assert "OFFLINE" not in shown(page, "/schedule") + shown(page) + shown(page, "/tournament")
    window.crash()
    until(lambda: "OFFLINE" in shown_by_itself(page))
    assert all("OFFLINE" in shown(page, path) for path in ("/schedule", "/tournament"))
    form = shown(page, f"/schedule?move={people[0]}")
    assert f'<option value="{OTHER}">Fireside (free)</option>' in form
    assert f'<option value="{ONE}">' not in form
    assert page.post("/schedule/move", data={"player": [*people], "table": ONE}).status_code == 400
    assert page.post("/schedule/move", data={"player": [*people], "table": OTHER}).status_code == 303
    assert "Now at Fireside" in shown(page, "/schedule")
    assert "OFFLINE" not in shown(page, "/schedule") + shown(page)


def test_a_duel_is_moved_as_a_pod_is(hub: Hub, page: FlaskClient, joined: Joined) -> None:
    joined(ONE).say("about", about("Window"), retain=True)
    until(lambda: [known_table.name for known_table in hub.follower.tables().values()] == ["Window"])
    hub.bracket.begin(["Ana", "Bo"], [], by_lot=False)
    assert page.post("/schedule/move", data={"player": ["Ana", "Bo"], "table": ONE}).status_code == 403
    page.post("/keeper", data={"code": hub.keeper.now.code})
    assert page.post("/schedule/move", data={"player": ["Ana", "Bo"], "table": ONE}).status_code == 303
    assert "Now at Window" in shown(page, "/schedule")
    assert "Window" in shown(page, "/bracket")
