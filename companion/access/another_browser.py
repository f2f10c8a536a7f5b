"""A player who goes on in another browser of their phone, which lacks the first one's token. Pure.

Apps that scan codes open a browser of their own, so this is the commonest accident. Nobody can prove to be the same
person, but browsers of one phone share its address. So the earlier browser, if it is at the same address, is asked for
its seat; once it is silent, the seat's own code opens the seat at once. A bot that plays on for somebody gives the seat
back without asking, because no other player's hand is at stake.
"""

from collections.abc import Collection
from enum import Enum

import msgspec

from companion.access.seat_rights import Rights, Who

SILENT = 12.0
"""Seconds without a sign after which a browser counts as closed; one that shows a page gives a sign every 4."""


class WayBack(Enum):
    """How a phone without a part gets to a seat that another browser has, or had."""

    NONE = "none: it is somebody else's"
    ASK = "the other browser is asked"
    CODE = "the other browser is silent: the seat's own code opens the seat"
    BOT = "a bot plays there for its player, and gives it back"


class Earlier(msgspec.Struct, frozen=True):
    """The phone that holds a seat, or held it when its player left."""

    phone: str
    same_address: bool
    """Whether it was last seen at the address of the phone that now asks."""
    silence: float
    """Seconds since its last sign."""


def earlier_phone(rights: Rights, seat: int) -> str | None:
    """Return the phone that holds a seat, or held it when its player left."""
    left = rights.gone.get(seat)
    return rights.holders.get(seat, left.phone if left else None)


def way_to(rights: Rights, seat: int, who: Who, earlier: Earlier | None, bots: Collection[int]) -> WayBack:
    """Return how this phone gets to a seat that the earlier phone holds, or held; `bots`: the seats that bots play."""
    if earlier is None or who.parts or not earlier.same_address or who.phone == earlier.phone:
        return WayBack.NONE
    silent = earlier.silence >= SILENT
    if seat in rights.holders:
        return WayBack.CODE if silent else WayBack.ASK
    return WayBack.BOT if silent and seat in bots else WayBack.NONE
