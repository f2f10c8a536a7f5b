"""Club cards: a personal tag that identifies its owner at any seat's reader of any table in the club.

No table and no hub keeps a tag's number: only its owner's name and a digest, which is the same at every table of the
club. Without the club's secret, which comes with the code by which a table joins, nobody gets the number back from it:
of numbers of four bytes, as many door passes have, there are few enough to try them all.
"""

import base64
import hashlib
import hmac
import re
import secrets
from collections.abc import Callable
from contextlib import suppress

from companion.access import lobby
from companion.access.rights_file import Phones
from companion.access.seat_rights import Rights
from companion.errors import NotKept
from companion.events import PHONE

_LENGTH = 16
_KEYED_LENGTH = 26


def card_of(club: str, uid: str, secret: str = "") -> str:
    """Return what stands for a tag in a club: by its secret, or as a table without it keeps it to itself.

    >>> card_of("wednesday", "04A1B2C3D4E5F6")
    'sv43bi3vjhia7onh'
    >>> card_of("wednesday", "04A1B2C3D4E5F6", "the club's secret")
    'q6t3hdv4hnhl5xdi6c42v6hspk'
    """
    tag = f"table-companion card\n{club}\n{uid}".encode()
    if not secret:
        return _letters(hashlib.sha256(tag).digest())[:_LENGTH]
    return _letters(hmac.digest(secret.encode(), tag, "sha256"))[:_KEYED_LENGTH]


def is_without_secret(card: str) -> bool:
    """Return whether anybody could find out which tag that is. It is told to nobody, and believed from nobody."""
    return re.fullmatch(f"[a-z2-7]{{{_LENGTH}}}", card) is not None


def drawn_secret() -> str:
    """Draw a club's secret."""
    return _letters(secrets.token_bytes(15))


def _letters(digest: bytes) -> str:
    return base64.b32encode(digest).decode().lower()


class ClubCards:
    """What a table does when it reads a tag that may be a club card."""

    def __init__(self, club: str, phones: Phones, under_way: Callable[[], bool], secret: str = "") -> None:
        """`under_way`: whether a match is being played; `secret`: the club's, or "" where the table has none yet."""
        self._club = club
        self._phones = phones
        self._under_way = under_way
        self._secret = secret
        everybodys = card_of(club, PHONE)  # an earlier companion took every phone and bank card for this one
        if everybodys in phones.rights.people.cards:
            with suppress(NotKept):
                phones.change(lambda rights: lobby.forget_card(rights, everybodys))

    def recognises(self, place: str, uid: str) -> bool:
        """Return whether a tag read at a place is a club card, or becomes one when it is shown there."""
        cards = self._with_shown(self._phones.rights, place, uid).people.cards
        return card_of(self._club, uid, self._secret) in cards or card_of(self._club, uid) in cards

    def show(self, place: str, uid: str) -> None:
        """Take a club card read at a place.

        Between matches its owner sits down at the seat, and a card that nobody owns becomes that of whoever sits there.
        While a match is played it has no effect, so that it tells nobody anything.
        """
        with suppress(NotKept):  # the page reports the disk
            self._phones.change(lambda rights: self._with_shown(rights, place, uid))

    def _with_shown(self, rights: Rights, place: str, uid: str) -> Rights:
        seat = place.removeprefix("seat-")
        if self._under_way() or not seat.isdigit():
            return rights
        return lobby.show_card(rights, int(seat), card_of(self._club, uid, self._secret), card_of(self._club, uid))
