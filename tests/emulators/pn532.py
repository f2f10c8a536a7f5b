"""A PN532 that does not exist: what the chip answers.

Written from UM0701-02. A face for a bus derives from `Chip`, feeds `hear` and `idle`, and carries the replies;
`AskedChip` does so for the buses on which the host asks for them (`pn532_spi`, `pn532_i2c`); `pn532_pty` is a
serial port.
The tests' own thread calls `put`, `take` and the faults while the face's thread serves the bus.
"""

import random
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from tests.emulators.quirks import Quirks
from tests.waiting import PATIENCE

ACK = bytes.fromhex("0000FF00FF00")
NACK = bytes.fromhex("0000FFFF0000")
ERROR = bytes.fromhex("0000FF01FF7F8100")
ENDLESS = 0xFF
BAUDS = (9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600, 1288000)


def frame(payload: bytes) -> bytes:
    """Packs a command or an answer into a normal information frame (§6.2.1.1)."""
    length = len(payload)
    head = bytes((0x00, 0x00, 0xFF, length, -length & 0xFF))
    return head + payload + bytes((-sum(payload) & 0xFF, 0x00))


def take_frame(heard: bytes) -> tuple[bytes | None, bytes]:
    """Gives the first payload in what was heard, and what follows it; None while no frame is whole.

    A frame with a wrong checksum is passed over in silence, as the chip does. An ACK from the host has no payload.
    """
    while (start := heard.find(b"\x00\xff")) >= 0 and len(heard) >= start + 4:
        length, check = heard[start + 2 : start + 4]
        body = heard[start + 4 :]
        if (length, check) == (0x00, 0xFF):
            return b"", body
        if (length + check) & 0xFF:
            heard = body
            continue
        if len(body) < length + 1:
            break
        if not sum(body[: length + 1]) & 0xFF:
            return body[:length], body[length + 1 :]
        heard = body[length + 1 :]
    return None, heard


def unspoilt(data: bytes) -> bytes:
    """What a good wire makes of bytes."""
    return data


def _unseen(tags: tuple[str, ...]) -> None:
    pass


class Reply(NamedTuple):
    """Bytes for the host, and the seconds the chip works before it sends them."""

    after: float
    data: bytes


