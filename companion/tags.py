"""Which card a tag is stuck on: one readable file for all decks of the table.

[stop-it]
red-1 = "04A1B2C3D4E5F6"
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path

from companion import games
from companion.events import UNKNOWN

VIRTUAL = "virtual:"
"""The virtual table's tags say themselves what they are: "virtual:stop-it/red-7"."""


class TagsFault(Exception):
    """The file of tags can't be used: what, where, and what to do now."""


def load(path: Path) -> Mapping[str, tuple[str, str]]:
    """Give uid → (game, card). Raises `TagsFault`."""
    try:
        decks = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as wrong:
        raise TagsFault(f"can't read the tags {path}: {wrong.strerror}") from wrong
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise TagsFault(f"the tags {path} are not readable: {wrong}") from wrong
    tags: dict[str, tuple[str, str]] = {}
    for slug, cards in decks.items():
        game = games.known().get(slug)
        if game is None:
            raise TagsFault(f"{path}: unknown game {slug!r}; known: {', '.join(games.known())}")
        if not isinstance(cards, dict):
            raise TagsFault(f"{path}: [{slug}] must be a table of card = uid")
        for card, uid in cards.items():
            if card not in game.deck:
                raise TagsFault(f"{path}: {slug} has no card {card!r}")
            if not isinstance(uid, str) or not uid:
                raise TagsFault(f"{path}: the uid of {slug} {card} must be a text of hexadecimal digits")
            uid = uid.replace(":", "").upper()
            if uid in tags:
                other = "/".join(tags[uid])
                raise TagsFault(f"{path}: the tag {uid} stands for both {other} and {slug}/{card}; take one out")
            tags[uid] = (slug, card)
    return tags


def card_on(uid: str, tags: Mapping[str, tuple[str, str]], slug: str) -> tuple[str, str | None]:
    """Give (card, tag) as a `tapped` event of a match of this game tells them.

    A card of another deck is told as unknown, with "game/card" for its tag: card ids of two decks can be the same.
    """
    known = tuple(uid.removeprefix(VIRTUAL).split("/", 1)) if uid.startswith(VIRTUAL) else tags.get(uid)
    match known:
        case (game, card) if game == slug:
            return card, None
        case (game, card):
            return UNKNOWN, f"{game}/{card}"
    return UNKNOWN, uid
