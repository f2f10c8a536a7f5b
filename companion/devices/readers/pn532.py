"""The PN532, a chip that reads NFC tags: what to say to it, on any bus.

A bus module (`pn532_uart`, `pn532_spi`, `pn532_i2c`) makes a `Bus`: how to connect, and what to check when nothing
answers. Chapter numbers (§) are those of UM0701-02, the chip's user manual by NXP.
"""

import importlib
import os
import termios
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from msgspec import Struct

from companion.devices.sensing import NotThere, Sleep, Tag, TagKind
from companion.errors import NotNow
from companion.events import PHONE

ANSWER_WITHIN = 0.5
"""Seconds for the chip's ACK, and again for its answer: far more than it needs with finite retries, because a busy
computer may look away for a while."""

LOOK_EVERY = 0.0005
"""Seconds between two looks whether the chip has something to say, where it has to be asked."""

LOOKS_FOR_ACK, LOOKS_FOR_ANSWER = 100, 300
"""Looks in vain, some 0.07 and 0.2 s, after which it counts as dead, for it holds up all others on its bus. Looks and
not time, because a busy computer may look away for a while."""

_SAM_CONFIGURATION = 0x14, (0x01, 0x14, 0x01)  # §7.2.10: normal mode, 1 s, use IRQ
# §7.3.1, item 5: one activation retry. Endless ones (the chip's default) answer whenever a tag comes, into the middle
# of the next command.
_RETRY_ONCE = 0x32, (0x05, 0xFF, 0x01, 0x01)
_FIELD_OFF = 0x32, (0x01, 0x00)  # §7.3.1, item 1; §7.3.5 switches it on again
_LIST_TWO_TYPE_A = 0x4A, (0x02, 0x00)  # §7.3.5: at most two, 106 kbit/s ISO 14443 A
_LISTING_LENGTH = 64
_PN532 = 0x32  # §7.2.2
_ISO_14443_4 = 0x20  # this bit of the SAK: a phone, a bank card, or another small computer
_RANDOM_UID = 0x08  # the first of the four bytes of a uid that is drawn anew each time the field comes on


class ReaderFault(NotNow):
    """The reader did not do what it was asked to: no answer, a garbled one, or its connection is lost."""


class Chip(Protocol):
    """The part of the Adafruit library's `PN532` that is used here."""

    @property
    def firmware_version(self) -> Sequence[int]:
        """IC, version, revision, support (§7.2.2)."""

    def call_function(
        self, command: int, response_length: int, params: Sequence[int], timeout: float
    ) -> bytes | bytearray | None:
        """Send a command and return its answer; None if ACK or answer took longer than `timeout` seconds each."""


class Connection(Struct, frozen=True):
    """A chip that answered, and how to give its bus back."""

    chip: Chip
    close: Callable[[], None]


class Bus(Struct, frozen=True):
    """How to reach one PN532."""

    where: str
    """For people: "/dev/ttyUSB0"."""
    connect: Callable[[], Connection]
    """Opens the bus and wakes the chip. Raises `NotThere`, or what the library raises if the chip does not answer."""
    advice: str
    """What to check when nothing answers."""
    turns: str = ""
    """Readers that name the same bus here take turns on it, with no field but one ever on; "" for a bus of its own."""
    reset: Callable[[], None] | None = None
    """Pulses the chip's RSTPD_N pin, where it is wired: the surest cure of a chip that locked up."""
    release: Callable[[], None] = lambda: None
    """Give back what was kept between connections, such as pins."""


def configure(chip: Chip) -> str:
    """Make the chip ready to be polled and return its name for people. Raises `ReaderFault`."""
    _ask(chip, *_SAM_CONFIGURATION)
    _ask(chip, *_RETRY_ONCE)
    _ask(chip, *_FIELD_OFF)  # whatever it did before
    return heartbeat(chip)


def heartbeat(chip: Chip) -> str:
    """Return the chip's name for people, "PN532 firmware 1.6". Raises `ReaderFault` if it is not alive (§7.2.2)."""
    with one_fault():
        kind, version, revision, _ = chip.firmware_version
        if kind != _PN532:
            raise ReaderFault(f"the chip says it is a PN5{kind:02X}")
        return f"PN532 firmware {version}.{revision}"


