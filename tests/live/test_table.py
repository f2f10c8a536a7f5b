"""The live table: stored, then judged, then shown."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from msgspec.structs import replace

from companion import games
from companion.devices import sensing
from companion.errors import WrongInput
from companion.events import Pressed, Retracted, Said, Started, Tapped
from companion.judge.match import Match, judge
from companion.live.judging import LOOKS_AT_LEAST
from companion.live.pause import Paused, Why
from companion.storage.log import Log
from tests.live.table import PLAYERS, Table, in_one_round
from tests.waiting import until
from tests.web.table import Clock


def test_a_tag_becomes_a_card_and_a_press_a_shout(table: Table) -> None:
    started = table.live.clock()
    table.press(1, started)
    table.press(2, started + 2)
    table.lay("centre", "040404AA")
    assert table.waits_for == "now-counting"
    assert table.live.snapshot.views[None]["table"]["caller"] == 2


def test_an_event_is_on_disk_when_it_has_been_told(table: Table) -> None:
    table.press(1)
    with closing(Log(table.log.path, writes=False)) as reader:
        assert len(reader.events(1)) == 2


def test_a_press_told_twice_is_one_press(table: Table) -> None:
    table.press(1, origin="box-1")
    table.press(1, origin="box-1")
    table.live.tell(*[sensing.Buzzed(2, table.live.clock(), 0.0, "box-2")] * 2)
    assert len(table.events) == 3


def test_a_press_from_before_the_match_is_not_of_this_match(bare: Table) -> None:
    earlier = bare.live.clock()
    bare.begin()
    bare.press(1, earlier)
    assert bare.waits_for == "now-ready"


def test_nothing_is_told_of_a_press_before_the_window_is_over(bare: Table) -> None:
    live = bare.again(clock := Clock(), press_window=0.2)
    bare.begin(tie_window=0)
    bare.press(1)
    assert bare.waits_for == "now-ready", "not yet shown"
    clock.now += 0.2
    until(lambda: bare.waits_for == "now-collecting")
    clock.now += 5
    bare.press(1)
    bare.press(2, clock.now - 0.001)
    assert bare.waits_for == "now-collecting"
    clock.now += 0.2
    until(lambda: bare.waits_for == "now-shouted")
    shouts = live.snapshot.views[None]["table"]["shouts"]
    assert [(shout["seat"], shout["behind"]) for shout in shouts] == [(2, 0), (1, 1000)]


def test_a_table_where_nothing_runs_out_waits_for_what_happens(bare: Table) -> None:
    live = bare.again(Clock())
    assert live._judging.due() == LOOKS_AT_LEAST
    bare.begin("stop-it")
    assert live._judging.due() == LOOKS_AT_LEAST


@pytest.mark.parametrize(("uid", "tag"), [("040404CC", "040404CC"), ("virtual:other-game/red-7", "other-game/red-7")])
def test_a_tag_that_is_no_card_of_this_game_is_named_by_its_number(table: Table, uid: str, tag: str) -> None:
    table.lay("seat-1", uid)
    tapped = table.events[-1]
    assert isinstance(tapped, Tapped)
    assert (tapped.card, tapped.tag) == ("?", tag)


def test_the_last_card_is_asked_for_again_until_one_comes_there_or_another_match_begins(table: Table) -> None:
    for place in ("seat-2", "centre", "seat-3"):
        table.live.tell(sensing.Hurried(place, table.live.clock()))
    assert list(table.live.snapshot.hurried) == ["seat-2", "centre", "seat-3"]
    table.live.tell(sensing.Crowded("centre", table.live.clock()))
    table.live.tell(sensing.Appeared("seat-2", "04A1B2C3D4E5F6", table.live.clock()))
    assert table.live.snapshot.hurried == {"seat-3": 3}
    table.begin()
    assert table.live.snapshot.hurried == {}


def test_only_what_happened_can_be_taken_back(table: Table) -> None:
    with pytest.raises(WrongInput, match="no event 5"):
        table.live.enter(Retracted(0, 0.0, 5))
    table.press(1)
    table.live.enter(Retracted(0, 0.0, 2))
    assert table.waits_for == "now-ready"


def test_a_match_that_cannot_be_played_is_not_started(bare: Table) -> None:
    with pytest.raises(WrongInput, match="1 players"):
        bare.live.begin("stop-it", PLAYERS[:1], {})
    assert bare.log.latest() is None


@pytest.mark.parametrize("value", [1e308, float("inf"), float("nan"), 60, -1, 2e302])
def test_an_option_out_of_bounds_starts_no_match(bare: Table, value: float) -> None:
    with pytest.raises(WrongInput, match="tie_window"):
        bare.begin(tie_window=value)
    with pytest.raises(WrongInput, match="target"):
        bare.begin("go", target=1001)
    assert bare.log.latest() is None


@pytest.mark.parametrize("value", [float("inf"), float("nan"), "\ud800", {3: float("inf")}, object()])
def test_what_could_not_be_read_back_never_enters_the_log(table: Table, value: object) -> None:
    with pytest.raises(WrongInput, match="can't be recorded"):
        table.live.enter(Said(0, 0.0, 1, "count", value))
    table.press(1)
    assert [event.seq for event in table.events] == [1, 2]


@pytest.mark.parametrize(
    ("game", "chosen", "recorded"),
    [
        ("stop-it", {"tie_window": 0.001, "empty": "end-now"}, {"tie_window": 0.02, "empty": "end-now"}),
        ("stop-it", {"tie_window": 0.05}, {"tie_window": 0.05}),
        ("kartel", {}, {}),
    ],
)
def test_a_dead_heat_is_never_finer_than_the_tables_buttons(
    bare: Table, game: str, chosen: dict[str, object], recorded: dict[str, object]
) -> None:
    bare.again(apart=0.02)
    bare.begin(game, **chosen)
    assert judge(bare.events).started.options == recorded


@pytest.mark.parametrize("part", ["begin", "view"])
def test_a_last_match_that_cannot_be_shown_is_named_and_keeps_nobody_from_the_next(
    table: Table, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    def unable(*_: object) -> None:
        raise OverflowError("too large")

    broken = {**games.known(), "stop-it": replace(games.known()["stop-it"], **{part: unable})}
    with monkeypatch.context() as damaged:
        damaged.setattr(games, "known", lambda: broken)
        live = table.again()
        for _ in range(2):  # what failed is named between two jobs
            live.ask_any(lambda: None)
        [*live.snapshot.views.values()]  # or once somebody looks
        assert [fault.what for fault in live.faults.known] == ["match 1" if part == "begin" else "view"]
    number = table.begin()
    assert (live.snapshot.match, live.snapshot.trouble) == (number, None)
    assert table.waits_for == "now-ready"


# Many at once


def test_many_hands_at_once_give_one_order(table: Table) -> None:
    with ThreadPoolExecutor(8) as hands:
        list(hands.map(lambda n: table.press(1 + n % 2, origin=f"box-{n}"), range(200)))
    assert [event.seq for event in table.events] == list(range(1, 202))
    assert judge(table.events).state == table.live.ask(lambda match: match.state)


def test_an_act_queued_behind_a_pause_is_not_recorded(table: Table) -> None:
    live = table.live
    with in_one_round(live) as bring:
        paused = bring(live.pause, Why.BREAK)
        act = bring(live.enter, Pressed(0, 0.0, 1))
    paused.result()
    with pytest.raises(Paused):
        act.result()
    assert live.snapshot.pause is Why.BREAK
    assert len(table.events) == 1


def test_a_fault_that_one_source_meets_costs_no_press_stored_with_it(table: Table) -> None:
    live = table.live

    def is_club_card(place: str, uid: str) -> bool:
        raise RuntimeError("a fault of the program")

    live.withhold_cards(is_club_card, lambda place, uid: None)
    with in_one_round(live) as bring:
        card = bring(live.tell, sensing.Appeared("centre", "040404FF", 1.0))
        press = bring(live.tell, sensing.Buzzed(1, 1.0, 0.0, "box:1"))
    press.result()
    with pytest.raises(RuntimeError):
        card.result()
    assert [type(event) for event in table.events] == [Started, Pressed]


def test_what_is_decided_is_done_before_anything_else_happens(table: Table) -> None:
    """Forty people each take back the newest event if it is a press: nobody takes back a retraction."""

    def newest_back(match: Match, at: float) -> tuple[Retracted, ...]:
        newest = match.events[-1]
        return (Retracted(0, at, newest.seq),) if isinstance(newest, Pressed) else ()

    def hand(number: int) -> None:
        table.live.act(newest_back) if number % 2 else table.live.enter(Pressed(0, 0.0, 1))

    with ThreadPoolExecutor(8) as hands:
        list(hands.map(hand, range(40)))
    events = table.events
    assert all(isinstance(events[event.target - 1], Pressed) for event in events if isinstance(event, Retracted))
