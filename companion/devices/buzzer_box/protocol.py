"""The messages of the buzzer box's line protocol as frozen values; `firmware/protocol.md` defines them.

Pure: no port, no clock. `LineCutter` cuts bytes into lines; `from_box` and `from_pi` decode lines by the tables at the
end. A line that is damaged or of an unknown type becomes None: what matters is sent again.
"""

import re
from binascii import crc_hqx
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from companion.devices.lamp_cues import Counted, Cue, Light

VERSION = 1
KEPT_AT_MOST = 64
"""Presses that the box keeps until they are acknowledged."""

_LONGEST_LINE = 80
_CRC_START = 0xFFFF
_U32 = 2**32 - 1
_U64 = 2**64 - 1
_MOST_BUTTONS = 6
_SAID_BEFORE_1_3 = {Cue.REFUSED: Cue.ERROR, Cue.PLAYING: Cue.OFF, Cue.BREAK: Cue.OFF, Cue.OVER: Cue.OFF}
"""Cues that firmware before 1.3 does not know, and what is sent to it instead."""
_NUMBER = re.compile(r"0|[1-9][0-9]{0,19}")
_BOOT = re.compile(r"[0-9A-F]{12}")
_VERSION = re.compile(r"[!-~]{1,24}")
_BEFORE_1_3 = re.compile(r"(0\.|1\.[0-2](\D|$))")
_BEFORE_1_4 = re.compile(r"(0\.|1\.[0-3](\D|$))")
_CHANNELS = re.compile(r"[+tc-]{1,6}")
_CONTACT = re.compile(r"waits|closed|open")
_BEGUN = re.compile(r"power|reset|watchdog")

_Line = tuple[type[msgspec.Struct], tuple[Callable[[str], Any], ...]]


class Hello(msgspec.Struct, frozen=True):
    """The box introduces itself."""

    boot: str
    """Twelve hexadecimal digits, drawn at random at every power-up."""
    firmware: str
    buttons: int
    acked: int
    """The last sequence number of this boot that was ever acknowledged; 0 for none."""


class OtherVersion(msgspec.Struct, frozen=True):
    """A hello in an unsupported version of the protocol."""

    version: int


class Press(msgspec.Struct, frozen=True):
    """A button closed."""

    boot: str
    seq: int
    button: int
    at: int
    """Device time: microseconds since the box started."""


class Beat(msgspec.Struct, frozen=True):
    """The heartbeat."""

    boot: str
    at: int
    last: int
    """The last sequence number given to a press; 0 for none."""
    refused: int
    """Presses of this boot that found the box's memory full."""


class ToldUpTo(msgspec.Struct, frozen=True):
    """Every press before a device time has got its number."""

    boot: str
    at: int
    last: int
    """The last sequence number given to a press; 0 for none."""


class TimeAnswer(msgspec.Struct, frozen=True):
    """The device times at which the box received a time question and sent this answer."""

    boot: str
    nonce: int
    received: int
    sent: int


class Tested(msgspec.Struct, frozen=True):
    """The result of the box's self-test."""

    boot: str
    channels: str
    """A letter for each button: + good, t stamped at a wrong time, - not stamped, c contact closed."""
    begun: str
    """Why this boot began: power, reset or watchdog."""
    free: int
    """Bytes of memory."""
    python: str
    """The version of the MicroPython that the firmware runs on."""


class Bounces(msgspec.Struct, frozen=True):
    """The progress of a recording of a contact, or its result."""

    boot: str
    nonce: int
    button: int
    contact: str
    """waits: not pressed yet; closed or open: what it was 30 ms after it first closed."""
    edges: int
    """How many followed the first closing within those 30 ms; 0 if it did not bounce."""
    settled: int
    """Microseconds from the first closing to the last; 0 if there was no other."""


class GivesWay(msgspec.Struct, frozen=True):
    """The Pi asks for the port, to install another firmware; the box answers with the same and leaves it."""

    boot: str


class AskHello(msgspec.Struct, frozen=True):
    """The Pi asks for a hello. The box answers whatever the version is."""

    version: int = VERSION


class Ack(msgspec.Struct, frozen=True):
    """The Pi has every press of this boot up to `seq` on disk."""

    boot: str
    seq: int


class AskTime(msgspec.Struct, frozen=True):
    """The Pi asks for the device time."""

    nonce: int


class Show(msgspec.Struct, frozen=True):
    """The Pi sets the cue of a button's lamp."""

    button: int
    """0 for the lamp at the centre pad."""
    cue: Cue


class ShowCounted(msgspec.Struct, frozen=True):
    """The Pi says that the table waits for a button's seat, of whose cards so many have counted."""

    button: int
    cards: int
    """From 1."""


class AskTest(msgspec.Struct, frozen=True):
    """The Pi asks the box to test itself."""


class AskBounces(msgspec.Struct, frozen=True):
    """The Pi asks how a contact bounces at its next press; the same nonce repeats the question."""

    nonce: int
    button: int


class Touch(msgspec.Struct, frozen=True):
    """The Pi asks a finger to press two ports; the same nonce asks whether it is done."""

    nonce: int
    first: int
    """Which of its two wires presses first."""
    gap: int
    """Nanoseconds until the other does."""


class Touched(msgspec.Struct, frozen=True):
    """The finger has pressed both."""

    boot: str
    nonce: int
    gap: int
    """Actual gap in nanoseconds, the closest the finger could produce."""


FromBox = Hello | OtherVersion | Press | Beat | ToldUpTo | TimeAnswer | Tested | Bounces | GivesWay | Touched
LampMessage = Show | ShowCounted
FromPi = AskHello | Ack | AskTime | LampMessage | AskTest | AskBounces | GivesWay | Touch


