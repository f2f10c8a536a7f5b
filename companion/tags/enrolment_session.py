"""The enrolling of stickers at a table: tags and acts go through `enrolling` and into the tags' file.

Pages and the terminal get `Stickers`, which contain no uid.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from companion import games
from companion.devices.sensing import VIRTUAL, Clock, Tag
from companion.errors import NotNow
from companion.storage.ailments import Ailment, Remedy
from companion.tags import enrolling
from companion.tags.deck import TagsFault
from companion.tags.deck_file import Decks
from companion.tags.enrolling import Answer, Enrolling

IDLE = 300.0
"""Seconds after which an idle enrolment ends by itself; until then no card reaches a match."""


class GoesOn(NotNow):
    """An enrolment is running already."""


class Stock(msgspec.Struct, frozen=True):
    """The state of a game's deck."""

    box: Any
    wanted: tuple[str, ...]
    missing: tuple[str, ...]


class Progress(msgspec.Struct, frozen=True):
    """The state of the running enrolment."""

    game: str
    next: str | None
    again: bool
    """Whether the next card has a sticker, and gets a new one."""
    alone: bool
    sealed: bool
    twice: tuple[str, ...]
    strangers: int
    can_take_back: bool


class Stickers(msgspec.Struct, frozen=True):
    """What may be shown of a table's stickers."""

    kept: bool = False
    """Whether the table has a tags' file."""
    stock: Mapping[str, Stock] = {}
    """By game."""
    progress: Progress | None = None
    """None: no enrolment is running."""
    game: str | None = None
    """The game whose cards the answer names."""
    answer: Answer | None = None
    """The message on the last scan; stays after the end."""
    trouble: str = ""
    """Why the last card could not be stored."""


class Enrolment:
    """A table's enrolment. Use it from one thread at a time."""

    def __init__(self, decks: Decks, clock: Clock, *, sealed: Callable[[], bool] = lambda: False) -> None:
        """`sealed` returns whether a match is on, so that messages must not name cards."""
        self._decks = decks
        self._clock = clock
        self._sealed = sealed
        self._enrolling: Enrolling | None = None
        self._touched = 0.0
        self._show(None, None)

    def takes(self, uid: str) -> bool:
        """Return whether a tag is enrolled rather than passed to the match; a virtual card needs no sticker."""
        return self._enrolling is not None and not uid.startswith(VIRTUAL)

    def begin(self, game: str, box: Any = None, card: str | None = None) -> None:
        """Begin with a deck, whose box may be changed, or with a single card of it.

        The file is read first, and written at once to check that it can be. Raises `TagsFault`, `GoesOn` and, for a
        card that is not in the box, ValueError.
        """
        if self._enrolling is not None:
            raise GoesOn("stickers are being put on already: end that first")
        self._decks.read()
        deck = self._decks.deck(game)
        deck = deck if box is None else replace(deck, box=box)
        fresh = Enrolling(deck, deck.wanted if card is None else (card,), self._others(game), alone=card is not None)
        if card is not None:
            if card not in deck.wanted:
                raise ValueError(f"the box holds no card {card!r}")
            fresh = enrolling.choose(fresh, card)
        self._decks.keep(deck)
        self._enrolling = fresh
        self._touched = self._clock()
        self._show(game, fresh.answer)

    def read(self, tag: Tag) -> bool:
        """Process a tag that was laid on a reader; return whether it was enrolled."""
        self.act(lambda current: enrolling.read(replace(current, sealed=self._sealed()), tag))
        return self.shown.answer is not None and not self.shown.answer.wrong

    def act(self, step: Callable[[Enrolling], Enrolling]) -> None:
        """Apply a step, and store its change before it is shown. Does nothing if no enrolment is running.

        If the change can't be stored, the card stays without a sticker, and `trouble` says why. Raises what the step
        raises.
        """
        earlier = self._enrolling
        if earlier is None:
            return
        self._touched = self._clock()
        following = step(earlier)
        trouble = ""
        if following.deck != earlier.deck:
            try:
                self._decks.keep(following.deck)
            except TagsFault as wrong:
                following = replace(earlier, answer=Answer("sticker-not-kept", wrong=True))
                trouble = str(wrong)
        # Only now: a change that could not be stored must not be shown.
        self._enrolling = None if following.over else following
        self._show(following.deck.game, following.answer, trouble)

    def skip(self) -> None:
        """Leave the wanted card for later."""
        self.act(enrolling.skip)

    def take_back(self) -> None:
        """Undo the latest sticker."""
        self.act(enrolling.take_back)

    def choose(self, card: str) -> None:
        """Choose the card wanted next. Raises ValueError for a card that is not in the box."""
        self.act(partial(enrolling.choose, card=card))

    def cure(self, remedy: Remedy) -> None:
        """Restore the stickers' copy, start without stickers, or with those that are left. Raises `TagsFault`."""
        match remedy:
            case Remedy.LAST_COPY:
                self._decks.bring_back()
            case Remedy.ANEW:
                self._decks.begin_anew()
            case Remedy.AS_IT_IS:
                self._decks.use_as_it_is()
        self._show(None, None)

    def ailment(self) -> Ailment | None:
        """Return why the stickers' file can't be used, as far as it has been read; None: it can."""
        return self._decks.ailment()

    def end(self) -> None:
        """End enrolling, so that tags reach the match again."""
        if self._enrolling is not None:
            game = self._enrolling.deck.game
            self._enrolling = None
            self._show(game, Answer("stickers-ended"))

    @property
    def ends_at(self) -> float | None:
        """When an idle enrolment ends by itself, in seconds; None if none is running."""
        return None if self._enrolling is None else self._touched + IDLE

    def end_if_idle(self) -> bool:
        """End an enrolment that was idle for `IDLE` seconds; return whether it ended."""
        if self.ends_at is None or self._clock() < self.ends_at:
            return False
        self.end()
        return True

    def _others(self, game: str) -> dict[str, tuple[str, str]]:
        return {uid: card for uid, card in self._decks.cards.items() if card[0] != game}

    def _show(self, game: str | None, answer: Answer | None, trouble: str = "") -> None:
        self.shown = Stickers(
            kept=self._decks.path is not None,
            stock={slug: self._stock(slug) for slug in games.with_tags()},
            progress=self._progress(),
            game=game,
            answer=answer,
            trouble=trouble,
        )

    def _stock(self, slug: str) -> Stock:
        deck = self._decks.deck(slug)
        return Stock(deck.box, deck.wanted, deck.missing)

    def _progress(self) -> Progress | None:
        current = self._enrolling
        if current is None:
            return None
        return Progress(
            game=current.deck.game,
            next=current.next,
            again=current.again is not None,
            alone=current.alone,
            sealed=self._sealed(),
            twice=current.twice,
            strangers=current.strangers,
            can_take_back=bool(current.history),
        )
