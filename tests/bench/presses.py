"""From a press at the box to what may be shown of it: a box that says how far it has told, beside one that does not.

The former is told of at once (firmware 1.1), the latter after the window of 10 ms (1.0). The log's sync is in both.
"""

import contextlib
import random
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from companion import games
from companion.devices.drivers.pico import Buzzers
from companion.devices.listening import Listening
from companion.devices.monotonic_clock import TableClock
from companion.events import Player
from companion.live.table import Live
from companion.storage.log import Log
from companion.tags.deck_file import Decks
from tests.bench.figures import Budget, Figure, compared
from tests.bench.rig import GAME, folder
from tests.emulators.box import EmulatedBox
from tests.waiting import until

WINDOW = 0.01
BUDGET = Budget(median_at_most=0.7)
PLAYERS = (Player(1, "Ana"), Player(2, "Bo"))


def press_shown(quick: bool) -> Iterator[Figure]:
    """Both are pressed in turn, at random phases."""
    with (
        folder() as directory,
        _table(directory / "tells", True) as tells,
        _table(directory / "silent", False) as silent,
    ):
        took: tuple[list[float], list[float]] = [], []
        chance = random.Random(1)
        for _ in range(10 if quick else 200):
            for table, milliseconds in zip((tells, silent), took, strict=True):
                time.sleep(0.05 + chance.random() / 10)
                milliseconds.append(1000 * table.pressed())
    names = dict(zip(("told up to", "after the window"), took, strict=True))
    yield from compared("a press until it is shown", "ms", names, "the former over the latter", BUDGET, emulated=True)


class Pressed:
    """A table and its box; whoever presses is told when that may be shown."""

    def __init__(self, live: Live, box: EmulatedBox) -> None:
        self._live = live
        self._box = box
        self._shown = threading.Event()
        live.watch(self._shown.set)

    def pressed(self) -> float:
        """Press, and give the seconds until it is shown."""
        self._live.begin(GAME, PLAYERS, dict(games.known()[GAME].on_show))
        self._shown.clear()
        began = time.perf_counter()
        self._box.press(1)
        assert self._shown.wait(5)
        return time.perf_counter() - began


@contextlib.contextmanager
def _table(log: Path, tells: bool) -> Iterator[Pressed]:
    with EmulatedBox(tells=tells) as box, closing(Log(log, writes=True)) as log_file:
        clock = TableClock(0.0)
        source = Buzzers(box.path, (1, 2)).open(clock)
        live = Live(log_file, clock, Decks(None), press_window=WINDOW, buttons=[source.name])
        live.start()
        listening = Listening([source], live.tell)
        try:
            until(lambda: all(device.works for device in live.snapshot.devices.values()) and live.snapshot.devices)
            yield Pressed(live, box)
        finally:
            listening.stop()
            live.stop()
