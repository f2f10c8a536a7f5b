"""Club cards: a personal tag that identifies its owner at any seat's reader of any table in the club.

No table and no hub keeps a tag's number: only its owner's name and a digest that is the same at every table of the
club, from which nobody gets the number back without trying all there are.
"""

import base64
import hashlib
from collections.abc import Callable
from contextlib import suppress

from companion.access import lobby
from companion.access.rights_file import Phones
from companion.errors import NotKept

_LENGTH = 16


def card_of(club: str, uid: str) -> str:
    """Return what stands for a tag in a club.

    >>> card_of("wednesday", "04A1B2C3D4E5F6")
    'sv43bi3vjhia7onh'
    """
    digest = hashlib.sha256(f"table-companion card\n{club}\n{uid}".encode()).digest()
    return base64.b32encode(digest).decode().lower()[:_LENGTH]


class ClubCards:
    """What a table does when it reads a tag that may be a club card."""

    def __init__(self, club: str, phones: Phones, under_way: Callable[[], bool]) -> None:
        """`under_way`: whether a match is being played."""
        self._club, self._phones, self._under_way = club, phones, under_way

    def shown(self, place: str, uid: str) -> bool:
        """Take a tag read at a place; return whether it is a club card.

        Between matches its owner sits down at the seat, and a card that nobody owns becomes that of whoever sits there.
        While a match is played it has no effect, so that it tells nobody anything.
        """
        card, seat = card_of(self._club, uid), place.removeprefix("seat-")
        if not self._under_way() and seat.isdigit():
            with suppress(NotKept):  # the page reports the disk
                self._phones.change(lambda now: lobby.show_card(now, int(seat), card))
        return card in self._phones.rights.people.cards
