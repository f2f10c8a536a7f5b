"""The messages of the buzzer box's line protocol as frozen values; `firmware/protocol.md` says what they mean.

Pure: no port, no clock. Bytes become lines in `LineCutter`, lines become messages in `from_box` and `from_pi`. A line
that is damaged, or of a type not known here, becomes None: the box sends what matters again.
"""

import re
from binascii import crc_hqx

import msgspec

from companion.devices.lamp_cues import Cue

VERSION = 1
KEPT_AT_MOST = 64
"""Presses that the box keeps until they are acknowledged."""

_LONGEST_LINE = 80
_CRC_START = 0xFFFF
_U32 = 2**32 - 1
_U64 = 2**64 - 1
_MOST_BUTTONS = 6
_SAID_BEFORE_1_3 = {Cue.REFUSED: Cue.ERROR, Cue.PLAYING: Cue.OFF, Cue.BREAK: Cue.OFF, Cue.OVER: Cue.OFF}
"""What is said, instead of a cue that it does not know, to a box whose firmware is older."""
_NUMBER = re.compile(rb"0|[1-9][0-9]{0,19}")
_BOOT = re.compile(rb"[0-9A-F]{12}")
_VERSION = re.compile(rb"[!-~]{1,24}")
_BEFORE_1_3 = re.compile(r"(0\.|1\.[0-2](\D|$))")
_CHANNELS = re.compile(rb"[+tc-]{1,6}")
_CONTACT = re.compile(rb"waits|closed|open")
_BEGUN = re.compile(rb"power|reset|watchdog")


class Hello(msgspec.Struct, frozen=True):
    """The box says who it is."""

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
    """Every press before a device time has its number by now."""

    boot: str
    at: int
    last: int
    """The last sequence number given to a press; 0 for none."""


class TimeAnswer(msgspec.Struct, frozen=True):
    """When, in device time, the box received a time question and sent this answer."""

    boot: str
    nonce: int
    received: int
    sent: int


class Tested(msgspec.Struct, frozen=True):
    """The result of the box's self-test."""

    boot: str
    channels: str
    """A letter for each button: + good, t stamped at a wrong time, - not stamped, c its contact is closed."""
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
    """The Pi asks for the port, to install another firmware; the box says that it has gone."""

    boot: str


class AskHello(msgspec.Struct, frozen=True):
    """The Pi asks who is there. The box answers whatever the version is."""

    version: int = VERSION


class Ack(msgspec.Struct, frozen=True):
    """The Pi has every press of this boot up to `seq` on disk."""

    boot: str
    seq: int


class AskTime(msgspec.Struct, frozen=True):
    """The Pi asks for the device time."""

    nonce: int


class Show(msgspec.Struct, frozen=True):
    """The Pi says what a button's lamp shows."""

    button: int
    """0 for the lamp at the centre pad."""
    cue: Cue


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
    """Nanoseconds that were between them: the nearest it can do."""


FromBox = Hello | OtherVersion | Press | Beat | ToldUpTo | TimeAnswer | Tested | Bounces | GivesWay | Touched
FromPi = AskHello | Ack | AskTime | Show | AskTest | AskBounces | GivesWay | Touch


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
            lines[0] = b""  # the end of a line whose beginning was thrown away
            self._too_long = False
        if len(unfinished) > _LONGEST_LINE + 1:
            unfinished = b""
            self._too_long = True
        self._rest = unfinished
        return [line for line in lines if 0 < len(line) <= _LONGEST_LINE]


def encode(message: FromBox | FromPi) -> bytes:
    """Write a message as one line with its checksum and line end. Its fields must be in range."""
    match message:
        case Hello(boot, firmware, buttons, acked):
            body = f"H {VERSION} {boot} {firmware} {buttons} {acked}"
        case OtherVersion(version):
            body = f"H {version}"
        case Press(boot, seq, button, at):
            body = f"P {boot} {seq} {button} {at}"
        case Beat(boot, at, last, refused):
            body = f"B {boot} {at} {last} {refused}"
        case ToldUpTo(boot, at, last):
            body = f"W {boot} {at} {last}"
        case TimeAnswer(boot, nonce, received, sent):
            body = f"T {boot} {nonce} {received} {sent}"
        case Tested(boot, channels, begun, free, python):
            body = f"S {boot} {channels} {begun} {free} {python}"
        case Bounces(boot, nonce, button, contact, edges, settled):
            body = f"C {boot} {nonce} {button} {contact} {edges} {settled}"
        case GivesWay(boot):
            body = f"U {boot}"
        case AskHello(version):
            body = f"H {version}"
        case Ack(boot, seq):
            body = f"A {boot} {seq}"
        case AskTime(nonce):
            body = f"T {nonce}"
        case Show(button, cue):
            body = f"L {button} {cue}"
        case AskTest():
            body = "S"
        case AskBounces(nonce, button):
            body = f"C {nonce} {button}"
        case Touch(nonce, first, gap):
            body = f"G {nonce} {first} {gap}"
        case Touched(boot, nonce, gap):
            body = f"G {boot} {nonce} {gap}"
    written = body.encode("ascii")
    return b"%b *%04X\n" % (written, crc_hqx(written, _CRC_START))


