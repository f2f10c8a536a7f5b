"""The match on the table, on pages that show another one."""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.access.people import People
from companion.access.player_looks import Face
from companion.game.simulated_world import Strength
from companion.live.snapshot import Snapshot
from companion.web.render.players import corrected_names, faces_of


@dataclass(frozen=True, eq=False)
class AboutMatchOnTable:
    """About the match on the table, whatever match the page shows: for the way to one's own seat, and nothing else."""

    on_table: Snapshot
    """How the table stands now."""
    bots_now: Mapping[int, Strength] | None
    """Which seats bots play now; None where things are not simulated."""
    _people: People

    def faces_now(self) -> Mapping[int, Face]:
        """How the player of each seat looks now."""
        view = self.on_table.views.get(None)
        number = self.on_table.match or 0
        return faces_of(view, corrected_names(view, self._people, number), self._people, number)
