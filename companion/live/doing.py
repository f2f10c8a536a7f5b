"""Does acts once they are decided; nothing else does.

An act that is entered is decided and done in one step in the judge's thread, one that changes rights in one step under
their lock, so nothing changes between the decision and the deed.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec

from companion.access.rights_file import Phones
from companion.access.seat_rights import Rights
from companion.acts import match_acts, seat_acts, table_acts, upkeep_acts
from companion.acts.act import Act, match_of
from companion.acts.beside_play import BesidePlay
from companion.acts.earlier import who_is_asked
from companion.acts.going_on import ANNOUNCED_NO_LONGER
from companion.acts.outcome import ActRefused, Do, Outcome, PlannedAct, not_now
from companion.acts.question import EarlierMatch
from companion.acts.sentence import Saying
from companion.acts.table import Actor, Situation
from companion.events import Event
from companion.game import Verdict
from companion.judge.match import Match
from companion.live.beside_play import ShownBeside
from companion.live.demo import Demo, Hand
from companion.live.judging import BeingPlayed
from companion.live.pause import Why
from companion.live.simulation import NotPossible, Simulation
from companion.live.situations import Situations
from companion.live.snapshot import Overtaken, Snapshot
from companion.live.starting import Starts
from companion.live.table import Live
from companion.live.upkeep import Upkeep, keep_up
from companion.storage.entries import Entry

ENTERED = (
    match_acts.TakeBack,
    match_acts.PutRight,
    match_acts.LiesAt,
    match_acts.EnterPress,
    match_acts.EnterCards,
    match_acts.EnterWord,
)
"""Acts that become events of the match."""
RECORDED = (*ENTERED, table_acts.LayCards, table_acts.PressBuzzer)
"""Acts that come into the log, entered or sensed, each with its question's id as origin."""
STARTS = (match_acts.StartMatch, match_acts.PlayBots, match_acts.Again)
"""Acts by which a phone becomes the host's if no phone is yet."""
CHANGES_RIGHTS = (
    seat_acts.SeatAct
    | table_acts.NameSeason
    | table_acts.DropSeason
    | table_acts.HideProfile
    | table_acts.ChooseVoice
    | table_acts.AllowCheers
)
RESTS_ON_MATCH = (*STARTS, table_acts.LayCards, table_acts.PressBuzzer, match_acts.End)
"""Acts that are decided on what was played, and change none of it."""

Decision = Callable[[Situation], Outcome]
DONE_ALREADY = Saying("ask-done")
"""The reply if the log already holds the act, with its question's id as origin."""


class DoneAct(msgspec.Struct, frozen=True):
    """The outcome of an act; if it was done, with what the judge said."""

    outcome: Outcome
    verdicts: tuple[Verdict, ...] = ()
    said: Saying | None = None
    """The reply, if only doing it shows what to say."""


