"""Things with tags: a game's cards, or the table's own."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec


class Card(msgspec.Struct, frozen=True):
    """A card, or another thing, with a tag on it."""

    id: str
    kind: str
    """The game's term: "plain", "stop", "boss" …; the game's words hold its name for people."""
    colour: str | None = None
    value: int | None = None

    @property
    def look(self) -> tuple[str, str | None, int | None]:
        """What people see; equal for cards that look alike."""
        return self.kind, self.colour, self.value


class SameBox(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The box of a game that has the same contents for every owner."""


class Pieces(msgspec.Struct, frozen=True, kw_only=True):
    """A set of things with tags: a game's cards, or the table's own."""

    slug: str
    """Its name in records, settings and URLs: lower case, digits and hyphens."""
    title: str
    """Its name for people, the same in every language."""
    folder: Path
    """The folder with `locale/`, the words, and a game's `pages/`."""
    deck: Mapping[str, Card]
    """Every card that a box can contain, by id."""
    wanted: Callable[[Any], tuple[str, ...]] | None = None
    """(an owner's box) → the ids of its cards, in the best order for enrolling tags; None: the whole deck."""
    box: type[msgspec.Struct] = SameBox
    """What owners state about their box, where boxes differ: a frozen struct; its defaults are the standard box."""

    def cards_of(self, box: Any) -> tuple[str, ...]:
        """Return the cards of an owner's box, in the best order for enrolling tags."""
        return self.wanted(box) if self.wanted else tuple(self.deck)
