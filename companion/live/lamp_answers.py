"""The lamps' answer to the latest act at each place: it counts, or it does not.

Everybody sees the lamps, so the answer follows from public knowledge alone (`companion/judge/refusals.py`). It is shown
while the card lies there, and a refusal at least long enough to be seen.
"""

from collections.abc import Iterable, Mapping

import msgspec
from msgspec.structs import replace

from companion.devices.sensing import Clock
from companion.events import Event, Lifted, Pressed, Tapped, place_of
from companion.judge.match import Match
from companion.judge.refusals import Refusal, refusal_of, shut

STAYS_RED = 2.0
"""Seconds that a refusal is shown if its card was lifted at once."""


class LampAnswer(msgspec.Struct, frozen=True):
    """The answer to the latest card, or the latest press, at a place."""

    number: int
    """Counts the refusals at this table, so that each can be told from the one before."""
    seq: int
    """The card's event, or the press."""
    at: float
    """When it was answered (seconds)."""
    refused: Refusal | None
    """None: it counts, as far as everybody may know."""
    tapped: bool
    """Whether it is a card, not a press."""
    lies: bool
    """Whether the card still lies there."""
    stands: bool = True
    """False once the act has been taken back."""


class LampAnswers:
    """The latest answers. Use it from one thread."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._refusals = 0
        self._cards: dict[str, LampAnswer] = {}
        """By place."""
        self._presses: dict[str, LampAnswer] = {}
        """By place; only refused ones."""

    def take_up(self, match: Match, places: Iterable[str]) -> None:
        """Answer the cards that still lie at these places when the table is switched on again."""
        for event in match.events:
            if isinstance(event, Tapped) and event.place in places and event.by is msgspec.UNSET:
                self._cards[event.place] = self._answer(event, None, lies=True)
        self.answer_again(match)

    def answer(self, act: Event, refused: Refusal | None) -> None:
        """Answer a sensed act that has been judged; `refused` is its public refusal, if any."""
        match act:
            case Tapped(place=place, by=msgspec.UNSET):
                self._cards[place] = self._answer(act, refused, lies=True)
                self._presses.pop(place, None)
            case Pressed(seat=seat, by=msgspec.UNSET):
                self._presses.pop(place_of(seat), None)
                if refused is not None:
                    self._presses[place_of(seat)] = self._answer(act, refused, lies=False)
                else:
                    self._forget_refused_card(place_of(seat))
            case Lifted(place=place) if place in self._cards:
                answer = self._cards.pop(place)
                if answer.refused is not None:
                    self._cards[place] = replace(answer, lies=False)

    def _forget_refused_card(self, place: str) -> None:
        """Drop a refused card's answer, because a press there now counts."""
        if place in self._cards and self._cards[place].refused is not None:
            del self._cards[place]

    def refuse(self, press: Event, why: str) -> None:
        """Refuse a press that its player is publicly asked to repeat."""
        assert isinstance(press, Pressed)
        self._presses[place_of(press.seat)] = self._answer(press, Refusal(why, None), lies=False)

    def answer_again(self, match: Match) -> None:
        """Work out the answers to the cards again, after a correction."""
        for place, answer in self._cards.items():
            replayed = match.before(answer.seq)
            act = match.events[answer.seq - 1]
            shut_then = shut(replayed)
            replayed.add(act)
            refused = refusal_of(act, shut_then, replayed.latest)
            self._cards[place] = replace(answer, refused=refused, stands=match.stands(answer.seq))

    def shown(self) -> Mapping[str, LampAnswer]:
        """Return the current answers, by place."""
        at = self._clock()
        answers = {**self._cards, **self._presses}
        return {place: answer for place, answer in answers.items() if answer.stands and not _has_ended(answer, at)}

    def due(self) -> float | None:
        """Return when the next answer ends (seconds); None: none ends by itself."""
        return min((_ends(answer) for answer in self._all() if not answer.lies), default=None)

    def forget_ended(self) -> bool:
        """Forget the answers that have ended; return whether there were any."""
        at = self._clock()
        number_before = len(self._all())
        self._cards = {place: answer for place, answer in self._cards.items() if not _has_ended(answer, at)}
        self._presses = {place: answer for place, answer in self._presses.items() if not _has_ended(answer, at)}
        return len(self._all()) < number_before

    def _all(self) -> list[LampAnswer]:
        return [*self._cards.values(), *self._presses.values()]

    def _answer(self, act: Event, refused: Refusal | None, *, lies: bool) -> LampAnswer:
        self._refusals += refused is not None
        return LampAnswer(self._refusals, act.seq, self._clock(), refused, isinstance(act, Tapped), lies)


def _ends(answer: LampAnswer) -> float:
    return answer.at + STAYS_RED


def _has_ended(answer: LampAnswer, at: float) -> bool:
    return not answer.lies and at >= _ends(answer)
