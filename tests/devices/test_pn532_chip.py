"""What a PN532 answers, on no bus in particular: which tags it saw, and whether it is alive."""

import errno
import termios
from collections.abc import Sequence

import pytest
import serial

from companion.devices.readers.pn532 import Bus, Connection, ReaderFault, configure, heartbeat, poll, tags_in
from companion.devices.readers.source import HEARTBEAT, RESET_AFTER, ReaderSource
from companion.devices.sensing import Failed, NotThere, Sensing, Tag, TagKind, Working
from companion.events import PHONE


@pytest.mark.parametrize(
    ("listing", "tag"),
    [
        ("0044 00 07 04A1B2C3D4E5F6", Tag("04A1B2C3D4E5F6", TagKind.STICKER)),
        ("0004 08 04 01020304", Tag("01020304", TagKind.PASS)),
        ("0002 18 04 01020304", Tag("01020304", TagKind.PASS)),
        ("0044 08 07 04A1B2C3D4E5F6", Tag("04A1B2C3D4E5F6", TagKind.PASS)),
        ("0044 00 0A 04A1B2C3D4E5F6070809", Tag("04A1B2C3D4E5F6070809", TagKind.PASS)),
        ("0004 20 04 01020304 05 75778102", Tag(PHONE, TagKind.PHONE)),
        ("0344 20 07 04A1B2C3D4E5F6 05 75778102", Tag(PHONE, TagKind.PHONE)),
        ("0004 28 04 01020304 05 75778102", Tag(PHONE, TagKind.PHONE)),
        ("0004 00 04 08ABCDEF", Tag(PHONE, TagKind.PHONE)),
    ],
)
def test_a_sticker_a_pass_and_a_phone_are_told_apart(listing: str, tag: Tag) -> None:
    assert tags_in(bytes.fromhex("01 01" + listing)) == (tag,)


def test_a_phone_among_the_tags_does_not_hide_the_other() -> None:
    listing = "02 01 0004 20 04 08AABBCC 06 7577810280 02 0044 00 07 04A1B2C3D4E5F6"
    assert tags_in(bytes.fromhex(listing)) == (Tag(PHONE, TagKind.PHONE), Tag("04A1B2C3D4E5F6"))


@pytest.mark.parametrize(
    "listing",
    [
        pytest.param("01 01 0044 00 04 04A1B2C3D4E5F6", id="a length too short"),
        pytest.param("00 01 0044 00 07 04A1B2C3D4E5F6", id="a count of none"),
        pytest.param("01 01 0044 00 07 04A1B2C3D4E5F6 02 0044 00 07 04B1B2C3D4E5F6", id="a count of one"),
    ],
)
def test_a_listing_that_does_not_come_out_even_is_no_uid(listing: str) -> None:
    with pytest.raises(ValueError, match="beyond"):
        tags_in(bytes.fromhex(listing))


@pytest.mark.parametrize("listing", ["01 01 0044 00 07 04A1B2", "01 01 0044 00 05 04A1B2C3D4", "01 01 0044", ""])
def test_a_listing_cut_short_is_no_uid(listing: str) -> None:
    with pytest.raises((ValueError, IndexError)):
        tags_in(bytes.fromhex(listing))


