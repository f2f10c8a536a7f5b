"""What a press says beyond having been made is entered with it: nobody needs a phone to say it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import games
from companion.devices import sensing
from companion.events import Pressed, Retracted, Said
from companion.judge.doubted_presses import Doubt
from companion.judge.press_meanings import SAID
from tests.games.go.table import SEVENTEEN, cards
from tests.live.cards import ANA, BO, CLEO, UIDS, Cards


@pytest.fixture
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Cards]:
    """A match has just begun."""
    table = Cards(tmp_path, getattr(request, "param", "stop-it"))
    yield table
    table.close()


def press_after(table: Cards, seat: int, seconds: float) -> None:
    """Press so many seconds after the latest event."""
    table.press(seat, max(event.at for event in table.events) + seconds)


@pytest.fixture
def shouted(table: Cards) -> Cards:
    """Bo has shouted, and Cléo a moment later."""
    table.press(ANA)
    press_after(table, BO, 2.0)
    press_after(table, CLEO, 0.3)
    return table


# stop it!: no stop card to show.


def test_a_caller_without_a_stop_card_presses_again(shouted: Cards) -> None:
    press_after(shouted, BO, 3.0)
    assert shouted.waits_for == "now-restart"
    press_after(shouted, BO, 1.0)
    assert shouted.waits_for == "now-collecting"


def test_the_press_stays_in_the_record_and_the_word_beside_it(shouted: Cards) -> None:
    press_after(shouted, BO, 3.0)
    press, retraction, word = shouted.events[-3:]
    assert isinstance(press, Pressed)
    assert isinstance(retraction, Retracted)
    assert isinstance(word, Said)
    assert (retraction.target, retraction.by) == (press.seq, SAID)
    assert (word.seat, word.what, word.at) == (BO, "no-stop", press.at)


def test_a_button_that_was_hit_twice_in_a_shout_says_nothing(shouted: Cards) -> None:
    press_after(shouted, BO, 0.5)
    assert shouted.waits_for == "now-shouted"


def test_whoever_shouted_later_has_nothing_to_say(shouted: Cards) -> None:
    press_after(shouted, CLEO, 3.0)
    assert shouted.waits_for == "now-shouted"


def test_in_a_dead_heat_each_says_it_for_themselves(table: Cards) -> None:
    table.press(ANA)
    at = table.events[-1].at + 2.0
    table.live.tell(sensing.Buzzed(BO, at, 0.0, ""), sensing.Buzzed(CLEO, at + 0.0002, 0.0, ""))
    press_after(table, BO, 3.0)
    assert table.waits_for == "now-shouted"
    press_after(table, CLEO, 3.0)
    assert table.waits_for == "now-restart"


def test_it_is_taken_back_like_any_other_word(shouted: Cards) -> None:
    press_after(shouted, BO, 3.0)
    word = shouted.events[-1]
    shouted.live.enter(Retracted(0, 0.0, word.seq, by="phone"))
    assert shouted.waits_for == "now-shouted"


def test_nothing_was_corrected(shouted: Cards) -> None:
    press_after(shouted, BO, 3.0)
    assert shouted.live.snapshot.change is None


def test_a_press_made_while_the_table_was_off_says_nothing(shouted: Cards) -> None:
    live = shouted.again()
    shouted.press(BO, live.clock() - 60, "box-1")
    assert (shouted.waits_for, dict(live.snapshot.asked)) == ("now-shouted", {BO: Doubt.TABLE_OFF})


# ¡Go!: the best series.


def to_series(table: Cards) -> None:
    """Bo has called; the row's card is read, and Bo's twelve."""
    table.press(BO)
    table.lay("centre", UIDS["grey-11"])
    table.lay_cards(BO, *cards(SEVENTEEN))


@pytest.mark.parametrize("table", ["go"], indirect=True)
def test_the_caller_takes_the_proposed_series_by_a_press(table: Cards) -> None:
    to_series(table)
    table.press(ANA)
    assert table.waits_for == "now-series-and-hands"
    table.press(BO)
    assert table.waits_for == "now-other-hands"


@pytest.mark.parametrize("table", ["go"], indirect=True)
def test_before_all_twelve_are_read_the_callers_press_takes_nothing(table: Cards) -> None:
    table.press(BO)
    table.lay("centre", UIDS["grey-11"])
    table.lay_cards(BO, *cards(SEVENTEEN)[:11])
    table.press(BO)
    table.lay_cards(BO, *cards(SEVENTEEN)[11:])
    assert table.waits_for == "now-series-and-hands"


# STOP me GO: a token without a sticker.

SEATS = (ANA, BO, CLEO)
COLOURS = dict(zip(SEATS, ("red", "orange", "yellow"), strict=True))


def win(table: Cards) -> None:
    """Bo wins a round."""
    for turn, gangster in enumerate((8, 2, 5, 3), 1):
        table.lay("centre", UIDS[f"gangster-{gangster}"])
        for seat in SEATS:
            table.lay_cards(seat, f"{COLOURS[seat]}-{'stop' if (seat, turn) == (BO, 1) else f'go-{turn}'}")
    for _ in range(4):
        press_after(table, ANA, 1.0)


@pytest.mark.parametrize("table", ["stop-me-go"], indirect=True)
def test_the_winner_of_a_token_without_a_sticker_presses_and_is_asked_once(table: Cards) -> None:
    win(table)
    press_after(table, BO, 2.0)
    assert (table.waits_for, dict(table.live.snapshot.asked)) == ("now-reward", {BO: Doubt.NOTHING_LAID})
    press_after(table, BO, 2.0)
    assert (table.waits_for, dict(table.live.snapshot.asked)) == ("now-ready", {})


@pytest.mark.parametrize("table", ["stop-me-go"], indirect=True)
def test_where_tokens_have_stickers_a_press_takes_none(table: Cards) -> None:
    win(table)
    table.lay_cards(BO, "token-2-1")
    win(table)
    press_after(table, BO, 2.0)
    press_after(table, BO, 2.0)
    assert table.waits_for == "now-reward"


# Kartel: the ring.


@pytest.fixture
def ring(tmp_path: Path) -> Iterator[Cards]:
    """All tokens of the ring are read, but for the last."""
    table = Cards(tmp_path, "kartel", ring=True)
    for token in [*games.known()["kartel"].deck][:-1]:
        table.lay("centre", UIDS[token])
        table.lift("centre", UIDS[token])
    yield table
    table.close()


def test_anybody_says_by_a_press_that_the_ring_is_read(ring: Cards) -> None:
    ring.press(CLEO)
    assert ring.waits_for == "now-ring-nearly"
    ring.lay("centre", UIDS[[*games.known()["kartel"].deck][-1]])
    ring.press(CLEO)
    assert ring.waits_for == "now-roll"
