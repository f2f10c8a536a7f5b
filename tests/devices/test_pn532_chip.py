"""What a PN532 answers, on no bus in particular: which tags it saw, and whether it is alive."""

import errno
import termios
from collections.abc import Sequence

import pytest
import serial

from companion.devices.faults import DeviceFault, FaultCode
from companion.devices.readers.pn532 import Bus, Connection, ReaderFault, configure, heartbeat, search, tags_in
from companion.devices.readers.source import CARDLESS, HEARTBEAT, RESET_EVERY, ReaderSource
from companion.devices.sensing import Failed, NotThere, Sensing, Tag, TagKind, Working
from companion.events import PHONE


@pytest.mark.parametrize(
    ("listing", "tag"),
    [
        ("0044 00 07 04A1B2C3D4E5F6", Tag("04A1B2C3D4E5F6", TagKind.STICKER)),
        ("0004 08 04 01020304", Tag("01020304", TagKind.PASS)),
        ("0004 09 04 01020304", Tag("01020304", TagKind.PASS)),
        ("0002 18 04 01020304", Tag("01020304", TagKind.PASS)),
        ("0044 08 07 04A1B2C3D4E5F6", Tag("04A1B2C3D4E5F6", TagKind.PASS)),
        ("0044 00 0A 04A1B2C3D4E5F6070809", Tag("04A1B2C3D4E5F6070809", TagKind.PASS)),
        ("0004 20 04 01020304 05 75778102", Tag(PHONE, TagKind.PHONE)),
        ("0344 20 07 04A1B2C3D4E5F6 05 75778102", Tag(PHONE, TagKind.PHONE)),
        ("0004 28 04 01020304 05 75778102", Tag(PHONE, TagKind.PHONE)),
        ("0344 20 07 04A1B2C3D4E5F6", Tag(PHONE, TagKind.PHONE)),  # where nobody asked it for its ATS
        ("0344 40 07 04A1B2C3D4E5F6", Tag(PHONE, TagKind.PHONE)),
        ("0004 00 04 08ABCDEF", Tag(PHONE, TagKind.PHONE)),
        ("0004 08 04 00000000", Tag(PHONE, TagKind.PHONE)),
        ("0044 00 07 FFFFFFFFFFFFFF", Tag(PHONE, TagKind.PHONE)),
    ],
)
def test_a_sticker_a_pass_and_a_phone_are_told_apart(listing: str, tag: Tag) -> None:
    assert tags_in(bytes.fromhex("01 01" + listing)) == (tag,)


@pytest.mark.parametrize("ats", ["06 7577810280", ""])
def test_a_phone_among_the_tags_does_not_hide_the_other(ats: str) -> None:
    listing = f"02 01 0004 20 04 08AABBCC {ats} 02 0044 00 07 04A1B2C3D4E5F6"
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


FIRMWARE = bytes((0x32, 1, 6, 7))


class Played:
    """A chip whose polls look fine, and empty unless told otherwise, whatever else is wrong with it."""

    def __init__(self) -> None:
        self.listing = b"\0"
        self.firmware = FIRMWARE
        self.silent = False
        self.raises: Exception | None = None
        self.asked: list[tuple[int, ...]] = []

    def send_command(self, command: int, params: Sequence[int], timeout: float) -> bool:
        if self.raises:
            raise self.raises
        self.asked.append((command, *params))
        return not self.silent

    def process_response(self, command: int, response_length: int, timeout: float) -> bytes | None:
        return self.firmware if command == 0x02 else self.listing

    def _write_data(self, framebytes: bytes) -> None:
        pass


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
        search(chip, 2)


def test_a_chip_that_says_nothing_is_a_fault() -> None:
    chip = Played()
    chip.silent = True
    with pytest.raises(ReaderFault, match="no answer"):
        search(chip, 2)


