"""Other engines beside the judge: moves a second of boardgame.io, OpenSpiel and python-chess.

`make engines` installs them. Each is measured in a process of its own, by a program in `playouts`.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.figures import Figure
from tests.bench.rig import ROOT

INSTALLED = ROOT / "build/engines"
PYTHON = INSTALLED / "bin/python"
PLAYOUTS = Path(__file__).parent / "playouts"
ENGINES: dict[str, tuple[str | Path, Path]] = {
    "boardgame.io": ("node", PLAYOUTS / "boardgame_io.cjs"),
    "OpenSpiel": (PYTHON, PLAYOUTS / "openspiel.py"),
    "python-chess": (PYTHON, PLAYOUTS / "python_chess.py"),
}


def engines(quick: bool) -> Iterator[Figure]:
    """Go on without an engine that is not there or does not run, and say so in its place."""
    for name, program in ENGINES.items():
        try:
            found = _measured(program, *(200, 3) if quick else (20_000, 15))
        except (OSError, subprocess.CalledProcessError) as problem:
            sys.stderr.write(f"{name} can't be measured: {problem}. `make engines` installs it.\n")
            yield Figure(name, "1/s", ())
        else:
            for what, rates in found["rates"].items():
                yield Figure(f"{name} {found['version']}: {what}", "1/s", rates)


def _measured(program: tuple[str | Path, Path], moves: int, times: int) -> dict[str, Any]:
    environment = {**os.environ, "NODE_PATH": str(INSTALLED / "node_modules"), "NODE_ENV": "production"}
    command = [*map(str, program), str(moves), str(times)]
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE)
    found: dict[str, Any] = json.loads(done.stdout)
    return found
