"""Builds the frozen value on which every act is decided (`companion/acts/table.py`) from the parts of the table."""

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Literal

from companion.access.rights_file import Phones, unused_codes
from companion.access.seat_rights import PARTS, Rights
from companion.acts import match_acts, seat_acts, table_acts, upkeep_acts
from companion.acts.act import Act
from companion.acts.beside_play import BesidePlay
from companion.acts.kept_questions import KeptQuestions
from companion.acts.table import Moves, Particulars, Play, Situation
from companion.events import SEATS, Player
from companion.judge.match import Match
from companion.judge.views import told_so_far
from companion.live.beside_play import ShownBeside
from companion.live.demo import Demo, Hand
from companion.live.pause import Why
from companion.live.simulation import Simulation
from companion.live.table import Live
from companion.live.upkeep import Upkeep, particulars_of

Evening = tuple[tuple[int, tuple[Player, ...]], ...]
NO_PARTICULARS = Particulars()


class Situations:
    """Every method may be called from any thread."""

    def __init__(
        self,
        live: Live,
        phones: Phones,
        questions: KeptQuestions,
        beside: ShownBeside,
        *,
        simulation: Simulation | None,
        demo: Demo | None,
        hand: Hand | None,
        by_code: bool,
        upkeep: Upkeep,
        evening: Callable[[], Evening],
    ) -> None:
        """`evening` returns the evening's matches, with who played."""
        self._live = live
        self._phones = phones
        self._questions = questions
        self._beside = beside
        self._simulation = simulation
        self._demo = demo
        self._hand = hand
        self._by_code = by_code
        self._upkeep = upkeep
        self._evening = evening

    def now(
        self,
        match: Match | None = None,
        at: float = 0.0,
        rights: Rights | None = None,
        particulars: Particulars = NO_PARTICULARS,
        beside: BesidePlay | None = None,
    ) -> Situation:
        """Return the table as it is. `match` and `at` are passed by the judge's thread, `rights` and `beside` by a
        caller that holds their lock to change them.
        """
        simulation = self._simulation
        telling = None if self._demo is None else self._demo.telling
        return Situation(
            self._phones.rights if rights is None else rights,
            self._phones.presence,
            self._questions.value,
            self._questions.at,
            at,
            self.play(),
            match,
            simulated=simulation is not None,
            dealt=simulation.dealt if simulation is not None else None,
            one_hand=self._hand is not None and simulation is None,
            by_code=self._by_code,
            plays_itself=telling is not None,
            shows_itself=telling is not None and telling.by_itself,
            beside=self._beside.now if beside is None else beside,
            particulars=particulars,
        )

    def particulars(self, act: Act) -> Particulars:
        """Look up what only this kind of act is decided on; that may take a while."""
        match act:
            case seat_acts.Rename() | seat_acts.SitDown():
                return Particulars(evening=self._evening())
            case seat_acts.HandOn() | seat_acts.RenewCodes():
                return Particulars(codes=tuple(islice(unused_codes(self._phones.rights), len(PARTS))))
            case match_acts.ObjectToAnnouncement() | match_acts.LookAgain() | table_acts.Cheer():
                announced = self._live.snapshot.announced
                return Particulars(announced=announced.number if announced is not None else None)
            case match_acts.MakeMove():
                return Particulars(moves=self._moves())
        if isinstance(act, upkeep_acts.UpkeepAct):
            return particulars_of(act, self._upkeep, self._live)
        return NO_PARTICULARS

    def play(self) -> Play | None:
        """Return the match on the table, as everybody sees it."""
        snapshot = self._live.snapshot
        view = snapshot.views.get(None)
        if view is None or snapshot.match is None:
            return None
        names = {player["seat"]: player["name"] for player in view["players"]}
        corrected = self._phones.rights.people.corrected.get(snapshot.match, {})
        table = view["table"]
        pause: Literal["break", "ended"] | None = None
        if snapshot.pause is not None:
            pause = "break" if snapshot.pause is Why.BREAK else "ended"
        return Play(
            snapshot.match,
            view["game"],
            names,
            {**names, **corrected},
            told_so_far(view),
            over=view["over"],
            pause=pause,
            nobodys=snapshot.demo,
            awaited=frozenset(table["now"].get("seats", ()) if isinstance(table, Mapping) else ()),
            may_hear=frozenset(seat for seat in SEATS if snapshot.may_hear(seat)),
            hearing=frozenset(snapshot.hearing),
            races=snapshot.races,
        )

    def _moves(self) -> Moves:
        simulation = self._simulation
        playing = simulation.playing if simulation is not None else None
        if simulation is None or playing is None:
            return Moves()
        latest = {move_made.move.seat: move_made.move for move_made in playing.done}
        can = {seat: tuple(sight.moves) for seat, sight in simulation.sights.items()}
        lately = simulation.lately
        return Moves(can, latest, lately.anybodys, lately.overtaken)
