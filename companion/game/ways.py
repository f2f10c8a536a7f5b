"""What people say at the table, and how: each word of a game declared once."""

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any, Generic, Literal

import msgspec

from companion.events import Pressed, Said, Seat
from companion.game.verdicts import Judged, S


class HowSaid(Enum):
    """How something is said or done at the table."""

    PRESS = "press"
    """By a button."""
    LAID = "laid"
    """By cards of the game, laid as when it is played."""
    CARD = "card"
    """By one of the table's own cards."""
    PHONE = "phone"
    """Only on a phone."""


Ways = Mapping[str, tuple[HowSaid, ...]]
"""What is said or done → every way of it. The words hold a sentence for each as `way-WHAT-WAY`, but none of what is
laid."""


class Word(msgspec.Struct, Generic[S], frozen=True):
    """Something that people say in a game: what follows from it, and how it is said at the table."""

    judge: Callable[[S, Said], Judged[S]]
    """(state, the word) → (state, verdicts)."""
    ways: tuple[HowSaid, ...]
    """Every way to say it."""
    likely: Callable[[S], Iterable[tuple[Seat | Literal["host"], Any]]] = lambda state: ()
    """state → who may well say it next, and with which value; UNSET: with none."""
    bears: Callable[[Any], bool] | None = None
    """value → whether the word may have it in some state, for pages and laws. `judge` meets every other value too, and
    refuses it, in a sentence of the game's own or as "unknown-value". None: it has no value, and one is refused before
    `judge` is asked."""
    in_press: Callable[[S, Pressed], Said | None] | None = None
    """(state, a press) → the word, with `seq` 0, if its player says it by this press, so that nobody needs a phone to
    say it; None: the press does not. It must follow from what everybody knows."""
    on_card: Callable[[S, str, Seat | None], Said | None] | None = None
    """(state, one of the table's own cards, the seat at which it is laid; None: a shared pad) → the word, with `seq` 0,
    if that card says it there."""
    for_all: bool = False
    """Whether the host undoes by it what others did, and so needs another seat's agreement."""

    def may_bear(self, value: Any) -> bool:
        """Return whether the word may have this value in some state; None and UNSET are no value."""
        if self.bears is None:
            return value is None or value is msgspec.UNSET
        return self.bears(value)
