"""What is a result, and when it is another one."""

import math
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from companion.access.people import People
from companion.club import results
from companion.club.outbox import Outbox
from companion.club.payloads import MatchResult
from companion.club.to_publish import Noticed
from companion.events import Event, Retracted, Tapped
from companion.judge.match import Match
from companion.live.pause import Why
from companion.live.snapshot import Snapshot
from companion.live.table import Live
from companion.wall_clock import Trust
from tests.live.table import Table
from tests.wall_clock import in_hand


class Noticing:
    """Looks at a table that a test sets."""

    def __init__(self, folder: Path) -> None:
        self.table = Table(folder)
        self.outbox = Outbox(folder / "club")
        self.live: Any = SimpleNamespace(clock=lambda: 1.0, kept_in=self.table.live.kept_in, snapshot=Snapshot())
        self._noticed = Noticed(self.live, People)

    def shows(self, live: Live) -> None:
        """Have it look at a real table."""
        self.live.snapshot = live.snapshot
        again = 1e9
        while again < math.inf:
            again = self._noticed.look(self.outbox, again)

    @property
    def public(self) -> bytes:
        return self._noticed.public

    def stands(self, match: int, over: bool, score: int) -> MatchResult | None:
        players = [{"seat": 1, "name": "Ana"}]
        view = {"game": "stop-it", "players": players, "over": over, "scores": {"1": score}, "winners": []}
        self.live.snapshot = Snapshot(match=match, views={None: view})  # type: ignore[dict-item]
        self._noticed.look(self.outbox, 1e9)
        return self.outbox.written_result(match)


@pytest.fixture
def noticing(tmp_path: Path) -> Iterator[Noticing]:
    noticing = Noticing(tmp_path)
    yield noticing
    noticing.outbox.close()
    noticing.table.close()


def test_taking_back_an_end_is_a_new_revision_and_playing_on_is_none(noticing: Noticing) -> None:
    match = noticing.table.begin()
    assert noticing.stands(match, False, 0) is None
    outcomes = [noticing.stands(match, *state) for state in ((True, 4), (False, 3), (False, 5), (True, 6), (True, 6))]
    assert [(outcome.revision, outcome.over, outcome.scores["1"]) for outcome in outcomes if outcome] == [
        *((1, True, 4), (2, False, 3), (2, False, 3)),
        *((3, True, 6), (3, True, 6)),
    ]


def test_what_happened_to_a_match_while_nobody_looked_is_in_its_result(noticing: Noticing) -> None:
    first = noticing.table.begin()
    noticing.stands(first, True, 4)
    noticing.table.begin()
    noticing.shows(noticing.table.live)
    written = noticing.outbox.written_result(first)
    assert written is not None
    assert (written.revision, written.over) == (2, False)  # as the log says
    noticing.shows(noticing.table.live)
    assert noticing.outbox.written_result(first) == written
    entry = noticing.table.log.match(first)
    assert entry is not None
    assert noticing.outbox.judged() == {first: entry.revision}


def test_a_match_that_cannot_be_judged_is_told_of_in_the_journal(
    noticing: Noticing, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(events: object) -> object:
        raise RuntimeError("a fault in the game's code")

    noticing.table.begin()
    noticing.table.begin()
    monkeypatch.setattr(results, "judge", broken)
    noticing.shows(noticing.table.live)
    assert noticing.outbox.written_result(1) is None
    assert "RuntimeError: a fault in the game's code" in caplog.text


def test_a_result_is_told_again_once_its_date_is_known(noticing: Noticing, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = in_hand(monkeypatch, "1970-01-01T00:03:00", Trust.UNKNOWN)
    noticing.table.close()
    noticing.table.open()
    live = noticing.table.live
    for _ in range(2):
        noticing.table.begin()
        noticing.shows(live)
        clock.passes(60.0)
    first = noticing.outbox.written_result(1)
    assert first
    assert (first.revision, first.began) == (1, "1970-01-01T00:03:00+00:00")
    clock.is_set("2026-12-04T20:00:00")
    noticing.table.begin()
    noticing.shows(live)
    dated = noticing.outbox.written_result(1)
    assert dated
    assert (dated.revision, dated.began) == (2, "2026-12-04T19:58:00+00:00")
    second = noticing.outbox.written_result(2)
    assert second
    assert (second.revision, second.began) == (1, "2026-12-04T19:59:00+00:00")
    noticing.shows(live)
    assert noticing.outbox.written_result(1) == dated


def two_kartels(table: Table) -> int:
    """Play a match to its end, and begin another; return the number of the first."""
    number = table.begin("kartel")
    for turn, colour in enumerate(("red", "blue", "green", "orange", "yellow")):
        table.live.enter(Tapped(0, 0.0, f"seat-{1 + turn % 2}", f"{colour}-boss"))  # type: ignore[arg-type]
    table.begin("kartel")
    return number


def test_an_earlier_match_that_is_put_right_is_told_as_a_higher_revision_at_once(noticing: Noticing) -> None:
    number = two_kartels(noticing.table)
    noticing.shows(noticing.table.live)
    first = noticing.outbox.written_result(number)

    def end_taken_back(match: Match, at: float) -> tuple[Event, ...]:
        return (Retracted(0, at, match.verdicts[-1].seq),)

    noticing.table.live.act_afterwards(number, end_taken_back, ())
    noticing.shows(noticing.table.live)
    second = noticing.outbox.written_result(number)
    assert first is not None
    assert second is not None
    assert (first.over, second.over, second.revision) == (True, False, first.revision + 1)


def test_a_match_that_is_left_out_counts_for_nobody_in_the_club_until_it_is_counted_again(noticing: Noticing) -> None:
    number = two_kartels(noticing.table)
    revisions = []
    for decide in (lambda *_: None, noticing.table.live.leave_out, noticing.table.live.count_again):
        decide(number, ())
        noticing.shows(noticing.table.live)
        written = noticing.outbox.written_result(number)
        assert written is not None
        revisions.append((written.revision, written.demo))
    assert revisions == [(1, False), (2, True), (3, False)]


def test_the_match_on_the_table_is_left_out_in_the_club_too(noticing: Noticing) -> None:
    number = two_kartels(noticing.table)
    noticing.table.live.pause(Why.ENDED)
    noticing.shows(noticing.table.live)
    noticing.table.live.leave_out(number + 1, ())
    noticing.shows(noticing.table.live)
    written = noticing.outbox.written_result(number + 1)
    assert written is not None
    assert written.demo


def test_that_a_match_goes_on_again_is_published_at_once(noticing: Noticing) -> None:
    noticing.table.begin()
    ended_flags = []
    for pause in (None, Why.ENDED, None):
        noticing.live.snapshot = msgspec.structs.replace(noticing.table.live.snapshot, pause=pause)
        noticing.shows(noticing.live)
        ended_flags.append(msgspec.json.decode(noticing.public).get("ended"))
    assert ended_flags == [None, True, False]
