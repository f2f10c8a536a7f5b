"""What a driver tells, and the interface that every driver has.

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
    A driver's `here()`, if it has one, yields settings for what may be plugged in; the set-up opens each and sees what
    answers. Settings of buttons whose number only the device knows are completed by `fitted`.

Presence
    A poll of a reader returns the tags that it saw. `readers/presence.py` turns polls into sensings, purely: `Appeared`
    at the first sight (at the second where noise is possible, or where another card lies), `Gone` after 0.3 s and as
    many empty polls as leave no doubt, `Crowded` for two tags at once or in turn and `Uncrowded` when that is over, and
    `Hurried` where a card was seen too briefly to count, or may have come and gone between two polls. A missed poll is
    not a removal, and a badly read card takes more of them. Nor is a fault: it restarts the 0.3 s, and what lay there
    counts as lying there until good polls show otherwise.

Presses
    The first edge after a rest is a press, if the contact then stays closed for a millisecond; a shorter closing is a
    spike on the wire. A device with a clock (a box, the kernel) stamps the edge; `buzzer_box/device_time.py` and
    `buttons/stamps.py` convert the stamp to the table's clock, with a bound on the error. A press may therefore be told
    late without being wrong: `at` is when the button closed, not when that was heard.

Faults
    `listen` and `turn` raise nothing. A command without ACK, or with a damaged answer, is repeated once before that
    counts as a fault. A fault is told as `Failed`, once, as a value of `faults` that every page puts into its language
    (a driver in a package may tell English text instead). The source then closes its device and reopens it by itself: a
    reader after 0.05 s and ever more patiently up to 1 s, buttons and a box every 0.2 s. `Working` says that the fault
    is over; each source also tells it at its beginning. Only `start`, for a caller that must know at once, raises
    `NotThere`.

`tell`, and acknowledgement
    `tell(*sensings)` returns when they are on disk, usually within milliseconds, and raises `NotKept` if they can't be
    stored. The source then keeps them and tells the same values again: readers at their next turn, buttons and a box
    after 0.2 s. A buzzer box keeps its presses itself, up to 64, and repeats them every 0.1 s until they are
    acknowledged; `buzzer_box/connection.py` acknowledges only what `tell` has stored. So pulling a cable or killing the
    companion loses no press; a press told again is recognised by its `origin`. An exception in the program behind
    `tell` does not reach the source: `HandedOn` (`listening.py`) tells it as a fault of the source.

Clocks
    All times are seconds on the table's `Clock`, with microseconds after the point. The table passes it to `open`; it
    never runs back, and the network never sets it (`monotonic_clock.py`). A driver reads no other clock except its
    device's; while sensing it waits only by the `Sleep` that it was passed, or by `stop.wait`. So a test can pass a
    clock that stands still until somebody waits, and simulate an evening in a second.

    A source that knows that no earlier press is under way tells `Passed` right after its own, so that nobody waits.

    A press, from the button to the page:

        contact closes ── stamped by the device, in its microseconds
          │  the box says `P boot seq button at`, again and again
        driver ─────────── `Buzzed(seat, at, uncertainty, origin)`, in the driver's thread
          │  `tell` hands it to the table's own thread, and waits until that has written it to disk
        `tell` returns ─── acknowledged: the box forgets it
          │  judged and shown by other threads; the driver does not wait for that
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
"""The version of this interface, which a driver in a package of its own names as its module's `CONTRACT`."""

VIRTUAL = "virtual:"
"""The prefix of a virtual tag's number, which says what card it is: "virtual:GAME/CARD"."""

UID_DIGITS = (8, 14, 20)
"""The hexadecimal digits that a tag's number may have: 4, 7 or 10 bytes (ISO 14443-3)."""

