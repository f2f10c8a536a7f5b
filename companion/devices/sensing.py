"""What a driver tells, and the small interface every driver stands behind.

Theory of operation
===================

A driver module defines `Reader` (it senses cards at one place), `Buzzers` (it hears presses), or both: frozen
`msgspec.Struct` classes whose fields are the driver's settings in `table.toml`, and whose `open(clock)` returns a
`Source`. `Buzzers.apart` is how many seconds must lie between two presses for the device to tell which was first.

Threads, and who waits for whom
    `Listening` (`listening.py`) starts one thread for each source, which stays in `listen` until `stop` is set. Sources
    on one bus are `TurnTaker`s instead: `take_turns` speaks to one chip at a time, in one thread. Those that do not
    disturb each other begin together, as the bus is free while their radios work, and are asked in turn for what they
    found. One that failed asks for a pause, and holds up nobody meanwhile. Nobody waits for a source: it waits for its
    device (a port 50 ms, a chip 0.2 s, an answer on a serial port 0.5 s), for the disk, and between two attempts, and
    looks at `stop` in between. So a table stops within a second or so.

Finding devices
    A driver's `here()`, where it has one, yields settings for what may be plugged in; whoever sets a table up opens
    each and sees what answers. Settings of buttons whose number only the device knows are asked for it (`fitted`).

Presence
    A reader's poll says which tags it saw. `readers/presence.py` makes news of polls, purely: `Appeared` at the first
    sight (at the second where noise may be, or where another card lies), `Gone` after 0.3 s and as many polls that saw
    nothing as leave no doubt, `Crowded` for two tags at once or in turn and `Uncrowded` when that is over, and
    `Hurried` where a card was seen too shortly to count, or may have come and gone between two polls. A missed poll is
    not a removal, and a badly read card takes more of them. Nor is a fault:
    it interrupts the 0.3 s, and what lay there lies there until good polls have said otherwise.

Presses
    The first edge after a rest is a press, if the contact then stays closed for a millisecond: what closes for less is
    a spike on the wire. Where the device has a clock (a box, the kernel), it stamps the edge;
    `buzzer_box/device_time.py` and `buttons/stamps.py` put the stamp on the table's clock and say by how much that may
    be off. A press may therefore be told late without being wrong: `at` is when the button closed, not when that was
    heard.

Faults
    `listen` and `turn` raise nothing. A command without ACK is sent, and a damaged answer asked for, once more before
    that is a fault. A fault is told as `Failed`, once, as a value of `faults` that every page says in its language
    (a driver in a package may tell English text instead); the source then closes its device and opens it again by
    itself, a reader after 0.05 s and ever more patiently up to 1 s, buttons and a box every 0.2 s. `Working` says that
    it is over; each source tells it at its beginning too. Only `start`, which is for whoever wants to know at once,
    raises `NotThere`.

`tell`, and acknowledgement
    `tell(*sensings)` returns when they are on disk (milliseconds; a slow disk takes as long as it takes) and raises
    `NotKept` where they can't be. The source then keeps them and tells the same values again: readers at their next
    turn, buttons and a box after 0.2 s. A buzzer box keeps its presses itself, up to 64, and repeats them every 0.1 s
    until they are acknowledged: `buzzer_box/connection.py` acknowledges only what `tell` has taken. So a cable that is
    pulled, or a companion that is killed, loses no press; `origin` says that one told again is the same. A fault of the
    program behind `tell` raises nothing here: `HandedOn` (`listening.py`) has the source's own device say so.

Clocks
    All times are seconds on the table's `Clock`, with microseconds after the point. It is handed to `open` by whoever
    owns the table, never runs back, and is never set by the network (`monotonic_clock.py`). A driver looks at no other,
    but for the device's own; if it waits while it senses, it does so by the `Sleep` it was handed, or by
    `stop.wait`. So a test may hand in a clock that stands still until somebody waits, and let an evening pass in a
    second.

    A source that knows of no earlier press under way says `Passed` right after its own: then nobody waits for one.

    A press, from the button to the page:

        contact closes ── stamped by the device, in its microseconds
          │  the box says `P boot seq button at`, again and again
        driver ─────────── `Buzzed(seat, at, uncertainty, origin)`, in the driver's thread
          │  `tell` hands it to the table's own thread, and waits until that has written it to disk
        `tell` returns ─── acknowledged: the box forgets it
          │  judged and shown by others, for whom no driver waits
"""

