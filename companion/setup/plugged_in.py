"""Finds what is plugged in: opens every possible device, and listens to those that answer."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.devices import drivers
from companion.devices.buttons.gpio_source import Wiring
from companion.devices.drivers import pico, pn532_uart
from companion.devices.faults import DeviceFault
from companion.devices.listening import Listening
from companion.devices.sensing import UNPLACED, Clock, NotThere, Sensing, Source, reads
from companion.setup.table_plan import Attached, Silent

Told = Callable[[str, Sensing], None]
"""Takes a device's name, and what it senses."""
AT_A_TIME = 8
"""Devices opened at the same time, if they share no bus."""


def everything() -> Iterator[Any]:
    """Yield the settings of every possible device, from each driver that can search for its own."""
    for module in {**drivers.find("reader"), **drivers.find("buzzers")}.values():
        if hasattr(module, "here"):
            yield from module.here()


def at_port(path: str) -> Iterator[Any]:
    """Yield the settings of devices that may be at a serial port."""
    yield pn532_uart.Reader(place=UNPLACED, port=path)
    yield pico.Buzzers(port=path, seats=())


class _Tried(Struct, frozen=True):
    settings: Any
    source: Source | None
    """None if nothing answers."""
    fault: DeviceFault | None = None
    """Why nothing answers."""

    @property
    def device(self) -> Attached:
        where = where_is(self.settings)
        return Attached(where, self.settings, str(self.fault or where), works=self.source is not None)


class Bench:
    """The devices that answer, open until `close`. Use it from one thread at a time."""

    def __init__(self, clock: Clock, tell: Told) -> None:
        """`tell` gets what devices sense, from their own threads."""
        self._clock = clock
        self._told = tell
        self._listening: list[Listening] = []

    def look(self, known_devices: Sequence[Any], candidates: Iterable[Any]) -> tuple[list[Attached], list[Silent]]:
        """Open all devices again, and listen to those that answer. Takes seconds.

        `known_devices` are the table's devices so far; one that does not answer stays in the list, as not working.
        """
        self.close()
        devices = [*known_devices, *_others(known_devices, candidates)]
        readers = self._tried([replace(device, place=where_is(device)) for device in devices if reads(device)])
        # Readers first: a pin that one of them uses can't be a button's.
        used = {claim for attempt in readers if attempt.source for claim in _claims(attempt.settings)}
        boxes = self._tried(list(filter(None, (_free(device, used) for device in devices if not reads(device)))))
        known_names = {where_is(device) for device in known_devices}
        attempts = (*readers, *boxes)
        present = [attempt for attempt in attempts if attempt.source or where_is(attempt.settings) in known_names]
        self._listen(
            [
                attempt if attempt.source else replace(attempt, source=attempt.settings.open(self._clock))
                for attempt in present
            ]
        )
        return [attempt.device for attempt in present], _silent(
            [attempt for attempt in attempts if where_is(attempt.settings) not in known_names]
        )

    def close(self) -> None:
        """Release all devices."""
        listening = self._listening
        self._listening = []
        for device in listening:
            device.stop()

    def _listen(self, attempts: Sequence[_Tried]) -> None:
        readers = [attempt for attempt in attempts if attempt.device.reads]
        names = {attempt.source.name: attempt.device.name for attempt in readers if attempt.source}

        def by_reader(*sensings: Sensing) -> None:
            for sensing in sensings:
                self._told(names.get(getattr(sensing, "source", ""), getattr(sensing, "place", "")), sensing)

        self._listening = [Listening([attempt.source for attempt in readers if attempt.source], by_reader)]
        for attempt in attempts:
            if attempt.source and not attempt.device.reads:
                self._listening.append(Listening([attempt.source], self._by(attempt.device.name)))

    def _by(self, name: str) -> Callable[..., None]:
        def tell(*sensings: Sensing) -> None:
            for sensing in sensings:
                self._told(name, sensing)

        return tell

    def _tried(self, devices: Sequence[Any]) -> list[_Tried]:
        """Open devices: those on one bus one after the other, all others at the same time."""
        buses: dict[str, list[Any]] = {}
        for device in devices:
            buses.setdefault(getattr(device, "bus", where_is(device)), []).append(device)
        with ThreadPoolExecutor(AT_A_TIME) as pool:
            return list(
                chain.from_iterable(
                    pool.map(lambda bus: [_open(device, self._clock) for device in bus], buses.values())
                )
            )


def where_is(settings: Any) -> str:
    """Return what a device is connected to: its port, or its bus and chip select or channel."""
    if isinstance(settings, Wiring):
        return settings.named
    return ", ".join(next(iter(_claims(settings)), ("",)))


def _others(known_devices: Sequence[Any], candidates: Iterable[Any]) -> Iterator[Any]:
    """Yield each candidate that shares no resource with a known device, once."""
    claimed = {claim for device in known_devices for claim in _claims(device)}
    names: set[tuple[str, str]] = set()
    buttons = any(isinstance(device, Wiring) for device in known_devices)
    for candidate in candidates:
        if buttons and isinstance(candidate, Wiring):
            continue  # one set of buttons on the header is enough: times of two can't be compared as precisely
        name = type(candidate).__module__, where_is(candidate)
        free = _free(candidate, claimed)
        if free is not None and name not in names:
            names.add(name)
            yield free


def _claims(settings: Any) -> list[tuple[str, ...]]:
    return [claim for _, claim in getattr(settings, "claims", ())]


def _free(settings: Any, used: set[tuple[str, ...]]) -> Any | None:
    """Return a device without pins in use; None if it has none left, or is in use as a whole."""
    if not isinstance(settings, Wiring):
        return None if used.intersection(_claims(settings)) else settings
    both = zip(settings.seats, settings.lines, strict=True)
    free = [(seat, line) for seat, line in both if (f"GPIO {line}",) not in used]
    if not free:
        return None
    return replace(settings, seats=tuple(seat for seat, _ in free), lines=tuple(line for _, line in free))


def _open(settings: Any, clock: Clock) -> _Tried:
    source: Source | None = None
    try:
        fitted = settings.fitted() if hasattr(settings, "fitted") else settings
        source = fitted.open(clock)
        source.start()
        return _Tried(fitted, source)
    except NotThere as wrong:
        if source is not None:
            source.close()
        return _Tried(settings, None, wrong.fault)


def _silent(attempts: Sequence[_Tried]) -> list[Silent]:
    """Return the ports and buses where nothing answers."""
    answering = {_asked(attempt.settings) for attempt in attempts if attempt.source}
    quiet: dict[str, Silent] = {}
    for attempt in attempts:
        way = _asked(attempt.settings)
        if attempt.fault is not None and way and way not in answering:
            quiet.setdefault(way, Silent(way, attempt.fault))
    return list(quiet.values())


def _asked(settings: Any) -> str:
    """Return the port or bus by which a device is reached; "" for pins."""
    return str(getattr(settings, "port", "") or getattr(settings, "bus", ""))
