"""Fragments: the live part of one page, as one observer may see it, in one language, as bytes.

Each is rendered once per snapshot, however many phones ask: five hundred phones cost one rendering.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import msgspec
from jinja2 import Environment
from msgspec.structs import replace

from companion.acts.kept_questions import KeptQuestions
from companion.judge.views import UNSHOWN, unshown
from companion.live.beside_play import ShownBeside
from companion.web.fair_queue import breathe
from companion.web.render.api_values import table_as_told
from companion.web.render.environment import rendered_at_once
from companion.web.render.page_names import API, Page
from companion.web.render.players import corrected_names
from companion.web.render.subjects.all_shown import AllAbout, AllShown, describe_page
from companion.web.render.subjects.beside_play import beside_now
from companion.web.render.subjects.page import Context, names_in_templates
from companion.web.render.subjects.people import people_now
from companion.web.render.subjects.question import ShownQuestions
from companion.web.render.subjects.simulation import simulation_now
from companion.web.render.subjects.table import table_now
from companion.web.render.verdicts import Sentence, sentence
from companion.web.render.words import PageWords
from companion.web.room import Room

T = TypeVar("T")


class Screens:
    """Renders pages from the newest snapshot. Use it from the page's thread."""

    def __init__(
        self,
        env: Environment,
        room: Room,
        questions: KeptQuestions,
        beside: ShownBeside,
        has_big_screen: Callable[[], bool],
    ):
        """`has_big_screen` returns whether a big screen shows the table across the room."""
        self._env = env
        self._room = room
        self._questions = ShownQuestions(room, questions)
        self._beside = beside
        self._has_big_screen = has_big_screen
        self._state: AllShown | None = None
        """What was shown when a fragment was last asked for."""
        self._fragments: dict[tuple[Page, str], bytes] = {}
        """Those that are still as they should look, by page and language."""

    def fragment(self, page: Page, language: str) -> bytes:
        """Return the page's live part as it should look now."""
        state = self._find_state()
        if state != self._state:
            self._forget_changed(state)
            self._state = state
        fragment = self._fragments.get((page, language))
        if fragment is None:
            fragment = self._render(page, language, state)
            self._fragments[page, language] = fragment
        return fragment

    def frame(self, page: Page, language: str) -> Context:
        """Return the context of a page's template, for everything around the live part."""
        return self._context(page, language, self._find_state())

    def whole(self, template: str, context: Mapping[str, Any]) -> str:
        """Render a page; if the game's part of it fails, with the plain part instead, and a note of that."""
        return self._or_plain(self.rendered, template, context)

    def rendered(self, template: str, context: Mapping[str, Any]) -> str:
        """Render a whole page, or a live part that does not depend on a snapshot."""
        return self._env.get_template(template).render(context)

    def past(self, page: Page, language: str, view: Mapping[str, Any] | None) -> Context:
        """Return a template's context to show another match than the one on the table, or none. Of the one on the table
        it has only what leads back to one's own seat.
        """
        on_table = self._find_state()
        return self._tell_or_plain(page, language, on_table.past(page), on_table.on(page), view, _names)

    def story(self, entries: Sequence[Mapping[str, Any]], words: PageWords) -> list[Sentence]:
        """Put a story into words; an entry for which its game's words fail says that it can't be shown."""
        sentences = []
        for entry in entries:
            worded = self._room.live.faults.tried(
                words.slug or "",
                "words",
                partial(sentence, entry, words),
                partial(sentence, {**entry, **UNSHOWN["now"], "facts": {}}, words),
            )
            sentences.append(worded)
            breathe()
        return sentences

    def words(self, language: str) -> PageWords:
        """Return the words for the match as it stands."""
        state = self._find_state()
        view = state.snapshot.views.get(None)
        names = corrected_names(view, state.people.people, state.snapshot.match)
        return PageWords(view["game"] if view else None, language, names, state.simulation.form)

    def _find_state(self) -> AllShown:
        """Return all that pages show now."""
        room = self._room
        rights = room.phones.rights
        simulation_seen = None if room.simulation is None else room.simulation.seen
        snapshot = room.live.snapshot if simulation_seen is None else simulation_seen.snapshot
        return AllShown(
            snapshot,
            people_now(rights, snapshot),
            self._questions.now(rights, snapshot),
            simulation_now(room, simulation_seen, snapshot),
            table_now(room, screen=self._has_big_screen()),
            beside_now(self._beside.now, snapshot, allowed=rights.cheers),
        )

    def _forget_changed(self, state: AllShown) -> None:
        """Forget the fragments of pages that do not look as they did."""
        if self._state is not None:
            former = self._state
            self._fragments = {
                (page, language): fragment
                for (page, language), fragment in self._fragments.items()
                if state.on(page) == former.on(page)
            }

    def _render(self, page: Page, language: str, state: AllShown) -> bytes:
        if page == API:
            return self._tell_match(page, language, state, lambda about: msgspec.json.encode(table_as_told(about)))
        if page.kind == "table" and state.simulation.dealt:
            page = Page("score")  # cards and buzzers are simulated, so there is nothing to lay or press by hand
        text = self._or_plain(
            partial(rendered_at_once, self._env), f"live-{page.kind}.html", self._context(page, language, state)
        )
        return b"\n".join(filter(None, map(bytes.strip, text.encode().split(b"\n"))))

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

    def _context(self, page: Page, language: str, state: AllShown) -> Context:
        return self._tell_match(page, language, state, _names)

    def _tell_match(self, page: Page, language: str, state: AllShown, tell: Callable[[AllAbout], T]) -> T:
        """Return what `tell` makes of the match on the table, as this page may show it."""
        state = state.on(page)
        views = state.snapshot.views
        view = None if _is_not_theirs(page, state) else views.get(page.observer) or views.get(None)
        return self._tell_or_plain(page, language, state, state, view, tell)

    def _tell_or_plain(
        self,
        page: Page,
        language: str,
        state: AllShown,
        on_table: AllShown,
        view: Mapping[str, Any] | None,
        tell: Callable[[AllAbout], T],
    ) -> T:
        """Return what `tell` makes of a page; if the game's words fail, what it makes of the plain page."""

        def about(state: AllShown, view: Mapping[str, Any] | None) -> AllAbout:
            return describe_page(self._room, page, language, state, on_table, view)

        if view is None:
            return tell(about(state, None))
        return self._room.live.faults.tried(
            view["game"],
            "words",
            lambda: tell(about(state, view)),
            lambda: tell(about(_without_answers(state), unshown(view))),
        )


def _names(about: AllAbout) -> Context:
    return names_in_templates(*about)


def _without_answers(state: AllShown) -> AllShown:
    """Return the same without the answers to sensors: those are the game's words too, which have just failed."""
    return replace(state, snapshot=replace(state.snapshot, feedback={}))


def _is_not_theirs(page: Page, state: AllShown) -> bool:
    """Return whether this is a page for people at the table during or after a demonstration, which they do not play."""
    if page.kind not in ("seat", "lobby", "join") or not state.snapshot.demo:
        return False
    is_shown = state.simulation.telling is not None or state.snapshot.in_play is None
    return is_shown or page.seat in state.people.people.seated
