"""The PN532, a chip that reads NFC tags: its commands, on any bus.

A bus module (`pn532_uart`, `pn532_spi`, `pn532_i2c`) makes a `Bus`: how to connect, and what to check when nothing
answers. Chapter numbers (§) are those of UM0701-02, the chip's user manual by NXP.
"""

import importlib
import os
import termios
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Protocol

from msgspec import Struct

from companion.devices.faults import DeviceFault, FaultCode
from companion.devices.sensing import NotThere, Sleep, Tag, TagKind, is_recognisable
from companion.devices.serial_users import NOBODY, Users
from companion.errors import PIP, NotNow
from companion.events import PHONE

ANSWER_WITHIN = 0.5
"""Seconds for the chip's ACK, and again for its answer: far more than it needs with finite retries, because this
program may not be scheduled for a while on a busy computer."""

BREATH = 0.001
"""Seconds of rest before each command: some chips hear nothing for a while after an answer (nfcpy #257, Adafruit-PN532
#117)."""

_BETWEEN_TRIES = 0.05
"""Seconds."""

LOOK_EVERY = 0.0005
"""Seconds between two polls of the chip's ready state, on a bus where it has to be asked."""

SELDOMER = 0.05
"""The next rest as a share of all rests so far: where each poll takes long, many would take seconds, and a slow chip
loses little by it."""

REST_FOR_ACK = 0.03
"""Seconds of rest, summed over polls in vain, after which a command counts as lost, because the chip holds up all
others on its bus. It owes the ACK within 15 ms (§6.2.3). Rests are counted and not time, because on a busy computer
this program may not be scheduled for a while."""
REST_FOR_ANSWER = 0.2
"""The same for an answer."""

ACK = bytes.fromhex("0000FF00FF00")  # §6.2.1.3
_NACK = bytes.fromhex("0000FFFF0000")  # §6.2.1.4: "your last answer again"

_FIRMWARE_VERSION = 0x02, ()  # §7.2.2
_SAM_CONFIGURATION = 0x14, (0x01, 0x14, 0x01)  # §7.2.10: normal mode, 1 s, use IRQ
# §7.3.1, item 5: two activation retries, because a small tag takes a while to wake up. With endless ones, the chip's
# default, it answers whenever a tag comes, even into the middle of the next command.
_RETRIES = 0x32, (0x05, 0xFF, 0x01, 0x02)
_FIELD_OFF = 0x32, (0x01, 0x00)  # §7.3.1, item 1; §7.3.5 switches it on again
# §7.2.9: the chip asks a phone for its ATS by itself. Another program that was killed may have left that switched off.
_ATS_BY_ITSELF = 0x12, (0x14,)
_SERIAL_BAUD_RATE = 0x10
_BAUD_RATES = (9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600, 1288000)
_LIST_TYPE_A = 0x4A  # §7.3.5, with how many at most, and 106 kbit/s ISO 14443 A
_LISTING_LENGTH = 64
"""Bytes of room for an answer to it; see `Connection.room`."""
_PN532 = 0x32  # §7.2.2
_ISO_14443_4 = 0x20  # bit of the SAK: a phone, a bank card, or another small computer
_NFC_DEP = 0x40  # bit of the SAK: a phone in peer-to-peer mode


class ReaderFault(NotNow):
    """The reader failed: no answer, a garbled one, or its connection is lost."""

    code: FaultCode = FaultCode.SILENT


class Garbled(ReaderFault):
    """Its answer is not one of a PN532: noise on the wires, or another chip."""

    code = FaultCode.GARBLED


class Broken(ReaderFault):
    """Its connection is lost."""

    code = FaultCode.GONE


class CutOff(ReaderFault):
    """The way to the reader fails, so a retry would only hold up the other readers."""


class Chip(Protocol):
    """The part of the Adafruit library's `PN532` that is used here."""

    def send_command(self, command: int, params: Sequence[int], timeout: float) -> bool:
        """Send a command; return whether its ACK came within `timeout` seconds."""

    def process_response(self, command: int, response_length: int, timeout: float) -> bytes | bytearray | None:
        """Return the answer; None if it took longer than `timeout` seconds."""

    def _write_data(self, framebytes: bytes) -> None:
        """Send a frame. Each bus has its own: the library has no public way to send a NACK."""


class Connection(Struct, frozen=True):
    """A chip that answered, and how to give its bus back."""

    chip: Chip
    close: Callable[[], None]
    room: int = _LISTING_LENGTH
    """Bytes of room for a listing; small on a bus that always fetches all of them."""
    worked: Callable[[], None] = lambda: None
    """Called after each good poll."""


