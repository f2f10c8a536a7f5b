"""Carries out acts: decides them (`companion/acts`), does them, or asks others and keeps the question.

An act that others agreed to is decided again, done, and only then is its question closed. If that fails, or the table
stops in between, it is unknown whether the act was stored. Until that is settled no other act is decided: a question
whose act is stored is closed as done, and one that is declined is never done.
"""

import secrets
import threading
from collections.abc import Callable
from contextlib import suppress

import msgspec

from companion.access import seat_rights
from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST
from companion.acts.act import Act, match_of
from companion.acts.decide import Reply, decide, decide_agreed, may_agree, may_answer, stands_still_until
from companion.acts.kept_questions import KeptQuestions
from companion.acts.outcome import (
    ActRefused,
    AskOthers,
    Do,
    Outcome,
    PlannedAct,
    Refuse,
    Refusing,
    Waits,
    not_now,
    not_yours,
)
from companion.acts.plan import planned
from companion.acts.question import EarlierMatch, Question
from companion.acts.seat_acts import GoOnHere, TakeOver
from companion.acts.sentence import NOTHING, Saying
from companion.acts.table import Actor, Situation
from companion.errors import CompanionError, NotKept
from companion.game import Verdict
from companion.live.beside_play import ShownBeside
from companion.live.demo import Demo, Hand
from companion.live.doing import RECORDED, STARTS, Doing, DoneAct
from companion.live.pause import Paused
from companion.live.simulation import Simulation
from companion.live.situations import Evening, Situations
from companion.live.table import Live
from companion.live.upkeep import Upkeep

IN_ITS_TURN = Waits(NOTHING)
"""The outcome of an act that also closes a question: it takes its turn, so that no other act is under way."""


