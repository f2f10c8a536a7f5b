"""A buzzer box on a cable: its buttons pressed, what can go wrong with it, and whether the log has each press once."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from unittest import mock

from companion.devices.drivers.pico import Buzzers
from companion.devices.sensing import Buzzed, Clock, Sensing, Tell
from tests.emulators.box import FINE, KEPT, Faults
from tests.emulators.box_cable import CabledBox
from tests.emulators.time import Time, Until
from tests.trust.cables.readers import Cable
from tests.trust.cables.trouble import Happening, Outcome
from tests.trust.cables.truth import NOTHING, Log, Place, Press

SEATS = (1, 2, 3, 4, 5, 6)
PRESS_S = 0.4
"""Seconds between two shouts, on average; each is a press or several."""
CLOSE_US = 100_000
"""Presses closer than this keep their distance to the microsecond."""


@dataclass(frozen=True)
class Pressed:
    """A button that was really pressed: when on the box's clock, in microseconds, and when on everybody's."""

    origin: str
    seat: int
    device: int
    at: float


class BoxOnCable:
    """What plays at an evening."""

    name = "a box"
    seats = SEATS
    pause_s = 4.0

    def __init__(self) -> None:
        self._pressed: list[Pressed] = []
        self._told: dict[str, list[tuple[int, Buzzed]]] = {}
        """Of each press, as what it was told, and in which run of the companion."""
        self._run = 0
        self._lost: set[str] = set()
        """Presses that the box forgot when its power went: whether they had been told, it can't know."""
        self._off = 0

    def plugged(self) -> Any:
        return mock.patch("companion.devices.drivers.pico.BoxPort", lambda path: self._box.port(path))

    def freed(self) -> None:
        """A port that was open is given back by the kernel."""

    def opened(self, time: Time) -> list[Any]:
        self._run += 1
        return [Buzzers(port=CabledBox.path, seats=SEATS).open(time.monotonic)]

    def sit_down(self, time: Time, uids: Mapping[str, str], seed: int) -> dict[str, Place]:
        self._chance = random.Random(seed)
        drift = self._chance.uniform(-50, 50)
        start = self._chance.choice((0, 2**32 - 20_000_000))
        self._box = CabledBox(time, drift_ppm=drift, counter_start=start, seed=seed)
        self._cable = Cable(self._box.unplug, self._box.replug)
        self._place = Place(f"buzzers {self._box.path}", time.monotonic)
        return {self._place.name: self._place}

    def scripts(self, over: Callable[[], bool]) -> list[Iterator[float]]:
        return [self._presses(over), self._look(over)]

    def _presses(self, over: Callable[[], bool]) -> Iterator[float]:
        while not over():
            yield self._chance.expovariate(1 / PRESS_S)
            for seat in self._chance.sample(SEATS, self._chance.choice((1, 1, 2, 3, 6))):
                self._press(seat)

    def _look(self, over: Callable[[], bool]) -> Iterator[float]:
        """See when the box has told all it knows."""
        while True:
            yield 0.1
            if not self._box.unacked:
                self._place.looked(NOTHING)

    def listen(self, sources: Sequence[Any], tell: Tell, over: Until, clock: Clock) -> None:
        def told(*sensings: Sensing) -> None:
            for one in sensings:
                if isinstance(one, Buzzed):
                    self._told.setdefault(one.origin, []).append((self._run, one))
            tell(*sensings)

        sources[0].listen(told, over)

    @property
    def events(self) -> int:
        return len(self._pressed)

    @property
    def settled(self) -> bool:
        return not self._box.unacked

    # What goes wrong.

    def _press(self, seat: int) -> None:
        box = self._box
        if not self._off and box.unacked < KEPT:
            device = box.press(seat)
            self._pressed.append(Pressed(f"pico-{box.boot}-{box.last}", seat, device, box.time.now))

    def _lose_power(self) -> None:
        """It forgets everything."""
        self._off += 1
        self._lost |= {f"pico-{self._box.boot}-{seq}" for seq, _, _ in self._box._unacked}
        self._cable.pull()

    def _get_power(self) -> None:
        self._off -= 1
        if not self._off:
            self._box._power_up()
        self._cable.put()

    def _half_a_line(self) -> None:
        self._box.unplug(mid_line=True)
        self._cable.pull()

    def _press_and_pull(self) -> None:
        """Pull the cable before the press can be acknowledged."""
        for seat in (1, 2, 3):
            self._press(seat)
        self._cable.pull()

    def fault(self, chance: random.Random) -> Happening:
        few = chance.choice((0.05, 0.2))
        many = chance.choice((0.2, 0.5))
        there = (self._place.name,)
        put = self._cable.put
        lines = {
            "silent": Faults(mute=True),
            "no heartbeat": Faults(mute_heartbeat=True),
            "garbage on the line": Faults(noise=few),
            "lines lost both ways": Faults(drop=many),
            "lines twice": Faults(double=many),
            "lines out of order": Faults(reorder=many),
            "flipped bits": Faults(corrupt=few),
            "all of these": Faults(noise=few, drop=few, double=few, reorder=few, corrupt=few),
        }
        name, line = chance.choice([*lines.items()])
        spoilt = Happening(name, there, lambda: self._line(line), lambda: self._line(FINE), silent=line.mute)
        return chance.choice(
            (
                Happening("cable pulled", there, self._cable.pull, put, silent=True),
                Happening("cable pulled in a line", there, self._half_a_line, put, silent=True),
                Happening("cable pulled before the acknowledgement", there, self._press_and_pull, put, silent=True),
                Happening("power cut, all forgotten", there, self._lose_power, self._get_power, silent=True),
                *[spoilt] * 8,
            )
        )

    def _line(self, faults: Faults) -> None:
        """Let its line be so from now on."""
        self._box.faults = faults

    # What came of it.

    def compare(self, log: Log, restarts: Sequence[float], outcome: Outcome) -> None:
        outcome.presses = len(self._pressed)
        outcome.wrong += self._mistold(log.presses)

    def _run_of(self, press: Press) -> int:
        """In which run it was told as the log has it: told before a kill, it may have been stored only after."""
        return min(self._told[press.origin], key=lambda told: abs(told[1].at - press.at))[0]

    def _mistold(self, log: Sequence[Press]) -> Iterator[str]:
        """Return the presses that the log lost, doubled, made up, or put at a time when they were not."""
        by_origin: dict[str, list[Press]] = {}
        for one in log:
            by_origin.setdefault(one.origin, []).append(one)
        for origin in by_origin.keys() - {press.origin for press in self._pressed}:
            yield f"nobody pressed: {by_origin[origin]}"
        for press in self._pressed:
            match by_origin.get(press.origin, []):
                case [one] if one.seat != press.seat:
                    yield f"another seat: {one}, it was {press}"
                case [one] if not any(_is_true(one, told, press) for _, told in self._told[press.origin]):
                    yield f"another time: {one}, it was {press}"
                case [] if press.origin in self._lost:
                    pass
                case found if len(found) != 1:
                    yield f"{len(found)} times in the log: {press}"
        for one, other in pairwise(press for press in self._pressed if press.origin in by_origin):
            apart = other.device - one.device
            first = by_origin[one.origin][0]
            second = by_origin[other.origin][0]
            same_boot = one.origin.rpartition("-")[0] == other.origin.rpartition("-")[0]
            # Who starts anew has learnt the box's clock anew: the doubt that is stated bounds each press, as above.
            same_run = self._run_of(first) == self._run_of(second)
            if same_boot and same_run and apart < CLOSE_US and round((second.at - first.at) * 1e6) != apart:
                yield f"{apart} µs apart, not as in the log: {first}, {second}"


def _is_true(one: Press, told: Buzzed, press: Pressed) -> bool:
    """Whether the log has what was told, and that was true within what was stated."""
    return abs(told.at - press.at) <= told.uncertainty + 1e-6 and abs(one.at - told.at) < 2e-6