import re
import threading
from collections.abc import Callable
from enum import Enum
from typing import Any, Protocol, runtime_checkable

import msgspec

from companion.devices.faults import DeviceFault, as_fault
from companion.devices.figures import Figures
from companion.errors import NotNow

CONTRACT = 1
"""The edition of this contract, which a driver in a package of its own names as its module's `CONTRACT`."""

VIRTUAL = "virtual:"
"""The prefix of a virtual tag's number, which says what card it is: "virtual:GAME/CARD"."""

UID_DIGITS = (8, 14, 20)
"""The hexadecimal digits that a tag's number may have: 4, 7 or 10 bytes (ISO 14443-3)."""

UNPLACED = "unplaced"
"""The place of a reader before anybody knows where it is."""

Clock = Callable[[], float]
"""Return the time now, in seconds on the table's clock. It never runs back."""

Sleep = Callable[[float], object]
"""Let this many seconds pass on the same clock."""


class TagKind(Enum):
    """The kind of thing in a reader's field, as far as its first answer tells."""

    STICKER = "sticker"
    """An NTAG or Ultralight: what belongs on a card."""
    PASS = "pass"
    """A MIFARE Classic or the like: usually a card for doors or buses, but sometimes a sticker."""
    PHONE = "phone"
    """A phone, a bank card or another small computer (ISO 14443-4): no game card."""


def is_recognisable(uid: str, kind: TagKind) -> bool:
    """Return whether a tag can be told from all others by its number.

    A phone or a bank card tells none, and neither does what draws another number each time it is asked (ISO 14443-3,
    6.5.4: four bytes that begin with 08). All zeros or all ones are no number, but what a damaged or unwritten tag
    answers. A virtual tag says what card it is.
    """
    if kind is TagKind.PHONE or len(uid) not in UID_DIGITS or not re.fullmatch("[0-9A-F]+", uid):
        return False
    is_drawn = len(uid) == min(UID_DIGITS) and uid.startswith("08")
    return not is_drawn and set(uid) not in ({"0"}, {"F"})


class Tag(msgspec.Struct, frozen=True):
    """A tag in a reader's field."""

    uid: str
    """Its number, upper-case hexadecimal without separators; `PHONE` instead of a phone's or a bank card's."""
    kind: TagKind = TagKind.STICKER


class Appeared(msgspec.Struct, frozen=True):
    """A tag came into a reader's field; told once, however long it lies there."""

    place: str
    uid: str
    """As in `Tag`."""
    at: float
    kind: TagKind = TagKind.STICKER
    already: bool = False
    """Whether it lay there when the reader first looked: it may have been laid long before this program started."""
    origin: str = ""
    """Identifies this for ever, as that of a press does; "": nothing does."""


class Gone(msgspec.Struct, frozen=True):
    """The tag left the field: missed for about 300 ms by a reader that works. A fault is never told as this."""

    place: str
    uid: str
    at: float


class Crowded(msgspec.Struct, frozen=True):
    """More than one tag in a field at once; none of them is told until one lies alone."""

    place: str
    at: float


class Uncrowded(msgspec.Struct, frozen=True):
    """After `Crowded`: one tag or none lies there again."""

    place: str
    at: float


class Hurried(msgspec.Struct, frozen=True):
    """Cards came more quickly than the reader looks: one was seen and can't count, or may have passed unseen.

    Told after what counts of them; the last card must be tapped again.
    """

    place: str
    at: float


class Buzzed(msgspec.Struct, frozen=True):
    """A buzzer was hit."""

    seat: int
    at: float
    """When the button closed, by the device's own clock if it has one."""
    uncertainty: float
    """Half-width, in seconds, of the uncertainty of `at` on the table's clock."""
    origin: str
    """Names this press for ever, the same each time the device tells it again ("" if a device can't)."""