class Carried(msgspec.Struct, frozen=True):
    """The result of an act that was not refused."""

    said: Saying
    """The reply to the phone that sent it."""
    plan: PlannedAct | None = None
    """How it was done, or would be."""
    verdicts: tuple[Verdict, ...] = ()
    earlier: EarlierMatch | None = None
    """The past match that it was about; None: it was about the one on the table, or about none."""
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
        beside: ShownBeside,
        *,
        simulation: Simulation | None,
        demo: Demo | None,
        hand: Hand | None,
        upkeep: Upkeep,
        by_code: bool,
        evening: Callable[[], Evening],
    ):
        """`evening` returns the evening's matches, with who played."""
        self.turn = threading.Lock()
        """Held by the caller of `carry_out` and `answer`, so that each act is decided on the outcome of the last."""
        self._live = live
        self._phones = phones
        self._questions = questions
        self._situations = Situations(
            live,
            phones,
            questions,
            beside,
            simulation=simulation,
            demo=demo,
            hand=hand,
            by_code=by_code,
            upkeep=upkeep,
            evening=evening,
        )
        self._doubted = questions.value.unanswered
        """The question of which it is unknown whether its act was stored; None: there is none."""
        self._doing = Doing(
            live, phones, beside, self._situations, simulation=simulation, demo=demo, hand=hand, upkeep=upkeep
        )
        phones.find_on_table(live.snapshot.match)
        if simulation is not None:
            simulation.asked_until = lambda: stands_still_until(self.situation())
            if live.snapshot.people_play:
                simulation.follow(phones.rights.holders, phones.rights.gone)
        with suppress(NotKept):
            self._make_certain()

    def situation(self) -> Situation:
        """Return the table as it is."""
        return self._situations.now()

    def do_alone(self, act: Act, actor: Actor) -> Carried | None:
        """Do an act that concerns its doer alone, at once; return None, and do nothing, if it needs consent or closes
        a question. Raises `ActRefused`, `NotKept`, `Paused`, `NoMatch` and `Overtaken`.
        """
        if match_of(act) is not None or isinstance(act, STARTS):
            return None

        def decided(situation: Situation) -> Outcome:
            outcome = decide(act, actor, situation)
            return IN_ITS_TURN if isinstance(outcome, Do) and outcome.settles is not None else outcome

        told_before = self.situation().told
        done = self._doing.do(act, actor, decided)
        match done.outcome:
            case Refuse():
                raise ActRefused(done.outcome)
            case Do(plan=plan):
                # A move that nobody was told of lets no question lapse: all would see that there was one.
                if plan.move is not None and self.situation().told != told_before:
                    self._play_on()
                return _carried(done, plan, actor)
        return None

    def carry_out(self, act: Act, actor: Actor) -> Carried:
        """Do an act, or ask others for it. Call it in turn. Raises as `do_alone` does."""
        self._make_certain()
        host = self._as_host(act, actor) if isinstance(act, STARTS) else actor
        done = self._doing.do(act, host, lambda situation: decide(act, host, situation))
        known_as = host.who.phone if host.who.phone != actor.who.phone else None
        match done.outcome:
            case Refuse():
                raise ActRefused(done.outcome)
            case Waits(said=said):
                return Carried(said, asked=True)
            case AskOthers(plan=plan, said=said):
                known_as = self._ask(done.outcome, host) or known_as
                return Carried(said, plan, asked=True, known_as=known_as)
            case Do(plan=plan, settles=code):
                if code is not None:
                    self._questions.close_done(lambda questions: questions.settled(code))
                carried = _carried(done, plan, actor)
                return msgspec.structs.replace(carried, known_as=known_as or carried.known_as)

    def answer(self, name: str, answer: Reply, actor: Actor) -> Carried:
        """Agree to a question, decline it, or withdraw one's own. Call it in turn. Raises `ActRefused`, `NotKept`, and
        what the act raises.
        """
        self._make_certain()
        situation = self.situation()
        question = situation.question
        if question is None or question.id != name:
            # Another phone may have agreed just before: that is no error, and the reply says that it is done.
            done = situation.questions.done
            if done is None or done.id != name or not done.is_of(situation.number):
                raise ActRefused(not_now("ask-lapsed"))
            if not may_agree(done, actor.who, situation.seats):
                raise ActRefused(not_now("ask-lapsed"))
            return Carried(Saying("ask-done" if answer is Reply.YES else "ask-done-already"))
        if not may_answer(question, answer, actor, situation):
            raise ActRefused(not_yours("ask-not-you"))
        if answer is Reply.YES:
            return self._agreed(question, actor)
        if answer is Reply.NOBODY and actor.who.host and question.by_newcomer:
            self._questions.close(lambda questions: questions.without_newcomers(question.match))
        if actor.who.phone == question.phone:
            self._questions.close(lambda questions: questions.withdrawn())
        else:
            self._questions.close(lambda questions: questions.declined(question, self._questions.at))
        return Carried(Saying("ask-declined"))

    def _play_on(self) -> None:
        """Close the question about a move: a player has gone on without an answer."""
        question = self.situation().question
        if question is not None and question.stands_still:
            at = self._questions.at
            self._questions.close_done(lambda questions: questions.declined(question, at, "played-on"))

    def _agreed(self, question: Question, actor: Actor) -> Carried:
        """Do what was agreed to, then close its question; it stays open if that can be done later."""
        asker = self._asker(question)
        names = self._doing.names(actor)
        # Set first: if what follows fails halfway, the act may be stored all the same.
        self._doubted = question
        try:
            done = self._doing.do(
                question.act, asker, lambda situation: decide_agreed(question, situation), names, question.id
            )
            if isinstance(done.outcome, Refuse):
                raise ActRefused(done.outcome)
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
        self._close_done(question)
        if question.code == "ask-sit":
            return Carried(Saying("newcomer-plays", question.facts))
        return _carried(done, done.outcome.plan, asker) if isinstance(done.outcome, Do) else Carried(Saying("ask-done"))

    def _settle(self, question: Question) -> None:
        self._questions.close_done(lambda questions: questions.settled(question.code))
        self._doubted = None

    def _close_done(self, question: Question) -> None:
        self._questions.close_done(lambda questions: questions.agreed(question))
        self._doubted = None

    def _make_certain(self) -> None:
        """Close the question whose act may be stored, if it is. Raises `NotKept` as long as that can't be known."""
        question = self._doubted
        if question is None:
            return
        self._doing.make_certain()
        match self._outlook(question):
            case Do(plan=plan) if plan.is_so:
                self._close_done(question)
            # A paused match refuses only for now, so the question stays open.
            case Refuse(kind=kind) if kind is not Refusing.PAUSED:
                self._settle(question)
        self._doubted = None

    def _outlook(self, question: Question) -> Outcome:
        """Return the outcome that a yes would have now. Raises `NotKept`."""
        if isinstance(question.act, RECORDED) and self._live.has_entered(question.id):
            return Do(PlannedAct(question.act, is_so=True))
        try:
            return self._doing.foresee(
                question.act, self._asker(question), lambda situation: decide_agreed(question, situation)
            )
        except NotKept:
            raise
        except CompanionError:  # it can never be done as it was asked
            return not_now("ask-lapsed")

    def _asker(self, question: Question) -> Actor:
        return Actor(seat_rights.who(self._phones.rights, question.phone), question.address)

    def _ask(self, ask: AskOthers, actor: Actor) -> str | None:
        """Ask others; return what a newcomer's phone is known by from now on."""
        is_newcomers = isinstance(ask.plan.act, TakeOver | GoOnHere)
        former_phone = actor.who.phone
        phone = actor.key if is_newcomers else former_phone
        assert phone is not None
        if is_newcomers and former_phone is not None:
            self._phones.change(lambda rights: seat_rights.known_as(rights, former_phone, phone))
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
            brings=ask.needs.brings,
        )
        at = self._questions.at
        self._questions.change(lambda questions: questions.known_as(former_phone, phone).asked(question, at))
        return phone if is_newcomers else None

    def _as_host(self, act: Act, actor: Actor) -> Actor:
        """Make this phone the host's if no phone is yet: the host is who starts the first match."""
        if actor.who.host or actor.new is None:
            return actor
        refused = self._live.look(lambda match: planned(act, actor, self._situations.now(match)))
        if isinstance(refused, Refuse):
            raise ActRefused(refused)
        new = actor.new
        rights = self._phones.change(lambda rights: seat_rights.first(rights, new, actor.who.phone))
        if rights.holders[HOST] != new:  # another phone was quicker
            raise ActRefused(not_yours("started-already"))
        return Actor(seat_rights.who(rights, new), actor.address)


def _carried(done: DoneAct, plan: PlannedAct, actor: Actor) -> Carried:
    earlier = done.outcome.earlier if isinstance(done.outcome, Do) else None
    is_known = plan.rights is not None and actor.new in seat_rights.phones_of(plan.rights)
    return Carried(done.said or plan.said, plan, done.verdicts, earlier, known_as=actor.new if is_known else None)
