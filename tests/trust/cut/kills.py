"""The program is killed at any moment, again and again, on one log; a box tells its presses until they are kept."""

import random
import tempfile
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

from tests.trust.cut.player import Act, Promised, Table, acts, bundles
from tests.trust.findings import Finding
from tests.trust.forks import FORKS
from tests.waiting import PATIENCE

PLAYS = 0.8
"""The share of programs that are killed after they have said something; the others maybe while they start."""
LONGEST = 0.1
"""Seconds after which it is killed then, at the latest."""
LOST = 3
"""Answers that the box has not heard: it tells these presses again although they are kept."""
LIVES = 40
"""Kills of one log: the record grows, and the next one begins anew."""


def kills(count: int, seed: int) -> Finding:
    """Kill it so often."""
    chance = random.Random(seed)
    wrong: list[str] = []
    heard = again = 0
    for begun in range(0, count, LIVES):
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            promised = Promised()
            untold: list[Act] = []
            for life in range(begun, min(count, begun + LIVES)):
                again += len(untold)
                ours, theirs = FORKS.Pipe(duplex=False)
                process = FORKS.Process(target=_live, args=(folder, untold, life, theirs), daemon=True)
                process.start()
                theirs.close()
                if chance.random() < PLAYS:
                    ours.poll(PATIENCE)
                time.sleep(chance.uniform(0.0, LONGEST))
                process.kill()
                with suppress(EOFError):
                    while True:
                        promised.hear(ours.recv())
                process.join()
                untold = [*promised.presses()[-LOST:], *promised.presses(kept=False)]
                wrong += [f"seed {seed}, kill {life}: {what}" for what in promised.broken(folder)]
            heard += len(promised.kept)
            table = Table(folder, promised.hear)
            table.begin()
            if untold:
                table.do(untold)
            table.close()
            wrong += [f"seed {seed}, after {life} kills: {what}" for what in promised.broken(folder)]
    besides = f"{heard:,} acts were told as kept; {again:,} presses were told again"
    what = "kill -9 at any moment: what was told as kept is there, once, in its order; the match goes on"
    return Finding(what, count, len(wrong), "; ".join([besides, *wrong[:5]]))


def _live(folder: Path, untold: list[Act], life: int, told: Connection) -> None:
    """Play until the end that comes from outside; a press is said to be tried before it is."""
    table = Table(folder, told.send)
    table.begin()
    chance = random.Random(life)
    for together in bundles(chance, [*untold, *acts(chance, 1_000_000 + life * 10_000, 10_000)]):
        for act in together:
            told.send(f"tried {act.name}")
        table.do(together)
        if chance.random() < 0.1:
            table.give(life)
