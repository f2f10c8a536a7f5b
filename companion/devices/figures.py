"""Figures of how well a device works, measured by its own driver.

Measuring costs a poll a few additions. A `Source` that is `Measured` returns its figures to any thread at any time.
They are about devices, never about cards: they hold no uid, and no card's name.
"""

from msgspec import Struct

from companion.devices.faults import DeviceFault

MEASURED_S = 1.0
"""Seconds over which polls are counted."""
BACK_S = 0.6
"""Seconds within which a tag seen again was missed in between, not lifted: twice the time of a removal."""
FEWEST = 20
"""Polls of a lying tag needed for a share to mean anything."""

_MOST = 512  # about five seconds of polls: older ones count less and less


class ReaderFigures(Struct, frozen=True, tag="reader"):
    """A reader's figures."""

    place: str
    chip: str = ""
    """What the chip says it is: "PN532 firmware 1.6"; "" before it has answered."""
    polls: float | None = None
    """Per second, in the last whole second; None while it fails, or has only begun."""
    read: float | None = None
    """The share, from 0 to 1, of its last polls of a lying tag that saw it; None before enough of them."""
    faults: int = 0
    """Times it stopped working."""
    last_fault: DeviceFault | None = None
    """Why it did the last time; None: it never did."""
    last_fault_at: float | None = None
    """When that was, on the table's clock."""
    port: str = ""
    """The serial port as table.toml names it; "" on another bus."""
    strangers: int = 0
    """How often something was laid on it that can't be a card: a phone, a bank card, a sticker of their kind."""


class Bounce(Struct, frozen=True):
    """The worst bouncing of one button so far."""

    edges: int
    """After the first one, within one closing or opening."""
    lasted: float
    """Seconds from the first of them to the last."""


class ButtonFigures(Struct, frozen=True):
    """A button's figures."""

    seat: int
    presses: int = 0
    bounce: Bounce | None = None
    """None until it is known."""


class ButtonsFigures(Struct, frozen=True, tag="buttons"):
    """The figures of a set of buttons."""

    buttons: tuple[ButtonFigures, ...]
    edges: str
    """Which edges are heard: "all", "some" (it may bounce more than measured) or "asked" (of one press, in a walk)."""
    firmware: str = ""
    """The version of a buzzer box's program; "" where there is none, or it has not said so yet."""
    faults: int = 0
    last_fault: DeviceFault | None = None
    last_fault_at: float | None = None
    port: str = ""
    closed: tuple[int, ...] = ()
    """The seats whose contact stays closed, as of the last looks, which are made while nobody plays."""


Figures = ReaderFigures | ButtonsFigures


class Faults:
    """How often a device that worked stopped working, and why it did the last time."""

    def __init__(self) -> None:
        self.number = 0
        self.last: DeviceFault | None = None
        self.at: float | None = None

    def happened(self, why: DeviceFault, at: float) -> None:
        """Count a fault."""
        self.number = self.number + 1
        self.last = why
        self.at = at


class Tally:
    """Counts a reader's polls, and how many of a lying tag saw it."""

    def __init__(self) -> None:
        self.rate: float | None = None
        """Polls a second."""
        self.polls = 0
        """Good polls so far."""
        self._counted = 0
        self._since: float | None = None
        self._seen = self._missed = 0
        self._lay: tuple[str, ...] = ()
        self._sight = 0
        self._sight_at = float("-inf")

    def polled(self, uids: tuple[str, ...], at: float) -> None:
        """Count a good poll at time `at` that saw these tags."""
        self.polls += 1
        if uids:
            if uids != self._lay or at - self._sight_at > BACK_S:
                self._lay = uids
                self._seen = 0
                self._missed = 0
            else:
                # Counted only once the tag is seen again: empty polls before a removal are no misses.
                self._missed += self.polls - self._sight - 1
            self._seen += 1
            if self._seen + self._missed > _MOST:
                # Halved, not cleared: the share stays, and newer polls weigh more.
                self._seen = self._seen // 2
                self._missed = self._missed // 2
            self._sight = self.polls
            self._sight_at = at
        if self._since is None:
            self._since = at
            self._counted = self.polls
        elif at - self._since >= MEASURED_S:
            self.rate = (self.polls - self._counted) / (at - self._since)
            self._since = at
            self._counted = self.polls

    def faulted(self) -> None:
        """Begin again after a fault, which is neither a poll nor a miss."""
        self.rate = self._since = None
        self._sight_at = float("-inf")

    @property
    def read(self) -> float | None:
        """The share of the last polls of a lying tag that saw it; None before enough of them."""
        seen_counts = self._seen
        polls = self._seen + self._missed
        return seen_counts / polls if polls >= FEWEST else None
