"""The match that a page shows."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from companion import games
from companion.game import AnyGame, Game
from companion.game.simulated_world import Move, Sight
from companion.judge import views
from companion.judge.views import UNSHOWN, Sound
from companion.live.game_code_faults import GameFaults
from companion.live.seat_feedback import Feedback
from companion.player_names import legible
from companion.web.render import news
from companion.web.render.cards import Suits, by_colour
from companion.web.render.news import News
from companion.web.render.players import names_of
from companion.web.render.podium import Best, Ranked, bests, steps, theirs
from companion.web.render.subjects.page import AboutPage
from companion.web.render.verdicts import Sentence, Sentences
from companion.web.render.waiting_for import Task, task


@dataclass(frozen=True, eq=False)
class AboutMatch:
    """About the match that the page shows."""

    _page: AboutPage
    view: Mapping[str, Any] | None
    """What this page's observer may know of the match; None: there is no match."""
    _bots: Collection[int]
    _faults: GameFaults | None
    """Where a fault in the game's words is kept; None: the caller that renders the page handles it."""
    _sights: Mapping[int, Sight] = field(default_factory=dict)
    _deals: tuple[Move, ...] = ()
    """At a simulated table, what each seat that the page shows knows and can do."""

    @cached_property
    def table(self) -> Any:
        """The game's own part of the view, as its `view.py` builds it."""
        return self.view["table"] if self.view else None

    @cached_property
    def slug(self) -> str | None:
        """Of the match's game, as text; None: there is no match."""
        return self.view["game"] if self.view else None

    @cached_property
    def brought(self) -> str:
        """Which game's part of the pages is shown: the slug again, or "" for the plain part."""
        return "" if self.failed or self.slug is None else self.slug

    @cached_property
    def failed(self) -> bool:
        """Whether the game's own view or page failed, and the plain one stands in for it."""
        return self.table is UNSHOWN

    @cached_property
    def has_stopped(self) -> bool:
        """Whether the match is over, or was ended early; False: there is none."""
        return self.view is not None and (self.view["over"] or self._page.snapshot.ended)

    @cached_property
    def goes_on(self) -> bool:
        """Whether there is a match that is neither over nor ended early; in a break too."""
        return self.view is not None and not self.has_stopped

    @cached_property
    def game(self) -> Game[Any, Any] | None:
        """The game of the match."""
        return None if self.slug is None else games.known()[self.slug]

    @cached_property
    def seats(self) -> Mapping[int, str]:
        """Who sits where, by seat."""
        return {seat: self._page.words.name(seat) for seat in names_of(self.view)}

    @cached_property
    def news(self) -> News | None:
        """What just happened, as its observer was told it: `headline(news)` of `news.html` shows it; None: nothing."""
        if self.view is None:
            return None
        return news.news(self._page.snapshot, self.view, self._page.words, self._page.page.observer)

    @cached_property
    def decided(self) -> News | None:
        """At the end, what ended the match, if it can be played before the winners are shown; None: nothing."""
        if self.view is None or self._page.page.kind not in ("big", "seat", "score"):
            return None
        return news.decided(self.view, self._page.words)

    @cached_property
    def task(self) -> Task | None:
        """What the table waits for, in the second person on a seat's own page: `now()` of `news.html` shows it."""
        if self.view is None:
            return None
        seat = self._page.page.observer
        if seat is None:
            return task(self.view, self._page.words, None, self._bots, self._deals)
        sight = self._sights.get(seat)
        return task(self.view, self._page.words, seat, self._bots, sight.moves if sight else ())

    def podium(self) -> tuple[tuple[Ranked, ...], tuple[Best, ...]]:
        """Return who stands where at the end of the match, and its best moments."""
        if self.view is None or self.game is None or self.failed:
            return (), ()
        return steps(self.view, self.game), self._best_moments(self.game)

    @cached_property
    def told(self) -> Sentences:
        """What this page's observer was told, as sentences: `hint`, `private`, `public`, `latest`."""
        entries = self.view["told"] if self.view else []
        last_said = self._page.snapshot.last_said.get(self._page.page.observer)
        return Sentences(entries, self._page.words, self._page.seat, last_said)

    @cached_property
    def answer(self) -> Feedback | None:
        """The answer to this seat's latest card or press."""
        return self._page.snapshot.feedback.get(self._page.seat or 0)

    @cached_property
    def sound(self) -> Sound | None:
        """The latest ruling that sounds."""
        return views.sound(self.view) if self.view else None

    @cached_property
    def announcement(self) -> str:
        """What the table does by itself unless somebody presses, in words; "": nothing."""
        announced = self._page.snapshot.announced
        if announced is None:
            return ""
        words = self._page.words
        intent = announced.intent
        next_match = announced.next_match
        facts: dict[str, Any] = {"said": words.quote(*intent.about) if intent.about else ""}
        if next_match is not None:
            names = words.several([legible(player.name, words.language) for player in next_match.players])
            facts |= {"game": next_match.game, "names": names}
        return words.say(intent.code, facts)

    def is_practice_after(self, taken_back: Sentence) -> bool:
        """Return whether taking this back makes the match practice that counts nowhere, and needs nobody's consent: its
        player is alone against bots, and has seen what it takes back, or something since.
        """
        if self.view is None or self.game is None or not self._bots or len(self.seats) - len(self._bots) != 1:
            return False
        told_since = taken_back.entry is not None and taken_back.entry + 1 < len(self.view["told"])
        has_shown_since = told_since and any(ruling.shows for ruling in self.game.rulings.values())
        return self.game.kind_of(taken_back.code).shows or has_shown_since

    def decks(self) -> Suits:
        """Return the cards of the match's game."""
        return {} if self.game is None else by_colour(self.game, _one_of_each_look(self.game), self._page.words)

    def _best_moments(self, game: AnyGame) -> tuple[Best, ...]:
        snapshot = self._page.snapshot
        highlights = theirs(snapshot.highlights, demo=snapshot.demo)
        if self._faults is None:
            return bests(highlights, self._page.words)
        return self._faults.tried(game.slug, "words", lambda: bests(highlights, self._page.words), tuple)


def _one_of_each_look(game: AnyGame) -> Iterable[str]:
    """Return one card of each look, so that nobody has to choose between copies."""
    first: dict[tuple[object, ...], str] = {}
    for card in game.deck.values():
        first.setdefault(card.look, card.id)
    return first.values()
