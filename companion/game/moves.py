"""What people do in a game, each kind of act declared once: its rule, what may well come next, who may enter it.

The judge's dispatch, what demonstrations and random matches draw, and the running delay follow from it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Generic

import msgspec

from companion.events import CENTRE, Elapsed, Event, Place, Pressed, Said, Seat, Tapped
from companion.game.verdicts import Judged, Misplay, S
from companion.game.ways import Ways, Word

OWN_SEAT = "seat"
"""A player's own place, whichever that is."""


class Delay(msgspec.Struct, frozen=True):
    """A running delay: when it is over, `elapsed` is recorded with this `what`."""

    what: str
    due: int
    """Microseconds on the table's clock."""


def unknown(state: S, event: Said | Elapsed) -> Judged[S]:
    """Refuse a word, or a delay, that this game does not know."""
    return state, (Misplay("unknown-word", event.seq, {"what": event.what}),)


def no_buzzers(state: S, event: Pressed) -> Judged[S]:
    """Refuse a press where buzzers mean nothing."""
    return state, (Misplay("no-buzzers", event.seq, {"seat": event.seat}, to=event.seat),)


class Taps(msgspec.Struct, Generic[S], frozen=True):
    """What follows from a card on a reader, and which may well come."""

    judge: Callable[[S, Tapped], Judged[S]]
    """(state, the tap) → (state, verdicts)."""
    at: tuple[str, ...] = (OWN_SEAT,)
    """Where cards count: at their player's own "seat", and at shared pads: the "centre", and pads of its own, which the
    words name as `place-PAD`, and ask for when a table is set up as `setup-lay-PAD` and `setup-place-PAD`."""
    likely: Callable[[S], Iterable[tuple[Place, str]]] = lambda state: ()
    """state → the places, and the cards that may well be tapped there next."""
    whose: Callable[[S, Tapped], Collection[int]] | None = None
    """(state, a tap at a shared pad) → the seats that may have done it, which may enter it by phone. If empty, only the
    host may. It must follow from what everybody knows. The card may be none of the game's, or not known at all. None:
    the seats that the table waits for, or else all."""
    meant: Callable[[S, str], str | None] = lambda state, card: card
    """(state, what a page offers) → the card id that is meant, where cards look alike to people; `None` if the page is
    stale and its offer would mean something else by now."""
    shut: Callable[[S], Mapping[int, str]] = lambda state: {}
    """state → the seats at which no card counts now, as everybody knows, and the code of the misplay that says why.
    Their lamps refuse a card that was read there before too, or they would show which cards those are."""

    @property
    def own_pads(self) -> tuple[Place, ...]:
        """The shared pads that this game names, besides the centre."""
        return tuple(spot for spot in self.at if spot not in (OWN_SEAT, CENTRE))


class Presses(msgspec.Struct, Generic[S], frozen=True):
    """What follows from a press of a buzzer, and whose may well come."""

    judge: Callable[[S, Pressed], Judged[S]]
    """(state, the press) → (state, verdicts). A worn button presses twice within 0.3 s: where the second would count,
    the state remembers the first, as `presser` does in Crazy Eights."""
    likely: Callable[[S], Iterable[int]] = lambda state: ()
    """state → the seats that may well press next."""
    finishes: Callable[[S, Pressed], bool] = lambda state, press: False
    """(state, a press) → whether it says that all cards of its player are laid. With none laid, the table asks for it
    again. It must follow from what everybody knows."""
    races: Callable[[S], bool] = lambda state: False
    """state → whether presses race: then one made while the table was off counts by its time, like any other."""


class Wait(msgspec.Struct, Generic[S], frozen=True):
    """What follows when nothing has happened for a time that the rules set."""

    judge: Callable[[S, Elapsed], Judged[S]]
    """(state, the end of the delay) → (state, verdicts)."""
    due: Callable[[S], int | None]
    """state → when it is over, in microseconds on the table's clock; None: it does not run."""


class GameMoves(msgspec.Struct, Generic[S], frozen=True, kw_only=True):
    """All that people do in a game. What is not declared is a misplay."""

    taps: Taps[S]
    presses: Presses[S] | None = None
    """None: buzzers mean nothing in this game."""
    words: Mapping[str, Word[S]] = {}
    """What people may say."""
    waits: Mapping[str, Wait[S]] = {}
    """What the rules wait for, by what is recorded when the delay is over. One runs at a time."""

    def judge(self, state: S, event: Event) -> Judged[S]:
        """Return what follows from an event. Never raises, if no rule does."""
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
        """Return the acts that may well come next, with `seq` 0 and `at` 0."""
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
        """Each word, and how it is said."""
        return {word_name: word.ways for word_name, word in self.words.items()}

    @property
    def hears_presses(self) -> bool:
        """Whether a press means anything in this game, so that pages offer it."""
        return self.presses is not None or any(word.in_press for word in self.words.values())

    def finishes(self, state: S, press: Pressed) -> bool:
        """Return whether a press says that all cards of its player are laid."""
        return self.presses is not None and self.presses.finishes(state, press)

    def races(self, state: S) -> bool:
        """Return whether presses race."""
        return self.presses is not None and self.presses.races(state)

    def word_in(self, state: S, press: Pressed) -> Said | None:
        """Return the word that this press says, with `seq` 0; None: it is a press and no more."""
        words = (word.in_press(state, press) for word in self.words.values() if word.in_press)
        return next((judged for judged in words if judged is not None), None)

    def word_on(self, state: S, card: str, seat: Seat | None) -> Said | None:
        """Return the word, with `seq` 0, that one of the table's own cards says at this seat (None: on a shared pad);
        None: none in this game, or not there.
        """
        words = (word.on_card(state, card, seat) for word in self.words.values() if word.on_card)
        return next((judged for judged in words if judged is not None), None)

    def is_for_all(self, what: str) -> bool:
        """Return whether this word undoes what others did, and so needs another seat's agreement."""
        return what in self.words and self.words[what].for_all