UNPLACED = "unplaced"
"""The place of a reader that has not been assigned one yet."""

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

    A phone or a bank card tells none, and a tag may draw a random number each time (ISO 14443-3, 6.5.4: four bytes that
    begin with 08). All zeros or all ones are the answer of a damaged or unwritten tag. A virtual tag is known by its
    card instead.
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
    """A tag came into a reader's field; told once for as long as it lies there."""

    place: str
    uid: str
    """As in `Tag`."""
    at: float
    kind: TagKind = TagKind.STICKER
    already: bool = False
    """Whether it lay there when the reader first looked: it may have been laid long before this program started."""
    origin: str = ""
    """Identifies this for ever, as `Buzzed.origin` does; "" without one."""


class Gone(msgspec.Struct, frozen=True):
    """The tag left the field: a working reader missed it for about 300 ms. A fault is never told as this."""

    place: str
    uid: str
    at: float


class Crowded(msgspec.Struct, frozen=True):
    """More than one tag is in a field; none of them is told until one lies alone."""

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
    """A source has told all its presses before `at`; told soon after a press by sources that can know it.

    The uncertainty is already included: no press that is told later gets a time before `at`.
    """

    source: str
    at: float


class Failed(msgspec.Struct, frozen=True):
    """A source stopped working; it tries again by itself. Told once per fault."""

    source: str
    why: str | DeviceFault
    """The fault; or, if no code of `faults` fits, plain English with what to do: "no answer from /dev/ttyUSB0: is it
    plugged in?"."""
    at: float

    @property
    def fault(self) -> DeviceFault:
        """The fault as a value, even if it was told as text."""
        return as_fault(self.why)


class Working(msgspec.Struct, frozen=True):
    """A source works: told when it opens and whenever it has recovered."""

    source: str
    detail: str
    """For people: "PN532 firmware 1.6", "companion-box 1.0, ±0.08 ms"."""
    at: float


Claim = tuple[str, tuple[str, ...]]
"""A setting's name, and the resource that no other device of the table may use because of it, from the whole to the
part that is meant: `("channel", ("/dev/i2c-1", "multiplexer 0x70", "channel 3"))`. Settings may have `claims`."""

Share = tuple[str, tuple[str, ...], str]
"""A claim with a description of its use; devices that use the resource for the same may share it: `("bus", ("GPIO 9",),
"a wire of /dev/spidev0")`. Settings may have `shares`."""


def reads(settings: Any) -> bool:
    """Return whether settings are those of a reader, which has a place; all others are of buttons."""
    return hasattr(settings, "place")


Sensing = Appeared | Gone | Crowded | Uncrowded | Hurried | Buzzed | Passed | Failed | Working


class NotThere(NotNow):
    """A source does not answer at the start: what, where, and what to do now, in one or two plain sentences."""

    def __init__(self, why: str | DeviceFault) -> None:
        """Take the fault, as a value or as text."""
        super().__init__(str(why))
        self.fault = as_fault(why)


class Tell(Protocol):
    """The function by which a driver tells its sensings to the table."""

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
    """A source that may share a bus with others: one thread polls them in turn, and `listen` is not used."""

    turns: str
    """Sources with the same value take turns with each other."""
    near: str
    """Of these, sources with the same value never sense at the same time, because they would disturb each other."""

    def begin(self) -> None:
        """Start sensing, so that others on the bus can be served meanwhile. A device's fault is told in its turn."""

    def turn(self, tell: Tell) -> float:
        """Sense once and tell it; return the seconds until the next turn. A device's fault is told, not raised."""


@runtime_checkable
class Measured(Source, Protocol):
    """A source that measures how well it works."""

    @property
    def figures(self) -> Figures:
        """Return the current figures; may be called from any thread. Raises nothing."""


@runtime_checkable
class ContactWatcher(Protocol):
    """Buttons whose contacts can be checked on request; closed ones are then in `ButtonsFigures.closed`."""

    def look_at_contacts(self) -> None:
        """Look now and for a few seconds; not while people play, because it may cost a press. Raises nothing."""


@runtime_checkable
class BounceRecorder(Protocol):
    """Buttons whose bounces are recorded one button at a time, on request."""

    def record(self, seat: int | None) -> None:
        """Record this seat's button at its next press; None, or another device's seat: none. Raises nothing."""
