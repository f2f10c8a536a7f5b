"""A simulated table: its world beside the live table, opened on a folder as often as a test likes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.acts.putting_right import back_to, move_behind
from companion.events import Event, Player
from companion.judge.match import Match
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


def take_back(simulation: Simulation, find: Callable[[Match], int]) -> None:
    """Take back the move behind an event, and all since, as others have agreed."""

    def plan(match: Match, at: float) -> tuple[Event, ...]:
        assert simulation.dealt is not None
        moves = simulation.dealt.moves
        return back_to(match, moves[move_behind(moves, find(match))].before, at)

    simulation.take_back(plan)
