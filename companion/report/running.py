"""The report of a running table: the state that it answers with, and the file that its host downloads."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from companion import threads
from companion.config import Table
from companion.devices.check.checkup import Checkup
from companion.devices.supply import SupplyWatch, finding_of
from companion.live.table import Live
from companion.measuring.figures_file import FiguresFile, described
from companion.report.about import about
from companion.report.device_lines import WORDS, faults_of, figures
from companion.report.messages import read_messages
from companion.report.packing import packed, settings_text
from companion.report.secrets import secrets, without
from companion.versions.commit import full_version

if TYPE_CHECKING:  # only a table of a club has one
    from companion.club.publisher import Publisher

_SEALED = "Left out while a match can go on: a fault's words may tell what is sealed in it. Take the report after it.\n"


class ToldAtHome(Protocol):
    """A listener at home."""

    name: str
    """Its name, without secrets."""
    trouble: str
    """Why it can't be told; "" if it can."""


class RunningReport:
    """A running table's report. Every method may be called from any thread, and may take a while."""

    def __init__(
        self,
        settings: Path | None,
        table: Table,
        live: Live,
        checkup: Checkup,
        supply: SupplyWatch,
        club: "Publisher | None",
        at_home: Sequence[ToldAtHome] = (),
        figures: FiguresFile | None = None,
    ) -> None:
        self._settings = settings
        self._table = table
        self._live = live
        self._checkup = checkup
        self._supply = supply
        self._club = club
        self._at_home = at_home
        self._figures = figures
        self._began = time.monotonic()

    def state(self) -> str:
        """Return the table's state, one fact a line."""
        return "\n".join([*self._lines(), ""])

    def pack(self) -> bytes:
        """Return the report as a zip, without anything private, or anything sealed in a match that can go on."""
        is_sealed = self._live.snapshot.under_way is not None and not self._live.snapshot.demo
        parts = {
            "about.txt": about(self._table),
            "check.txt": self.state(),
            "journal.txt": _SEALED if is_sealed else read_messages(self._table.log),
        }
        if self._figures is not None:
            parts["measured.txt"] = described(self._figures.figures)
        return packed(without({**parts, **settings_text(self._settings)}, secrets(self._table)))

    def _lines(self) -> Iterator[str]:
        snapshot = self._live.snapshot
        minutes = (time.monotonic() - self._began) / 60
        yield f"told by the running table, companion {full_version()}, for {minutes:.0f} minutes"
        devices = self._checkup.devices()
        for device in devices:
            if device.works:
                yield from figures(device)
            elif device.works is None:
                yield f"--      {device.name}: has not answered yet"
        for device in devices:
            yield from (f"wrong   {fault}" for fault in faults_of(device))
        yield f"{sum(device.works is True for device in devices)} of {len(devices)} answer"
        yield from (f"wrong   {ailment.says}" for ailment in snapshot.ailments)
        if snapshot.trouble:
            yield f"wrong   {snapshot.trouble.says}"
        if weakness := finding_of(self._supply.supply):
            yield f"wrong   {WORDS.say(weakness, {})}"
        for fault in threads.faults():
            yield f"wrong   {fault.thread} raised {fault.kind} at {fault.where}, {fault.number} times"
        yield from (f"wrong   {name} hangs" for name in threads.stuck())
        if self._club is not None:
            membership = self._club.membership
            hindrance = membership.hindrance
            yield f"club    {f'{hindrance.value} {membership.why}' if hindrance else 'hears of the table'}"
        for at_home in self._at_home:
            yield f"home    {at_home.name}: {at_home.trouble or 'hears of the table'}"
