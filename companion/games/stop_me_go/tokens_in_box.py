"""What owners declare about their box of STOP me GO: how many reward tokens of each value it holds."""

from typing import Annotated

import msgspec

from companion.games.stop_me_go.cards import DECK, MOST_ALIKE, TOKEN

Number = Annotated[int, msgspec.Meta(ge=0, le=MOST_ALIKE)]


class Box(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The booklet does not say how many there are of each value; until the owner does, no token gets a sticker."""

    tokens_0: Number = 0
    tokens_1: Number = 0
    tokens_2: Number = 0
    tokens_3: Number = 0


def wanted(box: Box) -> tuple[str, ...]:
    """Return the cards of a box; of each value's tokens, the first ones, as many as there are."""
    tokens = (box.tokens_0, box.tokens_1, box.tokens_2, box.tokens_3)
    in_box = {f"token-{value}-{copy}" for value, number in enumerate(tokens) for copy in range(1, number + 1)}
    return tuple(card.id for card in DECK.values() if card.kind != TOKEN or card.id in in_box)
