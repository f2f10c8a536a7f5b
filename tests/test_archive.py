"""The matches of a log, looked at again."""

from pathlib import Path

import pytest

from companion import archive, record
from companion.archive import Archive, NotThere
from companion.events import Event, Player, Pressed, Started
from companion.log import Log
from companion.match import Match, judge

CLEAN = record.decode((Path(__file__).parent / "games/kartel/records/match-clean.jsonl").read_bytes())
BEGAN = "2026-11-20T20:00:00+01:00"


@pytest.fixture
def log(tmp_path: Path):  # type: ignore[no-untyped-def]
    log = Log(tmp_path / "log.sqlite", writes=True)
    yield log
    log.close()


def kept(log: Log, events: tuple[object, ...] = CLEAN, began: str = BEGAN) -> int:
    number = log.open_match(began, False, events[0])  # type: ignore[arg-type]
    log.append(number, [(event, "") for event in events[1:]])  # type: ignore[misc]
    return number


def test_it_reads_beside_the_table_that_writes(log: Log) -> None:
    kept(log)
    (found,) = Archive(log.path).results()
    assert [(player.seat, player.name) for player in found.winners] == [(1, "Núria")]


def test_what_is_known_is_not_judged_again_until_something_is_added(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = []

    def counting(events: tuple[Event, ...]) -> Match:
        judged.append(len(events))
        return judge(events)

    monkeypatch.setattr(archive, "judge", counting)
    number, past = kept(log, CLEAN[:-1]), Archive(log.path)
    assert [one.over for one in past.results()] == [False]
    assert [one.over for one in past.results()] == [False]
    log.append(number, [(CLEAN[-1], "")])
    assert [one.over for one in past.results()] == [True]
    assert judged == [len(CLEAN) - 1, len(CLEAN)]


def test_only_what_is_wanted_is_judged(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(log, began="2026-11-19T20:00:00+01:00")
    kept(log)
    past = Archive(log.path)
    assert [one.evening for one in past.results(lambda one: one.evening == "2026-11-20")] == ["2026-11-20"]
    assert list(past._known) == [2]


def test_a_damaged_match_is_listed_and_hides_no_other(log: Log) -> None:
    log.open_match(BEGAN, False, Pressed(1, 0.0, 1))
    kept(log)
    damaged, whole = Archive(log.path).results()
    assert (damaged.players, damaged.over) == ((), False)
    assert whole.over
    with pytest.raises(NotThere, match="damaged"):
        Archive(log.path).match(1)


def test_a_match_of_an_unknown_game_is_listed_too(log: Log) -> None:
    log.open_match(BEGAN, False, Started(1, 0.0, "chess", (Player(1, "Ana"), Player(2, "Bo")), {}))
    assert [one.game for one in Archive(log.path).results()] == ["chess"]


def test_what_is_not_there_is_told(tmp_path: Path, log: Log) -> None:
    with pytest.raises(NotThere, match="no match 7"):
        Archive(log.path).match(7)
    with pytest.raises(NotThere, match="no log at"):
        Archive(tmp_path / "none.sqlite").results()
