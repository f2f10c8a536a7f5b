"""The decks of a table, and their readable text format: which tag is on which card.

[stop-it]
box = { colours = ["red", "yellow", "green", "violet", "orange", "blue"] }
red-1 = "04A1B2C3D4E5F6"

`box` states where an owner's box differs from the standard one. Cards without a tag are left out.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from companion import games
from companion.devices.sensing import UID_DIGITS, VIRTUAL, TagKind, is_recognisable
from companion.errors import WrongInput
from companion.events import UNKNOWN
from companion.game import Pieces

LONGEST_LINE = 400
"""Characters. A parser may need minutes for an endless line, and no valid line is as long."""
BOX = "box"
"""The key of the box's contents, among the cards' keys."""


class TagsFault(WrongInput):
    """The tags can't be read or stored; the message says what, where, and what to do."""


class TagsLost(TagsFault):
    """The tags' file is empty or missing, and was not before."""


class Deck(msgspec.Struct, frozen=True):
    """An owner's deck of one game."""

    game: str
    box: Any
    """The box's contents: a value of the game's type `box`."""
    tags: Mapping[str, str] = {}
    """Card → uid, in the order of the game's deck."""

    @property
    def wanted(self) -> tuple[str, ...]:
        """The cards of the box, in the best order for enrolling."""
        return games.with_tags()[self.game].cards_of(self.box)

    @property
    def missing(self) -> tuple[str, ...]:
        """The cards of the box without a tag."""
        return tuple(card for card in self.wanted if card not in self.tags)

    def with_tag(self, card: str, uid: str | None) -> "Deck":
        """Return the deck with this tag on a card; None removes its tag."""
        tags = {**self.tags, card: uid}
        in_order = {
            each_card: tag
            for each_card in games.with_tags()[self.game].deck
            if (tag := tags.get(each_card)) is not None
        }
        return msgspec.structs.replace(self, tags=in_order)


_BETWEEN = re.compile(r"0[xX](?=[0-9A-Fa-f]{2})|[\s:.,_-]")
"""Prefixes and separators that people and programs write in a uid: "0x04 0xA1", "04:A1", "04-A1"."""
_CASCADE = "88"
"""The cascade tag (ISO 14443-3), a first byte that means that the uid continues in the next answer."""
_EXAMPLE = '"04A1B2C3D4E5F6"'


def decks_in(text: str, where: str) -> dict[str, Deck]:
    """Parse decks by game. `where` names the text in error messages. Raises `TagsFault`."""
    return decks_of(tables_in(text, where), where)


def tables_in(text: str, where: str) -> dict[str, Any]:
    """Parse the text's tables by game, also of unknown games. Raises `TagsFault`."""
    if any(len(line) > LONGEST_LINE for line in text.split("\n")):
        raise TagsFault(f"the tags {where} are not readable: a line is longer than {LONGEST_LINE} characters")
    try:
        import tomllib  # only when needed: a table without tags starts without it

        return tomllib.loads(text)
    except (ValueError, RecursionError) as wrong:  # also a number of thousands of digits, or deeply nested brackets
        raise TagsFault(f"the tags {where} are not readable: {wrong}") from wrong


def decks_of(tables: Mapping[str, Any], where: str) -> dict[str, Deck]:
    """Return the decks of parsed tables. Raises `TagsFault`."""
    decks = {slug: _deck(slug, cards, where) for slug, cards in tables.items()}
    cards_of(decks.values(), where)
    return decks


def cards_of(decks: Iterable[Deck], where: str) -> dict[str, tuple[str, str]]:
    """Return uid → (game, card). Raises `TagsFault` if a tag is on two cards."""
    cards: dict[str, tuple[str, str]] = {}
    for deck in decks:
        for card, uid in deck.tags.items():
            if uid in cards:
                both = "/".join(cards[uid])
                raise TagsFault(f"{where}: the tag {uid} stands for both {both} and {deck.game}/{card}; remove one")
            cards[uid] = (deck.game, card)
    return cards


def named(uid: str, cards: Mapping[str, tuple[str, str]]) -> tuple[str, str] | None:
    """Return a tag's (game, card); None if it is in no deck."""
    if uid.startswith(VIRTUAL):
        game, _, card = uid.removeprefix(VIRTUAL).partition("/")
        return game, card
    return cards.get(uid)


def card_on(uid: str, cards: Mapping[str, tuple[str, str]], slug: str) -> tuple[str, str | None]:
    """Return (card, tag) for a `tapped` event of a match of this game.

    A card of another deck is recorded as unknown, with "deck/card" as its tag: two decks can share card ids.
    """
    match named(uid, cards):
        case (game, card) if games.bearer_of(game) == games.bearer_of(slug):
            return card, None
        case (game, card):
            return UNKNOWN, f"{game}/{card}"
    return UNKNOWN, uid


def _deck(slug: str, cards: Any, where: str) -> Deck:
    game = games.with_tags().get(slug)
    if game is None:
        raise TagsFault(f"{where}: unknown game {slug!r}; known: {', '.join(games.with_tags())}")
    if not isinstance(cards, dict):
        raise TagsFault(f"{where}: [{slug}] must be a table of card = uid")
    uids = {card: uid for card, uid in cards.items() if card != BOX}
    for card in uids:
        if card not in game.deck:
            raise TagsFault(f"{where}: {slug} has no card {card!r}")
    tags = {card: _uid(uids[card], f"{where}: the uid of {slug} {card}") for card in game.deck if card in uids}
    return Deck(slug, box_of(game, cards.get(BOX, {}), where), tags)


def box_of(game: Pieces, answers: Any, where: str) -> Any:
    """Read the contents of an owner's box. Raises `TagsFault`."""
    try:
        return msgspec.convert(answers, game.box)
    except msgspec.ValidationError as wrong:
        fields = ", ".join(game.box.__struct_fields__) or "nothing, because it is always the same"
        why = str(wrong).replace("`", "'")
        raise TagsFault(f"{where}: the box of {game.slug}: {why}; to be told: {fields}") from wrong


def _uid(text: Any, owner: str) -> str:
    """Normalise a uid to the readers' form; phones' apps and other programs write it in many ways."""
    uid = _BETWEEN.sub("", text).upper() if isinstance(text, str) else ""
    if not re.fullmatch(r"[0-9A-F]+", uid):
        raise TagsFault(f"{owner} must be a text of hexadecimal digits, as in {_EXAMPLE}")
    if len(uid) not in UID_DIGITS:
        raise TagsFault(
            f"{owner} has {len(uid)} digits, but a tag's number has 8, 14 or 20, as in {_EXAMPLE}: write it in "
            "hexadecimal, with leading zeros and without check bytes, or lay the card at /tags"
        )
    if len(uid) == min(UID_DIGITS) and uid.startswith(_CASCADE):
        raise TagsFault(
            f"{owner} begins with {_CASCADE}, which is no number but the mark that a longer one goes on: "
            "write it whole, or lay the card at /tags"
        )
    if not is_recognisable(uid, TagKind.STICKER):
        raise TagsFault(
            f"{owner} is no tag's own: a phone or a pass shows another number each time, and a tag that is damaged or "
            "was never written all 0 or all F. Put another sticker on, and lay the card at /tags"
        )
    return uid
