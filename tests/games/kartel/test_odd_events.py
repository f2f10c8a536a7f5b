"""What a table throws in: words, presses, delays and cards that Kartel does not know."""

from typing import Any

import pytest
from msgspec import UNSET
from msgspec.json import encode

from companion.judge import record
from tests.games.kartel.table import BOSSES, BOX, Table, ring

WORDS = ["", "hello", "Roll", "roll ", "count", "fault", "no-stop", "piles-empty", "flip", "token", "last-row", "void"]
VALUES: list[Any] = [UNSET, None, True, 3, 3.0, "3", [], ["red-1"], {}, {"seat": 1, "fault": "dropped"}, 10**40, -1]


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("by", [1, 2, "host"])
def test_words_that_kartel_does_not_know_are_misplays(word: str, by: int | str) -> None:
    for table in (Table(), ring()):
        wrong = [table.say(by, word, value) for value in VALUES]
        assert table.misplays == wrong
    assert table.rollers == [1]


@pytest.mark.parametrize("value", VALUES[2:], ids=repr)
def test_a_ring_is_done_without_a_value(value: Any) -> None:
    table = Table(ring=True)
    table.tap("centre", *BOX)
    wrong = table.say("host", "ring-done", value)
    assert table.misplays == [wrong]
    table.done()
    assert table.rollers == [1]


@pytest.mark.parametrize("what", ["last-calls", "supper", "", "roll", "ring-done"])
def test_no_delay_means_anything(what: str) -> None:
    for table in (Table(), ring(), Table(ring=True)):
        before = table.points, table.over
        assert table.elapse(what) in table.misplays
        assert (table.points, table.over) == before


@pytest.mark.parametrize("seat", [1, 2])
def test_no_press_means_anything(seat: int) -> None:
    for table in (Table(), ring(), Table(ring=True)):
        table.press(seat)
        assert table.points == {1: 0, 2: 0, 3: 0}
    table = Table()
    table.press(seat)
    assert table.turn == [1]
    table = ring()
    table.press(seat)
    assert table.rollers == [1]


def test_an_empty_seat_says_taps_and_presses_nothing() -> None:
    table = ring(seats=(2, 5))
    wrong = [table.roll(1, 3), table.tap(3, BOX[0]), table.press(4), table.say(6, "ring-done"), table.tap(1, BOSSES[0])]
    assert table.misplays == wrong
    assert table.rollers == [2]


@pytest.mark.parametrize(
    "card", ["gangster-3", "red-stop", "pink-4", "red-stop-1", "red-4", "red-2", "", "Red-1", "boss"]
)
def test_a_card_that_is_not_of_kartel_is_a_misplay_at_any_time(card: str) -> None:
    table = Table(1, 2, ring=True)
    wrong = [table.tap("centre", card)]
    table.tap("centre", *BOX)
    table.done()
    wrong.append(table.tap(1, card))
    table.roll(1, 2)
    wrong.append(table.tap("centre", card))
    table.tap(1, BOX[1])
    wrong.append(table.tap("prison", card))
    assert table.misplays == wrong
    assert table.rollers == [2]


def test_an_unknown_sticker_is_a_misplay() -> None:
    table = Table()
    assert table.tap(1, "?", tag="04:A2:19") in table.misplays
    assert table.turn == [1]


def test_a_word_takes_no_turn() -> None:
    table = Table()
    table.say(1, "hello")
    table.roll("host", 3)
    assert table.turn == [1]


def test_lifting_is_nothing() -> None:
    table = Table()
    table.lift(1, "red-3")
    table.tap(1, "red-3")
    table.lift(1, "red-3")
    table.lift("centre", "gangster-3")
    table.lift(6, "red-3")
    assert table.misplays == []
    assert table.points[1] == -3
    assert table.turn == [2]


# Options.


@pytest.mark.parametrize(
    "options",
    [
        *({"money": value} for value in (0, 1, "true", None, [], 1.0)),
        *({"ring": value} for value in (0, 1, "yes", None, {}, 42)),
        *({"free_gang": value} for value in ("plus", "Minus", "", None, 0, True, ["zero"])),
        *({name: True} for name in ("Money", "rings", "show_running", "colours", "")),
    ],
    ids=repr,
)
def test_an_option_that_kartel_does_not_know_is_refused(options: dict[str, Any]) -> None:
    started = record.encode([Table(1, 2).match.started]).replace(b'"options":{}', b'"options":' + encode(options))
    with pytest.raises(record.Damaged):
        record.decode(started)


@pytest.mark.parametrize("options", [{"money": False, "free_gang": "zero", "ring": True}, {"free_gang": "minus"}, {}])
def test_every_option_of_the_contract_is_known(options: dict[str, Any]) -> None:
    (started,) = record.decode(record.encode([Table(1, 2, **options).match.started]))
    assert started == Table(1, 2, **options).match.started