class Bus(Struct, frozen=True):
    """How to reach one PN532."""

    where: str
    """For people: "/dev/ttyUSB0"."""
    connect: Callable[[int], Connection]
    """Opens the bus and wakes the chip. Its argument is how often the reader failed in a row: on a shared bus it tries
    several times only at first. Raises `NotThere`, or what the library raises if the chip does not answer."""
    advice: str
    """What to check when nothing has answered yet."""
    kind: str
    """What it is: "uart", "spi" or "i2c"."""
    turns: str = ""
    """Readers that name the same bus here are spoken to in turn; "" for a bus of its own."""
    near: str = ""
    """Of these, readers that name the same word here never have their fields on at once; "" disturbs nobody."""
    reset: Callable[[], None] | None = None
    """Pulses the chip's RSTPD_N pin, if it is wired: the surest way to revive a chip that locked up."""
    release: Callable[[], None] = lambda: None
    """Releases resources that are kept between connections, such as pins."""
    port: str = ""
    """The serial port, as table.toml names it; "" on another bus."""
    others: Callable[[], Users] = lambda: NOBODY
    """Returns the other programs that use it."""


def woken(tries: Sequence[Callable[[], Chip]], sleep: Sleep) -> Chip:
    """Return the library's object of a woken chip, by the first of these tries that succeeds.

    A chip's first answer after a program was killed is often an old one (esphome #3281).
    """
    *firsts, last = tries
    for chip in firsts:
        try:
            return chip()
        except (NotThere, CutOff):
            raise
        except Exception:  # whatever `one_fault` would catch
            sleep(_BETWEEN_TRIES)
    return last()


def configure(chip: Chip) -> str:
    """Make the chip ready to be polled and return its name for people. Raises `ReaderFault`."""
    for setting in (_SAM_CONFIGURATION, _RETRIES, _ATS_BY_ITSELF, _FIELD_OFF):  # another program may have changed them
        _ask(chip, *setting)
    return heartbeat(chip)


def tell_speed(chip: Chip, baud: int, sleep: Sleep) -> None:
    """Set the speed of the chip's serial port, in bits a second (§7.2.8). Raises `ReaderFault`."""
    _ask(chip, _SERIAL_BAUD_RATE, (_BAUD_RATES.index(baud),))
    with one_fault():
        chip._write_data(ACK)  # the chip changes its speed only after this ACK
    sleep(_BETWEEN_TRIES)


def heartbeat(chip: Chip) -> str:
    """Return the chip's name for people, "PN532 firmware 1.6". Raises `ReaderFault` if it is not alive (§7.2.2)."""
    answer = _ask(chip, *_FIRMWARE_VERSION, room=4)
    if len(answer) != 4 or answer[0] != _PN532:
        raise Garbled(f"an answer that no PN532 gives ({answer.hex(' ').upper()}): another chip, or a clone")
    return f"PN532 firmware {answer[1]}.{answer[2]}"


def search(chip: Chip, most: int) -> None:
    """Have the chip look for one or two tags, which takes its radio a while. Raises `ReaderFault`."""
    with one_fault():
        _send(chip, _LIST_TYPE_A, (most, 0x00))


def read_tags(chip: Chip, room: int = _LISTING_LENGTH) -> tuple[Tag, ...]:
    """Return the tags that a search found. Raises `ReaderFault`."""
    with one_fault():
        return tags_in(_receive(chip, _LIST_TYPE_A, room))


def same_again(chip: Chip, tags: tuple[Tag, ...], room: int = _LISTING_LENGTH) -> bool:
    """Return whether the chip names the same tags if asked to repeat its last answer (§6.2.1.4).

    Noise may pass for an answer, but not twice for the same one. A repeat needs no second search, which a card tapped
    in haste would miss.
    """
    try:
        with one_fault():
            chip._write_data(_NACK)
            return tags_in(_answer(chip, _LIST_TYPE_A, room)) == tags
    except ReaderFault:
        return False


def darken(chip: Chip) -> None:
    """Switch the field off, as after every poll. Raises `ReaderFault`.

    A tag that stays selected is missed by the next poll; without the field it is deselected, while InRelease (§7.3.11)
    would halt it. It also keeps this antenna quiet while its neighbours are polled.
    """
    _ask(chip, *_FIELD_OFF)


def tags_in(answer: bytes) -> tuple[Tag, ...]:
    """Return the tags in an answer to InListPassiveTarget, type A (§7.3.5). Raises ValueError or IndexError.

    A frame's checksums are short, and may agree by chance, so the content must be consistent too.
    """
    return _tags(answer[0], answer[1:])


