"""The power fails between any two writes: the disk as it is then, opened again by the real companion."""

import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path

from tests.trust.cut.disk import Luck, Told, put
from tests.trust.cut.player import Act, Promised, Table
from tests.trust.cut.recording import record
from tests.trust.findings import Finding

EACH = 300
"""Writes after which the cut is made with every luck; after the others with one of them."""
AT_ONCE = 16
"""Tables opened side by side: closing one waits most of its time."""
ACTS_AFTER, ACTS_AGAIN = 3, 5
"""After a cut: new presses, and those that a box tells again because it heard no answer."""


def cuts(acts: int, seed: int, every: int = 1) -> Iterator[Finding]:
    """Cut the power after every write, or every so-manieth, of two sittings with so many acts each."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(AT_ONCE) as opening:
        folder = Path(scratch).resolve() / "table"
        folder.mkdir()
        command = ("tests.trust.cut.player", f"{folder}", f"{seed}", f"{acts}")
        disk, steps = record(folder, Path(scratch) / "trace", *command)
        promised = Promised()
        tried: Counter[Luck] = Counter()
        found: dict[str, Future[list[str]]] = {}
        for number, step in enumerate(steps):
            disk.take(step)
            if isinstance(step, Told):
                promised.hear(step.what)
                continue
            if number % every:
                continue
            for luck in Luck if number < EACH else (chance.choice(list(Luck)),):
                left = disk.after_a_cut(luck, chance)
                name = f"seed {seed}, write {number}, {luck.value}"
                found[name] = opening.submit(_broken, left, deepcopy(promised))
                tried[luck] += 1
            waiting = [done for done in [*found.values()][-4 * AT_ONCE :] if not done.done()]
            if len(waiting) > 2 * AT_ONCE:
                waiting[0].result()
        for luck in Luck:
            wrong = [f"{name}: {what}" for name, done in found.items() if luck.value in name for what in done.result()]
            what = f"power cut after a write; of what was not synchronised, there is {luck.value}"
            yield Finding(what, tried[luck], len(wrong), "; ".join(wrong[:5]))


def _broken(left: Mapping[Path, bytes], promised: Promised) -> list[str]:
    """Say what is not as it was told after a cut has left this."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        put(left, folder)
        try:
            table = Table(folder, promised.hear)
            table.begin()
            table.do([Act("press", 9000 + number) for number in range(ACTS_AFTER)])
            table.do(promised.presses()[-ACTS_AGAIN:])
            table.close()
            return [*promised.broken(folder)]
        except Exception as wrong:
            return [f"{type(wrong).__name__}: {wrong}"]