class LineCutter:
    """Cuts received bytes into lines; holds one unfinished line, of bounded length."""

    def __init__(self) -> None:
        self._rest = b""
        self._too_long = False

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that these bytes complete, without their line ends."""
        *complete, unfinished = (self._rest + data).split(b"\n")
        lines = [line.removesuffix(b"\r") for line in complete]
        if complete and self._too_long:
            lines[0] = b""  # the end of a line that was too long
            self._too_long = False
        if len(unfinished) > _LONGEST_LINE + 1:
            unfinished = b""
            self._too_long = True
        self._rest = unfinished
        return [line for line in lines if 0 < len(line) <= _LONGEST_LINE]


def encode(message: FromBox | FromPi) -> bytes:
    """Write a message as one line with its checksum and line end. Its fields must be in range."""
    fields = msgspec.structs.astuple(message)
    if isinstance(message, Hello):
        fields = (VERSION, *fields)
    body = " ".join([_LETTERS[type(message)], *map(str, fields)]).encode("ascii")
    return b"%b *%04X\n" % (body, crc_hqx(body, _CRC_START))


def from_box(line: bytes) -> FromBox | None:
    """Read a line that the box sent. None if it is damaged or of an unknown type."""
    try:
        letter, *fields = _checked(line).decode("ascii").split(" ")
        if letter != "H":
            message: FromBox = _decoded(_FROM_BOX, letter, fields)
            return message
        # The version is read first, so that a box with another one is recognised however the rest of its hello looks.
        version = _number(fields.pop(0), _U32)
        return _decoded(_FROM_BOX, letter, fields) if version == VERSION else OtherVersion(version)
    except (ValueError, LookupError):
        return None


def from_pi(line: bytes) -> FromPi | None:
    """Read a line that the Pi sent. None if it is damaged or of an unknown type."""
    try:
        letter, *fields = _checked(line).decode("ascii").split(" ")
        message: FromPi = _decoded(_FROM_PI, letter, fields)
    except (ValueError, LookupError):
        return None
    return message


def lamp_message(firmware: str, button: int, light: Light) -> LampMessage:
    """Return the message for a box with this firmware, which would ignore one that it does not know."""
    if isinstance(light, Counted):
        is_unknown = _BEFORE_1_4.match(firmware) is not None
        return Show(button, Cue.WAITING) if is_unknown else ShowCounted(button, light.cards)
    return Show(button, _SAID_BEFORE_1_3.get(light, light) if _BEFORE_1_3.match(firmware) else light)


def _checked(line: bytes) -> bytes:
    body, _, crc = line.rpartition(b" *")
    if crc != b"%04X" % crc_hqx(body, _CRC_START):
        raise ValueError("checksum")
    return body


def _decoded(lines: Mapping[str, _Line], letter: str, fields: Sequence[str]) -> Any:
    """Read the fields of a line as this table says. Raises ValueError, and LookupError for an unknown letter."""
    kind, readers = lines[letter]
    return kind(*(read(field) for read, field in zip(readers, fields, strict=True)))


def _number(field: str, most: int, least: int = 0) -> int:
    # int() alone also accepts "+1", "1_0" and "007", and a value would have several spellings.
    if not _NUMBER.fullmatch(field) or not least <= int(field) <= most:
        raise ValueError("number")
    return int(field)


def _text(field: str, pattern: re.Pattern[str]) -> str:
    if not pattern.fullmatch(field):
        raise ValueError("text")
    return field


_u32 = partial(_number, most=_U32)
_device_time = partial(_number, most=_U64)
_at_least_one = partial(_number, most=_U32, least=1)
_button = partial(_number, most=_MOST_BUTTONS, least=1)
_lamp = partial(_number, most=_MOST_BUTTONS)
_wire = partial(_number, most=2, least=1)
_boot = partial(_text, pattern=_BOOT)
_version = partial(_text, pattern=_VERSION)

_FROM_BOX: Mapping[str, _Line] = {
    "H": (Hello, (_boot, _version, _button, _u32)),
    "P": (Press, (_boot, _at_least_one, _button, _device_time)),
    "B": (Beat, (_boot, _device_time, _u32, _u32)),
    "W": (ToldUpTo, (_boot, _device_time, _u32)),
    "T": (TimeAnswer, (_boot, _u32, _device_time, _device_time)),
    "S": (Tested, (_boot, partial(_text, pattern=_CHANNELS), partial(_text, pattern=_BEGUN), _u32, _version)),
    "C": (Bounces, (_boot, _u32, _button, partial(_text, pattern=_CONTACT), _u32, _u32)),
    "U": (GivesWay, (_boot,)),
    "G": (Touched, (_boot, _u32, _u32)),
}
"""The lines of the box: by first letter, the message, and how each of its fields is read, in order. The version, which
comes first in a hello, is no field of the message."""
_FROM_PI: Mapping[str, _Line] = {
    "H": (AskHello, (_u32,)),
    "A": (Ack, (_boot, _u32)),
    "T": (AskTime, (_u32,)),
    "L": (Show, (_lamp, Cue)),
    "N": (ShowCounted, (_button, _at_least_one)),
    "S": (AskTest, ()),
    "C": (AskBounces, (_u32, _button)),
    "U": (GivesWay, (_boot,)),
    "G": (Touch, (_u32, _wire, _u32)),
}
"""The Pi's lines, in the same form."""
_LETTERS: Mapping[type, str] = {
    OtherVersion: "H",
    **{kind: letter for lines in (_FROM_BOX, _FROM_PI) for letter, (kind, _) in lines.items()},
}
