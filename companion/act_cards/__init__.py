"""The table's own cards: laid on a pad, each says something for which there is no button.

They are blank NFC cards on which people write, and get their place in the file of tags as any deck does. Laid at a seat
it is that seat who says it, on another pad it is the table.
"""

from pathlib import Path

from companion.game import Card, HowSaid, Pieces, Ways

SLUG = "table"

UNDO = "undo"
BREAK = "break"
END = "end"
FOR_THE_TABLE = (UNDO, BREAK, END)
"""What they say is no word of a game."""
PILE_EMPTY = "pile-empty"
ROW_EMPTY = "row-empty"
UNSORTED = "unsorted"
DROPPED = "dropped"
VOID = "void"
DIE = {"die-2": 2, "die-3": 3, "die-4": 4}
IDS = (*FOR_THE_TABLE, PILE_EMPTY, ROW_EMPTY, UNSORTED, DROPPED, VOID, *DIE)

BOX = "box"
"""A sticker on a game's box: laid on a shared pad between two matches, it starts that game."""

WAYS: Ways = {
    "next-match": (HowSaid.PRESS,),
    "undo": (HowSaid.CARD,),
    "break": (HowSaid.CARD,),
    "end": (HowSaid.CARD,),
    "match": (HowSaid.PHONE,),
    "people": (HowSaid.PHONE,),
    "unread": (HowSaid.PHONE,),
    "misread": (HowSaid.PHONE,),
    "hear": (HowSaid.PHONE,),
    "earlier": (HowSaid.PHONE,),
    "watching": (HowSaid.PHONE,),
    "upkeep": (HowSaid.PHONE,),
}
"""What people do in every game, and how."""


def box_of(slug: str) -> Card:
    """Return the sticker on a game's box, as a card of the table's own."""
    return Card(f"{BOX}-{slug}", BOX)


def whose_box(card: str) -> str:
    """Return the slug of the game on whose box this card of the table's own is stuck; "": it is on none."""
    kind, _, slug = card.partition("-")
    return slug if kind == BOX else ""


ACT_CARDS = Pieces(
    slug=SLUG,
    title="Table",
    folder=Path(__file__).parent,
    deck={card: Card(card, card) for card in IDS},
)