class Passed(msgspec.Struct, frozen=True):
    """A source of presses has told all that bear a time before `at`: said soon after a press, if it can be known.

    `at` is the earliest time that a press of that moment could have: its uncertainty is already included.
    """

    source: str
    at: float


class Failed(msgspec.Struct, frozen=True):
    """A source stopped working; it tries again by itself. Told once per fault."""

    source: str
    why: str | DeviceFault
    """What is wrong; in plain English, with what to do, where no code of `faults` says it: "no answer from
    /dev/ttyUSB0: is it plugged in?"."""
    at: float

    @property
    def fault(self) -> DeviceFault:
        """What is wrong, as a value in any case."""
        return as_fault(self.why)


class Working(msgspec.Struct, frozen=True):
    """A source works: told when it opens and whenever it has recovered."""

    source: str
    detail: str
    """For people: "PN532 firmware 1.6", "companion-box 1.0, ±0.08 ms"."""
    at: float


Claim = tuple[str, tuple[str, ...]]
"""A setting's name, and what no other device of the table may use because of it: the whole, then the part of it that
is meant, as in `("channel", ("/dev/i2c-1", "multiplexer 0x70", "channel 3"))`. Settings may have `claims`."""

Share = tuple[str, tuple[str, ...], str]
"""A claim with what the thing is, in words: devices for which it is the same may share it, as in `("bus", ("GPIO 9",),
"a wire of /dev/spidev0")`. Settings may have `shares`."""


def reads(settings: Any) -> bool:
    """Return whether a driver's settings are those of a reader, which is at a place; all others are of buttons."""
    return hasattr(settings, "place")


Sensing = Appeared | Gone | Crowded | Uncrowded | Hurried | Buzzed | Passed | Failed | Working


class NotThere(NotNow):
    """A source does not answer at the start: what, where, and what to do now, in one or two plain sentences."""

    def __init__(self, why: str | DeviceFault) -> None:
        """Take what is wrong, as `Failed` does."""
        super().__init__(str(why))
        self.fault = as_fault(why)


class Tell(Protocol):
    """How a driver hands its sensings to the table."""

    def __call__(self, *sensings: Sensing) -> None:
        """Return when they are on disk. Raises `NotKept` when they can't be."""


class Source(Protocol):
    """Something that senses: one reader, or one set of buzzers."""

    name: str
    """For people, unique at the table: "reader seat-1", "buzzers /dev/ttyACM0"."""

    def start(self) -> None:
        """Open the device and check that it answers. Raises `NotThere`; `listen` would go on trying anyway."""

    def listen(self, tell: Tell, stop: threading.Event) -> None:
        """Sense until `stop` is set, in the calling thread. Raises nothing: a fault is told, then retried."""

    def close(self) -> None:
        """Give the device back. Called once, after `listen` has returned."""


@runtime_checkable
class Waiter(Source, Protocol):
    """A source that waits for what it senses rather than for `stop`."""

    def wake(self) -> None:
        """Make `listen` notice that `stop` is set."""


@runtime_checkable
class TurnTaker(Source, Protocol):
    """A source that may share a bus with others: one thread then polls each in its turn, instead of a `listen` each."""

    turns: str
    """Those with the same value take turns with each other."""
    near: str
    """Of these, those with the same value never sense at the same time: they would disturb each other."""

    def begin(self) -> None:
        """Begin to sense, if that takes a while in which others can be asked. Raises nothing."""

    def turn(self, tell: Tell) -> float:
        """Sense once and tell it; return the seconds until the next turn. Raises nothing: a fault is told."""


@runtime_checkable
class Measured(Source, Protocol):
    """A source that measures how well it works."""

    @property
    def figures(self) -> Figures:
        """Return what it measured until now, to any thread. Raises nothing."""


@runtime_checkable
class ContactWatcher(Protocol):
    """Buttons whose contacts can be looked at, on request: closed ones are then among its figures."""

    def look_at_contacts(self) -> None:
        """Look now and for a few seconds; not while people play, because it may cost a press. Raises nothing."""


@runtime_checkable
class BounceRecorder(Protocol):
    """Buttons whose bounces are recorded one button at a time, on request."""

    def record(self, seat: int | None) -> None:
        """Record this seat's button at its next press; None, or another device's seat: none. Raises nothing."""
