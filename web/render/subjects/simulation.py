"""A virtual table: its cards and buzzers, demonstrations and bots, and simulated things."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.game.simulated_world import Move, Sight, Strength
from companion.judge.attribution import Doer
from companion.live.demo import Demo, Hand, Telling
from companion.live.in_play import LatestAct
from companion.live.simulated_sights import NO_SHOWN, NO_SIGHTS, Seen
from companion.live.snapshot import Snapshot
from companion.web.render.page_names import Page
from companion.web.render.subjects.page import AboutPage
from companion.web.room import Room

_NOBODY: Set[Doer] = frozenset()


class SimulationShown(Struct, frozen=True):
    """Demonstration, bots and simulated things as they are now; by default nothing is simulated."""

    telling: Telling | None = None
    sights: Mapping[int, Sight] = NO_SIGHTS
    """What each seat knows and can do."""
    deals: tuple[Move, ...] = ()
    """The moves by which anybody may deal, while nobody can do anything else."""
    shown: Mapping[str, Any] = NO_SHOWN
    """What lies open."""
    dealt: bool = False
    bots: Mapping[int, Strength] | None = None
    strength: Strength = "easy"
    reads: bool = False
    stays: int = 0
    mover: int | None = None
    """The seat that made the latest move, if that can be taken back."""
    dealer: int | None = None
    """The seat that has just dealt all cards again."""
    form: str = ""
    """The form of sentences: "dealt" if nothing is tapped or pressed by hand."""

    def undoers(self, done: LatestAct | None) -> Set[Doer]:
        """Return the seats that are offered to take the latest act back: those that did it. If it was a move, only the
        seat that made it, though others may enter the events that a move causes.
        """
        if self.dealt:
            return _NOBODY if self.mover is None else frozenset({self.mover})
        return _NOBODY if done is None else done.by

    def on(self, page: Page) -> "SimulationShown":
        """Return the part that this page may show: a player's own sight, or what lies open if it draws the table for
        all. Other programs get the sentences about taps and presses.
        """
        return replace(
            self,
            sights={seat: sight for seat, sight in self.sights.items() if seat == page.own_seat},
            shown=self.shown if page.kind in ("big", "score", "table") else NO_SHOWN,
            deals=() if page.kind == "api" else self.deals,
            form="" if page.kind == "api" else self.form,
        )

    def past(self) -> "SimulationShown":
        """Return what a page about another match may show."""
        return SimulationShown(strength=self.strength, form="" if self.bots is None else "dealt")


def simulation_now(room: Room, seen: Seen | None, snapshot: Snapshot) -> SimulationShown:
    """Return what is simulated now; `seen` is what `room.simulation` shows with this snapshot."""
    telling = None if room.demo is None else room.demo.telling
    simulation = room.simulation
    if simulation is None or seen is None:
        return SimulationShown(telling=telling, form="" if telling is None else "dealt")
    playing = simulation.playing
    return SimulationShown(
        telling=telling,
        sights=seen.sights,
        deals=seen.deals,
        shown=seen.shown,
        dealt=bool(seen.sights),
        bots=simulation.bots,
        strength="easy" if playing is None else playing.strength,
        reads=simulation.reads,
        stays=simulation.stays,
        mover=None if snapshot.done is None or playing is None else playing.mover(snapshot.done.seq),
        dealer=seen.dealer,
        form="dealt" if seen.sights or telling else "",
    )


@dataclass(frozen=True, eq=False)
class AboutSimulation:
    """About a virtual table: its hand, what plays by itself, and simulated things."""

    hand: Hand | None
    """Where the virtual table's cards are laid and its buzzers pressed; None at a real table."""
    demo: Demo | None
    """Plays by itself at a virtual table; None at a real one."""
    _shown: SimulationShown
    _page: AboutPage

    @property
    def telling(self) -> Telling | None:
        """How a demonstration is told; None: there is none."""
        return self._shown.telling

    @cached_property
    def sight(self) -> Sight | None:
        """What this seat's player knows about simulated things, and can do with them; None: nothing is simulated."""
        return self._shown.sights.get(self._page.page.own_seat or 0)

    @property
    def shown(self) -> Mapping[str, Any]:
        """The simulated things that lie open, on the pages for everybody; {}: nothing beyond the view."""
        return self._shown.shown

    @property
    def bots(self) -> Mapping[int, Strength] | None:
        """Which seats bots play, and how well; None where things are not simulated at all."""
        return self._shown.bots

    @property
    def strength(self) -> Strength:
        """How well bots play here, even once people have taken all their places."""
        return self._shown.strength

    @property
    def reads(self) -> bool:
        """Whether a bot goes on once somebody has read the count, or after a while."""
        return self._shown.reads

    @property
    def dealt(self) -> bool:
        """Whether the things of the match are simulated: then people make moves, and enter nothing else."""
        return self._shown.dealt

    @cached_property
    def dealer(self) -> int | None:
        """The seat that has just dealt all cards again, for everybody but its own player; None: nobody has."""
        return None if self._shown.dealer == self._page.page.own_seat else self._shown.dealer

    @property
    def stays(self) -> int:
        """How many entries of the story can't be taken back: they record how simulated things were laid out."""
        return self._shown.stays
