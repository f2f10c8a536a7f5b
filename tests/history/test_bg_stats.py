"""What the app BG Stats is handed: the same play each time, by link and in a file."""

import json
from urllib.parse import parse_qs, urlsplit

from msgspec.structs import replace

from companion.history import bg_stats
from companion.history.standings import Result, Seated

ANA = Seated(1, "Ana", 7, 1)
BO = Seated(3, "Bo", None, 2)
PLAYED = Result(4, "2026-11-20T23:10:00+01:00", False, "stop-it", (ANA, BO), over=True, seconds=1500)


def handed(handed_on: Result) -> dict[str, object]:
    fields: dict[str, object] = json.loads(parse_qs(urlsplit(bg_stats.link(handed_on)).query)["data"][0])
    return fields


def test_the_link_tells_who_played_what_when() -> None:
    play = handed(PLAYED)
    assert play["playDate"] == "2026-11-20 22:10:00", "its start, in UTC, as its makers want it"
    assert play["durationMin"] == 25
    assert play["game"] == {"sourceGameId": "stop-it", "name": "stop it!", "highestWins": False, "noPoints": False}
    first = {"winner": True, "rank": 1, "startPlayer": False, "score": 7, "name": "Ana", "sourcePlayerId": "ana"}
    assert play["players"] == [
        {**first, "role": ""},
        {"winner": False, "rank": 2, "startPlayer": False, "name": "Bo", "sourcePlayerId": "bo", "role": ""},
    ]


def test_what_nobody_played_to_its_end_is_not_handed_on() -> None:
    for result in (replace(PLAYED, over=False), replace(PLAYED, demo=True), replace(PLAYED, began="")):
        assert bg_stats.link(result) == ""


def test_a_file_refers_to_what_stands_in_it() -> None:
    file = json.loads(bg_stats.play_file([PLAYED, replace(PLAYED, match=5, game="go", players=(BO, ANA))]))
    assert [play["gameRefId"] for play in file["plays"]] == [1, 2]
    assert [game["name"] for game in file["games"]] == ["stop it!", "¡Go!"]
    people = {person["id"]: person["name"] for person in file["players"]}
    assert [people[score["playerRefId"]] for score in file["plays"][1]["playerScores"]] == ["Bo", "Ana"]
    assert [score["score"] for score in file["plays"][0]["playerScores"]] == ["7", ""]


def test_a_file_tells_the_start_as_the_table_had_it_and_who_sat_where() -> None:
    (play,) = json.loads(bg_stats.play_file([PLAYED]))["plays"]
    assert play["playDate"] == "2026-11-20 23:10:00"
    assert [score["seatOrder"] for score in play["playerScores"]] == [1, 3]


def test_the_same_play_is_the_same_in_link_and_file_each_time() -> None:
    (play,) = json.loads(bg_stats.play_file([PLAYED]))["plays"]
    assert play["uuid"] == handed(PLAYED)["sourcePlayId"] == handed(PLAYED)["sourcePlayId"]
