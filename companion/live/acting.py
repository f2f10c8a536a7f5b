"""Acts at the table: what is decided (`companion/acts`) is done here, and nowhere else.

An act that is entered is decided and done in one step, in the judge's thread; one that changes rights, under their
lock. So between deciding and doing nothing moves. What others have agreed to is decided again, done, and only then
closed: an act that is in the log under its question's number is not entered again, whatever failed in between.
"""

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Literal

import msgspec

from companion.access import lobby, seat_rights
from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST, Rights
from companion.acts.act import (
    Act,
    Again,
    CountAgain,
    End,
    EnterCards,
    EnterPress,
    EnterWord,
    GoOnHere,
    LayCards,
    LeaveOut,
    LiesAt,
    PlayBots,
    PressBuzzer,
    PutRight,
    Rename,
    StartMatch,
    SwitchOff,
    TakeBack,
    TakeOver,
    TakeUp,
    match_of,
)
from companion.acts.decide import Reply, decide, decide_agreed, may_agree, may_answer
from companion.acts.earlier import who_is_asked
from companion.acts.kept_questions import KeptQuestions
from companion.acts.outcome import (
    ActRefused,
    AskOthers,
    Deed,
    Do,
    Refuse,
    Refusing,
    Starting,
    Waits,
    not_now,
    not_yours,
)
from companion.acts.plan import planned
from companion.acts.question import EarlierMatch, Question
from companion.acts.seating import earlier_matches
from companion.acts.sentence import Saying
from companion.acts.starting import seated
from companion.acts.table import Actor, Play, Situation
from companion.errors import CompanionError, NotKept
from companion.events import Event, Player
from companion.game import Verdict
from companion.judge.match import Match
from companion.judge.views import told_so_far
from companion.live.demo import Demo, Hand
from companion.live.pause import Paused, Why
from companion.live.simulation import NotPossible, Simulation
from companion.live.snapshot import Snapshot
from companion.live.table import BeingPlayed, Live
from companion.versions.host_wishes import HostWish, Machine

ENTERED = (TakeBack, PutRight, LiesAt, EnterPress, EnterCards, EnterWord)
"""Acts that become events of the match."""
STARTS = (StartMatch, PlayBots, Again)
"""Acts by which a phone becomes the host's, if there is none."""
LAID = (LayCards, PressBuzzer)
"""Acts of the virtual hand, which the table senses."""

Decision = Callable[[Situation], Do | AskOthers | Waits | Refuse]
Evening = tuple[tuple[int, tuple[Player, ...]], ...]


class Carried(msgspec.Struct, frozen=True):
    """The result of an act that was not refused."""

    said: Saying
    """What is said to whoever wanted it."""
    plan: Deed | None = None
    """How it was done, or would be."""
    verdicts: tuple[Verdict, ...] = ()
    """What the judge said."""
    earlier: EarlierMatch | None = None
    """The match of the log that it was about; None: the one on the table, or none."""
    asked: bool = False
    """Whether others are asked, and nothing is done yet."""
    known_as: str | None = None
    """What the phone is known by from now on; None: as before."""


