"""Driver `gpiod`: buttons on the header of a Raspberry Pi, stamped by the kernel when their interrupt comes.

It needs the official Python bindings of libgpiod 2. They work on every Pi, also on a Pi 5 and on new kernels.
"""

import contextlib
import errno
import select
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar

from companion.devices import gpio, permissions
from companion.devices.buttons.debounce import Edge, Numbers
from companion.devices.buttons.gpio_source import ButtonSource, Missed, Wiring
from companion.devices.faults import DeviceFault, FaultCode
from companion.devices.sensing import Claim, Clock, NotThere, Source

if TYPE_CHECKING:
    import gpiod

LATE_S = 0.0002
"""Seconds from an edge to its stamp: the interrupt latency on a busy Pi (assumed; not measured on a board)."""

BEHIND_S = 0.002
"""Seconds from an edge's stamp until it can be read, which a kernel thread provides before any program runs (assumed;
not measured on a board)."""

_ROOM = 1024
"""Edges that the kernel buffers: a second of six buttons that bounce as fast as they can."""
_BUTTONS = (12, 16, 20, 21, 19, 26)
"""GPIOs that, as inputs with the Pi's own resistors, can't harm what is connected."""


class Buzzers(Wiring, frozen=True, forbid_unknown_fields=True):
    """The settings of buttons on GPIO lines."""

    apart: ClassVar = 2 * LATE_S
    needs: ClassVar = (permissions.GPIO,)
    chip: str = ""
    """The chip's device ("/dev/gpiochip0") or what the kernel calls it; "" for the chip behind the Pi's header."""

    @property
    def claims(self) -> Iterable[Claim]:
        """See `Claim`: each line, of the header or of another chip."""
        chip = (self.chip,) if self.chip else ()
        return [("lines", (*chip, f"GPIO {line}")) for line in self.lines]

    def open(self, clock: Clock) -> Source:
        """Return the buttons as a source; the lines are requested by its `start` or `listen`."""
        name = " ".join(filter(None, ("buzzers", self.chip, self.named)))
        return ButtonSource(name, self.seats, lambda: _Request(self), clock)


def here() -> Iterator[Buzzers]:
    """Yield the header's pins for buttons in the build guide, and the unused ones; nothing unless on a Pi."""
    if free := gpio.unused(_BUTTONS):
        yield Buzzers(seats=tuple(range(1, len(free) + 1)), lines=free)


class _Request:
    """The lines, requested from the kernel for us alone."""

    late = LATE_S
    hears = "all"
    behind: float | None = BEHIND_S

    def __init__(self, settings: Buzzers) -> None:
        library = gpio.library()
        with gpio.open_chip(settings.chip) as chip:
            info = chip.get_info()
            self.detail = info.label
            self._path = chip.path
            if beyond := [line for line in settings.lines if line >= info.num_lines]:
                last = info.num_lines - 1
                says = f"{info.name} ({info.label}) has lines 0 to {last}, but no {beyond[0]}: correct `lines`."
                facts = {"where": f"{info.name} ({info.label})", "setting": "lines", "choices": f"0–{last}"}
                raise NotThere(DeviceFault(says, FaultCode.UNUSABLE, facts))
            self._request = _requested(chip, settings)
        self._button = {line: button for button, line in enumerate(settings.lines)}
        self._closing = library.EdgeEvent.Type.RISING_EDGE  # the kernel itself inverts what is active low
        self._held = library.line.Value.ACTIVE
        self._numbers = Numbers()
        self._missed: Missed | None = None
        # Not the library's own wait: its select() can't take a file descriptor above 1023, and every phone takes one.
        self._poll = select.poll()
        self._poll.register(self._request.fd, select.POLLIN)

    def closed(self) -> list[bool]:
        with self._told_when_gone():
            return [value == self._held for value in self._request.get_values()]

    def edges(self, wait: float) -> list[Edge]:
        if self._missed:
            raise self._missed
        events: list[gpiod.EdgeEvent] = []
        while len(events) % _ROOM == 0 and self._poll.poll(0 if events else 1000 * wait):
            with self._told_when_gone():
                events += self._request.read_edge_events(_ROOM)
        edges = []
        for event in events:
            lost = self._numbers.lost(event.line_offset, event.line_seqno)
            if lost:
                line = event.line_offset
                says = f"{lost} edges of GPIO {line} were lost: the machine was too busy. End other programs."
                self._missed = Missed(DeviceFault(says, FaultCode.MISSED))
                break
            early = self._numbers.early(event.global_seqno)
            closed = event.event_type == self._closing
            edges.append(Edge(self._button[event.line_offset], event.timestamp_ns, closed, early))
        return edges

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._request.release()

    @contextlib.contextmanager
    def _told_when_gone(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            says = f"lost the GPIO chip {self._path} ({error.strerror}): plug it in again."
            raise NotThere(DeviceFault(says, FaultCode.GONE, {"where": self._path})) from error


def _requested(chip: "gpiod.Chip", settings: Buzzers) -> "gpiod.LineRequest":
    library = gpio.library()
    line = library.line
    pulls = {"up": line.Bias.PULL_UP, "down": line.Bias.PULL_DOWN, "none": line.Bias.DISABLED}
    line_settings = library.LineSettings(
        direction=line.Direction.INPUT,
        edge_detection=line.Edge.BOTH,
        bias=pulls[settings.pull],
        active_low=settings.active_low,
        event_clock=line.Clock.MONOTONIC,
    )
    try:
        return chip.request_lines({settings.lines: line_settings}, consumer="companion", event_buffer_size=_ROOM)
    except OSError as error:
        raise NotThere(_why_not(chip, settings, error)) from error


def _why_not(chip: "gpiod.Chip", settings: Buzzers, error: OSError) -> DeviceFault:
    name = chip.get_info().name
    used = [info for info in map(chip.get_line_info, settings.lines) if info.used]
    if error.errno == errno.EBUSY and used:
        busy = ", ".join(f"GPIO {info.offset} (by {info.consumer or 'the kernel'})" for info in used)
        says = (
            f"Already in use on {name}: {busy}. Stop that program, "
            "switch that function off in /boot/firmware/config.txt, or wire the button to another line."
        )
        return DeviceFault(says, FaultCode.BUSY, {"where": busy})
    if error.errno in (errno.EACCES, errno.EPERM):
        return permissions.GPIO.refusal(f"the lines of {name}", error)
    says = f"{name} can't watch {settings.named} for edges ({error.strerror}): wire the buttons to other lines."
    return DeviceFault(says, FaultCode.UNUSABLE, {"setting": "lines", "choices": None})