def poll(chip: Chip) -> tuple[Tag, ...]:
    """Return the tags in the field, at most two. Raises `ReaderFault`."""
    answer = _ask(chip, *_LIST_TWO_TYPE_A, room=_LISTING_LENGTH)
    with one_fault():
        return tags_in(answer)


def rest(chip: Chip) -> None:
    """Switch the field off, after every poll that saw a tag or that neighbours wait for. Raises `ReaderFault`.

    A tag left selected misses the next poll. Without the field it forgets that it was selected; InRelease (§7.3.11)
    would halt it instead. It also keeps this antenna quiet while the neighbours are polled.
    """
    _ask(chip, *_FIELD_OFF)


def tags_in(answer: bytes) -> tuple[Tag, ...]:
    """Return the tags in an answer to InListPassiveTarget, type A (§7.3.5). Raises ValueError or IndexError.

    The sums of a frame are short, and may agree by chance: so what it says must come out even, too.
    """
    tags, rest = [], answer[1:]
    for _ in range(answer[0]):
        sak, length = rest[3], rest[4]
        uid, rest = rest[5 : 5 + length], rest[5 + length :]
        if length not in (4, 7, 10) or len(uid) != length:
            raise ValueError(f"no uid of {length} bytes")
        if sak & _ISO_14443_4:
            rest = rest[rest[0] :]  # its ATS follows, with its own length first
        tags.append(_tag(sak, uid))
    if rest:
        raise ValueError(f"{len(rest)} bytes beyond the last tag")
    return tuple(tags)


def _tag(sak: int, uid: bytes) -> Tag:
    """Return by its SAK and uid what a tag is (NXP's AN10833; ISO 14443-3 for random uids)."""
    if sak & _ISO_14443_4 or (len(uid) == 4 and uid[0] == _RANDOM_UID):
        return Tag(PHONE, TagKind.PHONE)
    ntag = sak == 0x00 and len(uid) == 7
    return Tag(uid.hex().upper(), TagKind.STICKER if ntag else TagKind.PASS)


def _ask(chip: Chip, command: int, params: Sequence[int], room: int = 0) -> bytes:
    with one_fault():
        answer = chip.call_function(command, room, params, ANSWER_WITHIN)
    if answer is None:
        raise ReaderFault("no answer")
    return bytes(answer)


def library(bus: str) -> Any:
    """Return the Adafruit library's module for "uart", "spi" or "i2c". Raises `NotThere`."""
    # Imported only here: a table without such readers needs no such package. It brings Blinka, which would look what
    # board this is: on a Raspberry Pi it then wants GPIO software that no reader needs, on a terminal it offers to run
    # pip by itself.
    os.environ.setdefault("BLINKA_OS_AGNOSTIC", "1")
    os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    try:
        return importlib.import_module(f"adafruit_pn532.{bus}")
    except ImportError as error:
        raise NotThere(
            f"The software for PN532 readers is not installed ({error}). "
            "Install it with: pip install 'table-companion[pn532]'"
        ) from error


class Patience:
    """How often to look whether the chip has something to say. The library would look every 10 ms, for a second."""

    def __init__(self, sleep: Sleep) -> None:
        self._sleep = sleep
        self._looks = LOOKS_FOR_ACK

    def renew(self) -> None:
        """Begin again with a command that was sent: its ACK comes first, and at once."""
        self._looks = LOOKS_FOR_ACK

    def wait(self, ready: Callable[[], bool]) -> None:
        """Look until the chip is ready. Raises `ReaderFault` if it stays silent."""
        for _ in range(self._looks):
            if ready():
                self._looks = LOOKS_FOR_ANSWER
                return
            self._sleep(LOOK_EVERY)
        raise ReaderFault("no answer")


@contextmanager
def one_fault() -> Iterator[None]:
    """Turn whatever the library and the bus raise into `ReaderFault`."""
    try:
        yield
    except (ReaderFault, NotThere):
        raise
    except (OSError, termios.error) as error:
        raise ReaderFault("connection lost") from error
    except Exception as error:
        # Deliberately everything: the library's BusyError derives from nothing narrower, a short frame is an
        # IndexError, a vanished port a TypeError. None of them may end a reader's thread.
        raise ReaderFault(f"no proper answer ({type(error).__name__})") from error
