"""Words: what people say at the table, each declared once with its rule and the ways to say it."""

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any, Generic, Literal

import msgspec

from companion.events import Pressed, Said, Seat
from companion.game.verdicts import Judged, S


class HowSaid(Enum):
    """A way to say something at the table."""

    PRESS = "press"
    """By a press of a buzzer."""
    LAID = "laid"
    """By laying cards of the game as in play."""
    CARD = "card"
    """By one of the table's own cards."""
    PHONE = "phone"
    """Only on a phone."""


Ways = Mapping[str, tuple[HowSaid, ...]]
"""Word or act → every way to say it. The words hold a sentence for each as `way-WHAT-WAY`, except for `LAID`."""


class Word(msgspec.Struct, Generic[S], frozen=True):
    """Something that people say in a game."""

    judge: Callable[[S, Said], Judged[S]]
    """(state, the word) → (state, verdicts)."""
    ways: tuple[HowSaid, ...]
    """Every way to say it."""
    likely: Callable[[S], Iterable[tuple[Seat | Literal["host"], Any]]] = lambda state: ()
    """state → who is likely to say it next, and with which value (UNSET: none)."""
    bears: Callable[[Any], bool] | None = None
    """value → whether the word may have it in some state, for pages and laws. `judge` gets every other value too, and
    must refuse it, with a misplay of the game's own or "unknown-value". None: the word has no value, and one is refused
    before `judge` is called."""
    in_press: Callable[[S, Pressed], Said | None] | None = None
    """(state, a press) → the word, with `seq` 0, if the press stands for it, so that nobody needs a phone to say it;
    None: it does not. It must follow from what everybody knows."""
    on_card: Callable[[S, str, Seat | None], Said | None] | None = None
    """(state, one of the table's own cards, the seat at which it is laid; None: a shared pad) → the word, with `seq` 0,
    if the card stands for it there."""
    for_all: bool = False
    """Whether the host undoes others' acts by it, and so needs another seat's agreement."""

    def may_bear(self, value: Any) -> bool:
        """Return whether the word may have this value in some state; None and UNSET mean no value."""
        if self.bears is None:
            return value is None or value is msgspec.UNSET
        return self.bears(value)
