"""The matches of a log, looked at again."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion import games
from companion.events import Event, Player, Pressed, Retracted, Started
from companion.history import archive, cache, judged_past_matches
from companion.history.archive import Archive, NotInLog
from companion.history.judged_past_matches import JudgedAgain, Shelf
from companion.history.standings import Result, result
from companion.judge import record_file
from companion.judge.game_code_fault import Fault
from companion.judge.match import Match, judge
from companion.judge.played_time import Away
from companion.storage.entries import Played
from companion.storage.integrity import unread_in_words
from companion.storage.log import Log
from tests.storage.altering import past_its_triggers

CLEAN = record_file.decode((Path(__file__).parents[1] / "games/kartel/records/match-clean.jsonl").read_bytes())
BEGAN = "2026-11-20T20:00:00+01:00"


@pytest.fixture
def log(tmp_path: Path):  # type: ignore[no-untyped-def]
    log = Log(tmp_path / "log.sqlite", writes=True)
    yield log
    log.close()


def store_match(log: Log, events: tuple[object, ...] = CLEAN, began: str = BEGAN) -> int:
    number = log.open_match(began, False, events[0])  # type: ignore[arg-type]
    log.append(number, [(event, "") for event in events[1:]])  # type: ignore[misc]
    return number


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many events each match had that was judged."""
    lengths: list[int] = []

    def counting(events: tuple[Event, ...], away: tuple[Away, ...]) -> Match:
        lengths.append(len(events))
        return judge(events, away)

    monkeypatch.setattr(archive, "judge", counting)
    return lengths


def test_it_reads_beside_the_table_that_writes(log: Log) -> None:
    store_match(log)
    (past_match,) = Archive(log.path).results()
    assert [(player.seat, player.name) for player in past_match.winners] == [(1, "Núria")]


def test_what_is_known_is_not_judged_again_until_something_is_added(log: Log, judged: list[int]) -> None:
    store_match(log)
    number = store_match(log)
    past = Archive(log.path)
    assert [past_match.over for past_match in past.results()] == [True, True]
    assert [past_match.over for past_match in past.results()] == [True, True]
    assert judged == [len(CLEAN), len(CLEAN)]
    log.append(number, [(Retracted(len(CLEAN) + 1, CLEAN[-1].at, len(CLEAN)), "")])
    assert [past_match.over for past_match in past.results()] == [True, False]
    assert judged[2:] == [len(CLEAN) + 1]


def test_a_match_that_may_be_under_way_is_judged_for_whoever_asks(log: Log, judged: list[int]) -> None:
    """Else the time it takes would tell whether something was done since somebody asked."""
    store_match(log, CLEAN[:-1])
    past = Archive(log.path)
    assert [past_match.over for _ in range(3) for past_match in past.results()] == [False] * 3
    assert judged == [len(CLEAN) - 1] * 3


def test_a_match_that_is_over_is_judged_once_for_all_who_look(log: Log, judged: list[int]) -> None:
    number = store_match(log)
    names = dict[int, dict[int, str]]()
    past = Archive(log.path, lambda: names)
    assert past.match(number) is past.match(number)
    names[number] = {1: "Nuria"}
    assert past.match(number).result.winners[0].name == "Nuria"
    log.append(number, [(Retracted(len(CLEAN) + 1, CLEAN[-1].at, len(CLEAN)), "")])
    assert past.match(number) is not past.match(number), "it goes on: the time it takes must tell nothing"
    assert judged == [len(CLEAN)] * 2 + [len(CLEAN) + 1] * 2


def test_a_shelf_keeps_what_was_asked_for_last_as_far_as_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    match = judge(CLEAN)
    shelf = Shelf()
    judged_again = JudgedAgain(match, result(match, 1, BEGAN, simulated=False))
    monkeypatch.setattr(judged_past_matches, "MOST", 2 * len(CLEAN))
    for number in (1, 2):
        shelf.put(number, "", judged_again)
    assert shelf.take(1, "") is judged_again
    shelf.put(3, "", judged_again)
    assert [shelf.take(number, "") is judged_again for number in (1, 2, 3)] == [True, False, True]
    monkeypatch.setattr(judged_past_matches, "MOST", len(CLEAN) - 1)
    shelf.put(4, "", judged_again)
    assert shelf.take(4, "") is None
    assert shelf.take(1, "") is judged_again


