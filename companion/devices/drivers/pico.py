"""Driver `pico`: the buzzer box, a Raspberry Pi Pico on USB that stamps every press by its own clock.

`firmware/protocol.md` defines the protocol, `buzzer_box.connection` implements it. A press's `origin` is made of the
box's boot id and sequence number, so one that is told again after a restart of the companion is recognised.
"""

import threading
from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from companion.devices import permissions, serial_ports
from companion.devices.buzzer_box.connection import Memory, Talk
from companion.devices.buzzer_box.faults import Lost, another
from companion.devices.buzzer_box.inquiry import Asking
from companion.devices.buzzer_box.port import BoxPort
from companion.devices.figures import ButtonFigures, ButtonsFigures, Faults
from companion.devices.lamp_cues import Light
from companion.devices.sensing import Claim, Clock, Failed, Source, Tell, Working
from companion.errors import NotKept
from companion.events import SEATS

_RETRY_S = 0.2


class Buzzers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a buzzer box."""

    apart: ClassVar = 0.000001
    """See `sensing`: the box tells presses a microsecond apart (emulated; not measured on a board)."""

    port: str
    """The serial port; best its name under /dev/serial/by-id, which stays the same."""
    seats: tuple[int, ...]
    """Button n belongs to seat `seats[n - 1]`; distinct, from 1 to 6."""

    def __post_init__(self) -> None:
        if not self.port:
            raise ValueError("`port` is empty")

    @property
    def claims(self) -> Iterable[Claim]:
        """See `Claim`."""
        return [("port", (self.port,))]

    @property
    def needs(self) -> Iterable[permissions.Access]:
        """See `companion.devices.permissions`."""
        return (permissions.serial(self.port),)

    def fitted(self) -> "Buzzers":
        """Ask the box how many buttons it has; return settings with that many. Raises `Lost`."""
        with Asking(self.port) as box:
            return replace(self, seats=tuple(SEATS[: box.hello().buttons]))

    def open(self, clock: Clock) -> Source:
        """Return the box as a source; the port is opened by its `start` or `listen`."""
        return _Box(self, clock)


def here() -> Iterator[Buzzers]:
    """Yield a box for each Pico on USB."""
    for port in serial_ports.picos():
        yield Buzzers(port=port, seats=())


def _kind(state: Working | Failed | None) -> object:
    """Return the part of a state whose change is news."""
    return state.fault.code if isinstance(state, Failed) else type(state)


class _Box:
    def __init__(self, settings: Buzzers, clock: Clock) -> None:
        self.name = f"buzzers {settings.port}"
        self._settings = settings
        self._clock = clock
        self._memory = Memory()
        self._port: BoxPort | None = None
        self._talk: Talk | None = None
        self._adapter: serial_ports.Adapter | None = None
        """What was at the port when a box first answered there."""
        self._state: Working | Failed | None = None
        """What was told last; None before anything was told."""
        self._faults = Faults()

    def start(self) -> None:
        """See `Source.start`."""
        try:
            self._connect(threading.Event())
        except Lost:
            self.close()
            raise

    def listen(self, tell: Tell, stop: threading.Event) -> None:
        """See `Source.listen`."""

        def report(state: Working | Failed) -> bool:
            """Tell a new kind of state, but not the same kind again."""
            if _kind(state) == _kind(self._state):
                return True
            try:
                tell(state)
            except NotKept:
                return False
            if isinstance(state, Failed) and isinstance(self._state, Working):
                self._faults.happened(state.fault, state.at)
            self._state = state
            return True

        while not stop.is_set():
            try:
                talk = self._talk or self._connect(stop)
                talk.go_on(tell, report, stop)
            except Lost as lost:
                self.close()
                if lost.fault.code is not _kind(self._state):  # `whole` looks through all processes, so only for news
                    report(Failed(self.name, lost.whole(), self._clock()))
                stop.wait(_RETRY_S)

    @property
    def figures(self) -> ButtonsFigures:
        """See `Measured`. The box stamps a press's first edge; it reports the others only when asked."""
        memory = self._memory
        faults = self._faults
        seats = enumerate(self._settings.seats, 1)
        worst = memory.recording.worst
        return ButtonsFigures(
            tuple(ButtonFigures(seat, memory.presses.get(seat, 0), worst.get(button)) for button, seat in seats),
            edges="asked",
            firmware=memory.firmware,
            faults=faults.number,
            last_fault=faults.last,
            last_fault_at=faults.at,
            port=self._settings.port,
            closed=tuple(self._settings.seats[button] for button in memory.contacts.stuck),
        )

    def look_at_contacts(self) -> None:
        """See `ContactWatcher`."""
        self._memory.contacts.want(self._clock())

    def record(self, seat: int | None) -> None:
        """See `BounceRecorder.record`."""
        seats = self._settings.seats
        self._memory.recording.want(None if seat not in seats else seats.index(seat) + 1, self._clock())

    def show(self, lights: Mapping[int, Light]) -> None:
        """See `Lamps.show`."""
        self._memory.lights = dict(lights)

    def close(self) -> None:
        """See `Source.close`."""
        if self._port is not None:
            self._port.close()
        self._port = self._talk = None

    def _connect(self, stop: threading.Event) -> Talk:
        settings = self._settings
        self._port = BoxPort(settings.port)
        adapter = serial_ports.adapter_at(settings.port)
        if serial_ports.is_another(self._adapter, adapter):
            raise another(settings.port)
        talk = Talk(self._port, settings.port, self.name, settings.seats, self._memory, self._clock)
        talk.greet(stop)
        self._talk = talk
        self._adapter = self._adapter or adapter
        return talk
