"""Readers and a buzzer box on cables: what can go wrong with a cable, with the box, and with all of them at once."""

import os
import random
from collections.abc import Callable
from dataclasses import dataclass

from tests.emulators.box import FINE, EmulatedBox, Faults
from tests.emulators.pn532 import UartPN532
from tests.trust.cables.trouble import Happening
from tests.trust.journal import raw

BOX = "buzzers"


class Cable:
    """The cable of a reader or of the box, which several may have pulled."""

    def __init__(self, device: UartPN532 | EmulatedBox):
        self._device = device
        self._pulled = 0
        self._instead: tuple[int, int] | None = None

    @property
    def out(self) -> bool:
        return self._pulled > 0

    def pull(self) -> None:
        self._pulled += 1
        if self._pulled == 1:
            self._device.unplug()
            self._instead = os.openpty()  # its tty's number is another's now: it comes back as another one

    def put(self) -> None:
        self._pulled -= 1
        if not self._pulled:
            self._device.replug()
            for fd in self._instead or ():
                os.close(fd)


@dataclass(frozen=True)
class Press:
    """A button that was really pressed."""

    origin: str
    seat: int
    device: int
    """When, in the box's microseconds."""
    after: float
    before: float
    """When, on the machine's raw clock."""


class Box:
    """The box with its buttons pressed; what may be lost with its power, and what it refused."""

    def __init__(self, box: EmulatedBox):
        self.emulated, self.cable = box, Cable(box)
        self.pressed: list[Press] = []
        self.lost: set[str] = set()
        """Presses that the box forgot when its power went: whether they had been told, it can't know."""
        self.refused = 0
        self._off = 0

    def press(self, seat: int) -> None:
        """Press a button, if the box has power."""
        if self._off:
            return
        box = self.emulated
        with box._lock:
            after, last = raw(), box.last
            device = box.press(seat)
            if box.last == last:
                self.refused += 1
            else:
                self.pressed.append(Press(f"pico-{box.boot}-{box.last}", seat, device, after, raw()))

    def lose_power(self) -> None:
        """It forgets everything."""
        box = self.emulated
        with box._lock:
            self._off += 1
            self.lost |= {f"pico-{box.boot}-{seq}" for seq, _, _ in box._unacked}
            self.cable.pull()

    def get_power(self) -> None:
        with self.emulated._lock:
            self._off -= 1
            if not self._off:
                self.emulated._power_up()
            self.cable.put()

    def half_a_line(self) -> None:
        """Pull the cable in the middle of a line."""
        if not self.cable.out:
            self.emulated.unplug(mid_line=True)
        self.cable.pull()

    def press_and_pull(self) -> None:
        """Pull the cable before the press can be acknowledged."""
        for seat in (1, 2, 3):
            self.press(seat)
        self.cable.pull()

    def line(self, faults: Faults) -> None:
        """Let its line be so from now on."""
        self.emulated.faults = faults


def faults_of_a_reader(place: str, cable: Cable) -> tuple[Happening, ...]:
    return (Happening("cable pulled", (place,), cable.pull, cable.put, silent=True),)


def faults_of_the_box(box: Box, chance: random.Random) -> tuple[Happening, ...]:
    def line(name: str, faults: Faults, silent: bool = False) -> Happening:
        return Happening(f"box: {name}", (BOX,), lambda: box.line(faults), lambda: box.line(FINE), silent)

    few, many = chance.choice((0.05, 0.2)), chance.choice((0.2, 0.5))
    return (
        Happening("box: cable pulled", (BOX,), box.cable.pull, box.cable.put, silent=True),
        Happening("box: cable pulled in a line", (BOX,), box.half_a_line, box.cable.put, silent=True),
        Happening("box: cable pulled before the acknowledgement", (BOX,), box.press_and_pull, box.cable.put, True),
        Happening("box: power cut, all forgotten", (BOX,), box.lose_power, box.get_power, silent=True),
        line("silent", Faults(mute=True), silent=True),
        line("no heartbeat", Faults(mute_heartbeat=True)),
        line("garbage on the line", Faults(noise=few)),
        line("lines lost both ways", Faults(drop=many)),
        line("lines twice", Faults(double=many)),
        line("lines out of order", Faults(reorder=many)),
        line("flipped bits", Faults(corrupt=few)),
        line("all of these", Faults(noise=few, drop=few, double=few, reorder=few, corrupt=few)),
    )


def faults_of_the_hub(cables: dict[str, Cable], box: Box) -> tuple[Happening, ...]:
    """What everything hangs on is pulled, or loses its power."""
    readers = [cable for name, cable in cables.items() if name != BOX]

    def all_of(acts: list[Callable[[], None]]) -> Callable[[], None]:
        return lambda: [act() for act in acts] and None  # type: ignore[func-returns-value]

    pull, put = all_of([cable.pull for cable in readers]), all_of([cable.put for cable in readers])
    return (
        Happening(
            "USB hub pulled",
            tuple(cables),
            all_of([pull, box.cable.pull]),
            all_of([put, box.cable.put]),
            silent=True,
        ),
        Happening(
            "USB hub without power",
            tuple(cables),
            all_of([pull, box.lose_power]),
            all_of([put, box.get_power]),
            silent=True,
        ),
    )
