"""The readers of a table: hands that lay cards and lift them, and what can go wrong with their bus."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from companion.devices.listening import start_all, take_turns
from companion.devices.sensing import Clock, Tell
from tests.devices import readers
from tests.emulators.pn532_i2c import I2cPN532
from tests.emulators.pn532_uart import EmulatedPorts
from tests.emulators.quirks import LATENCY, OPENING, drawn
from tests.emulators.time import Time, Until
from tests.trust.cables.faults import met
from tests.trust.cables.hand import Hand
from tests.trust.cables.trouble import Happening, Outcome
from tests.trust.cables.truth import RECOVERED_S, Log, Place, disagreements

LAG_S = 0.7
"""From the moment when a chip looks to the time stamped on what it saw."""
WAKING_S = 0.6
"""To wake one that wants time between transfers, while the others on its bus wait."""
OF_THE_BUS = 0.1
"""How many of the faults are the whole bus's."""


class Readers:
    """What plays at an evening; every second reader can be reset."""

    seats: tuple[int, ...] = ()
    pause_s = 1.2
    settled = True

    def __init__(self, name: str, wired: readers.Table, faults: Sequence[Happening], freed: Callable[[], None]):
        """`freed` is what the kernel gives back where a program was killed."""
        self.name = f"{len(wired.chips)} readers on {name}"
        self.bus = wired.bus
        self.freed = freed
        self._settings = [replace(one, reset=None) if n % 2 else one for n, one in enumerate(wired.readers)]
        self._chips = wired.chips
        self._faults = faults
        self._hands: list[Hand] = []

    def plugged(self) -> Any:
        return readers.plugged(self.bus)

    def opened(self, time: Time) -> list[Any]:
        sources = [one.open(time.monotonic, time.sleep) for one in self._settings]
        start_all(sources)  # what does not answer now is opened later
        return sources

    def sit_down(self, time: Time, uids: Mapping[str, str], seed: int) -> dict[str, Place]:
        for name, chip in self._chips.items():
            chip.be(drawn(random.Random(f"{seed} {name}, what it is like")))
        if isinstance(self.bus, EmulatedPorts):
            chance = random.Random(f"{seed}, the adapters")
            self.bus.deaf, self.bus.latency = chance.choice(OPENING), chance.choice(LATENCY)
        slow = sum(chip.quirks.bus_free > 0 for chip in self._chips.values() if isinstance(chip, I2cPN532))
        self.places = {
            name: Place(name, time.monotonic, chip.quirks, RECOVERED_S + slow * WAKING_S)
            for name, chip in self._chips.items()
        }
        self._hands = [
            Hand(place, self._chips[name], uids, list(uids)[n :: len(self._chips)], random.Random(f"{seed} {name}"))
            for n, (name, place) in enumerate(self.places.items())
        ]
        return self.places

    def scripts(self, over: Callable[[], bool]) -> list[Iterator[float]]:
        return [hand.play(over) for hand in self._hands]

    def listen(self, sources: Sequence[Any], tell: Tell, over: Until, clock: Clock) -> None:
        """Give each bus its thread, as the companion does: a port that is silent holds up no other."""
        buses: dict[str, list[Any]] = {}
        for source in sources:
            buses.setdefault(source.turns, []).append(source)
        over.time.side_by_side([partial(take_turns, bus, tell, over, clock) for bus in buses.values()])

    def fault(self, chance: random.Random) -> Happening:
        if chance.random() < OF_THE_BUS:
            return chance.choice(self._faults)
        place = chance.choice([*self._chips])
        return met(place, self._chips[place], chance)

    @property
    def events(self) -> int:
        return sum(hand.events for hand in self._hands)

    def compare(self, log: Log, restarts: Sequence[float], outcome: Outcome) -> None:
        outcome.cards = self.events
        for place in self.places.values():
            place.end()
            outcome.wrong += disagreements(place, log.cards, restarts, LAG_S)


def on_i2c() -> Readers:
    """A reader at every place behind two multiplexers, of which the first can be reset."""
    wired = readers.on_i2c()
    bus = wired.bus
    places = tuple(wired.chips)
    seats = bus.multiplexers[0x70]
    pads = bus.multiplexers[0x71]

    def power(multiplexer: Any, on: bool) -> Callable[[], None]:
        def switched() -> None:
            multiplexer.silent = not on
            multiplexer.register = 0

        return switched

    faults = [
        Happening("transfers fail", places, *_between(bus, "broken", 10**9, 0), silent=True),
        Happening("multiplexer hangs, with a reset pin", places, _put(seats, "hung", True), seats.reset),
        Happening("multiplexer hangs, without one", places, _put(pads, "hung", True), pads.reset, silent=True),
        Happening("multiplexer sticks, with a reset pin", places, _put(seats, "stuck", True), seats.reset),
        Happening("multiplexer sticks, without one", places, _put(pads, "stuck", True), pads.reset),
        Happening("multiplexer without power", places[:6], power(seats, False), power(seats, True), silent=True),
        Happening("multiplexer without power", places[6:], power(pads, False), power(pads, True), silent=True),
        Happening("multiplexer's brown-out", places[:6], _put(seats, "register", 0), lambda: None),
    ]
    return Readers("I2C", wired, faults, _put(bus, "_locked", False))


def on_spi() -> Readers:
    """Readers with a GPIO each as chip select."""
    wired = readers.on_spi()
    bus = wired.bus
    places = tuple(wired.chips)
    chips = wired.chips.values()
    off = [chip.cut_power for chip in chips]
    on = [chip.restore_power for chip in chips]
    faults = [
        Happening("transfers fail", places, lambda: bus.fail(10**9), lambda: bus.fail(0), silent=True),
        Happening("slow transfers", places, lambda: bus.hang(0.01, 10**9), lambda: bus.hang(0.0, 0)),
        Happening("all chips without power", places, _all_of(off), _all_of(on), silent=True),
    ]
    return Readers("SPI", wired, faults, lambda: None)


def on_uart() -> Readers:
    """Readers on serial ports, at one hub; no two antennas are so close that their readers would take turns."""
    wired = readers.on_uart(turns="")
    cables = {
        place: Cable(lambda port=one.port: wired.bus.unplug(port), lambda port=one.port: wired.bus.replug(port))
        for place, one in zip(wired.chips, wired.readers, strict=True)
    }
    pull = [cable.pull for cable in cables.values()]
    put = [cable.put for cable in cables.values()]
    faults = [Happening("USB hub pulled", tuple(cables), _all_of(pull), _all_of(put), silent=True)]
    faults += [Happening("cable pulled", (place,), one.pull, one.put, silent=True) for place, one in cables.items()]
    return Readers("UART", wired, faults, lambda: None)


class Cable:
    """A cable that several may have pulled."""

    def __init__(self, unplug: Callable[[], object], replug: Callable[[], object]):
        self._unplug = unplug
        self._replug = replug
        self._pulled = 0

    def pull(self) -> None:
        self._pulled += 1
        if self._pulled == 1:
            self._unplug()

    def put(self) -> None:
        self._pulled -= 1
        if not self._pulled:
            self._replug()


def _put(on: object, name: str, value: object) -> Callable[[], None]:
    return lambda: setattr(on, name, value)


def _between(on: object, name: str, bad: object, good: object) -> tuple[Callable[[], None], Callable[[], None]]:
    return _put(on, name, bad), _put(on, name, good)


def _all_of(acts: Sequence[Callable[[], object]]) -> Callable[[], object]:
    return lambda: [act() for act in acts]
