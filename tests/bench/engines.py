"""Other engines beside the judge: moves a second of boardgame.io, OpenSpiel, python-chess and PokerKit.

`make engines` installs them. Each is measured in a process of its own, by a program in `playouts`, in turn with the
judge: what the machine does meanwhile hits all of them. Random matches are played once until 4,000 moves are made, then
the same moves again, by the processor's time. The ratio is that of the slowest of our games at that moment.

- boardgame.io: the tic-tac-toe of its tutorial, its client alone, in production mode. A move gives
  a new state, a log entry and an undo. Its compiler and collector count too.
- OpenSpiel, from Python: `apply_action` changes one state in place and refuses nothing; dealing counts as moves.
- python-chess: `push` changes one board in place and keeps what `pop` needs; only `is_legal` refuses.
- PokerKit: no-limit hold'em for four; each move is checked, and its automation does what follows.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion import games
from tests.bench.figures import Figure
from tests.bench.judging import once, played
from tests.bench.rig import ROOT

INSTALLED = ROOT / "build/engines"
PYTHON = INSTALLED / "bin/python"
PLAYOUTS = Path(__file__).parent / "playouts"
ENGINES: dict[str, tuple[str | Path, Path]] = {
    "boardgame.io": ("node", PLAYOUTS / "boardgame_io.cjs"),
    "OpenSpiel": (PYTHON, PLAYOUTS / "openspiel.py"),
    "python-chess": (PYTHON, PLAYOUTS / "python_chess.py"),
    "PokerKit": (PYTHON, PLAYOUTS / "pokerkit_holdem.py"),
}
SLOWEST = "events a second: the slowest of our games over"


def engines(quick: bool) -> Iterator[Figure]:
    """Go on without an engine that is not there or does not run, and say so in its place."""
    turns, moves, times = (1, 200, 3) if quick else (5, 4_000, 3)
    matches = [played(game, moves) for game in games.known().values()]
    rates: dict[str, list[float]] = {name: [] for name in ENGINES}
    ratios: dict[str, list[float]] = {}
    gone: set[str] = set()
    for _ in range(turns):
        for name, program in ENGINES.items():
            ours = min(once(of_one) for of_one in matches)
            try:
                measured = {} if name in gone else _measured(name, program, moves, times)
            except (OSError, subprocess.CalledProcessError) as problem:
                sys.stderr.write(f"{name} can't be measured: {problem}. `make engines` installs it.\n")
                gone.add(name)
                continue
            for label, theirs in measured.items():
                rates.setdefault(label, []).extend(theirs)
                ratios.setdefault(label, []).extend(ours / rate for rate in theirs)
    yield from (Figure(label, "1/s", samples) for label, samples in rates.items() if samples or label in gone)
    yield from (Figure(f"{SLOWEST} {label}", "×", samples, better="more") for label, samples in ratios.items())


def _measured(name: str, program: tuple[str | Path, Path], moves: int, times: int) -> dict[str, list[float]]:
    """Return the rates by what they are of."""
    environment = {**os.environ, "NODE_PATH": str(INSTALLED / "node_modules"), "NODE_ENV": "production"}
    command = [*map(str, program), str(moves), str(times)]
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE)
    answer: dict[str, Any] = json.loads(done.stdout)
    return {f"{name} {answer['version']}: {label}": rates for label, rates in answer["rates"].items()}