class Doing:
    """Every method may be called from any thread but the judge's; those that change something wait for the disk."""

    def __init__(
        self,
        live: Live,
        phones: Phones,
        beside: ShownBeside,
        situations: Situations,
        *,
        simulation: Simulation | None,
        demo: Demo | None,
        hand: Hand | None,
        upkeep: Upkeep,
    ) -> None:
        self._live = live
        self._phones = phones
        self._beside = beside
        self._situations = situations
        self._simulation = simulation
        self._demo = demo
        self._hand = hand
        self._upkeep = upkeep
        self._starts = Starts(live, phones, simulation=simulation, demo=demo)

    def do(self, act: Act, actor: Actor, decision: Decision, agreed: Sequence[str] = (), origin: str = "") -> DoneAct:
        """Decide an act, and do it if the outcome says so; `agreed`: the names of those who agreed. An act that the log
        already holds under this origin is not entered again. Raises `NotKept`, `Paused`, `NoMatch` and `Overtaken`.
        """
        number = match_of(act)
        if number is not None:
            names = tuple(dict.fromkeys((*self.names(actor), *agreed)))
            return self._do_afterwards(act, number, actor, decision, names, origin)
        if isinstance(act, ENTERED):
            return self._enter(act, decision, origin)
        if isinstance(act, CHANGES_RIGHTS):
            return DoneAct(self._change_rights(act, decision))
        if isinstance(act, match_acts.MakeMove):
            return DoneAct(self._make_move(act, decision))
        if isinstance(act, table_acts.Cheer):
            return DoneAct(self._show_beside(act, decision))
        if isinstance(act, match_acts.LookAgain):
            return DoneAct(self._live.look(lambda match: self._show_beside(act, decision, match)))
        # Read before the decision, so that a match that changes in between raises `Overtaken`.
        upon = self._live.snapshot
        if isinstance(act, RESTS_ON_MATCH):
            outcome = self._live.look(lambda match: decision(self._situations.now(match)))
        else:
            outcome = decision(self._situations.now(particulars=self._situations.particulars(act)))
        if not isinstance(outcome, Do):
            return DoneAct(outcome)
        if isinstance(act, upkeep_acts.UpkeepAct):
            return DoneAct(outcome, said=keep_up(act, self._upkeep, self._live))
        self._carry_out(outcome.plan, upon, origin)
        return DoneAct(outcome)

    def foresee(self, act: Act, actor: Actor, decision: Decision) -> Outcome:
        """Decide as `do` does, and do nothing. Raises `NotKept`, and `NotInLog` for a match that can't be read."""
        number = match_of(act)
        if number is not None:
            entry = self._live.entry(number)
            return self._live.ask_about(
                number, lambda match: decision(self._situation_about(number, entry, actor, match, 0.0))
            )
        particulars = self._situations.particulars(act)
        return self._live.look(lambda match: decision(self._situations.now(match, particulars=particulars)))

    def make_certain(self) -> None:
        """Make a test write wherever acts are stored: then nothing is on disk that the table does not know of. Raises
        `NotKept`.
        """
        self._live.try_to_store()
        self._phones.try_to_store()

    def names(self, actor: Actor) -> tuple[str, ...]:
        """Return what the players of a phone are called in the match on the table."""
        play = self._situations.play()
        called = play.called if play is not None else {}
        return tuple(called[seat] for seat in sorted(actor.who.parts) if called.get(seat))

    def _enter(self, act: Act, decision: Decision, origin: str) -> DoneAct:
        """Decide on the match as it stands, and enter the resulting events."""
        outcomes: list[Outcome] = []

        def plan(match: Match, at: float) -> tuple[Event, ...]:
            outcomes.append(decision(self._situations.now(match, at)))
            return _events(outcomes[-1])

        simulation = self._simulation
        if isinstance(act, match_acts.TakeBack) and simulation is not None and simulation.playing is not None:
            verdicts = simulation.take_back(plan, origin)
        else:
            verdicts = self._live.act(plan, origin)
        if not outcomes:  # `plan` was not called: the log already holds an act of this origin
            return DoneAct(Do(PlannedAct(act, DONE_ALREADY)))
        return DoneAct(outcomes[-1], verdicts)

    def _do_afterwards(
        self, act: Act, number: int, actor: Actor, decision: Decision, names: Sequence[str], origin: str
    ) -> DoneAct:
        """Decide about a past match that is over or was ended, and do it; `names` are those who decided."""
        outcomes: list[Outcome] = []
        entry = self._live.entry(number)

        def plan(match: Match, at: float) -> tuple[Event, ...]:
            outcomes.append(decision(self._situation_about(number, entry, actor, match, at)))
            return _events(outcomes[-1])

        if isinstance(act, ENTERED):
            verdicts = self._live.act_afterwards(number, plan, names, origin)
            return DoneAct(outcomes[-1] if outcomes else Do(PlannedAct(act, DONE_ALREADY)), verdicts)
        self._live.ask_about(number, lambda match: plan(match, 0.0))
        outcome = outcomes[-1]
        if isinstance(outcome, Do) and not outcome.plan.is_so:
            try:
                self._decide_about(outcome, number, names)
            except BeingPlayed:
                code = "take-up-waits" if isinstance(act, match_acts.TakeUp) else "match-being-played"
                raise ActRefused(not_now(code)) from None
        return DoneAct(outcome)

    def _situation_about(self, number: int, entry: Entry | None, actor: Actor, match: Match, at: float) -> Situation:
        """Return the situation for an act about a past match."""
        situation = self._situations.now(match, at)
        names = {**match.names, **self._phones.rights.people.corrected.get(number, {})}
        earlier = EarlierMatch(
            number,
            match.game.slug,
            names,
            left_out=entry is not None and entry.left_out,
            dealt=entry is not None and entry.dealt,
        )
        return msgspec.structs.replace(situation, earlier=who_is_asked(earlier, actor, situation))

    def _decide_about(self, decided: Do, number: int, names: Sequence[str]) -> None:
        match decided.plan.act:
            case match_acts.LeaveOut():
                self._live.leave_out(number, names)
            case match_acts.CountAgain():
                self._live.count_again(number, names)
            case match_acts.TakeUp() if decided.earlier is not None:
                self._starts.take_up(number, names, decided.earlier.names, self._situations.play())
            case match_acts.GoOnWithMatch():
                self._live.go_on()

    def _change_rights(self, act: Act, decision: Decision) -> Outcome:
        """Decide on the current rights, and store the new ones; bots then play the seats that no phone holds."""
        outcomes: list[Outcome] = []
        particulars = self._situations.particulars(act)

        def step(rights: Rights) -> Rights:
            outcome = decision(self._situations.now(rights=rights, particulars=particulars))
            outcomes.append(outcome)
            changed = outcome.plan.rights if isinstance(outcome, Do) else None
            return rights if changed is None else changed

        rights = self._phones.change(step)
        outcome = outcomes[-1]
        if not isinstance(outcome, Do):
            return outcome
        if outcome.plan.sent_away is not None:
            self._phones.send_away(outcome.plan.sent_away)
        if outcome.plan.waited_for is not None:
            self._phones.wait_for(outcome.plan.waited_for)
        if self._simulation is not None and self._live.snapshot.under_way is not None:
            with suppress(NotPossible):  # the match is over by now
                self._simulation.follow(rights.holders, rights.gone)
        return outcome

    def _show_beside(self, act: Act, decision: Decision, match: Match | None = None) -> Outcome:
        """Decide on what is currently shown beside play, and show the result."""
        outcomes: list[Outcome] = []
        particulars = self._situations.particulars(act)

        def step(beside: BesidePlay) -> BesidePlay:
            outcome = decision(self._situations.now(match, particulars=particulars, beside=beside))
            outcomes.append(outcome)
            changed = outcome.plan.beside if isinstance(outcome, Do) else None
            return beside if changed is None else changed

        self._beside.change(step)
        return outcomes[-1]

    def _make_move(self, act: match_acts.MakeMove, decision: Decision) -> Outcome:
        """Decide on the moves that are possible, and make one; if somebody was quicker, decide once more."""
        outcome = decision(self._situations.now(particulars=self._situations.particulars(act)))
        if self._simulation is None or not isinstance(outcome, Do) or outcome.plan.move is None:
            return outcome
        try:
            self._simulation.play(outcome.plan.move)
        except NotPossible:
            outcome = decision(self._situations.now(particulars=self._situations.particulars(act)))
            if isinstance(outcome, Do) and outcome.plan.move is not None:
                raise
        return outcome

    def _carry_out(self, plan: PlannedAct, upon: Snapshot, origin: str) -> None:
        """Do an act that is neither an event nor a change of rights; it was decided upon the snapshot `upon`."""
        match plan.act:
            case match_acts.StartMatch() | match_acts.PlayBots() | match_acts.Again() if plan.starting is not None:
                self._starts.begin(plan.starting, upon)
            case match_acts.End():
                self._live.pause(Why.ENDED, upon)
            case match_acts.TakeBreak():
                self._live.pause(Why.BREAK, upon)
            case match_acts.GoOnWithMatch():
                self._live.go_on()
            case match_acts.ObjectToAnnouncement(announcement=announcement):
                if not self._live.object_to(announcement):
                    raise ActRefused(ANNOUNCED_NO_LONGER)
            case match_acts.HearCards(seat=seat):
                self._live.listen(lambda hearing: hearing.begin(seat))
            case match_acts.PlayCards(seat=seat):
                self._live.listen(lambda hearing: hearing.end(seat))
            case match_acts.HaveRead() if self._simulation is not None:
                self._simulation.have_read()
        if self._hand is not None:
            self._have_hand_do(plan.act, self._hand, origin)
        if self._demo is not None:
            self._steer_demo(plan.act, self._demo, upon)

    def _have_hand_do(self, act: Act, hand: Hand, origin: str) -> None:
        """Do it with virtual cards and buzzers, so that the table senses it. Raises `NotKept`."""
        match act:
            case table_acts.LayCards(place=place, cards=cards):
                hand.lay(place, self._live.ask(lambda match: match.game.slug), *cards, origin=origin)
            case table_acts.LiftCard(place=place):
                hand.lift(place)
            case table_acts.PressBuzzer(seat=seat):
                hand.press(seat, origin=origin)

    def _steer_demo(self, act: Act, demo: Demo, upon: Snapshot) -> None:
        match act:
            case table_acts.StartDemo(game=game):
                demo.start(game, upon)
            case table_acts.StopDemo() | table_acts.LeaveDemo():
                demo.stop()
                still = self._live.snapshot
                if still.demo and still.in_play is not None:
                    with suppress(Overtaken):  # what has begun since is not a demo
                        self._live.pause(Why.ENDED, still)
            case table_acts.HoldDemo():
                demo.hold()
            case table_acts.GoOnWithDemo():
                demo.go_on()
            case table_acts.StepDemo():
                demo.step()
            case table_acts.PaceDemo(speed=speed):
                demo.hurry(speed)


def _events(outcome: Outcome) -> tuple[Event, ...]:
    return outcome.plan.events if isinstance(outcome, Do) else ()
