"""Buttons on this machine's own GPIO lines: the settings that all such drivers share, and their source."""

import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec.structs import replace

from companion.devices.buttons.contacts import Contacts
from companion.devices.buttons.debounce import BounceMeter, Button, Edge
from companion.devices.buttons.stamps import Stamps
from companion.devices.faults import DeviceFault, FaultCode, placed
from companion.devices.figures import ButtonFigures, ButtonsFigures, Faults
from companion.devices.sensing import Buzzed, Claim, Clock, Failed, NotThere, Passed, Tell, Working
from companion.errors import NotKept

KEPT_AT_MOST = 64
"""The most presses kept while they can't be stored; later ones are lost, which is reported."""
SHOWN_S = 10.0
"""Seconds for which lost presses stay reported; nothing else would show it, because the buttons work."""

_RETRY_S = 0.2
_WAIT_S = 0.05
_SETTLING_S = 0.0005
"""Seconds to wait for edges while a press is held back until it is known that none came earlier."""
_SETTLED_S = 0.001
"""Seconds after a press in which another may be a dead heat with it."""
_PULLS = ("up", "down", "none")
_ALWAYS_PRESSED = {
    (True, "down"): '`pull` = "down" makes a press of rest: leave it "up", or set active_low = false',
    (False, "up"): '`active_low` = false makes a press of rest where pull is "up": set pull = "down", or "none"',
}
"""Messages for settings by which a line at rest reads as pressed, by `active_low` and `pull`."""


class Wiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How buttons are wired to GPIO lines: the settings that all such drivers share."""

    seats: tuple[int, ...]
    """The seat of each button; distinct, from 1 to 6."""
    lines: tuple[int, ...]
    """The GPIO number (not the pin's place on the header) of each seat's button, in the order of `seats`."""
    pull: str = "up"
    """The Pi's own resistor on the lines: "up", "down", or "none" if one is soldered in."""
    active_low: bool = True
    """Whether a line is low while its button is pressed, as with a button between line and ground."""

    def __post_init__(self) -> None:
        if len(self.lines) != len(self.seats):
            raise ValueError(f"`lines` has {len(self.lines)} numbers, but `seats` {len(self.seats)}: one line per seat")
        if len(set(self.lines)) < len(self.lines) or min(self.lines, default=0) < 0:
            raise ValueError(f"`lines` are GPIO numbers from 0, each once: {self.lines}")
        if self.pull not in _PULLS:
            raise ValueError(f"`pull` = {self.pull!r} is unknown; known: {', '.join(_PULLS)}")
        if (self.active_low, self.pull) in _ALWAYS_PRESSED:
            raise ValueError(_ALWAYS_PRESSED[self.active_low, self.pull])

    @property
    def claims(self) -> Iterable[Claim]:
        """See `Claim`: each line."""
        return [("lines", (f"GPIO {line}",)) for line in self.lines]

    @property
    def named(self) -> str:
        """The lines, for people: "GPIO 17, 27"."""
        return f"GPIO {', '.join(map(str, self.lines))}"


class Missed(NotThere):
    """Edges were lost, and presses with them; the lines can be opened again at once."""


class Lines(Protocol):
    """Open lines, in the order of the settings. Its methods raise `NotThere` when it can't go on."""

    detail: str
    """For people: what was opened."""
    late: float
    """The most seconds by which a stamp may be late."""
    hears: str
    """Which edges are heard: "all" or "some"; see `ButtonsFigures.edges`."""
    behind: float | None
    """Seconds after its stamp within which an edge can be read; None: unknown."""

    def closed(self) -> list[bool]:
        """Return which buttons are held down now."""

    def edges(self, wait: float) -> list[Edge]:
        """Wait this many seconds for edges, and return all that are there."""

    def close(self) -> None:
        """Release the lines, even broken ones."""


class ButtonSource:
    """Buttons as a `Source`. The lines must not debounce: every edge is wanted, and debounced here."""

    def __init__(
        self,
        name: str,
        seats: tuple[int, ...],
        open_lines: Callable[[], Lines],
        clock: Clock,
        kernel: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Take the function that opens the lines, called by `start` or `listen`, and the kernel's clock that stamps
        edges."""
        self.name = name
        self._seats = seats
        self._open_lines = open_lines
        self._clock = clock
        self._kernel = kernel
        self._stamps = Stamps(clock, kernel)
        self._boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        self._lines: Lines | None = None
        self._buttons: list[Button] = []
        self._bounces = [BounceMeter() for _ in seats]
        self._presses = [0 for _ in seats]
        self._faults = Faults()
        self._contacts = Contacts()
        self._hears = "all"
        self._waiting: list[Buzzed] = []
        self._last_report: str | None = None
        """The text of the fault that was told last; "" if all was well, None before anything was told."""
        self._missing_until = float("-inf")
        self._read_to: int | None = None
        """Kernel time (ns) up to which all edges have been read for certain; None: unknown."""
        self._passing: float | None = None
        """The time of the latest press told, until the watermark has passed it."""

    def start(self) -> None:
        """See `Source.start`."""
        self._open()

    def listen(self, tell: Tell, stop: threading.Event) -> None:
        """See `Source.listen`."""
        while not stop.is_set():
            try:
                lines = self._lines or self._open()
                if self._clock() >= self._missing_until:
                    self._report(
                        tell, Working(self.name, f"{lines.detail}, ±{lines.late * 1000:.1f} ms", self._clock())
                    )
                self._hear(lines)
                if self._contacts.is_due(self._clock()):
                    closed = {button for button, held in enumerate(lines.closed()) if held}
                    self._contacts.note_closed(closed, self._clock())
            except Missed as missed:
                self.close()
                self._say_missing(tell, missed.fault)
            except NotThere as wrong:
                self.close()
                self._report(tell, self._failed(wrong.fault))
                stop.wait(_RETRY_S)
            self._pass_on(tell, stop)
            self._pass_by(tell)

    @property
    def figures(self) -> ButtonsFigures:
        """See `Measured`."""
        counted = zip(self._seats, self._presses, self._bounces, strict=True)
        return ButtonsFigures(
            tuple(ButtonFigures(seat, presses, bounces.worst) for seat, presses, bounces in counted),
            edges=self._hears,
            faults=self._faults.number,
            last_fault=self._faults.last,
            last_fault_at=self._faults.at,
            closed=tuple(self._seats[button] for button in self._contacts.stuck),
        )

    def look_at_contacts(self) -> None:
        """See `ContactWatcher`."""
        self._contacts.want(self._clock())

    def close(self) -> None:
        """See `Source.close`."""
        if self._lines is not None:
            self._lines.close()
        self._lines = self._read_to = self._passing = None

    def _open(self) -> Lines:
        self._lines = self._open_lines()
        self._hears = self._lines.hears
        late = round(self._lines.late * 1e9)
        self._buttons = [Button(closed=closed, late=late) for closed in self._lines.closed()]
        return self._lines

    def _hear(self, lines: Lines) -> None:
        began = self._kernel()  # before reading: an edge stamped later than this may not have been read
        waits = self._passing is not None or any(button.undecided_since is not None for button in self._buttons)
        for edge in sorted(lines.edges(_SETTLING_S if waits else _WAIT_S), key=lambda edge: edge.at):
            self._bounces[edge.button].hear(edge.at)
            self._take(self._buttons[edge.button].hear(edge), lines.late)
        heard = began - round((lines.late if lines.behind is None else lines.behind) * 1e9)
        for button in self._buttons:
            self._take(button.settle(heard), lines.late)
        self._read_to = None if lines.behind is None else heard

    def _take(self, first: Edge | None, late: float) -> None:
        """Queue a press, given its first edge, to be told."""
        if first is None:
            return
        self._presses[first.button] += 1
        at, off = self._stamps.place(first.at)
        seat = self._seats[first.button]
        origin = f"gpio-{self._boot}-{seat}-{first.at}"
        self._waiting.append(Buzzed(seat, at, off + late + first.early / 1e9, origin))

    def _pass_on(self, tell: Tell, stop: threading.Event) -> None:
        if not self._waiting:
            return
        self._waiting.sort(key=lambda press: press.at)
        try:
            tell(*self._waiting)
        except NotKept:
            if len(self._waiting) > KEPT_AT_MOST:
                del self._waiting[KEPT_AT_MOST:]
                says = "presses can't be stored, and no more of them can be kept waiting."
                self._say_missing(tell, DeviceFault(says, FaultCode.MISSED))
            stop.wait(_RETRY_S)
        else:
            self._passing = None if self._read_to is None else self._waiting[-1].at
            self._waiting.clear()

    def _pass_by(self, tell: Tell) -> None:
        """Tell how far the lines are read, if a press is held back for that.

        A press that is not told yet because its contact still bounces holds that up.
        """
        if self._passing is None or self._read_to is None or self._waiting:
            return
        undecided = [button.undecided_since for button in self._buttons if button.undecided_since is not None]
        at, off = self._stamps.place(min([self._read_to, *undecided]))
        earliest = at - 2 * off  # a press may be placed again
        if earliest > self._passing:
            try:
                tell(Passed(self.name, earliest))
            except NotKept:
                return  # told after the next reading of the lines
        if earliest > self._passing + _SETTLED_S:
            self._passing = None

    def _say_missing(self, tell: Tell, missed: DeviceFault) -> None:
        self._missing_until = self._clock() + SHOWN_S
        self._report(tell, self._failed(replace(missed, says=f"{missed.says} Ask the players who called.")))

    def _failed(self, fault: DeviceFault) -> Failed:
        return Failed(self.name, placed(fault, self.name.removeprefix("buzzers "), "gpio"), self._clock())

    def _report(self, tell: Tell, state: Working | Failed) -> None:
        """Tell the state of the buttons, unless it was told last."""
        says = state.fault.says if isinstance(state, Failed) else ""
        if says == self._last_report:
            return
        try:
            tell(state)
        except NotKept:
            return
        if isinstance(state, Failed) and self._last_report == "":
            self._faults.happened(state.fault, state.at)
        self._last_report = says
