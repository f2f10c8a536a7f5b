"""What is plugged in: every possible device is opened, and those that answer are listened to."""

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
"""What a device senses, by the device's name."""
AT_A_TIME = 8
"""How many devices are asked at the same time, if they share no bus."""


def everything() -> Iterator[Any]:
    """Yield the settings of whatever may be plugged in, from every driver that can look for devices."""
    for module in {**drivers.find("reader"), **drivers.find("buzzers")}.values():
        if hasattr(module, "here"):
            yield from module.here()


def at_port(path: str) -> Iterator[Any]:
    """Yield what may be connected to a serial port that somebody has typed."""
    yield pn532_uart.Reader(place=UNPLACED, port=path)
    yield pico.Buzzers(port=path, seats=())


class _Tried(Struct, frozen=True):
    settings: Any
    source: Source | None
    """None if nothing answers there."""
    fault: DeviceFault | None = None
    """Why not."""

    @property
    def device(self) -> Attached:
        where = where_is(self.settings)
        return Attached(where, self.settings, str(self.fault or where), works=self.source is not None)


class Bench:
    """The devices that answer, in use until `close`. Use it from one thread at a time."""

    def __init__(self, clock: Clock, told: Told) -> None:
        """`told` is called from the devices' own threads."""
        self._clock = clock
        self._told = told
        self._listening: list[Listening] = []

    def look(self, known: Sequence[Any], candidates: Iterable[Any]) -> tuple[list[Attached], list[Silent]]:
        """Open everything again, and listen to whatever answers. Takes seconds.

        `known` are the table's devices so far: one that does not answer stays, shown as silent until it answers.
        """
        self.close()
        devices = [*known, *_others(known, candidates)]
        readers = self._tried([replace(device, place=where_is(device)) for device in devices if reads(device)])
        # Readers first: a pin that one of them uses can't be a button's.
        used = {claim for attempt in readers if attempt.source for claim in _claims(attempt.settings)}
        boxes = self._tried(list(filter(None, (_free(device, used) for device in devices if not reads(device)))))
        known_names = {where_is(device) for device in known}
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
        """Open each: those on one bus in turn, all others at once."""
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


def _others(known: Sequence[Any], candidates: Iterable[Any]) -> Iterator[Any]:
    """Yield once each candidate that needs nothing that a known device uses."""
    claimed = {claim for device in known for claim in _claims(device)}
    names: set[tuple[str, str]] = set()
    buttons = any(isinstance(device, Wiring) for device in known)
    for candidate in candidates:
        if buttons and isinstance(candidate, Wiring):
            continue  # one set of buttons on the header is enough: two can't be compared as precisely
        name = type(candidate).__module__, where_is(candidate)
        free = _free(candidate, claimed)
        if free is not None and name not in names:
            names.add(name)
            yield free


def _claims(settings: Any) -> list[tuple[str, ...]]:
    return [claim for _, claim in getattr(settings, "claims", ())]


def _free(settings: Any, used: set[tuple[str, ...]]) -> Any | None:
    """Return it without the pins that are in use; None if no pin is left."""
    if not isinstance(settings, Wiring):
        return None if used.intersection(_claims(settings)) else settings
    both = zip(settings.seats, settings.lines, strict=True)
    free = [(seat, line) for seat, line in both if (f"GPIO {line}",) not in used]
    return replace(settings, seats=tuple(s for s, _ in free), lines=tuple(line for _, line in free)) if free else None


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
    """Return what should answer and does not: a port, or a bus without any answer."""
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