def from_box(line: bytes) -> FromBox | None:
    """Read a line that the box sent. None if it is damaged or of an unknown type."""
    try:
        match _checked(line).split(b" "):
            case [b"H", version, *_] if _number(version, _U32) != VERSION:
                return OtherVersion(_number(version, _U32))
            case [b"H", _, boot, firmware, buttons, acked]:
                words = _text(_VERSION, firmware)
                count = _number(buttons, _MOST_BUTTONS, least=1)
                return Hello(_text(_BOOT, boot), words, count, _number(acked, _U32))
            case [b"P", boot, seq, button, at]:
                number = _number(seq, _U32, least=1)
                which = _number(button, _MOST_BUTTONS, least=1)
                return Press(_text(_BOOT, boot), number, which, _number(at, _U64))
            case [b"B", boot, at, last, refused]:
                counts = _number(last, _U32), _number(refused, _U32)
                return Beat(_text(_BOOT, boot), _number(at, _U64), *counts)
            case [b"W", boot, at, last]:
                return ToldUpTo(_text(_BOOT, boot), _number(at, _U64), _number(last, _U32))
            case [b"T", boot, nonce, received, sent]:
                times = _number(received, _U64), _number(sent, _U64)
                return TimeAnswer(_text(_BOOT, boot), _number(nonce, _U32), *times)
            case [b"S", boot, channels, begun, free, python]:
                found = _text(_CHANNELS, channels), _text(_BEGUN, begun)
                return Tested(_text(_BOOT, boot), *found, _number(free, _U32), _text(_VERSION, python))
            case [b"C", boot, nonce, button, contact, edges, settled]:
                asked = _number(nonce, _U32), _number(button, _MOST_BUTTONS, least=1)
                counts = _number(edges, _U32), _number(settled, _U32)
                return Bounces(_text(_BOOT, boot), *asked, _text(_CONTACT, contact), *counts)
            case [b"U", boot]:
                return GivesWay(_text(_BOOT, boot))
            case [b"G", boot, nonce, gap]:
                return Touched(_text(_BOOT, boot), _number(nonce, _U32), _number(gap, _U32))
    except ValueError:
        pass
    return None


def from_pi(line: bytes) -> FromPi | None:
    """Read a line that the Pi sent. None if it is damaged or of an unknown type."""
    try:
        match _checked(line).split(b" "):
            case [b"H", version]:
                return AskHello(_number(version, _U32))
            case [b"A", boot, seq]:
                return Ack(_text(_BOOT, boot), _number(seq, _U32))
            case [b"T", nonce]:
                return AskTime(_number(nonce, _U32))
            case [b"L", button, cue]:
                return Show(_number(button, _MOST_BUTTONS), Cue(cue.decode("ascii")))
            case [b"S"]:
                return AskTest()
            case [b"C", nonce, button]:
                return AskBounces(_number(nonce, _U32), _number(button, _MOST_BUTTONS, least=1))
            case [b"U", boot]:
                return GivesWay(_text(_BOOT, boot))
            case [b"G", nonce, first, gap]:
                return Touch(_number(nonce, _U32), _number(first, 2, least=1), _number(gap, _U32))
    except ValueError:
        pass
    return None


def cue_for(firmware: str, cue: Cue) -> Cue:
    """Return what to say to a box with this firmware: a cue that it does not know would leave the lamp as it was."""
    return _SAID_BEFORE_1_3.get(cue, cue) if _BEFORE_1_3.match(firmware) else cue


def _checked(line: bytes) -> bytes:
    body, _, crc = line.rpartition(b" *")
    if crc != b"%04X" % crc_hqx(body, _CRC_START):
        raise ValueError("checksum")
    return body


def _number(field: bytes, most: int, *, least: int = 0) -> int:
    # int() alone would also take "+1", "1_0" and "007", and a value would have several texts.
    if not _NUMBER.fullmatch(field) or not least <= int(field) <= most:
        raise ValueError("number")
    return int(field)


def _text(pattern: re.Pattern[bytes], field: bytes) -> str:
    if not pattern.fullmatch(field):
        raise ValueError("text")
    return field.decode("ascii")
