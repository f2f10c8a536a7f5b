"""Opens all of a table's devices to check how well each works."""

import queue
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Self

from companion.config import Table
from companion.devices.buzzer_box import programs
from companion.devices.check.checkup import Checkup
from companion.devices.check.walk import around
from companion.devices.listening import Listening, start_all
from companion.devices.monotonic_clock import TableClock
from companion.devices.sensing import Measured, Sensing, reads
from companion.tags.deck_file import Decks

MEASURED_S = 3.0
"""Seconds to listen: polls are counted over one second, and the readers need the others to begin."""
MEANWHILE_S = 0.4
"""Seconds between two calls of `meanwhile`, at most."""
SILENT_S = 5.0
"""Seconds for every device to report that it works, or why not."""


class Checking:
    """A table's devices, open and measured during the `with` block. Raises `TagsFault`."""

    def __init__(self, table: Table) -> None:
        self.decks = Decks(table.tags)
        self.page = table.page
        self.log = table.log
        clock = TableClock()
        self._heard: queue.SimpleQueue[Sensing] = queue.SimpleQueue()
        self._sources = [sensor.open(clock) for sensor in table.sensors]
        self._table = table
        self._clock = clock

    def __enter__(self) -> Self:
        self.missing = start_all(self._sources)
        """A sentence for each device that did not answer at once."""
        self.seats = tuple(seat for settings in self._answering() if not reads(settings) for seat in settings.seats)
        """The seats whose buttons answered."""
        self.steps = around(self.seats, [settings.place for settings in self._answering() if reads(settings)])
        """The steps of a walk, without those for missing devices."""
        firmware = programs.version()
        self.checkup = Checkup(self._sources, self.steps, self._clock, firmware, self._keep, lambda: None)
        self._listening = Listening(self._sources, self.checkup.tell)
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.stop()

    @property
    def seconds(self) -> float:
        """Seconds to listen for figures; 0 if no device measures any."""
        return MEASURED_S if any(isinstance(source, Measured) for source in self._sources) else 0.0

    def sensed(self, seconds: float, meanwhile: Callable[[], object] = lambda: None) -> Iterator[Sensing]:
        """Yield what is sensed in the next seconds, as it comes; call `meanwhile` in between."""
        until = time.monotonic() + seconds
        while (seconds_left := until - time.monotonic()) > 0:
            meanwhile()
            with suppress(queue.Empty):
                yield self._heard.get(timeout=min(seconds_left, MEANWHILE_S))

    def settle(self) -> None:
        """Wait until every device has reported, for at most `SILENT_S`."""
        due = time.monotonic() + SILENT_S
        while time.monotonic() < due and any(device.works is None for device in self.checkup.devices()):
            time.sleep(0.05)

    def _answering(self) -> list[Any]:
        """Return the settings of the devices that answered."""
        return [
            settings
            for settings, source in zip(self._table.sensors, self._sources, strict=True)
            if not any(why.startswith(f"{source.name}: ") for why in self.missing)
        ]

    def _keep(self, *sensings: Sensing) -> None:
        for sensing in sensings:
            self._heard.put(sensing)


def missing(table: Table) -> list[str]:
    """Open every device once; return a sentence for each that does not answer. Raises `TagsFault`."""
    with Checking(table) as checking:
        return checking.missing