def test_only_what_is_wanted_is_judged(log: Log) -> None:
    store_match(log, began="2026-11-19T20:00:00+01:00")
    store_match(log)
    past = Archive(log.path)
    assert [past_match.evening for past_match in past.evening("2026-11-20")] == ["2026-11-20"]
    assert [past_match.match for past_match in past.latest()] == [2]
    assert list(past._known) == [2]


def test_no_demonstration_is_listed_of_an_evening_or_makes_one(log: Log) -> None:
    store_match(log, began="2026-11-19T20:00:00+01:00")
    for began in ("2026-11-19T21:00:00+01:00", "2026-11-20T20:00:00+01:00"):
        log.open_match(began, Played.BY_ITSELF, CLEAN[0])
    past = Archive(log.path)
    assert [past_match.match for past_match in past.evening("2026-11-19")] == [1]
    assert [past_match.match for past_match in past.latest()] == [1]
    assert past.evening("2026-11-20") == []


def test_a_damaged_match_is_listed_and_hides_no_other(log: Log) -> None:
    log.open_match(BEGAN, False, Pressed(1, 0.0, 1))
    store_match(log)
    damaged, whole = Archive(log.path).results()
    assert (damaged.players, damaged.over) == ((), False)
    assert whole.over
    with pytest.raises(NotInLog, match="damaged"):
        Archive(log.path).match(1)


@pytest.mark.parametrize("damage", ["x'00ff'", "CAST(x'32ff' AS TEXT)"])
@pytest.mark.parametrize("damaged", [1, 2])
def test_a_match_of_which_nobody_can_tell_when_it_began_is_told_and_hides_no_other(
    log: Log, damaged: int, damage: str
) -> None:
    whole = 3 - damaged
    for _ in "12":
        store_match(log)
    with closing(sqlite3.connect(log.path, isolation_level=None)) as db, past_its_triggers(db):
        db.execute(f"UPDATE match SET began = {damage} WHERE id = ?", (damaged,))
    past = Archive(log.path)
    assert [past_match.match for past_match in past.season(True).results] == [whole]
    assert (
        [past_match.match for past_match in past.latest()]
        == [past_match.match for past_match in past.evening("2026-11-20")]
        == [whole]
    )
    with pytest.raises(NotInLog, match=f"match {damaged} .* is damaged: when it began"):
        past.match(damaged)
    assert [f"match {damaged} " in line for line in unread_in_words(log.path)] == [True]
    store_match(log)
    assert [past_match.match for past_match in past.season(True).results] == [whole, 3]