class Played:
    """A chip whose polls look fine and empty, whatever else is wrong with it."""

    def __init__(self) -> None:
        self.kind, self.alive, self.silent = 0x32, True, False
        self.raises: Exception | None = None
        self.asked: list[tuple[int, ...]] = []

    @property
    def firmware_version(self) -> Sequence[int]:
        if not self.alive:
            raise RuntimeError("Failed to detect the PN532")
        return (self.kind, 1, 6, 7)

    def call_function(self, command: int, response_length: int, params: Sequence[int], timeout: float) -> bytes | None:
        if self.raises:
            raise self.raises
        self.asked.append((command, *params))
        return None if self.silent else b"\x00"


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("checksum"),
        serial.SerialException("gone"),
        OSError(errno.EIO, "gone"),
        termios.error(5, "gone"),
        TypeError(),
        ValueError(),
        IndexError(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_whatever_the_library_raises_is_one_fault(error: Exception) -> None:
    chip = Played()
    chip.raises = error
    with pytest.raises(ReaderFault):
        poll(chip)


def test_a_chip_that_says_nothing_is_a_fault() -> None:
    chip = Played()
    chip.silent = True
    with pytest.raises(ReaderFault, match="no answer"):
        poll(chip)


def test_a_chip_of_another_kind_is_a_fault() -> None:
    chip = Played()
    chip.kind = 0x33
    with pytest.raises(ReaderFault, match="says it is a PN533"):
        heartbeat(chip)


def test_a_chip_is_made_ready_with_finite_retries_and_its_field_off() -> None:
    chip = Played()
    assert configure(chip) == "PN532 firmware 1.6"
    assert chip.asked == [(0x14, 1, 0x14, 1), (0x32, 5, 0xFF, 1, 1), (0x32, 1, 0)]


class Reader:
    """A reader with a chip that a test plays, in a time that the test sets."""

    def __init__(self, turns: str = "") -> None:
        self.now, self.chip = 10.0, Played()
        self.told: list[Sensing] = []
        self.connects = self.closes = self.resets = 0
        self.missing: NotThere | None = None
        bus = Bus("here", self.connect, "Look.", turns=turns, reset=self.reset)
        self.source = ReaderSource("pad", bus, lambda: self.now)

    def connect(self) -> Connection:
        if self.missing:
            raise self.missing
        self.connects += 1
        return Connection(self.chip, self.close)

    def close(self) -> None:
        self.closes += 1
        raise OSError("long gone")

    def reset(self) -> None:
        self.resets += 1

    def tell(self, *news: Sensing) -> None:
        assert news, "it goes to the disk"
        self.told += news

    def turn(self) -> list[Sensing]:
        """Take a turn; what was told in it."""
        self.told.clear()
        self.source.turn(self.tell)
        return [*self.told]


def test_a_dead_chip_that_looks_like_no_card_is_found_out_within_a_second() -> None:
    reader = Reader()
    reader.turn()
    reader.chip.alive = False
    reader.now += HEARTBEAT - 0.01
    assert reader.turn() == []
    reader.now += 0.01
    [failed] = reader.turn()
    assert failed == Failed("reader pad", "here: no proper answer (RuntimeError). Is it plugged in? Look.", reader.now)


def test_a_chip_that_lives_is_asked_once_a_second() -> None:
    reader = Reader()
    asked = 0

    class Counting(Played):
        @property
        def firmware_version(self) -> Sequence[int]:
            nonlocal asked
            asked += 1
            return super().firmware_version

    reader.chip = Counting()
    for _ in range(21):
        reader.turn()
        reader.now += HEARTBEAT / 4
    assert asked == 1 + 5


def test_why_a_bus_can_not_be_had_is_told_as_it_is_and_once() -> None:
    reader = Reader()
    reader.missing = NotThere("There is no bus: switch it on.")
    assert reader.turn() == [Failed("reader pad", "There is no bus: switch it on.", 10.0)]
    assert reader.turn() == []
    reader.missing = None
    assert reader.turn() == [Working("reader pad", "PN532 firmware 1.6", 10.0)]


def test_a_chip_is_reset_at_first_and_when_opening_it_again_did_not_help() -> None:
    reader = Reader()
    reader.turn()
    assert (reader.connects, reader.resets) == (1, 1)
    reader.chip.silent = True
    reader.turn()
    for again in range(1, RESET_AFTER + 2):
        reader.turn()
        assert reader.resets == 1 + max(0, again - RESET_AFTER + 1)
    assert reader.closes == reader.connects, "given back each time, though that fails too"


@pytest.mark.parametrize(("turns", "off"), [("", 1), ("bus", 2)])
def test_the_field_is_switched_off_after_an_empty_poll_only_for_neighbours(turns: str, off: int) -> None:
    reader = Reader(turns)
    reader.turn()
    assert reader.chip.asked.count((0x32, 1, 0)) == off
