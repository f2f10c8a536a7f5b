"""What a driver tells, and the small interface every driver stands behind.

A driver module defines `Reader` (it senses cards at one place), `Buzzers` (it hears presses), or both: frozen
`msgspec.Struct` classes whose fields are the driver's settings in `table.toml` and whose `open(clock)` gives a
`Source`. `Buzzers.apart` is how many seconds must lie between two presses for the device to tell which was first.
Times (`at`) are seconds on the table's clock, with microsecond resolution.
"""

import threading
from collections.abc import Callable
from enum import Enum
from typing import Protocol, runtime_checkable

import msgspec

from companion.devices.figures import Figures
from companion.errors import NotNow

Clock = Callable[[], float]
"""Return the time now, in seconds on the table's clock. It never runs back."""

Sleep = Callable[[float], object]
"""Let so many seconds pass on the same clock."""


class TagKind(Enum):
    """What answers in a reader's field, as far as its first words tell."""

    STICKER = "sticker"
    """An NTAG or Ultralight: what belongs on a card."""
    PASS = "pass"
    """A MIFARE Classic or the like: most often a door's or a bus's card, at times a sticker all the same."""
    PHONE = "phone"
    """A phone, a bank card or another small computer (ISO 14443-4): no game card."""


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


class Buzzed(msgspec.Struct, frozen=True):
    """A buzzer was hit."""

    seat: int
    at: float
    """When the button closed, by the device's own clock where it has one."""
    uncertainty: float
    """Half-width in seconds of what `at` may be off against the table's clock."""
    origin: str
    """Names this press for ever, the same each time the device tells it again ("" where a device can't)."""


class Failed(msgspec.Struct, frozen=True):
    """A source stopped working; it tries again by itself. Told once per fault."""

    source: str
    why: str
    """In plain English, with what to do: "no answer from /dev/ttyUSB0: is it plugged in?"."""
    at: float


class Working(msgspec.Struct, frozen=True):
    """A source works: told when it opens and whenever it has recovered."""

    source: str
    detail: str
    """For people: "PN532 firmware 1.6", "companion-box 1.0, ±0.08 ms"."""
    at: float


Claim = tuple[str, tuple[str, ...]]
"""A setting's name, and what no other device of the table may use because of it: the whole, then the part of it that
is meant, as in `("channel", ("/dev/i2c-1", "multiplexer 0x70", "channel 3"))`. Settings may have `claims`."""

Sensing = Appeared | Gone | Crowded | Uncrowded | Buzzed | Failed | Working


class NotThere(NotNow):
    """A source does not answer at the start: what, where, and what to do now, in one or two plain sentences."""


class Tell(Protocol):
    """How a driver hands its sensings to the table."""

    def __call__(self, *sensings: Sensing) -> None:
        """Return when they are on disk. Raises `NotKept` when they can't be."""


class Source(Protocol):
    """Something that senses: one reader, or one set of buzzers."""

    name: str
    """For people, unique at the table: "reader seat-1", "buzzers /dev/ttyACM0"."""

    def start(self) -> None:
        """Open the device and see that it answers. Raises `NotThere`; `listen` would go on trying all the same."""

    def listen(self, tell: Tell, stop: threading.Event) -> None:
        """Sense until `stop` is set, in the calling thread. Raises nothing: a fault is told, then retried."""

    def close(self) -> None:
        """Give the device back. Called once, after `listen` has returned."""


@runtime_checkable
class TurnTaker(Source, Protocol):
    """A source that may share a bus with others: one thread then gives each its turn, instead of a `listen` each."""

    turns: str
    """Those with the same value take turns with each other."""

    def turn(self, tell: Tell) -> float:
        """Sense once and tell it; give the seconds until the next turn. Raises nothing: a fault is told."""


@runtime_checkable
class Measured(Source, Protocol):
    """A source that knows how well it does."""

    @property
    def figures(self) -> Figures:
        """What it measured until now, for any thread. Raises nothing."""


@runtime_checkable
class BounceRecorder(Protocol):
    """Buttons whose bounces are recorded one button at a time, when that is asked for."""

    def record(self, seat: int | None) -> None:
        """Record this seat's button at its next press; None, or a seat that is another's: none. Raises nothing."""
