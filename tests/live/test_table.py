"""The live table: stored, then judged, then shown."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Event

import pytest
from msgspec.structs import replace

from companion import games
from companion.devices import sensing
from companion.devices.clock import TableClock
from companion.errors import NotKept
from companion.events import Player, Pressed, Retracted, Said, Tapped
from companion.judge.match import Match, judge
from companion.live.pause import Why
from companion.live.table import Live, NoMatch, Paused
from companion.storage.log import Log
from companion.storage.opening import LogFault
from companion.tags.deck_file import Decks
from tests.waiting import until
from tests.web.table import Clock

PLAYERS = (Player(1, "Ana"), Player(2, "Bo"))
TAGS = '[stop-it]\nred-stop-1 = "04AA"\nred-7 = "04BB"\n'


class Table:
    """A live table on a log, stopped and started at will."""

    def __init__(self, path: Path):
        self.path = path
        self.open()

    def open(self, hold: float = 0.0, apart: float = 0.0, clock: Clock | None = None) -> Live:
        self.log = Log(self.path, writes=True)
        tags = self.path.with_name("tags.toml")
        tags.write_text(TAGS, encoding="utf-8")
        latest = self.log.latest()
        after = self.log.events(latest)[-1].at if latest else 0.0
        self.live = Live(self.log, clock or TableClock(after), Decks(tags), hold=hold, apart=apart)
        self.live.start()
        return self.live

    def close(self) -> None:
        self.live.stop()
        self.log.close()

    def now(self) -> str:
        """What the table waits for."""
        code: str = self.live.snapshot.views[None]["table"]["now"]["code"]
        return code


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path / "log.sqlite")
    yield table
    table.close()


def press(live: Live, seat: int, at: float | None = None, origin: str = "") -> None:
    live.tell(sensing.Buzzed(seat, live.clock() if at is None else at, 0.0, origin))


def test_a_tag_becomes_a_card_and_a_press_a_shout(table: Table) -> None:
    live = table.live
    live.begin("stop-it", PLAYERS, {})
    started = live.clock()
    press(live, 1, started)
    press(live, 2, started + 2)
    live.tell(sensing.Appeared("centre", "04AA", live.clock()))
    assert table.now() == "now-counting"
    assert live.snapshot.views[None]["table"]["caller"] == 2


def test_an_event_is_on_disk_when_it_has_been_told(table: Table) -> None:
    number = table.live.begin("stop-it", PLAYERS, {})
    press(table.live, 1)
    reader = Log(table.path, writes=False)
    assert len(reader.events(number)) == 2
    reader.close()


def test_after_a_stop_the_same_match_goes_on(table: Table) -> None:
    table.live.begin("stop-it", PLAYERS, {})
    press(table.live, 1)
    before = table.live.snapshot
    table.close()
    table.open()
    assert table.live.snapshot.views == before.views
    assert table.live.snapshot.match == before.match


def test_the_clock_goes_on_after_the_last_event(table: Table) -> None:
    table.live.begin("stop-it", PLAYERS, {})
    press(table.live, 1, 5000.0)
    table.close()
    assert table.open().clock() >= 5001.0


def test_a_press_told_twice_is_one_press(table: Table) -> None:
    number = table.live.begin("stop-it", PLAYERS, {})
    press(table.live, 1, origin="box-1")
    press(table.live, 1, origin="box-1")
    table.live.tell(*[sensing.Buzzed(2, table.live.clock(), 0.0, "box-2")] * 2)
    assert len(table.log.events(number)) == 3


def test_a_press_told_again_after_a_restart_is_one_press(table: Table) -> None:
    number = table.live.begin("stop-it", PLAYERS, {})
    press(table.live, 1, origin="box-1")
    table.close()
    press(table.open(), 1, origin="box-1")
    assert len(table.log.events(number)) == 2


def test_a_card_that_lies_there_still_after_a_restart_is_not_tapped_again(table: Table) -> None:
    number = table.live.begin("stop-it", PLAYERS, {})
    for uid in ("04BB", "04CC"):
        for place in ("centre", "seat-1"):
            table.live.tell(sensing.Appeared(place, uid, table.live.clock()))
        before = table.log.events(number)
        table.close()
        live = table.open()
        for place in ("centre", "seat-1"):
            live.tell(sensing.Appeared(place, uid, live.clock(), already=True))
        assert table.log.events(number) == before
        live.tell(sensing.Gone("centre", uid, live.clock()), sensing.Gone("seat-1", uid, live.clock()))


def test_what_lies_there_instead_or_is_laid_anew_after_a_restart_is_a_tap(table: Table) -> None:
    number = table.live.begin("stop-it", PLAYERS, {})
    for place in ("centre", "seat-1", "seat-2"):
        table.live.tell(sensing.Appeared(place, "04BB", table.live.clock()))
    table.live.tell(sensing.Gone("seat-2", "04BB", table.live.clock()))
    table.close()
    live = table.open()
    live.tell(sensing.Appeared("centre", "04AA", live.clock(), already=True))
    live.tell(sensing.Appeared("seat-1", "04BB", live.clock()))
    live.tell(sensing.Appeared("seat-2", "04BB", live.clock(), already=True))
    taps = [event for event in table.log.events(number) if isinstance(event, Tapped)]
    assert [tap.place for tap in taps[-3:]] == ["centre", "seat-1", "seat-2"]


def test_presses_a_box_kept_while_the_table_was_off_come_after_what_was_stored_and_keep_their_distance(
    table: Table,
) -> None:
    number = table.live.begin("stop-it", PLAYERS, {})
    press(table.live, 1)
    stored = table.live.clock()
    table.close()
    live = table.open()
    press(live, 2, live.clock() - 90.001, "box-2")
    press(live, 1, live.clock() - 90.0, "box-3")
    first, second = table.log.events(number)[-2:]
    assert stored < first.at < second.at
    press(live, 1, live.clock() - 86_400, "box-4")  # longer ago than any clock of ours goes
    assert table.log.events(number)[-1].at >= table.log.events(number)[1].at
    assert len(table.log.events(number)) == 5


def test_a_press_from_before_the_match_is_not_of_this_match(table: Table) -> None:
    before = table.live.clock()
    table.live.begin("stop-it", PLAYERS, {})
    press(table.live, 1, before)
    assert table.now() == "now-ready"


def test_nothing_is_told_of_a_press_before_the_window_is_over(table: Table) -> None:
    table.close()
    live = table.open(hold=0.2, clock=(clock := Clock()))
    live.begin("stop-it", PLAYERS, {"tie_window": 0})
    press(live, 1)
    assert table.now() == "now-ready", "not yet shown"
    clock.now += 0.2
    until(lambda: table.now() == "now-collecting")
    clock.now += 5
    press(live, 1)
    press(live, 2, clock.now - 0.001)
    assert table.now() == "now-collecting"
    clock.now += 0.2
    until(lambda: table.now() == "now-shouted")
    shouts = live.snapshot.views[None]["table"]["shouts"]
    assert [(shout["seat"], shout["behind"]) for shout in shouts] == [(2, 0), (1, 1000)]


def test_a_card_of_another_deck_is_not_taken_for_one_of_this_game(table: Table) -> None:
    number = table.live.begin("stop-it", PLAYERS, {})
    table.live.tell(sensing.Appeared("centre", "virtual:other-game/red-7", table.live.clock()))
    tapped = table.log.events(number)[-1]
    assert isinstance(tapped, Tapped)
    assert (tapped.card, tapped.tag) == ("?", "other-game/red-7")


def test_an_unknown_sticker_is_named_by_its_number(table: Table) -> None:
    number = table.live.begin("stop-it", PLAYERS, {})
    table.live.tell(sensing.Appeared("seat-1", "04CC", table.live.clock()))
    tapped = table.log.events(number)[-1]
    assert isinstance(tapped, Tapped)
    assert (tapped.card, tapped.tag) == ("?", "04CC")


def test_a_failed_reader_is_shown_and_is_no_lifted_card(table: Table) -> None:
    number = table.live.begin("stop-it", PLAYERS, {})
    table.live.tell(sensing.Failed("reader centre", "no answer", table.live.clock()))
    assert not table.live.snapshot.devices["reader centre"].works
    table.live.tell(sensing.Working("reader centre", "PN532 1.6", table.live.clock()))
    assert table.live.snapshot.devices["reader centre"].works
    assert len(table.log.events(number)) == 1


def test_two_cards_at_once_are_shown_until_one_lies_alone(table: Table) -> None:
    table.live.begin("stop-it", PLAYERS, {})
    table.live.tell(sensing.Crowded("seat-2", table.live.clock()))
    assert table.live.snapshot.crowded == ("seat-2",)
    table.live.tell(sensing.Uncrowded("seat-2", table.live.clock()))
    assert table.live.snapshot.crowded == ()


def test_the_last_calls_run_out_by_themselves(table: Table) -> None:
    live = table.live
    live.begin("stop-it", PLAYERS, {})
    press(live, 1)
    live.enter(Said(0, 0.0, "host", "piles-empty"))
    table.close()
    late = Log(table.path, writes=True)
    late.append(1, [(Pressed(4, 0.0, 2), "")])
    late.append(1, [(Retracted(5, live.clock() + 60, 4), "")])
    late.close()
    table.open()
    until(lambda: table.live.snapshot.views[None]["over"])


def test_entering_before_a_match_is_told(table: Table) -> None:
    with pytest.raises(NoMatch):
        table.live.enter(Pressed(0, 0.0, 1))
    press(table.live, 1)


def test_only_what_happened_can_be_taken_back(table: Table) -> None:
    table.live.begin("stop-it", PLAYERS, {})
    with pytest.raises(ValueError, match="no event 5"):
        table.live.enter(Retracted(0, 0.0, 5))
    press(table.live, 1)
    table.live.enter(Retracted(0, 0.0, 2))
    assert table.now() == "now-ready"


def test_a_match_that_cannot_be_played_is_not_started(table: Table) -> None:
    with pytest.raises(ValueError, match="1 players"):
        table.live.begin("stop-it", PLAYERS[:1], {})
    assert table.log.latest() is None


def test_what_cannot_be_stored_is_neither_judged_nor_shown_but_said(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.live.begin("stop-it", PLAYERS, {})
    append = table.log.append

    def full(*_: object) -> None:
        raise LogFault("the disk is full")

    monkeypatch.setattr(table.log, "append", full)
    with pytest.raises(NotKept):
        press(table.live, 1)
    assert table.now() == "now-ready"
    assert table.live.snapshot.trouble == "the disk is full"
    monkeypatch.setattr(table.log, "append", append)
    press(table.live, 1)
    assert table.now() == "now-collecting"
    assert table.live.snapshot.trouble is None


def test_when_the_log_can_be_used_again_the_table_says_so_by_itself(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.close()
    live = table.open(clock=(clock := Clock()))
    live.begin("stop-it", PLAYERS, {})
    with monkeypatch.context() as disk:
        for what in ("append", "try_to_write"):
            disk.setattr(table.log, what, partial(_refuse, "the disk is full"))
        with pytest.raises(NotKept):
            press(live, 1)
        disk.setattr(table.log, "try_to_write", partial(_refuse, "the disk is read-only"))
        clock.now += 1
        until(lambda: live.snapshot.trouble == "the disk is read-only")
    clock.now += 1
    until(lambda: live.snapshot.trouble is None)
    assert table.now() == "now-ready"


def test_a_match_that_could_be_started_again_is_one_that_is_recorded(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as disk:
        disk.setattr(table.log, "open_match", partial(_refuse, "the disk is full"))
        with pytest.raises(NotKept):
            table.live.begin("stop-it", PLAYERS, {})
        assert table.live.snapshot.trouble == "the disk is full"
    table.live.begin("stop-it", PLAYERS, {})
    assert table.live.snapshot.trouble is None


def test_another_program_that_writes_to_the_log_is_told_and_forgotten_with_the_next_act(table: Table) -> None:
    table.close()
    live = table.open(clock=Clock())  # which stands: nothing is tried again but by an act
    number = live.begin("stop-it", PLAYERS, {})
    with closing(sqlite3.connect(table.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        for _ in range(50):
            with pytest.raises(NotKept):
                press(live, 1)
        assert "Another program holds it" in (live.snapshot.trouble or "")
        assert live.ask(lambda match: len(match.events)) == 1
    press(live, 1)
    assert live.snapshot.trouble is None
    assert len(table.log.events(number)) == 2


def _refuse(why: str, *_: object) -> None:
    raise LogFault(why)


def test_a_delay_that_cannot_be_stored_is_tried_again_now_and_then(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.close()
    live = table.open(clock=(clock := Clock()))
    live.begin("stop-it", PLAYERS, {})
    press(live, 1)
    live.enter(Said(0, 0.0, "host", "piles-empty"))
    tries = []

    def full(*_: object) -> None:
        tries.append(clock.now)
        raise LogFault("the disk is full")

    with monkeypatch.context() as disk:
        disk.setattr(table.log, "append", full)
        for more in (20.0, 1.0):
            clock.now += more
            until(lambda: tries[-1:] == [clock.now])
            for _ in range(5):
                live.ask_any(lambda: None)
    assert tries == [20.0, 21.0]
    clock.now += 1
    until(lambda: live.snapshot.views[None]["over"])


def test_many_hands_at_once_give_one_order(table: Table) -> None:
    number = table.live.begin("stop-it", PLAYERS, {})
    with ThreadPoolExecutor(8) as hands:
        list(hands.map(lambda n: press(table.live, 1 + n % 2, origin=f"box-{n}"), range(200)))
    events = table.log.events(number)
    assert [event.seq for event in events] == list(range(1, 202))
    assert judge(events).state == table.live.ask(lambda match: match.state)


def test_a_dead_heat_is_never_finer_than_the_tables_buttons(table: Table) -> None:
    table.close()
    live = table.open(apart=0.02)
    number = live.begin("stop-it", PLAYERS, {"tie_window": 0.001, "empty": "end-now"})
    assert table.log.events(number)[0].options == {"tie_window": 0.02, "empty": "end-now"}
    number = live.begin("stop-it", PLAYERS, {"tie_window": 0.05})
    assert table.log.events(number)[0].options == {"tie_window": 0.05}


def test_a_game_without_dead_heats_is_left_as_it_is(table: Table) -> None:
    table.close()
    number = table.open(apart=0.02).begin("kartel", PLAYERS, {})
    assert table.log.events(number)[0].options == {}


def test_a_card_that_was_read_is_seen_to_lie_there_also_before_a_match(table: Table) -> None:
    live = table.live
    live.tell(sensing.Appeared("seat-1", "04AA", 1.0))
    assert live.snapshot.read == ("seat-1",)
    live.tell(sensing.Gone("seat-1", "04AA", 2.0))
    assert live.snapshot.read == ()


@pytest.mark.parametrize("value", [1e308, float("inf"), float("nan"), 60, -1, 2e302])
def test_an_option_out_of_bounds_starts_no_match(table: Table, value: float) -> None:
    with pytest.raises(ValueError, match="tie_window"):
        table.live.begin("stop-it", PLAYERS, {"tie_window": value})
    with pytest.raises(ValueError, match="target"):
        table.live.begin("go", PLAYERS, {"target": 1001})
    assert table.log.latest() is None


@pytest.mark.parametrize("value", [float("inf"), float("nan"), "\ud800", {3: float("inf")}, object()])
def test_what_could_not_be_read_back_never_enters_the_log(table: Table, value: object) -> None:
    number = table.live.begin("stop-it", PLAYERS, {})
    with pytest.raises(ValueError, match="can't be recorded"):
        table.live.enter(Said(0, 0.0, 1, "count", value))
    press(table.live, 1)
    assert [event.seq for event in table.log.events(number)] == [1, 2]


@pytest.mark.parametrize("part", ["begin", "view"])
def test_a_last_match_that_cannot_be_shown_is_named_and_keeps_nobody_from_the_next(
    table: Table, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    table.live.begin("stop-it", PLAYERS, {})
    table.close()

    def unable(*_: object) -> None:
        raise OverflowError("too large")

    broken = {**games.known(), "stop-it": replace(games.known()["stop-it"], **{part: unable})}
    with monkeypatch.context() as damaged:
        damaged.setattr(games, "known", lambda: broken)
        live = table.open()
        until(lambda: [fault.what for fault in live.faults.known] == ["match 1" if part == "begin" else "view"])
    number = live.begin("stop-it", PLAYERS, {})
    assert (live.snapshot.match, live.snapshot.trouble) == (number, None)
    assert table.now() == "now-ready"


def test_an_act_queued_behind_a_pause_is_not_recorded(table: Table) -> None:
    live = table.live
    number = live.begin("stop-it", PLAYERS, {})
    held, release = Event(), Event()

    def hold() -> None:
        held.set()
        release.wait()

    with ThreadPoolExecutor(3) as people:
        people.submit(live.ask_any, hold)
        held.wait()
        try:
            paused = people.submit(live.pause, Why.BREAK)
            until(lambda: live._worker.waiting == 1)
            act = people.submit(live.enter, Pressed(0, 0.0, 1))
            until(lambda: live._worker.waiting == 2)
        finally:
            release.set()
        paused.result()
        with pytest.raises(Paused):
            act.result()
    assert live.snapshot.pause is Why.BREAK
    assert len(table.log.events(number)) == 1


def test_what_is_decided_is_done_before_anything_else_happens(table: Table) -> None:
    """Forty people each take back the newest event if it is a press: nobody takes back a retraction."""
    live = table.live
    live.begin("stop-it", PLAYERS, {})

    def newest_back(match: Match, now: float) -> tuple[Retracted, ...]:
        newest = match.events[-1]
        return (Retracted(0, now, newest.seq),) if isinstance(newest, Pressed) else ()

    def hand(number: int) -> None:
        live.act(newest_back) if number % 2 else live.enter(Pressed(0, 0.0, 1))

    with ThreadPoolExecutor(8) as hands:
        list(hands.map(hand, range(40)))
    events = live.ask(lambda match: list(match.events))
    assert all(isinstance(events[event.target - 1], Pressed) for event in events if isinstance(event, Retracted))