@pytest.mark.parametrize(
    "firmware",
    [
        pytest.param("33 02 08 07", id="a PN533"),
        pytest.param("", id="the answer to another command"),
        pytest.param("00 00 00 00", id="nothing it knows of itself"),
    ],
)
def test_another_chip_and_a_clone_are_called_so(firmware: str) -> None:
    chip = Played()
    chip.firmware = bytes.fromhex(firmware)
    with pytest.raises(ReaderFault, match=f"no PN532 gives .{firmware}.: another chip, or a clone"):
        heartbeat(chip)


def test_a_chip_is_made_ready_with_finite_retries_and_its_field_off() -> None:
    chip = Played()
    assert configure(chip) == "PN532 firmware 1.6"
    assert chip.asked == [(0x14, 1, 0x14, 1), (0x32, 5, 0xFF, 1, 2), (0x12, 0x14), (0x32, 1, 0), (0x02,)]


class Reader:
    """A reader with a chip that a test plays, in a time that the test sets."""

    def __init__(self) -> None:
        self.now, self.chip = 10.0, Played()
        self.told: list[Sensing] = []
        self.connects = self.closes = self.resets = 0
        self.missing: NotThere | None = None
        bus = Bus("here", self.connect, "Look.", "uart", reset=self.reset)
        self.source = ReaderSource("pad", bus, lambda: self.now, self.sleep)

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def connect(self, _: int) -> Connection:
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
    reader.chip.firmware = b""
    reader.now += HEARTBEAT - 0.01
    assert reader.turn() == []
    reader.now += 0.01
    [failed] = reader.turn()
    assert isinstance(failed, Failed)
    assert "another chip, or a clone. Check the wires" in failed.fault.says


def test_a_chip_that_lives_is_asked_once_a_second_and_made_ready_anew_after_a_minute_without_a_card() -> None:
    reader = Reader()
    reader.turn()
    begun = len(reader.chip.asked)
    for _ in range(round(4 * CARDLESS / HEARTBEAT) + 4):
        reader.now += HEARTBEAT / 4
        reader.turn()
    commands = reader.chip.asked[begun:]
    assert commands.count((0x02,)) in (CARDLESS / HEARTBEAT, CARDLESS / HEARTBEAT + 1)
    assert commands.count((0x14, 1, 0x14, 1)) == 1


def test_why_a_bus_can_not_be_had_is_told_as_it_is_and_once() -> None:
    reader = Reader()
    reader.missing = NotThere("There is no bus: switch it on.")
    facts = {"where": "here", "bus": "uart", "programs": ""}
    fault = DeviceFault("There is no bus: switch it on.", FaultCode.OTHER, facts)
    assert reader.turn() == [Failed("reader pad", fault, 10.0)]
    assert reader.turn() == []
    reader.missing = None
    assert reader.turn() == [Working("reader pad", "PN532 firmware 1.6", reader.now)]


def test_a_chip_is_reset_when_opening_it_again_did_not_help_and_not_each_time() -> None:
    reader = Reader()
    reader.turn()
    reader.chip.silent = True
    for failures in range(1, 9):
        reader.turn()
        assert reader.resets == failures // RESET_EVERY
    assert reader.closes == reader.connects, "given back each time, though that fails too"


def test_the_field_is_off_after_every_poll_and_where_a_card_may_lie_for_5_ms_before_the_next() -> None:
    reader = Reader()
    reader.turn()
    reader.turn()
    for listing, rests in (("00", 0), ("01 01 0044 00 07 04A1B2C3D4E5F6", 2), ("00", 3)):
        reader.chip.listing = bytes.fromhex(listing)
        begun = len(reader.chip.asked), reader.now
        for _ in range(3):
            reader.turn()
        assert [command[0] for command in reader.chip.asked[begun[0] :]] == [0x4A, 0x32] * 3
        assert reader.chip.asked[-1] == (0x32, 1, 0)
        assert reader.now - begun[1] == pytest.approx(rests * 0.005)