@pytest.mark.parametrize("part", ["begin", "unit"])
def test_a_match_whose_games_code_raises_is_listed_and_hides_no_other(
    log: Log, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    store_match(log)
    store_match(log, (Started(1, 0.0, "stop-it", (Player(1, "Ana"), Player(2, "Bo")), {}),))
    wrong = replace(games.known()["kartel"], **{part: lambda *_: 1 / 0})
    known_games = {**games.known(), "kartel": wrong}
    monkeypatch.setattr(games, "known", lambda: known_games)
    faults: list[Fault] = []
    past = Archive(log.path, note=faults.extend)
    assert [(past_match.game, len(past_match.players)) for past_match in past.season(True).results] == [
        ("kartel", 0),
        ("stop-it", 2),
    ]
    assert [fault.what for fault in faults] == ["match 1"]
    with pytest.raises(NotInLog, match="match 1 can't be judged"):
        past.match(1)


def test_a_match_of_an_unknown_game_is_listed_too(log: Log) -> None:
    log.open_match(BEGAN, False, Started(1, 0.0, "chess", (Player(1, "Ana"), Player(2, "Bo")), {}))
    assert [past_match.game for past_match in Archive(log.path).results()] == ["chess"]


def test_what_is_not_there_is_told(tmp_path: Path, log: Log) -> None:
    with pytest.raises(NotInLog, match="no match 7"):
        Archive(log.path).match(7)
    with pytest.raises(NotInLog, match="no log at"):
        Archive(tmp_path / "none.sqlite").results()


def test_what_follows_from_all_matches_is_found_once(log: Log) -> None:
    store_match(log)
    number = store_match(log, CLEAN[:-1])
    past = Archive(log.path)
    assert past.season(True) is past.season(True)
    assert [standing.played for standing in past.season(True).tables[0][1]] == [1] * 3
    log.append(number, [(CLEAN[-1], "")])
    store_match(log, began="2026-11-27T20:00:00+01:00")
    season = past.season(True)
    assert (season.played, season.evenings) == (3, ("2026-11-27", "2026-11-20"))
    assert [past_match.match for past_match in season.results] == [1, 2, 3]


def test_an_evening_lasts_into_the_morning_and_may_have_no_date(log: Log) -> None:
    for began in ("2026-11-20T05:59:00+01:00", "2026-11-20T06:00:00+01:00", "2026-11-21T05:59:00+01:00", "never"):
        store_match(log, began=began)
    past = Archive(log.path)
    assert [past_match.match for past_match in past.evening("2026-11-20")] == [2, 3]
    assert [past_match.match for past_match in past.latest()] == [4]


def test_a_season_is_not_judged_anew_after_a_start(log: Log, judged: list[int]) -> None:
    for _ in range(3):
        store_match(log)
    season_before = Archive(log.path).season(True)
    judged.clear()
    season_after = Archive(log.path).season(True)
    assert (season_after.results, season_after.tables) == (season_before.results, season_before.tables)
    assert judged == [len(CLEAN)], "the last match may still be added to"


def test_what_is_remembered_of_another_log_or_other_rules_or_is_damaged_is_judged_anew(
    log: Log, judged: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    number = store_match(log, CLEAN[:-1])
    store_match(log)
    beside = log.path.with_name("log.sqlite.results")
    Archive(log.path).season(True)
    log.append(number, [(CLEAN[-1], "")])
    assert [past_match.over for past_match in Archive(log.path).season(True).results] == [True, True]
    for spoil in (lambda: beside.write_bytes(b"[" * 9999), lambda: monkeypatch.setattr(cache, "edition", str)):
        Archive(log.path).season(True)
        spoil()
        judged.clear()
        assert len(Archive(log.path).season(True).results) == len(judged) == 2


def test_what_is_judged_is_told_before_all_is(log: Log, judged: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "AT_ONCE", 2)
    for _ in range(5):
        store_match(log)
    past = Archive(log.path)
    season, lacking = past.so_far(True)
    assert ([past_match.match for past_match in season.results], lacking) == ([3, 4, 5], 2)
    next(past.catch_up())
    judged.clear()
    season, lacking = past.so_far(True)
    assert (season, lacking, len(judged)) == (past.season(True), 0, 1)


def test_what_is_judged_while_somebody_looks_counts_once(
    log: Log, judged: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "AT_ONCE", 1)
    for _ in range(3):
        store_match(log)
    past = Archive(log.path)
    looked = Archive._result

    def overtaken(*args: Any) -> Result:
        monkeypatch.setattr(Archive, "_result", looked)
        list(past.catch_up())
        return looked(*args)

    monkeypatch.setattr(Archive, "_result", overtaken)
    assert [past_match.match for past_match in past.so_far(True)[0].results] == [1, 2, 3]


def test_what_was_judged_in_the_background_is_judged_for_nobody(log: Log, judged: list[int]) -> None:
    past = Archive(log.path)
    for _ in range(3):
        store_match(log)
        assert len(list(past.catch_up())) == 1
    judged.clear()
    assert past.so_far(True)[0].played == past.season(True).played == 3
    assert len(list(Archive(log.path).catch_up())) == 1, "the last match may still be added to"
    assert judged == [len(CLEAN)]


def test_where_nothing_can_be_remembered_a_season_is_told_all_the_same(log: Log) -> None:
    store_match(log)
    store_match(log)
    log.path.with_name("log.sqlite.results").mkdir()
    assert Archive(log.path).season(True).played == 2