class Acting:
    """Every method may be called from any thread but the judge's; those that change something wait for the disk."""

    def __init__(
        self,
        live: Live,
        phones: Phones,
        questions: KeptQuestions,
        *,
        simulation: Simulation | None,
        demo: Demo | None,
        hand: Hand | None,
        machine: Machine | None,
        by_code: bool,
        evening: Callable[[], Evening],
    ):
        """`evening` returns the evening's matches, with who played."""
        self.turn = threading.Lock()
        """Held while an act is done that others may have to agree to: the next is decided on what becomes of it."""
        self._live = live
        self._phones = phones
        self._questions = questions
        self._simulation = simulation
        self._demo = demo
        self._hand = hand
        self._machine = machine
        self._by_code = by_code
        self._evening = evening

    def situation(
        self,
        match: Match | None = None,
        at: float = 0.0,
        rights: Rights | None = None,
        evening: Evening = (),
    ) -> Situation:
        """Return the table as it is; `match` and `at` come from the judge, `rights` from whoever changes them."""
        simulation = self._simulation
        return Situation(
            self._phones.rights if rights is None else rights,
            self._phones.presence,
            self._questions.value,
            self._questions.at,
            at,
            self._play(),
            match,
            simulated=simulation is not None,
            dealt=simulation.dealt if simulation is not None else None,
            one_hand=self._hand is not None and simulation is None,
            by_code=self._by_code,
            evening=evening,
        )

    def enter_alone(self, act: Act, actor: Actor) -> Carried | None:
        """Enter an act that is its doer's alone, at once; return None, and do nothing, if it takes others, or what they
        were asked. Raises `ActRefused` and what `Live.act` raises.
        """
        if match_of(act) is not None:
            return None
        outcome, verdicts = self._entered(act, lambda situation: decide(act, actor, situation), alone=True)
        if isinstance(outcome, Refuse):
            raise ActRefused(outcome)
        return _carried(outcome, verdicts) if isinstance(outcome, Do) and outcome.settles is None else None

    def carry_out(self, act: Act, actor: Actor) -> Carried:
        """Do an act, or ask others for it. Call it in turn. Raises `ActRefused`, `NotKept`, `Paused`, `NoMatch` and
        `Overtaken`.
        """
        host = self._as_host(act, actor) if isinstance(act, STARTS) else actor
        outcome, verdicts = self._done(act, host, lambda situation: decide(act, host, situation))
        known_as = host.who.phone if host.who.phone != actor.who.phone else None
        match outcome:
            case Refuse():
                raise ActRefused(outcome)
            case Waits(said=said):
                return Carried(said, asked=True)
            case AskOthers():
                known_as = self._ask(outcome, host) or known_as
                return Carried(outcome.said, outcome.plan, asked=True, known_as=known_as)
        if outcome.settles is not None:
            code = outcome.settles
            self._questions.close(lambda questions: questions.settled(code))
        if isinstance(act, Rename):
            self.done_by_holder("ask-rename", act.seat)
        known_as = actor.new if isinstance(act, TakeOver | GoOnHere) else known_as
        return msgspec.structs.replace(_carried(outcome, verdicts), known_as=known_as)

    def answer(self, name: str, answer: Reply, actor: Actor) -> Carried:
        """Agree, decline, or withdraw one's own question. Call it in turn. Raises `ActRefused`, and as its act."""
        situation = self.situation()
        question = situation.question
        if question is None or question.id != name:
            done = situation.questions.done
            if done is None or done.id != name or not done.is_of(situation.number):
                raise ActRefused(not_now("ask-lapsed"))
            if not may_agree(done, actor.who, situation.seats):
                raise ActRefused(not_now("ask-lapsed"))
            return Carried(Saying("ask-done" if answer is Reply.YES else "ask-done-already"))
        if not may_answer(question, answer, actor, situation):
            raise ActRefused(not_yours("ask-not-you"))
        if isinstance(question.act, ENTERED) and self._live.has_entered(question.id):  # just before a power cut
            self._questions.close(lambda questions: questions.agreed(question))
            return Carried(Saying("ask-done" if answer is Reply.YES else "ask-done-already"))
        if answer is Reply.YES:
            return self._agreed(question, actor)
        if answer is Reply.NOBODY and actor.who.host and question.by_newcomer:
            self._questions.close(lambda questions: questions.without_newcomers(question.match))
        if actor.who.phone == question.phone:
            self._questions.close(lambda questions: questions.withdrawn())
        else:
            self._questions.close(lambda questions: questions.declined(question, self._questions.at))
        return Carried(Saying("ask-declined"))

    def done_by_holder(self, code: str, seat: int) -> None:
        """Let a question to a seat's phone lapse: its player has done it without answering."""
        question = self.situation().asked_of(seat)
        if question is not None and question.code == code:
            self._questions.close(lambda questions: questions.settled(code))

    def earlier_matches(self, seat: int, name: str) -> Mapping[int, int]:
        """Return the evening's matches in which whoever sits there played under their old name, and at which seat."""
        return earlier_matches(self.situation(evening=self._evening()), seat, name)

    def played_on(self) -> None:
        """Let the question about a move lapse: a player has gone on without an answer."""
        question = self.situation().question
        if question is not None and question.stands_still:
            at = self._questions.at
            self._questions.close(lambda questions: questions.declined(question, at, "played-on"))

    def _agreed(self, question: Question, actor: Actor) -> Carried:
        """Do what was agreed to, then close its question; it stays open if that can be done later."""
        asker = Actor(seat_rights.who(self._phones.rights, question.phone), question.address)
        names = self._names(actor)
        try:
            outcome, verdicts = self._done(
                question.act, asker, lambda situation: decide_agreed(question, situation), names, question.id
            )
            if isinstance(outcome, Refuse):
                raise ActRefused(outcome)
        except (NotKept, Paused):
            self._questions.prolong()
            raise
        except ActRefused as wrong:
            if wrong.refuse.kind is Refusing.PAUSED:
                self._questions.prolong()
                raise
            self._settle(question)
            raise
        except CompanionError:  # it can never be done as it was asked
            self._settle(question)
            raise
        self._questions.close(lambda questions: questions.agreed(question))
        if question.code == "ask-sit":
            return Carried(Saying("newcomer-plays", question.facts))
        return _carried(outcome, verdicts) if isinstance(outcome, Do) else Carried(Saying("ask-done"))

    def _settle(self, question: Question) -> None:
        self._questions.close(lambda questions: questions.settled(question.code))

    def _ask(self, ask: AskOthers, actor: Actor) -> str | None:
        """Ask others; return what a newcomer's phone is known by from now on."""
        is_newcomers = isinstance(ask.plan.act, TakeOver | GoOnHere)
        before = actor.who.phone
        phone = actor.key if is_newcomers else before
        assert phone is not None
        if is_newcomers and before is not None:
            self._phones.change(lambda rights: seat_rights.known_as(rights, before, phone))
        question = Question(
            secrets.token_hex(8),
            ask.plan.act,
            ask.needs.sentence,
            ask.needs.quotes,
            phone,
            ask.asker,
            self._live.snapshot.match,
            address=actor.address if is_newcomers else "",
            of=ask.of,
            earlier=ask.earlier,
        )
        at = self._questions.at
        self._questions.change(lambda questions: questions.known_as(before, phone).asked(question, at))
        return phone if is_newcomers else None

    def _as_host(self, act: Act, actor: Actor) -> Actor:
        """Make a phone the host's, if there is none yet: whoever starts the first match is."""
        if actor.who.host or actor.new is None:
            return actor
        refused = self._live.look(lambda match: planned(act, actor, self.situation(match)))
        if isinstance(refused, Refuse):
            raise ActRefused(refused)
        new = actor.new
        rights = self._phones.change(lambda rights: seat_rights.first(rights, new, actor.who.phone))
        if rights.holders[HOST] != new:
            raise ActRefused(not_yours("started-already"))
        return Actor(seat_rights.who(rights, new), actor.address)

    def _done(
        self, act: Act, actor: Actor, decision: Decision, agreed: Sequence[str] = (), origin: str = ""
    ) -> tuple[Do | AskOthers | Waits | Refuse, tuple[Verdict, ...]]:
        """Decide, and do it if that is what comes of it; `agreed`: the names of who agreed."""
        number = match_of(act)
        if number is not None:
            names = tuple(dict.fromkeys((*self._names(actor), *agreed)))
            return self._done_afterwards(act, number, actor, decision, names, origin)
        if isinstance(act, ENTERED):
            return self._entered(act, decision, origin)
        snapshot = self._live.snapshot
        if isinstance(act, (*STARTS, *LAID, End, SwitchOff)):
            outcome = self._live.look(lambda match: decision(self.situation(match)))
            if isinstance(outcome, Do):
                self._do(outcome.plan, snapshot)
            return outcome, ()
        return self._rights_changed(act, decision), ()

    def _entered(
        self, act: Act, decision: Decision, origin: str = "", *, alone: bool = False
    ) -> tuple[Do | AskOthers | Waits | Refuse, tuple[Verdict, ...]]:
        """Decide on the match as it stands, and enter what comes of it; `alone`: nothing that was asked before."""
        outcomes: list[Do | AskOthers | Waits | Refuse] = []

        def plan(match: Match, at: float) -> tuple[Event, ...]:
            outcome = decision(self.situation(match, at))
            outcomes.append(outcome)
            if not isinstance(outcome, Do) or (alone and outcome.settles is not None):
                return ()
            return outcome.plan.events

        simulation = self._simulation
        if isinstance(act, TakeBack) and simulation is not None and simulation.playing is not None:
            verdicts = simulation.take_back(plan, origin)
        else:
            verdicts = self._live.act(plan, origin)
        if not outcomes:  # it was entered already, under this origin
            return Do(Deed(act, Saying("ask-done"))), ()
        return outcomes[-1], verdicts

    def _done_afterwards(
        self, act: Act, number: int, actor: Actor, decision: Decision, names: Sequence[str], origin: str
    ) -> tuple[Do | AskOthers | Waits | Refuse, tuple[Verdict, ...]]:
        """Decide about a match of the log that is over or was ended, and do it; `names`: who has decided it."""
        outcomes: list[Do | AskOthers | Waits | Refuse] = []

        def plan(match: Match, at: float) -> tuple[Event, ...]:
            situation = self.situation(match, at)
            names = {**match.names, **self._phones.rights.people.corrected.get(number, {})}
            earlier = who_is_asked(EarlierMatch(number, match.game.slug, names), actor, situation)
            outcomes.append(decision(msgspec.structs.replace(situation, earlier=earlier)))
            return outcomes[-1].plan.events if isinstance(outcomes[-1], Do) else ()

        if isinstance(act, ENTERED):
            verdicts = self._live.act_afterwards(number, plan, names, origin)
            return (outcomes[-1] if outcomes else Do(Deed(act, Saying("ask-done")))), verdicts
        self._live.ask_about(number, lambda match: plan(match, 0.0))
        if isinstance(outcomes[-1], Do):
            try:
                self._decide_about(act, number, names)
            except BeingPlayed:
                code = "take-up-waits" if isinstance(act, TakeUp) else "match-being-played"
                raise ActRefused(not_now(code)) from None
        return outcomes[-1], ()

    def _decide_about(self, act: Act, number: int, names: Sequence[str]) -> None:
        match act:
            case LeaveOut():
                self._live.leave_out(number, names)
            case CountAgain():
                self._live.count_again(number, names)
            case TakeUp():
                self._take_up(number, names)

    def _take_up(self, number: int, names: Sequence[str]) -> None:
        """Go on with a match of the log at the table, and seat its players with their phones."""
        self._phones.try_to_store()  # or the match would go on without its players' phones
        if self._demo is not None and self._demo.running:
            self._demo.stop()
        play = self._play()
        before = play.names if play is not None and not play.nobodys else {}
        self._live.take_up(number, names)
        if self._simulation is not None:
            self._simulation.resume()
        taken_up = self._play()
        players = taken_up.called if taken_up is not None else {}
        self._phones.change(lambda rights: lobby.begin(lobby.resume(rights, before), players, number))

    def _names(self, actor: Actor) -> tuple[str, ...]:
        """Return what the players of a phone are called in the match on the table."""
        play = self._play()
        called = play.called if play is not None else {}
        return tuple(called[seat] for seat in sorted(actor.who.parts) if called.get(seat))

    def _rights_changed(self, act: Act, decision: Decision) -> Do | AskOthers | Waits | Refuse:
        """Decide on the rights as they are, and store what comes of it; bots then play where no phone does."""
        outcomes: list[Do | AskOthers | Waits | Refuse] = []
        evening = self._evening() if isinstance(act, Rename) else ()

        def step(rights: Rights) -> Rights:
            outcome = decision(self.situation(rights=rights, evening=evening))
            outcomes.append(outcome)
            changed = outcome.plan.rights if isinstance(outcome, Do) else None
            return rights if changed is None else changed

        rights = self._phones.change(step)
        if isinstance(outcomes[-1], Do) and self._simulation is not None and self._live.snapshot.under_way is not None:
            with suppress(NotPossible):  # the match is over by now
                self._simulation.follow(rights.holders, rights.gone)
        return outcomes[-1]

    def _do(self, plan: Deed, upon: Snapshot) -> None:
        """Do what is neither an event nor a right; `upon` is what was seen when it was decided."""
        match plan.act:
            case End():
                self._live.pause(Why.ENDED, upon)
            case SwitchOff() if self._machine is not None:
                self._machine.wish(HostWish.OFF)
            case LayCards(place=place, cards=cards) if self._hand is not None:
                slug = self._live.ask(lambda match: match.game.slug)
                for card in cards:
                    self._hand.lay(place, slug, card)
            case PressBuzzer(seat=seat) if self._hand is not None:
                self._hand.press(seat)
            case StartMatch() | PlayBots() | Again() if plan.starting is not None:
                self._begin(plan.starting, upon)

    def _begin(self, starting: Starting, upon: Snapshot) -> None:
        """Start a match, and seat its players with their phones."""
        self._phones.try_to_store()  # or the match would begin without its players' phones
        if self._demo is not None and self._demo.running:
            self._demo.stop()
        options = dict(starting.options)
        if starting.invented:
            self._live.begin_try(starting.game, starting.players, options, upon)
            return
        if starting.simulated and self._simulation is not None:
            bots, colours = starting.bots, starting.colours
            number = self._simulation.begin(starting.game, starting.players, bots, colours, upon)
        else:
            number = self._live.begin(starting.game, starting.players, options, upon)
        self._phones.change(lambda rights: seated(starting, rights, number))

    def _play(self) -> Play | None:
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
        )


def _carried(done: Do, verdicts: tuple[Verdict, ...]) -> Carried:
    return Carried(done.plan.said, done.plan, verdicts, done.earlier)
