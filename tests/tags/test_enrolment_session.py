"""Stickers put on at a live table: real readers on (emulated) serial lines, the real judge, the file of tags."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.devices.drivers.pn532_uart import Reader
from companion.devices.listening import Listening
from companion.devices.monotonic_clock import TableClock
from companion.devices.sensing import Appeared, Gone
from companion.events import Player, Pressed, Retracted, Said, Tapped
from companion.live.table import Live
from companion.storage.ailments import AilmentCode, Remedy
from companion.storage.last_copy import copy_of, keep_copy
from companion.storage.log import Log
from companion.tags.deck import TagsFault
from companion.tags.deck_file import Decks
from companion.tags.enrolment_session import IDLE, Enrolment, Stickers
from tests.emulators.pn532_pty import UartPN532
from tests.waiting import until

PLAYERS = (Player(1, "Ana"), Player(2, "Bo"))
TAGS = '[kartel]\nred-boss = "04112233445566"\n'
A_PHONE = "08AABBCC"


class Table:
    """A live table with one reader, and its file of tags."""

    def __init__(self, folder: Path, port: str):
        self.path = folder / "tags.toml"
        self.path.write_text(TAGS, encoding="utf-8")
        self.log = Log(folder / "log.sqlite", writes=True)
        self.clock = TableClock()
        self.later = 0.0
        self.live = Live(self.log, lambda: self.clock() + self.later, Decks(self.path))
        self.live.start()
        self.listening = Listening([Reader(place="centre", port=port).open(self.live.clock)], self.live.tell)

    def close(self) -> None:
        self.listening.stop()
        self.live.stop()
        self.log.close()

    @property
    def shown(self) -> Stickers:
        return self.live.snapshot.stickers

    def said(self) -> str:
        return self.shown.answer.code if self.shown.answer else ""

    def begin(self, game: str = "kartel", card: str | None = None) -> None:
        self.live.enrol(lambda enrolment: enrolment.begin(game, None, card))


@pytest.fixture
def reader() -> Iterator[UartPN532]:
    with UartPN532() as reader:
        yield reader


@pytest.fixture
def table(tmp_path: Path, reader: UartPN532, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setattr("companion.live.judging.LOOKS_AT_LEAST", 0.1)  # the clock goes on by leaps
    table = Table(tmp_path, reader.path)
    yield table
    table.close()


def lay(reader: UartPN532, table: Table, uid: str) -> None:
    """Lay a card until it is read, and lift it."""
    reader.put(uid)
    until(lambda: table.live.snapshot.read == ("centre",))
    reader.clear()
    until(lambda: table.live.snapshot.read == ())


def test_cards_laid_one_after_the_other_get_their_stickers(table: Table, reader: UartPN532) -> None:
    table.begin()
    for number in range(5):
        lay(reader, table, f"0400000000000{number}")
    assert table.said() == "sticker-new"
    assert Decks(table.path).deck("kartel").tags == {
        "red-boss": "04112233445566",
        "red-money": "04000000000000",
        "red-1": "04000000000001",
        "red-2a": "04000000000002",
        "red-2b": "04000000000003",
        "red-3": "04000000000004",
    }


def test_a_card_laid_meanwhile_is_no_event_of_the_match_and_afterwards_it_is_known(
    table: Table, reader: UartPN532
) -> None:
    number = table.live.begin("kartel", PLAYERS, {})
    table.begin()
    lay(reader, table, "04000000000001")
    reader.put("04000000000002")
    until(lambda: table.shown.stock["kartel"].missing[0] == "red-2a")
    table.live.enrol(Enrolment.end)
    reader.clear()
    until(lambda: table.live.snapshot.read == ())
    assert len(table.log.events(number)) == 1
    lay(reader, table, "04000000000001")
    tapped, lifted = table.log.events(number)[1:]
    assert isinstance(tapped, Tapped)
    assert (tapped.place, tapped.card) == ("centre", "red-money")
    assert lifted.card == "red-money"  # type: ignore[union-attr]


def test_a_card_that_lay_there_before_is_lifted_in_the_match(table: Table) -> None:
    number = table.live.begin("kartel", PLAYERS, {})
    table.live.tell(Appeared("centre", "04112233445566", table.live.clock()))
    table.begin()
    table.live.tell(Gone("centre", "04112233445566", table.live.clock()))
    assert [type(event).__name__ for event in table.log.events(number)] == ["Started", "Tapped", "Lifted"]


def test_a_phone_on_the_reader_is_told_and_its_uid_is_nowhere(table: Table, reader: UartPN532) -> None:
    number = table.live.begin("kartel", PLAYERS, {})
    table.begin()
    reader.put(A_PHONE, ats=bytes.fromhex("7577810280"))
    until(lambda: table.said() == "phone-read")
    reader.wait_polls(10)
    assert table.shown.progress
    assert table.shown.progress.strangers == 1
    reader.clear()
    until(lambda: table.live.snapshot.read == ())
    table.live.enrol(Enrolment.end)
    reader.put(A_PHONE, ats=bytes.fromhex("7577810280"))
    until(lambda: len(table.log.events(number)) == 2)
    tapped = table.log.events(number)[-1]
    assert isinstance(tapped, Tapped)
    assert (tapped.card, tapped.tag) == ("?", "phone")
    misplay = table.live.ask(lambda match: match.misplays[-1].code)
    assert misplay == "phone-read"
    assert table.path.read_text(encoding="utf-8") == TAGS


def test_one_lost_sticker_is_replaced_during_a_match_which_then_goes_on(table: Table, reader: UartPN532) -> None:
    number = table.live.begin("kartel", PLAYERS, {})
    table.begin(card="red-boss")
    lay(reader, table, "04000000000001")
    assert table.shown.progress is None
    assert table.said() == "sticker-renewed"
    lay(reader, table, "04000000000001")
    lay(reader, table, "0411223344AABB")
    cards = [event.card for event in table.log.events(number) if isinstance(event, Tapped)]
    assert cards == ["red-boss", "?"]


def test_during_a_match_no_old_sticker_is_told_by_its_card(table: Table) -> None:
    table.live.begin("kartel", PLAYERS, {})
    table.begin()
    table.live.tell(Appeared("centre", "04112233445566", table.live.clock()))
    assert table.said() == "sticker-known"
    assert table.shown.answer
    assert table.shown.answer.facts == {}


def test_a_match_that_is_opened_again_by_taking_back_is_a_match_that_is_on(table: Table) -> None:
    table.live.begin("stop-it", PLAYERS, {"empty": "end-now"})
    table.live.enter(Pressed(0, 0.0, 1))
    table.live.enter(Said(0, 0.0, "host", "piles-empty"))
    assert table.live.ask(lambda match: match.over)
    table.begin()
    table.live.enter(Retracted(0, 0.0, 3))
    table.live.tell(Appeared("centre", "04112233445566", table.live.clock()))
    assert table.said() == "sticker-known"


def test_a_new_match_ends_it(table: Table) -> None:
    table.begin()
    table.live.begin("kartel", PLAYERS, {})
    assert table.shown.progress is None


def test_it_ends_by_itself_when_nobody_touches_anything(table: Table) -> None:
    table.begin()
    table.later = IDLE + 1
    until(lambda: table.shown.progress is None)
    assert table.said() == "stickers-ended"


def test_a_card_that_cannot_be_kept_is_said_at_once_and_wanted_again(table: Table) -> None:
    table.begin()
    table.path.write_text(TAGS + "# mine\n", encoding="utf-8")
    table.live.tell(Appeared("centre", "04000000000001", table.live.clock()))
    assert table.said() == "sticker-not-kept"
    assert "changed in the meantime" in table.shown.trouble
    assert table.shown.progress
    assert table.shown.progress.next == "red-money"
    table.live.enrol(Enrolment.end)
    table.begin()
    table.live.tell(Appeared("centre", "04000000000002", table.live.clock()))
    assert table.path.read_text(encoding="utf-8").endswith("# mine\n")
    assert Decks(table.path).cards["04000000000002"] == ("kartel", "red-money")


@pytest.mark.parametrize(
    ("left", "code"),
    [
        ("", AilmentCode.STICKERS_LOST),
        ("[kartel]\n", AilmentCode.STICKERS_FEWER),
        ("[kartel", AilmentCode.STICKERS_WRONG),
    ],
)
def test_what_becomes_of_the_file_while_the_table_runs_is_told_and_cured_as_at_a_start(
    table: Table, left: str, code: AilmentCode
) -> None:
    keep_copy(table.path)
    table.path.write_text(left, encoding="utf-8")
    with pytest.raises(TagsFault):
        table.begin()
    assert [ailment.code for ailment in table.live.snapshot.ailments] == [code]
    assert copy_of(table.path).read_text(encoding="utf-8") == TAGS
    table.live.cure_stickers(Remedy.LAST_COPY)
    assert table.live.snapshot.ailments == ()
    assert table.path.read_text(encoding="utf-8") == TAGS
    table.begin()


def test_the_virtual_tables_cards_stay_in_the_match(table: Table) -> None:
    number = table.live.begin("kartel", PLAYERS, {})
    table.begin()
    table.live.tell(Appeared("seat-1", "virtual:kartel/red-1", table.live.clock()))
    assert len(table.log.events(number)) == 2


def test_nothing_that_is_shown_holds_a_uid(table: Table) -> None:
    table.begin()
    table.live.tell(Appeared("centre", "04000000000001", table.live.clock()))
    assert "0400000000" not in repr(table.live.snapshot.stickers)
    assert "04112233445566" not in repr(table.live.snapshot.stickers)
