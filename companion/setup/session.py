"""A setup in progress: the plan, the devices, and the settings file that results."""

import logging
import threading
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from companion.config import Table, begun, load
from companion.devices.check.walk import Act, Step
from companion.devices.drivers.pn532_uart import resets_here
from companion.devices.sensing import Clock, Sensing, reads
from companion.errors import NotKept, NotNow
from companion.events import place_of, seat_at
from companion.settings import ConfigFault
from companion.setup.plugged_in import Bench, at_port, everything, where_is
from companion.setup.table_file import Draft, drafted
from companion.setup.table_plan import SEATS, TablePlan, Wire, take_devices, take_sensing
from companion.storage import files
from companion.storage.last_copy import keep_copy
from companion.threads import start_errand

PATIENCE_S = 600.0
"""Seconds that a search may take: each of many silent ports has its own timeout."""

_journal = logging.getLogger(__name__)


class NothingToWrite(NotNow):
    """No device has a place yet."""


class NotWritten(NotNow):
    """The settings file is written in a way that the setup can't change."""


class Setup:
    """The setup of one table. Every method may be called from any thread."""

    def __init__(self, path: Path, clock: Clock, find_devices: Callable[[], Iterable[Any]] = everything) -> None:
        """Start from the settings file; `find_devices` returns the devices to probe. Raises `ConfigFault`."""
        self.path = path
        self.table: Table = begun(path)
        self.written = threading.Event()
        """Set once the settings file is written."""
        self._here = find_devices
        self._typed: tuple[str, ...] = ()
        self._watchers: list[Callable[[], None]] = []
        self._lock = threading.Lock()
        self._looking = threading.Lock()
        self._bench = Bench(clock, self._heard)
        self.plan = of_table(self.table)

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` (must be quick) whenever the plan changes."""
        self._watchers.append(changed)

    def change(self, step: Callable[[TablePlan], TablePlan]) -> TablePlan:
        """Apply a step to the plan; return the result."""
        with self._lock:
            self.plan = step(self.plan)
        for changed in self._watchers:
            changed()
        return self.plan

    def look(self) -> None:
        """Search for devices in a thread of its own, unless a search is running."""
        if self._looking.acquire(blocking=False):
            self.change(lambda plan: replace(plan, looking=True, said=None))
            start_errand("looking for devices", self._look, PATIENCE_S)

    def look_at(self, port: str) -> None:
        """Search now, and include this serial port from now on."""
        self._typed = (*(typed for typed in self._typed if typed != port), port)
        self.look()

    def draft(self) -> Draft:
        """Return the settings file as it would be written now."""
        # As bytes: `read_text` would change the file's line ends.
        old = self.path.read_bytes().decode("utf-8-sig") if self.path.exists() else ""
        return drafted(old, self.plan)

    def write(self) -> None:
        """Write the settings file, keeping the old one beside it. Raises `NothingToWrite`, `NotWritten`, `NotKept`.

        The new file is read back and compared before it replaces the old one.
        """
        draft = self.draft()
        if not draft.sensors:
            raise NothingToWrite("nothing has a place yet")
        try:
            self._replace(draft)
        except OSError as wrong:
            raise NotKept(f"can't write {self.path}: {wrong.strerror}") from wrong
        _journal.info("%s is written, with %d devices", self.path, len(draft.sensors))
        self.close()
        self.written.set()
        self.change(lambda plan: plan)

    def end_with(self, bring: Callable[[], None]) -> None:
        """Have `bring` restore the settings file from a backup, and end the setup. Raises what `bring` raises."""
        bring()
        _journal.info("%s is brought back", self.path)
        self.close()
        self.written.set()
        self.change(lambda plan: plan)

    def close(self) -> None:
        """Release all devices."""
        with self._looking:
            self._bench.close()

    def _replace(self, draft: Draft) -> None:
        part = self.path.with_name(f"{self.path.name}.new")
        files.write_private(part, draft.text.encode())
        if not _reads_back_as(part, draft):
            part.unlink()
            raise NotWritten(f"{self.path} is written in a way that the setup can't change: edit it by hand")
        if self.path.exists():
            earlier = files.unused(self.path.with_name(f"{self.path.name}.before-{datetime.now():%Y-%m-%d-%H%M%S}"))
            files.replace_private(earlier, self.path.read_bytes())
        files.swap(part, self.path)
        keep_copy(self.path)

    def _look(self) -> None:
        try:
            typed = (device for port in self._typed for device in at_port(port))
            devices, silent = self._bench.look(devices_of(self.table), (*self._here(), *typed))
            reset_pins = resets_here()
            self.change(lambda plan: take_devices(placed(plan, self.table), devices, silent, reset_pins))
        except Exception:  # another package's driver may raise anything: the page must not stay at "searching"
            self.change(lambda plan: replace(plan, looking=False))
            raise
        finally:
            self._looking.release()

    def _heard(self, name: str, sensing: Sensing) -> None:
        self.change(lambda plan: take_sensing(plan, name, sensing))


def _reads_back_as(part: Path, draft: Draft) -> bool:
    try:
        return {*map(repr, load(part).sensors)} == {*map(repr, draft.sensors)}
    except ConfigFault as wrong:
        _journal.warning(wrong)
        return False


def devices_of(table: Table) -> list[Any]:
    """Return the settings of a table's devices, with buttons numbered from 1 instead of seats."""
    if table.simulated:
        return []
    return [
        settings if reads(settings) else replace(settings, seats=tuple(range(1, len(settings.seats) + 1)))
        for settings in table.sensors
    ]


def of_table(table: Table) -> TablePlan:
    """Return the plan of a table before any search; a new table's is empty."""
    with_reader = [seat for place in table.places if (seat := seat_at(place))]
    seats = max(table.seat_count or max(table.offered_seats), *with_reader, min(SEATS))
    return TablePlan(name=table.name, language=table.language, phones_in_play=table.phones.in_play, seats=seats)


def placed(plan: TablePlan, table: Table) -> TablePlan:
    """Assign the places of the settings file to the devices, at the first search."""
    if plan.devices or not table.sensors:
        return plan
    belongs: dict[Step, Wire] = {}
    for settings in table.sensors:
        if reads(settings):
            belongs[Step(Act.LAY, settings.place)] = (where_is(settings), 0)
        else:
            belongs |= {
                Step(Act.PRESS, place_of(seat)): (where_is(settings), button)
                for button, seat in enumerate(settings.seats, 1)
            }
    # The file gives buttons of a box that are not wired seats that the table does not have: those are dropped.
    belongs = {step: wire for step, wire in belongs.items() if step in plan.steps}
    return replace(plan, belongs=belongs, done=tuple(step for step in plan.steps if step in belongs))
