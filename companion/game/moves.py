"""The acts of a game, each kind declared once: its rule, likely next acts, and who may enter it.

The judge's dispatch, the choices of demonstrations and random matches, and the running delay follow from it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Generic

import msgspec

from companion.events import CENTRE, Elapsed, Event, Place, Pressed, Said, Seat, Tapped
from companion.game.verdicts import Judged, Misplay, S
from companion.game.ways import Ways, Word

OWN_SEAT = "seat"
"""Stands for every player's own place."""


class Delay(msgspec.Struct, frozen=True):
    """A running delay; at its end, `elapsed` is recorded with this `what`."""

    what: str
    due: int
    """Microseconds on the table's clock."""


def unknown(state: S, event: Said | Elapsed) -> Judged[S]:
    """Refuse a word or delay that this game does not have."""
    return state, (Misplay("unknown-word", event.seq, {"what": event.what}),)


def no_buzzers(state: S, event: Pressed) -> Judged[S]:
    """Refuse a press in a game without buzzers."""
    return state, (Misplay("no-buzzers", event.seq, {"seat": event.seat}, to=event.seat),)


class Taps(msgspec.Struct, Generic[S], frozen=True):
    """Cards on readers."""

    judge: Callable[[S, Tapped], Judged[S]]
    """(state, the tap) → (state, verdicts)."""
    at: tuple[str, ...] = (OWN_SEAT,)
    """Where cards count: at the player's own "seat", and at shared pads: the "centre", and a game's own pads. The words
    hold a pad's name as `place-PAD`, and the setup's sentences for it as `setup-lay-PAD` and `setup-place-PAD`."""
    likely: Callable[[S], Iterable[tuple[Place, str]]] = lambda state: ()
    """state → places, and cards that are likely to be tapped there next."""
    whose: Callable[[S, Tapped], Collection[int]] | None = None
    """(state, a tap at a shared pad) → the seats that may have done it, and may enter it by phone; if empty, only the
    host may. It must follow from what everybody knows. The card may be another game's, or unknown. None: the seats
    that the table waits for, or else all."""
    meant: Callable[[S, str], str | None] = lambda state, card: card
    """(state, the card offered on a page) → the card meant, where cards look alike to people; `None` if the page is
    stale and its offer would now mean another card."""
    shut: Callable[[S], Mapping[int, str]] = lambda state: {}
    """state → the seats at which no card counts now, as everybody knows, and the code of the misplay that says why.
    Their lamps also refuse a card that was read there before: otherwise they would show which cards those are."""

    @property
    def own_pads(self) -> tuple[Place, ...]:
        """The game's own shared pads, without the centre."""
        return tuple(spot for spot in self.at if spot not in (OWN_SEAT, CENTRE))


class Presses(msgspec.Struct, Generic[S], frozen=True):
    """Presses of buzzers."""

    judge: Callable[[S, Pressed], Judged[S]]
    """(state, the press) → (state, verdicts). A worn button may press twice within 0.3 s: if the second press would
    count, the state must remember the first, as `presser` does in Crazy Eights."""
    likely: Callable[[S], Iterable[int]] = lambda state: ()
    """state → the seats that are likely to press next."""
    finishes: Callable[[S, Pressed], bool] = lambda state, press: False
    """(state, a press) → whether its player says by it that all their cards are laid. If none is, the table asks for
    the press again. It must follow from what everybody knows."""
    races: Callable[[S], bool] = lambda state: False
    """state → whether presses race: then a press made while the table was off counts by its time, too."""


class Wait(msgspec.Struct, Generic[S], frozen=True):
    """A delay that the rules set."""

    judge: Callable[[S, Elapsed], Judged[S]]
    """(state, the end of the delay) → (state, verdicts)."""
    due: Callable[[S], int | None]
    """state → when it ends, in microseconds on the table's clock; None: it is not running."""


class GameMoves(msgspec.Struct, Generic[S], frozen=True, kw_only=True):
    """All acts of a game; any other is a misplay."""

    taps: Taps[S]
    presses: Presses[S] | None = None
    """None: the game has no buzzers."""
    words: Mapping[str, Word[S]] = {}
    """What people may say, by word."""
    waits: Mapping[str, Wait[S]] = {}
    """The delays, by the `what` that is recorded at their end. One runs at a time."""

    def judge(self, state: S, event: Event) -> Judged[S]:
        """Apply an event: return the next state and the verdicts. Raises only what a rule raises."""
        match event:
            case Tapped():
                return self.taps.judge(state, event)
            case Pressed():
                return self.presses.judge(state, event) if self.presses else no_buzzers(state, event)
            case Said():
                return self._said(state, event)
            case Elapsed():
                wait = self.waits.get(event.what)
                return wait.judge(state, event) if wait else unknown(state, event)
        return state, ()

    def _said(self, state: S, event: Said) -> Judged[S]:
        word = self.words.get(event.what)
        if word is None:
            return unknown(state, event)
        if word.bears is None and not word.may_bear(event.value):
            return state, (Misplay("unknown-value", event.seq, {"what": event.what}),)
        return word.judge(state, event)

    def likely(self, state: S) -> tuple[Event, ...]:
        """Return likely next acts, with `seq` 0 and `at` 0."""
        return tuple(self._likely(state))

    def _likely(self, state: S) -> Iterator[Event]:
        for place, card in self.taps.likely(state):
            yield Tapped(0, 0.0, place, card)
        for seat in self.presses.likely(state) if self.presses else ():
            yield Pressed(0, 0.0, seat)
        for word_name, word in self.words.items():
            for speaker, value in word.likely(state):
                yield Said(0, 0.0, speaker, word_name, value)
        delay = self.delay(state)
        if delay:
            yield Elapsed(0, 0.0, delay.what)

    def delay(self, state: S) -> Delay | None:
        """Return the running delay, or None."""
        for wait_name, wait in self.waits.items():
            due = wait.due(state)
            if due is not None:
                return Delay(wait_name, due)
        return None

    @property
    def ways(self) -> Ways:
        """The ways to say each word."""
        return {word_name: word.ways for word_name, word in self.words.items()}

    @property
    def hears_presses(self) -> bool:
        """Whether presses have a meaning in this game, so that pages offer them."""
        return self.presses is not None or any(word.in_press for word in self.words.values())

    def finishes(self, state: S, press: Pressed) -> bool:
        """Return whether a press says that all its player's cards are laid."""
        return self.presses is not None and self.presses.finishes(state, press)

    def races(self, state: S) -> bool:
        """Return whether presses race."""
        return self.presses is not None and self.presses.races(state)

    def word_in(self, state: S, press: Pressed) -> Said | None:
        """Return the word that a press stands for, with `seq` 0; None if it is only a press."""
        words = (word.in_press(state, press) for word in self.words.values() if word.in_press)
        return next((judged for judged in words if judged is not None), None)

    def word_on(self, state: S, card: str, seat: Seat | None) -> Said | None:
        """Return the word that one of the table's own cards stands for at a seat (None: on a shared pad), with `seq` 0.

        None: it stands for none in this game, or not there.
        """
        words = (word.on_card(state, card, seat) for word in self.words.values() if word.on_card)
        return next((judged for judged in words if judged is not None), None)

    def is_for_all(self, word: str) -> bool:
        """Return whether a word undoes others' acts, and so needs another seat's agreement."""
        return word in self.words and self.words[word].for_all
