"""A question: something that one phone wants and another must agree to."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from msgspec import Struct

from companion.access.presence import ALL_ARE_TOLD
from companion.access.seat_rights import HOST, Rights, Who
from companion.acts.decide import asked_by, may_agree
from companion.acts.kept_questions import KeptQuestions
from companion.acts.question import Question
from companion.judge.views import told_so_far
from companion.live.snapshot import Snapshot
from companion.web.render import asked
from companion.web.render.asked import Off
from companion.web.render.players import names_of
from companion.web.render.subjects.people import NEWS
from companion.web.render.words import PageWords
from companion.web.room import Room

PLAYED_ON = 20.0
"""Seconds for which an asker is told that the game went on instead: nothing is left to decide."""


class QuestionShown(Struct, frozen=True):
    """The open question, and whose phones give no sign of life; by default none."""

    question: Question | None = None
    unmet: Question | None = None
    """A question that was declined or lapsed a while ago."""
    off: Off | None = None
    silent: tuple[int, ...] = ()

    def past(self) -> "QuestionShown":
        """Return what a page about another match may show."""
        return QuestionShown()


class _Unmet(Struct, frozen=True):
    """A question that was declined or lapsed, and the state of its match then."""

    question: Question | None
    entries: int
    """How many entries the story had."""
    stopped: bool


class ShownQuestions:
    """The questions of a table, as its pages show them. Use it from the page's thread."""

    def __init__(self, room: Room, questions: KeptQuestions):
        self._room = room
        self._questions = questions
        self._unmet = _Unmet(None, 0, stopped=False)

    def now(self, rights: Rights, snapshot: Snapshot) -> QuestionShown:
        """Return the questions to show now."""
        questions = self._questions
        question = questions.value.current(rights, snapshot.match, questions.at)
        return QuestionShown(
            question,
            unmet=self._find_unmet(snapshot),
            off=None if question is None else self._find_off(question, rights, snapshot),
            silent=self._find_silent(rights, snapshot),
        )

    def _find_off(self, question: Question, rights: Rights, snapshot: Snapshot) -> Off | None:
        """Return whose phones are off among those asked."""
        phones = asked_by(question, rights.holders, names_of(snapshot.views.get(None)))
        silences = {seat: self._room.phones.unheard(phone) for seat, phone in phones.items()}
        return asked.off(self._questions.value, silences, self._questions.at)

    def _find_silent(self, rights: Rights, snapshot: Snapshot) -> tuple[int, ...]:
        """Return whose phones are off at a simulated table, where nothing else acts for them."""
        if self._room.simulation is None or not snapshot.people_play:
            return ()
        return tuple(
            seat
            for seat, phone in sorted(rights.holders.items())
            if seat != HOST and self._room.phones.unheard(phone) > ALL_ARE_TOLD
        )

    def _find_unmet(self, snapshot: Snapshot) -> Question | None:
        """Return a question that was declined or lapsed, until the match has gone on for a while, or is over."""
        at = self._questions.at
        question = self._questions.value.unmet(snapshot.match, at)
        if question is not None and question.vain == "played-on" and at - question.lapses >= PLAYED_ON:
            return None
        view = snapshot.views.get(None)
        entries = told_so_far(view)
        stopped = snapshot.ended or bool(view and view["over"])
        if question is not self._unmet.question:
            self._unmet = _Unmet(question, entries, stopped)
        is_news = entries - self._unmet.entries < NEWS and stopped == self._unmet.stopped
        return question if is_news else None


@dataclass(frozen=True, eq=False)
class AboutQuestion:
    """About what two must agree to."""

    _shown: QuestionShown
    _who: Who
    _seats: Collection[int]
    _words: PageWords

    @property
    def question(self) -> Question | None:
        """The open question: what one phone wants and another must agree to."""
        return self._shown.question

    @cached_property
    def wish(self) -> str:
        """What it asks, in words; "" if there is none."""
        return "" if self.question is None else question_in_words(self.question, self._words)

    @property
    def off(self) -> Off | None:
        """Whose phones are off, if nobody who is asked can answer, and how long they are still waited for."""
        return self._shown.off

    @property
    def silent(self) -> tuple[int, ...]:
        """Seats of a simulated table whose phones have been off for a while."""
        return self._shown.silent

    @cached_property
    def agrees(self) -> bool:
        """Whether this page's phone is the one that is asked."""
        return self.question is not None and may_agree(self.question, self._who, self._seats)

    @cached_property
    def asks(self) -> bool:
        """Whether this page's phone is the one that asks."""
        return self.question is not None and self._who.phone == self.question.phone

    @cached_property
    def unmet(self) -> Question | None:
        """What this page's phone, or somebody without a seat, asked in vain a while ago, declined or lapsed; None:
        nothing, or the match has gone on since, or is over.
        """
        question = self._shown.unmet
        if question is None:
            return None
        # A newcomer has no page of their own yet, so every phone without a seat is told.
        hears = not self._who.parts if question.by_newcomer else self._who.phone == question.phone
        return question if hears else None


def question_in_words(question: Question, words: PageWords) -> str:
    """Return a question in words; about an earlier match, in those of its game and with the names of its players."""
    earlier = question.earlier
    speech = words if earlier is None else PageWords(earlier.game, words.language, earlier.names)
    quotation = speech.quote(question.quotes.code, question.quotes.facts) if question.quotes else ""
    wish = speech.say(question.code, dict(question.facts, said=quotation))
    if earlier is not None:
        wish = words.say("ask-about-earlier", {"number": earlier.number, "game": earlier.game, "said": wish})
    return " ".join((wish, *(words.say(saying.code, saying.facts) for saying in question.brings)))
