"""A simulated table: its world beside the live table, opened on a folder as often as a test likes."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.events import Player
from companion.live.simulation import Simulation
from companion.live.table import Live
from tests.web.table import living

PEOPLE = (Player(1, "Ana"), Player(3, "Bot"))


@contextmanager
def simulated(folder: Path) -> Iterator[tuple[Live, Simulation]]:
    with living(folder, simulated=True) as live:
        simulation = Simulation(live, seed=lambda: "always the same")
        simulation.resume()
        yield live, simulation


def act(simulation: Simulation, seat: int = 1) -> None:
    simulation.play(simulation.sights[seat].moves[0])