class Chip:
    """The chip and the tags in its field, on no bus in particular."""

    def __init__(self, *, radio: float = 0.005, quirks: Quirks | None = None) -> None:
        """Takes the seconds that looking for tags keeps the radio busy at each poll, or all that it is like."""
        self.be(quirks or Quirks(radio=(radio, radio)))
        self.silent = False
        """While True, the chip answers nothing: no power, a broken wire."""
        self.kind = 0x32
        """The chip: 0x33 is a PN533."""
        self.told_baud = 0
        """The speed that it takes after the next ACK from the host."""
        self.firmware = bytes((0x01, 0x06, 0x07))
        self.polls = 0
        """InListPassiveTarget commands answered so far."""
        self.neighbours: list[Chip] = []
        """Chips whose antennas lie close by."""
        self.disturbed = 0
        """Polls so far while a neighbour's field was on."""
        self.looked: Callable[[tuple[str, ...]], object] = _unseen
        """Is told which tags each poll found."""
        self.to_host: Callable[[bytes], bytes] = unspoilt
        self.to_chip: Callable[[bytes], bytes] = unspoilt
        """What the wires make of each reply and of what the host sends; of b"" nothing arrives."""
        self._tags: dict[str, bytes] = {}
        self._hand = threading.Lock()
        """What is laid or lifted just while the field goes off, and phones draw anew, stays so."""
        self._corrupt = self._garbled = self._late = self._lost = self._missed = 0
        self._lateness = 0.0
        self._locked: str | None = None
        self._power_up()

    def be(self, quirks: Quirks) -> None:
        """Makes it like this from now on."""
        self.quirks = quirks
        self.chance = random.Random(quirks.seed)

    def _power_up(self) -> None:
        self._awake = False
        self._heard = b""
        self._retries = ENDLESS
        self._selected: set[str] = set()
        self._searching = 0
        self._last = b""
        self._ready_at = 0.0
        self._hears_from = 0.0
        self.baud = 115200
        self.field = False
        """Whether its field is on."""

    # What lies in the field

    def put(self, uid: str, *, ats: bytes = b"") -> None:
        """Lays a tag into the field; one with an ATS answers like a phone or bank card (ISO 14443-4).

        A phone's uid, four bytes that begin with 08, is another one each time the field comes on.
        """
        with self._hand:
            self._tags = {**self._tags, uid.upper(): ats}

    @property
    def lies(self) -> tuple[str, ...]:
        """The tags in its field."""
        return tuple(self._tags)

    def take(self, uid: str) -> None:
        """Takes one tag away."""
        with self._hand:
            self._tags = {tag: ats for tag, ats in self._tags.items() if tag != uid.upper()}

    def clear(self) -> None:
        """Takes all tags away."""
        with self._hand:
            self._tags = {}

    def swap(self, uid: str) -> None:
        """Puts this tag in the place of all others between two polls."""
        with self._hand:
            self._tags = {uid.upper(): b""}

    # What can go wrong

    def miss(self, polls: int) -> None:
        """The next polls see no tag, whatever lies there."""
        self._missed = polls

    def corrupt(self, answers: int = 1) -> None:
        """The next answers get a wrong checksum."""
        self._corrupt = answers

    def garble(self, acks: int = 1) -> None:
        """The next ACKs are NACKs."""
        self._garbled = acks

    def lose(self, commands: int = 1) -> None:
        """The next commands get no ACK and no answer."""
        self._lost = commands

    def delay(self, seconds: float, answers: int = 1) -> None:
        """The next answers come this much late, even into the middle of another command."""
        self._lateness = seconds
        self._late = answers

    def lock_up(self, *, hard: bool = False) -> None:
        """The chip hangs: until it is woken again, or, if `hard`, until its reset pin is pulsed."""
        self._locked = "hard" if hard else "soft"

    def reset(self) -> None:
        """Pulses the reset pin, RSTPD_N."""
        self._locked = None
        self._power_up()
        self._hears_from = time.monotonic() + self.quirks.boot

    def wake(self) -> None:
        """Wakes the chip up, as its bus does it; cures all but a hard lock-up."""
        if self._locked != "hard":
            self._awake = True
            self._locked = None

    def cut_power(self) -> None:
        """Takes the chip's power away."""
        self.silent = True
        self.field = False

    def restore_power(self) -> None:
        """Gives it back; the chip begins anew."""
        self.reset()
        self.silent = False

    # What tests wait for

    def wait_polls(self, more: int, timeout: float = PATIENCE) -> None:
        """Returns after this many more polls have been answered; TimeoutError if they are not."""
        goal = self.polls + more
        deadline = time.monotonic() + timeout
        while self.polls < goal:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{goal - self.polls} of {more} polls missing")
            time.sleep(0.002)

    # What a bus carries

    def hear(self, data: bytes) -> list[Reply]:
        """Takes bytes from the host; gives what the chip replies, in order."""
        if time.monotonic() >= self._hears_from:
            self._heard += self.to_chip(data)
        if b"\x55\x55" in self._heard:
            self.wake()
            self._heard = self._heard.rpartition(b"\x55\x55")[2]
        replies: list[Reply] = []
        if NACK in self._heard and self._awake and not self._locked and not self.silent:
            self._heard = self._heard.replace(NACK, b"")
            if time.monotonic() >= self._ready_at:
                replies += self._carried(self._answer(self._last))
        while True:
            payload, self._heard = take_frame(self._heard)
            if payload is None:
                return replies
            if payload == b"" and self.told_baud:
                self.baud = self.told_baud
                self.told_baud = 0
            self._searching = 0  # any command, and a bare ACK, ends the one before it
            if payload and (self._lost or self.chance.random() < self.quirks.lost):
                self._lost = max(0, self._lost - 1)
            elif payload and self._awake and not self._locked and not self.silent:
                replies += self._carried([self._ack(), *self._obey(payload)])

    def idle(self) -> list[Reply]:
        """To be called every now and then: an endless search answers as soon as there is a tag."""
        if self._searching and self._tags and not self._locked and not self.silent:
            most = self._searching
            self._searching = 0
            return self._carried(self._listing(most))
        return []

    def _carried(self, replies: list[Reply]) -> list[Reply]:
        zeros = bytes(self.quirks.zeros)
        return [Reply(delay, zeros + heard) for delay, data in replies if (heard := self.to_host(data))]

    def _ack(self) -> Reply:
        if self._garbled:
            self._garbled -= 1
            return Reply(0.0, NACK)
        return Reply(0.0, ACK)

    def _obey(self, payload: bytes) -> list[Reply]:
        match tuple(payload):
            case 0xD4, 0x02:  # GetFirmwareVersion
                return self._answer(bytes((0xD5, 0x03, self.kind)) + self.firmware)
            case 0xD4, 0x10, code if code < len(BAUDS):  # SetSerialBaudRate
                self.told_baud = BAUDS[code]
                return self._answer(b"\xd5\x11")
            case 0xD4, 0x12, _:  # SetParameters
                return self._answer(b"\xd5\x13")
            case 0xD4, 0x14, 1 | 2 | 3 | 4, *_:  # SAMConfiguration
                return self._answer(b"\xd5\x15")
            case 0xD4, 0x32, 0x01, field:  # RFConfiguration: a tag without field forgets it was selected
                self.field = bool(field & 1)
                if not self.field:
                    self._selected = set()
                    with self._hand:
                        self._tags = {_drawn_anew(tag, ats): ats for tag, ats in self._tags.items()}
                return self._answer(b"\xd5\x33")
            case 0xD4, 0x32, 0x05, _, _, retries:
                self._retries = retries
                return self._answer(b"\xd5\x33")
            case 0xD4, 0x32, *_:
                return self._answer(b"\xd5\x33")
            case 0xD4, 0x4A, (1 | 2) as most, 0x00, *_:  # InListPassiveTarget, type A
                self.field = True
                self.disturbed += any(other.field for other in self.neighbours)
                if self._retries == ENDLESS and not self._tags:
                    self._searching = most
                    return []
                return self._listing(most)
            case 0xD4, 0x44 | 0x52, _:  # InDeselect, InRelease
                self._selected = set()
                return self._answer(bytes((0xD5, payload[1] + 1, 0x00)))
            case _:
                return [Reply(0.0, ERROR)]

    def _listing(self, most: int) -> list[Reply]:
        self.polls += 1
        lying = self._tags
        tags = list[str]()
        if self._missed:
            self._missed -= 1
        else:
            # A tag still selected takes the request as an error and falls back to idle: it is found the time after.
            # Seen with 7-byte uids only.
            tags = [tag for tag in lying if tag not in self._selected or len(tag) != 14]
            tags = [tag for tag in tags if self.chance.random() >= self.quirks.unread]
        if len(tags) > 1:
            tags = {"both": tags[:most], "first": tags[:1], "in turn": tags[self.polls % 2 :][:1], "none": []}[
                self.quirks.two
            ]
        self._selected = set(tags)
        self.looked(tuple(tags))
        targets = b"".join(_target(n, tag, lying[tag]) for n, tag in enumerate(tags, start=1))
        return self._answer(bytes((0xD5, 0x4B, len(tags))) + targets, self.chance.uniform(*self.quirks.radio))

    def _answer(self, payload: bytes, delay: float = 0.0) -> list[Reply]:
        data = frame(payload)
        self._last = payload
        if self._corrupt or self.chance.random() < self.quirks.damaged:
            self._corrupt = max(0, self._corrupt - 1)
            data = data[:-2] + bytes((data[-2] ^ 0x5A, 0x00))
        if self._late:
            self._late -= 1
            delay += self._lateness
        self._ready_at = time.monotonic() + delay
        if self.quirks.deaf:
            self._hears_from = self._ready_at + self.quirks.deaf
        return [Reply(delay, data)]


