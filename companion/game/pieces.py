"""Things that get tags: those of a game, or the table's own."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec


class Card(msgspec.Struct, frozen=True):
    """A thing that a tag is stuck on."""

    id: str
    kind: str
    """The game's own word: "plain", "stop", "boss" …; the game's words name it for people."""
    colour: str | None = None
    value: int | None = None

    @property
    def look(self) -> tuple[str, str | None, int | None]:
        """What people see of it, so cards that look alike have the same face."""
        return self.kind, self.colour, self.value


class SameBox(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The box of a game that is the same for every owner."""


class Pieces(msgspec.Struct, frozen=True, kw_only=True):
    """Things that get tags: those of a game, or the table's own."""

    slug: str
    """Its name in records, settings and addresses: lower case, digits and hyphens."""
    title: str
    """What people call it, the same in every language."""
    folder: Path
    """Holds `locale/`, the words, and a game's `pages/`."""
    deck: Mapping[str, Card]
    """Every card that a box of it can hold, by its id."""
    wanted: Callable[[Any], tuple[str, ...]] | None = None
    """(an owner's box) → the ids of its cards, in the best order for putting tags on; None: the deck."""
    box: type[msgspec.Struct] = SameBox
    """What owners declare about their box, where boxes differ: frozen, with what is taken for granted as defaults."""

    def cards_of(self, box: Any) -> tuple[str, ...]:
        """Return the cards of an owner's box, in the best order for putting tags on."""
        return self.wanted(box) if self.wanted else tuple(self.deck)
