"""What only some games have to measure: `figures` of the bench.py among the game's tests."""

import importlib
from collections.abc import Iterator

from tests.bench.figures import Figure
from tests.bench.rig import ROOT


def particulars(quick: bool) -> Iterator[Figure]:
    for path in sorted(ROOT.glob("tests/games/*/bench.py")):
        yield from importlib.import_module(f"tests.games.{path.parent.name}.bench").figures(quick)
