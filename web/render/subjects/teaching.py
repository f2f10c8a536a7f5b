"""The rules that a game's new players are told while they play it."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from msgspec import Struct

from companion.access.people import People, Person, find_person
from companion.judge.teaching import DueHint, due_hint
from companion.web.render.subjects.match import AboutMatch
from companion.web.render.subjects.page import AboutPage


class Lesson(Struct, frozen=True):
    """A rule that matters now, in words."""

    code: str
    text: str
    is_staged: bool
    """Whether it follows from what the big screen plays first."""


@dataclass(frozen=True, eq=False)
class AboutTeaching:
    """About the rules that are told while people play: from what everybody was told of the match, and nothing else."""

    _people: People
    _bots: Collection[int]
    _page: AboutPage
    _match: AboutMatch

    @cached_property
    def lesson(self) -> Lesson | None:
        """The rule that is told here now: to a seat's player on their own page, on the big screen to whoever needs it
        first; None: none.
        """
        kind = self._page.page.kind
        if kind not in ("seat", "big") or self._match.failed:
            return None
        seats = self._awaited_first() if kind == "big" else (self._page.seat or 0,)
        dues = ((seat, self._due(seat)) for seat in seats)
        seat, due = next(((seat, due) for seat, due in dues if due is not None), (0, None))
        return None if due is None else self._in_words(due, seat if kind == "seat" else None)

    @cached_property
    def learns(self) -> bool | None:
        """Whether this seat's player is told the rules while they play; None: the game has none to tell, or nobody
        whom the table knows plays here.
        """
        person = self._person(self._page.seat or 0)
        game = self._match.game
        return None if person is None or game is None or not game.hints else person.hints

    def _awaited_first(self) -> Iterator[int]:
        awaited = self._match.table["now"].get("seats", ()) if self._match.view else ()
        yield from awaited
        yield from (seat for seat in self._match.seats if seat not in awaited)

    def _person(self, seat: int) -> Person | None:
        if seat not in self._match.seats or seat in self._bots:
            return None
        return find_person(self._people, self._page.words.names.get(seat, ""))

    def _due(self, seat: int) -> DueHint | None:
        """Return the rule that this seat's player does not know yet and needs now, or None."""
        snapshot = self._page.snapshot
        view = snapshot.views.get(None)
        game = self._match.game
        person = self._person(seat)
        if view is None or game is None or person is None or not person.hints:
            return None
        if snapshot.demo or snapshot.pause is not None:
            return None
        return due_hint(game, view, seat, (*snapshot.hints_met.get(seat, ()), *person.met.get(game.slug, ())))

    def _in_words(self, due: DueHint, seat: int | None) -> Lesson:
        words = self._page.words
        code = f"hint-{due.code}"
        own_code = f"{code}-me"
        form = own_code if seat is not None and due.facts.get("seat") == seat and words.has(own_code) else code
        news = self._match.news
        is_staged = news is not None and news.fresh and bool(news.stage)
        return Lesson(due.code, words.say(form, due.facts), is_staged)
