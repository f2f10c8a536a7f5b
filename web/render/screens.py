"""Fragments: what one observer may see on one page, in one language, as bytes.

Rendered once per snapshot however many phones ask: five hundred phones cost one rendering.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from jinja2 import Environment
from msgspec.structs import replace

from companion.access.presence import ALL_ARE_TOLD
from companion.access.seat_rights import HOST, Rights
from companion.acts.decide import asked_by
from companion.acts.kept_questions import KeptQuestions
from companion.acts.question import Question
from companion.judge.views import UNSHOWN, told_so_far, unshown
from companion.live.simulated_sights import NO_SHOWN, NO_SIGHTS
from companion.live.snapshot import Snapshot
from companion.web.fair_queue import breathe
from companion.web.render.asked import Off, off
from companion.web.render.context import Context
from companion.web.render.context_of_page import NEWS, AllShown, context_of, looking_back, of_now
from companion.web.render.environment import rendered_at_once
from companion.web.render.page_names import Page
from companion.web.render.players import corrected_names, names_of
from companion.web.render.verdicts import Sentence, sentence
from companion.web.render.words import PageWords
from companion.web.room import Room

T = TypeVar("T")
_BETWEEN_LINES = re.compile(rb"\s*\n\s*")


class Screens:
    """Renders pages from the newest snapshot. Use it from the page's thread."""

    def __init__(self, env: Environment, room: Room, questions: KeptQuestions, across: Callable[[], bool]):
        """`across` returns whether a big screen shows the table across the room."""
        self._env = env
        self._room = room
        self._questions = questions
        self._across = across
        self._of: AllShown | None = None
        self._off_then: Off | None = None
        self._silent_then: tuple[int, ...] = ()
        self._unmet_then: tuple[Question | None, int, bool] = None, 0, False
        self._made: dict[tuple[Page, str], bytes] = {}

    def fragment(self, page: Page, language: str) -> bytes:
        """Return the page's live part as it should look now."""
        now = self._now()
        before = self._of
        if before is None or not now.is_as(before):
            self._of = now
            self._made = {of: made for of, made in self._made.items() if before and now.looks_as(before, of[0])}
        made = self._made.get((page, language))
        if made is None:
            made = self._made[page, language] = self._render(page, language, now)
        return made

    def frame(self, page: Page, language: str) -> Context:
        """Return what a page's template needs around the live part."""
        return self._context(page, language, self._now())

    def whole(self, template: str, context: Mapping[str, Any]) -> str:
        """Render a page; if the game's part of it fails, with the plain part instead, which says so."""
        return self._or_plain(self.rendered, template, context)

    def rendered(self, template: str, context: Mapping[str, Any]) -> str:
        """Render a whole page, or a live part that does not depend on a snapshot."""
        return self._env.get_template(template).render(context)

    def past(self, page: Page, language: str, view: Mapping[str, Any] | None) -> Context:
        """Return what a template needs to show another match than the one on the table, or none: nothing of that one
        but the way to one's own seat.
        """
        now = self._now()
        form = "dealt" if self._room.simulation is not None else ""
        past = self._worded(page, language, looking_back(page, now, form), view)
        return {**past, **of_now(page, now), "just_gone": {}}

    def story(self, told: Sequence[Mapping[str, Any]], words: PageWords) -> list[Sentence]:
        """Put a story into words; an entry for which its game has none says that it can't be shown."""
        sentences = []
        for one in told:
            worded = self._room.live.faults.tried(
                words.slug or "",
                "words",
                partial(sentence, one, words),
                partial(sentence, {**one, **UNSHOWN["now"], "facts": {}}, words),
            )
            sentences.append(worded)
            breathe()
        return sentences

    def words(self, language: str) -> PageWords:
        """Return the words for the match as it stands."""
        now = self._now()
        view = now.snapshot.views.get(None)
        names = corrected_names(view, now.rights.people, now.snapshot.match)
        return PageWords(view["game"] if view else None, language, names, now.form)

    def _render(self, page: Page, language: str, now: AllShown) -> bytes:
        if page.kind == "table" and now.sights:
            page = Page("score")  # nothing is laid or pressed by hand there: it shows how things lie
        text = self._or_plain(
            partial(rendered_at_once, self._env), f"live-{page.kind}.html", self._context(page, language, now)
        )
        return _BETWEEN_LINES.sub(b"\n", text.encode()).strip()

    def _or_plain(
        self, render: Callable[[str, Mapping[str, Any]], str], template: str, context: Mapping[str, Any]
    ) -> str:
        if not context["brought"]:
            return render(template, context)
        plain = {**context, "brought": "", "failed": True}
        return self._room.live.faults.tried(
            context["slug"],
            "page",
            lambda: render(template, context),
            lambda: render(template, plain),
        )

    def _context(self, page: Page, language: str, now: AllShown) -> Context:
        views = now.snapshot.views
        shown = None if _is_not_theirs(page, now) else views.get(page.observer) or views.get(None)
        return self._worded(page, language, now, shown)

    def _worded(self, page: Page, language: str, now: AllShown, view: Mapping[str, Any] | None) -> Context:
        """Return what a template needs; if a game lacks the words for what it tells, what the plain page needs."""
        if view is None:
            return context_of(self._room, page, language, now, None)
        return self._room.live.faults.tried(
            view["game"],
            "words",
            lambda: context_of(self._room, page, language, now, view),
            lambda: context_of(self._room, page, language, _unanswered(now), unshown(view)),
        )

    def _now(self) -> AllShown:
        room, rights = self._room, self._room.phones.rights
        seen, playing = (room.simulation.seen, room.simulation.playing) if room.simulation else (None, None)
        snapshot = seen.snapshot if seen else room.live.snapshot
        question = self._questions.value.current(rights, snapshot.match, self._questions.at)
        telling, sights = room.demo.telling if room.demo is not None else None, seen.sights if seen else NO_SIGHTS
        return AllShown(
            snapshot,
            rights,
            question=question,
            off=self._off(question, rights, snapshot),
            silent=self._silent(rights, snapshot),
            unmet=self._unmet(snapshot),
            telling=telling,
            sights=sights,
            shown=seen.shown if seen else NO_SHOWN,
            bots=room.simulation.bots if room.simulation else None,
            strength=playing.strength if playing else "easy",
            reads=room.simulation is not None and room.simulation.reads,
            stays=room.simulation.stays if room.simulation else 0,
            mover=room.simulation.mover(snapshot.done.seq) if room.simulation and snapshot.done else None,
            walking=room.checkup is not None and room.checkup.walking,
            screen=self._across(),
            urls=room.found_at.urls,
            form="dealt" if sights or telling else "",
        )

    def _off(self, question: Question | None, rights: Rights, snapshot: Snapshot) -> Off | None:
        """Return whose phones are off among those asked: the same object until it changes."""
        asked = asked_by(question, rights.holders, names_of(snapshot.views.get(None))) if question is not None else {}
        silences = {seat: self._room.phones.unheard(phone) for seat, phone in asked.items()}
        self._off_then = _unless_alike(self._off_then, off(self._questions.value, silences, self._questions.at))
        return self._off_then

    def _silent(self, rights: Rights, snapshot: Snapshot) -> tuple[int, ...]:
        """Return whose phones are off at a simulated table, where nothing else acts for them: the same object until it
        changes.
        """
        phones, plays = self._room.phones, self._room.simulation is not None and snapshot.people_play
        holders = sorted(rights.holders.items()) if plays else []
        silent = tuple(seat for seat, one in holders if seat != HOST and phones.unheard(one) > ALL_ARE_TOLD)
        self._silent_then = _unless_alike(self._silent_then, silent)
        return self._silent_then

    def _unmet(self, snapshot: Snapshot) -> Question | None:
        """Return what was asked in vain, until the match has gone on for a while since, or is over."""
        asked, view = self._questions.value.unmet(snapshot.match, self._questions.at), snapshot.views.get(None)
        told, stopped = told_so_far(view), snapshot.ended or bool(view and view["over"])
        if asked is not self._unmet_then[0]:
            self._unmet_then = asked, told, stopped
        _, told_then, stopped_then = self._unmet_then
        return asked if told - told_then < NEWS and stopped == stopped_then else None


def _unless_alike(before: T, now: T) -> T:
    """Return the current value; if equal to the one before, that same object, so that no page is rendered again."""
    return before if before == now else now


def _unanswered(now: AllShown) -> AllShown:
    """Return the same without the answers to sensors: the plain page has no words for those either."""
    return replace(now, snapshot=replace(now.snapshot, feedback={}))


def _is_not_theirs(page: Page, now: AllShown) -> bool:
    """Return whether this is a page of people at the table while, or after, a match is shown that is nobody's: they
    do not play it.
    """
    shown = now.telling is not None or now.snapshot.in_play is None or page.seat in now.rights.people.seated
    return page.kind in ("seat", "lobby", "join") and now.snapshot.demo and shown