def _target(number: int, tag: str, ats: bytes) -> bytes:
    """One target's data (§7.3.5): number, ATQA, SAK, uid with its length, ATS with its length."""
    uid = bytes.fromhex(tag)
    atqa = b"\x00\x04" if len(uid) == 4 else b"\x00\x44"
    sak = 0x20 if ats else 0x08 if len(uid) == 4 else 0x00
    with_length = bytes((len(ats) + 1,)) + ats if ats else b""
    return bytes((number,)) + atqa + bytes((sak, len(uid))) + uid + with_length


def _drawn_anew(tag: str, ats: bytes) -> str:
    return f"08{(int(tag[2:], 16) + 0x3A91) % 0x1000000:06X}" if ats and len(tag) == 8 and tag[:2] == "08" else tag


class AskedChip(Chip):
    """A chip that keeps its replies until the host, having asked whether there is one, fetches it."""

    def be(self, quirks: Quirks) -> None:
        """Like this, but for more zeros than one: a frame begins where the host reads, and nobody has seen them."""
        super().be(replace(quirks, zeros=0))

    def _power_up(self) -> None:
        super()._power_up()
        self._kept: list[tuple[float, bytes]] = []

    def obey(self, data: bytes) -> None:
        """Takes a command from the host, instead of what was not fetched of the one before."""
        at = time.monotonic()
        self._kept = []
        for delay, reply in self.hear(data):
            at += delay
            self._kept.append((at, reply))

    def ready(self) -> bool:
        """Whether there is something to fetch."""
        if self._locked or self.silent:
            return False
        self._kept += [(time.monotonic() + delay, reply) for delay, reply in self.idle()]
        return bool(self._kept) and self._kept[0][0] <= time.monotonic()

    def fetch(self) -> bytes:
        """Gives it; nothing if there is none."""
        return self._kept.pop(0)[1] if self.ready() else b""
