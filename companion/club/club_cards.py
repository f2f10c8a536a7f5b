"""Club cards: a personal tag that identifies its owner at any seat's reader of any table in the club.

Tables and hub keep no tag's uid, only its owner's name and a digest, which is the same at every table of the club. The
digest is keyed with the club's secret, which a table gets with the code by which it joins: many door passes have uids
of four bytes, few enough to try them all against a plain hash.
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
    """Return the digest of a tag's uid in a club: keyed with its secret, or plain, which a table keeps to itself.

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
    """Return whether a digest is a plain one, which could be reversed. It is neither sent nor accepted from others."""
    return re.fullmatch(f"[a-z2-7]{{{_LENGTH}}}", card) is not None


def drawn_secret() -> str:
    """Make a random secret for a club."""
    return _letters(secrets.token_bytes(15))


def _letters(digest: bytes) -> str:
    return base64.b32encode(digest).decode().lower()


class ClubCards:
    """Handles tags that a table reads and that may be club cards."""

    def __init__(self, club: str, phones: Phones, under_way: Callable[[], bool], secret: str = "") -> None:
        """`under_way` returns whether a match is being played; `secret` is the club's, "" if the table has none yet."""
        self._club = club
        self._phones = phones
        self._under_way = under_way
        self._secret = secret
        card_of_any_phone = card_of(club, PHONE)  # an earlier companion took every phone and bank card for this one
        if card_of_any_phone in phones.rights.people.cards:
            with suppress(NotKept):
                phones.change(lambda rights: lobby.forget_card(rights, card_of_any_phone))

    def recognises(self, place: str, uid: str) -> bool:
        """Return whether a tag read at a place is a club card, or would become one there."""
        cards = self._with_shown(self._phones.rights, place, uid).people.cards
        return card_of(self._club, uid, self._secret) in cards or card_of(self._club, uid) in cards

    def show(self, place: str, uid: str) -> None:
        """Handle a club card read at a place.

        Between matches its owner sits down at the seat, and a card without an owner becomes that of the player there.
        During a match it has no effect, so that it reveals nothing.
        """
        with suppress(NotKept):  # the page reports the disk
            self._phones.change(lambda rights: self._with_shown(rights, place, uid))

    def _with_shown(self, rights: Rights, place: str, uid: str) -> Rights:
        seat = place.removeprefix("seat-")
        if self._under_way() or not seat.isdigit():
            return rights
        return lobby.show_card(rights, int(seat), card_of(self._club, uid, self._secret), card_of(self._club, uid))
