"""The machine's clock jumps, and a machine without one wakes up in the past: the table counts by itself."""

import random
import tempfile
from contextlib import closing
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from time import CLOCK_MONOTONIC_RAW, clock_gettime
from unittest import mock

from companion.devices import monotonic_clock
from companion.history.archive import Archive
from companion.storage.log import Log
from tests.trust.cut.player import GAME, LOG, PLAYERS, Promised, Table, acts, bundles
from tests.trust.daytime import daytime
from tests.trust.findings import Finding

YEARS = timedelta(days=20_000)


def jumps(count: int, seed: int) -> Finding:
    """Begin so many matches, the wall clock anywhere each time; between them, the machine starts anew."""
    chance = random.Random(seed)
    wrong: list[str] = []
    latest = 0.0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        promised = Promised()
        for number in range(count):
            wall = datetime(2026, 11, 21) - chance.random() * YEARS
            off = _since() - chance.uniform(1.0, 50.0)  # so long ago the machine was started
            with (
                daytime(wall),
                mock.patch.object(monotonic_clock, "clock_gettime", lambda _, off=off: _since() - off),
            ):
                table = Table(folder, promised.hear)
                table.begin() if number == 0 else table.live.begin(GAME, PLAYERS, {})
                for together in bundles(chance, acts(chance, number * 100, 10)):
                    table.do(together)
                newest = table.log.latest()
                table.close()
            if newest != number + 1:
                wrong.append(f"seed {seed}, {number}: match {newest} was gone on with")
            with closing(Log(folder / LOG, writes=False)) as log:
                times = [event.at for event in log.events(number + 1)]
            if times[0] < latest or any(later < earlier for earlier, later in pairwise(times)):
                wrong.append(f"seed {seed}, {number}: the table's clock ran back")
            latest = max(times)
        if len(Archive(folder / LOG).results()) != count:
            wrong.append(f"seed {seed}: matches are missing among the results")
    what = "the wall clock jumps by decades, and the machine starts anew: the newest match goes on, times run on"
    return Finding(what, count, len(wrong), "; ".join(wrong[:5]))


def _since() -> float:
    return clock_gettime(CLOCK_MONOTONIC_RAW)
