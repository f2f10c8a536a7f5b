"""The state of a table's devices, and the walk around it, as `companion check` and the page /check show them.

A checkup sits between the sources and the table, and passes on what they tell. During a walk, which checks that each
button and reader is the right one, `walking` keeps presses and cards from the match.
"""

import threading
from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.devices.check import walk
from companion.devices.check.findings import Finding, findings
from companion.devices.check.port_names import of_port
from companion.devices.check.walk import Act, Step, Walk
from companion.devices.faults import DeviceFault
from companion.devices.figures import ButtonsFigures, Figures, ReaderFigures
from companion.devices.sensing import (
    Appeared,
    BounceRecorder,
    Clock,
    ContactWatcher,
    Failed,
    Measured,
    Sensing,
    Source,
    Tell,
    Working,
)
from companion.events import seat_at

LEFT_S = 60.0
"""Seconds after which a walk that nobody watches ends, because it withholds presses from a match."""


class Checked(Struct, frozen=True):
    """The current state of a device."""

    name: str
    works: bool | None
    """None until it has told."""
    detail: str
    """The device's own description or, if it fails, the reason, in plain English."""
    figures: Figures | None
    """None from a device that measures nothing."""
    findings: tuple[Finding, ...]
    fault: DeviceFault | None = None
    """The fault as a value; None if the device works, or has said nothing yet."""
    has_worked: bool = False
    """Whether it has worked since the start."""


class Checkup:
    """Every method may be called from any thread."""

    def __init__(
        self,
        sources: Sequence[Source],
        steps: tuple[Step, ...],
        clock: Clock,
        firmware: str,
        tell: Tell,
        match: Callable[[], int | None],
    ) -> None:
        """Take a walk's `steps`, the version of the `firmware` that comes with this companion, and the table's `tell`.

        `match` returns the number of the match under way; None if there is none.
        """
        self._sources = sources
        self._steps = steps
        self._clock = clock
        self._firmware = firmware
        self._tell = tell
        self._match = match
        self._states: dict[str, Working | Failed] = {}
        self._have_worked: set[str] = set()
        self._lock = threading.Lock()
        self._walk: Walk | None = None
        self._looked_at = 0.0
        self._begun_in: int | None = None
        """The match that was under way when the walk began; a match that begins later ends the walk."""
        self._lying: tuple[Appeared, ...] = ()

    def tell(self, *sensings: Sensing) -> None:
        """Pass sensings on, then take note of them. Raises `NotKept`."""
        self._tell(*sensings)
        with self._lock:
            for sensing in sensings:
                self._take_in(sensing)

    def devices(self) -> tuple[Checked, ...]:
        """Return the current state of every device.

        As long as a match can go on, even one ended early, and even during a walk, figures that a card on a reader
        would change are left out: some cards are read a little better than others, so these figures could tell which
        one lies there.
        """
        sealed = self._match() is not None
        at = self._clock()
        return tuple(self._checked(source, sealed, at) for source in self._sources)

    def look_at_contacts(self) -> None:
        """Have the buttons look for contacts that stay closed; not during a match or a walk, as it may cost a press."""
        if self._match() is not None or self.walking:
            return
        for source in self._sources:
            if isinstance(source, ContactWatcher):
                source.look_at_contacts()

    def look(self) -> Walk | None:
        """Return the walk under way, or the finished one; None if there is none. Calling this keeps it alive."""
        with self._lock:
            if self._walk is not None:
                self._looked_at = self._clock()
                self._go_to(walk.waited(self._walk, self._clock()))
            return self._walk

    @property
    def walking(self) -> bool:
        """Whether a walk is under way, which keeps presses and cards from a match."""
        with self._lock:
            return self._under_way()

    def begin(self) -> Walk:
        """Begin a walk around all devices."""
        with self._lock:
            self._looked_at = self._clock()
            self._begun_in = self._match()
            return self._go_to(Walk(self._steps, since=self._clock(), lying=self._lying))

    def pass_over(self, step: int) -> None:
        """Skip step number `step` (from 0); do nothing if it is no longer the one under way."""
        with self._lock:
            if self._walk is not None and len(self._walk.found) == step:
                self._go_to(walk.passed_over(self._walk, self._clock()))

    def end(self) -> None:
        """End the walk."""
        with self._lock:
            self._leave()

    def _under_way(self) -> bool:
        if self._walk is None or self._walk.next_step is None:
            return False
        if self._clock() - self._looked_at > LEFT_S or self._match() not in (None, self._begun_in):
            self._leave()
        return self._walk is not None

    def _take_in(self, sensing: Sensing) -> None:
        self._lying = walk.lie(self._lying, sensing)
        if isinstance(sensing, Working | Failed):
            self._states[sensing.source] = sensing
            if isinstance(sensing, Working):
                self._have_worked.add(sensing.source)
        elif self._walk is not None:
            self._go_to(walk.advance(self._walk, sensing))

    def _go_to(self, walk: Walk) -> Walk:
        step = walk.next_step
        self._walk = walk
        self._record(seat_at(step.place) if step and step.act is Act.PRESS else None)
        return walk

    def _leave(self) -> None:
        self._walk = None
        self._record(None)

    def _record(self, seat: int | None) -> None:
        for source in self._sources:
            if isinstance(source, BounceRecorder):
                source.record(seat)

    def _ports(self) -> tuple[str, ...]:
        return tuple(source.figures.port for source in self._sources if isinstance(source, Measured))

    def _checked(self, source: Source, sealed: bool, at: float) -> Checked:
        figures = source.figures if isinstance(source, Measured) else None
        unsealed = _unsealed(figures) if sealed and figures is not None else figures
        of_its_port = of_port(figures.port, self._ports()) if figures else ()
        all_findings = (*of_its_port, *findings(unsealed, self._firmware, at)) if unsealed else ()
        match self._states.get(source.name):
            case Working(_, detail, _):
                return Checked(source.name, True, detail, unsealed, all_findings)
            case Failed(fault=fault):
                has_worked = source.name in self._have_worked
                return Checked(source.name, False, fault.says, unsealed, of_its_port, fault, has_worked)
        return Checked(source.name, None, "", unsealed, (Finding("device-silent"),))


def _unsealed(figures: Figures) -> Figures:
    """Leave out figures that a card on a reader would change: even the polling rate reveals that one lies there."""
    match figures:
        case ReaderFigures():
            return replace(figures, polls=None, read=None, strangers=0)
        case ButtonsFigures():
            return replace(figures, buttons=())
