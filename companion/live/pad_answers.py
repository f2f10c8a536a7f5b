"""The answers of lamps and pages to cards outside the match: the table's own, and those that get stickers.

Nothing about them is sealed. An answer is shown while the card lies there, and a refusal at least long enough to be
read.
"""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from companion.devices.sensing import Clock
from companion.live.lamp_answers import STAYS_RED

A_STICKER = ""
"""In place of an act card: the card gets its sticker."""


class PadAnswer(msgspec.Struct, frozen=True):
    """The answer to the latest card at a place."""

    card: str
    """Which of the table's own cards it is, or `A_STICKER`."""
    counts: bool
    at: float
    """When it was answered (seconds)."""
    lies: bool = True
    """Whether the card still lies there."""


class PadAnswers:
    """The latest answers, by place. Use it from one thread."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._answers: dict[str, PadAnswer] = {}

    def answer(self, place: str, card: str, *, counts: bool) -> None:
        """Answer a card that was laid there."""
        self._answers[place] = PadAnswer(card, counts, self._clock())

    def lift(self, place: str) -> None:
        """Note that the card was lifted."""
        answer = self._answers.pop(place, None)
        if answer is not None and not answer.counts:
            self._answers[place] = replace(answer, lies=False)

    def shown(self) -> Mapping[str, PadAnswer]:
        """Return the current answers, by place."""
        return dict(self._answers)

    def due(self) -> float | None:
        """Return when the next answer ends (seconds); None: none ends by itself."""
        return min((answer.at + STAYS_RED for answer in self._answers.values() if not answer.lies), default=None)

    def forget_ended(self) -> bool:
        """Forget the answers that have ended; return whether there were any."""
        at = self._clock()
        ended = [place for place, answer in self._answers.items() if not answer.lies and at >= answer.at + STAYS_RED]
        for place in ended:
            del self._answers[place]
        return bool(ended)
