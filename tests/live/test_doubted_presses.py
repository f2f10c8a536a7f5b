"""A press that can't be meant is taken back by the table itself, and asked for again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.devices import sensing
from companion.events import Pressed, Retracted, Said, Tapped
from companion.judge.doubted_presses import Doubt
from tests.live.cards import ANA, BO, CLEO, Cards, counts


def done(table: Cards, seat: int, delay: float = 2.0) -> None:
    """Press so many seconds from now: no echo of the shout."""
    table.press(seat, table.live.clock() + delay)


def counted(table: Cards) -> list[int]:
    seats: list[int] = table.live.snapshot.views[None]["table"]["counted"]
    return seats


def asked(table: Cards) -> dict[int, Doubt]:
    return dict(table.live.snapshot.asked)


def test_done_with_nothing_laid_asks_once(stop_it: Cards) -> None:
    done(stop_it, ANA)
    assert (counted(stop_it), asked(stop_it)) == ([], {ANA: Doubt.NOTHING_LAID})
    done(stop_it, ANA, 4.0)
    assert (counted(stop_it), asked(stop_it)) == ([ANA], {})


def test_what_was_sensed_stays_in_the_record_and_the_table_says_why_it_took_it_back(stop_it: Cards) -> None:
    done(stop_it, ANA)
    press, retraction = stop_it.events[-2:]
    assert isinstance(press, Pressed)
    assert isinstance(retraction, Retracted)
    assert (retraction.target, retraction.by) == (press.seq, Doubt.NOTHING_LAID.value)


def test_whoever_has_forgotten_their_cards_lays_them_and_presses_again(stop_it: Cards) -> None:
    done(stop_it, ANA)
    stop_it.lay_cards(ANA, "red-1")
    assert asked(stop_it) == {}
    done(stop_it, ANA, 2.1)
    done(stop_it, BO)
    done(stop_it, BO, 4.0)
    stop_it.count(CLEO, "red-2", "red-3")
    assert counts(stop_it) == {ANA: 1, BO: 0, CLEO: 2}


def test_a_button_hit_twice_in_a_row_is_hit_once(stop_it: Cards) -> None:
    done(stop_it, ANA)
    done(stop_it, ANA, 2.3)
    assert counted(stop_it) == []
    done(stop_it, ANA, 3.5)
    assert counted(stop_it) == [ANA]


def test_cards_that_were_refused_are_none(stop_it: Cards) -> None:
    stop_it.lay_cards(ANA, "blue-1")
    stop_it.lay("seat-1", "04FFFFFFFFFFFF")
    stop_it.lay("seat-1", "04FFFFFFFFFFFF")
    done(stop_it, ANA)
    assert asked(stop_it) == {ANA: Doubt.NOTHING_LAID}


def test_a_card_that_is_in_another_hand_too_is_one_since_nobody_may_know(stop_it: Cards) -> None:
    stop_it.lay_cards(BO, "red-1")
    stop_it.lay_cards(ANA, "red-1")
    done(stop_it, ANA)
    assert (counted(stop_it), asked(stop_it)) == ([ANA], {})


def test_what_was_typed_on_a_phone_does_not_show(stop_it: Cards) -> None:
    """Nobody saw it: whether a press is asked for again must not tell."""
    stop_it.live.enter(Tapped(0, 0.0, "seat-1", "red-1", by="phone"))
    done(stop_it, ANA)
    assert asked(stop_it) == {ANA: Doubt.NOTHING_LAID}


def test_on_a_phone_done_is_said_beside_the_number_of_cards_and_counts_at_once(stop_it: Cards) -> None:
    stop_it.live.act(lambda _, at: (Pressed(0, at + 2, ANA, by="phone"),))
    assert counted(stop_it) == [ANA]


def test_a_number_told_by_phone_answers_the_question(stop_it: Cards) -> None:
    done(stop_it, ANA)
    stop_it.live.enter(Said(0, 0.0, ANA, "count", 0))
    assert (counted(stop_it), asked(stop_it)) == ([ANA], {})


def test_the_last_count_is_asked_for_too_and_no_verdict_is_shown_before(stop_it: Cards) -> None:
    stop_it.count(ANA, "red-1")
    stop_it.count(BO, "red-2")
    done(stop_it, CLEO)
    snapshot = stop_it.live.snapshot
    assert snapshot.views[None]["table"]["phase"] == "counting"
    assert snapshot.change is None
    assert snapshot.done is not None


def test_a_question_outlives_a_restart(stop_it: Cards) -> None:
    done(stop_it, ANA)
    stop_it.again()
    assert asked(stop_it) == {ANA: Doubt.NOTHING_LAID}


def test_presses_of_several_told_together_are_doubted_one_after_the_other(stop_it: Cards) -> None:
    stop_it.lay_cards(BO, "red-2")
    moment = stop_it.live.clock()
    presses = [sensing.Buzzed(seat, moment + 2 + seat / 100, 0.0, "") for seat in (ANA, BO, CLEO)]
    stop_it.live.tell(*presses)
    assert (counted(stop_it), [*asked(stop_it)]) == ([BO], [ANA, CLEO])
    assert [event.seq for event in stop_it.events] == [*range(1, len(stop_it.events) + 1)]


# What a box kept while the table was off.


def test_a_press_made_while_the_table_was_off_ends_nobodys_count(stop_it: Cards) -> None:
    stop_it.lay_cards(ANA, "red-1")
    live = stop_it.again()
    stop_it.press(ANA, live.clock() - 60, "box-1")
    assert (counted(stop_it), asked(stop_it)) == ([], {ANA: Doubt.TABLE_OFF})
    stop_it.press(ANA, live.clock() + 1)
    assert (counted(stop_it), asked(stop_it)) == ([ANA], {})


def test_nor_does_a_second_one_of_these(stop_it: Cards) -> None:
    live = stop_it.again()
    stop_it.press(ANA, live.clock() - 60, "box-1")
    stop_it.press(ANA, live.clock() - 50, "box-2")
    assert counted(stop_it) == []


@pytest.fixture
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Cards]:
    """A match has just begun."""
    table = Cards(tmp_path, getattr(request, "param", "stop-it"))
    yield table
    table.close()


def test_nor_does_it_start_anything(table: Cards) -> None:
    live = table.again()
    table.press(ANA, live.clock() - 60, "box-1")
    assert (table.waits_for, asked(table)) == ("now-ready", {ANA: Doubt.TABLE_OFF})
    table.press(ANA)
    assert table.waits_for == "now-collecting"


@pytest.mark.parametrize("table", ["go"], indirect=True)
def test_nor_does_it_call_in_another_game(table: Cards) -> None:
    live = table.again()
    table.press(ANA, live.clock() - 60, "box-1")
    assert asked(table) == {ANA: Doubt.TABLE_OFF}


def test_but_a_shout_counts_by_its_time(table: Cards) -> None:
    table.press(ANA)
    live = table.again()
    table.press(BO, live.clock() - 60, "box-1")
    assert (table.waits_for, asked(table)) == ("now-shouted", {})