def _tags(number: int, listed: bytes) -> tuple[Tag, ...]:
    if not number:
        if listed:
            raise ValueError(f"{len(listed)} bytes beyond the last tag")
        return ()
    sak = listed[3]
    length = listed[4]
    uid = listed[5 : 5 + length]
    remainder = listed[5 + length :]
    if length not in (4, 7, 10) or len(uid) != length:
        raise ValueError(f"no uid of {length} bytes")
    tag = _tag(sak, uid)
    if sak & _ISO_14443_4 and remainder and 0 < remainder[0] <= len(remainder):
        with suppress(ValueError, IndexError):  # it is no ATS, whose first byte is its length
            return tag, *_tags(number - 1, remainder[remainder[0] :])
    return tag, *_tags(number - 1, remainder)


def _tag(sak: int, uid: bytes) -> Tag:
    """Return what a tag is, by its SAK and uid (NXP's AN10833)."""
    number = uid.hex().upper()
    kind = TagKind.STICKER if sak == 0x00 and len(uid) == 7 else TagKind.PASS
    if sak & (_ISO_14443_4 | _NFC_DEP) or not is_recognisable(number, kind):
        return Tag(PHONE, TagKind.PHONE)
    return Tag(number, kind)


def _ask(chip: Chip, command: int, params: Sequence[int], room: int = 0) -> bytes:
    with one_fault():
        _send(chip, command, params)
        return _receive(chip, command, room)


def _send(chip: Chip, command: int, params: Sequence[int]) -> None:
    """Send a command, and repeat it once if no ACK comes (§6.2.3)."""

    def once() -> None:
        if not chip.send_command(command, params, ANSWER_WITHIN):
            raise ReaderFault("no answer")

    try:
        once()
    except CutOff:
        raise
    except Exception:  # whatever `one_fault` would catch
        once()


def _receive(chip: Chip, command: int, room: int) -> bytes:
    """Return the answer; if it comes damaged, ask the chip once to repeat it (§6.2.1.4)."""

    try:
        return _answer(chip, command, room)
    except CutOff:
        raise
    except Exception:
        chip._write_data(_NACK)
        return _answer(chip, command, room)


def _answer(chip: Chip, command: int, room: int) -> bytes:
    answer = chip.process_response(command, room, ANSWER_WITHIN)
    if answer is None:
        raise ReaderFault("no answer")
    return bytes(answer)


def library(bus: str) -> Any:
    """Return the Adafruit library's module for "uart", "spi" or "i2c". Raises `NotThere`."""
    # Imported only here, because a table without such readers needs no such package. It imports Blinka, which would
    # detect the board: on a Raspberry Pi it then requires GPIO software that no reader needs, and on a terminal it
    # offers to run pip.
    os.environ.setdefault("BLINKA_OS_AGNOSTIC", "1")
    os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    try:
        return importlib.import_module(f"adafruit_pn532.{bus}")
    except ImportError as error:
        install = f"{PIP} install 'table-companion[pn532]'"
        says = f"The software for PN532 readers is not installed ({error}). Install it with: {install}"
        raise NotThere(DeviceFault(says, FaultCode.SOFTWARE, {"run": install})) from error


class Patience:
    """Decides how often to poll the chip's ready state. The library would poll every 10 ms, for a second."""

    def __init__(self, sleep: Sleep, pause: float = LOOK_EVERY) -> None:
        """Take the least seconds of rest before a poll."""
        self._sleep = sleep
        self._rest = pause
        self._patience = REST_FOR_ACK

    def renew(self) -> None:
        """Rest before a command, whose ACK is due soon."""
        self._sleep(BREATH)
        self._patience = REST_FOR_ACK

    def wait(self, ready: Callable[[], bool]) -> None:
        """Poll until the chip is ready, less and less often. Raises `ReaderFault` if it stays silent."""
        rested = 0.0
        while rested < self._patience:
            longer_rest = max(self._rest, rested * SELDOMER)
            self._sleep(longer_rest)
            rested += longer_rest
            if ready():
                self._patience = REST_FOR_ANSWER
                return
        raise ReaderFault("no answer")


@contextmanager
def one_fault() -> Iterator[None]:
    """Turn any exception of the library or the bus into a `ReaderFault`."""
    try:
        yield
    except (ReaderFault, NotThere):
        raise
    except (OSError, termios.error) as error:
        raise Broken("connection lost") from error
    except Exception as error:
        # Every exception, on purpose: the library's BusyError has no narrower base, a short frame is an IndexError,
        # a vanished port a TypeError. None of them may end a reader's thread.
        raise Garbled(f"no proper answer ({type(error).__name__})") from error
