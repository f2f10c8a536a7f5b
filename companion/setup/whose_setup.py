"""Decides which phone sets a table up: the first that comes, which is the host's from then on.

At a new table another phone may take over once that one has been silent for a while. At a table with devices, only the
host's code gives the setup to another phone.
"""

from companion.access import seat_rights
from companion.access.presence import PhonesSeen
from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST, Rights
from companion.config import Table
from companion.errors import NotNow

AWAY_S = 60.0
"""Seconds of silence of the first phone after which another may continue a new table's setup."""


class StillThere(NotNow):
    """The phone that sets the table up is still there."""


def is_new(table: Table) -> bool:
    """Return whether the table was never set up."""
    return not table.sensors


def is_free(rights: Rights) -> bool:
    """Return whether no phone sets the table up yet."""
    return HOST not in rights.holders


def sets_up(rights: Rights, phone: str | None) -> bool:
    """Return whether this phone sets the table up."""
    return phone is not None and rights.holders.get(HOST) == phone


def may_set_up(rights: Rights, phone: str | None) -> bool:
    """Return whether this phone sets the table up, or may begin to."""
    return is_free(rights) or sets_up(rights, phone)


def may_take_over(rights: Rights, presence: PhonesSeen, table: Table) -> bool:
    """Return whether another phone may take the setup over."""
    holder = rights.holders.get(HOST)
    return is_new(table) and (holder is None or presence.silence(holder) > AWAY_S)


def claim(phones: Phones, phone: str, code: str, former_phone: str | None) -> None:
    """Give a phone, known as `former_phone` until now, the setup for the host's code.

    Raises `NoSuchCode`, `Held` and `NotKept`.
    """
    phones.claim(phone, code, former_phone)
    _note(phones, phone)


def begin(phones: Phones, phone: str, former_phone: str | None) -> None:
    """Give a phone, known as `former_phone` until now, the setup, if no phone has it. Raises `NotKept`."""
    phones.change(lambda rights: seat_rights.first(rights, phone, former_phone))
    _note(phones, phone)


def take_over(phones: Phones, table: Table, phone: str, former_phone: str | None) -> None:
    """Give a phone the setup of one that is gone. Raises `StillThere` and `NotKept`."""

    def hand_over(rights: Rights) -> Rights:
        if not may_take_over(rights, phones.presence, table):
            raise StillThere("the phone that began is there")
        return seat_rights.first(seat_rights.free(rights, {HOST}), phone, former_phone)

    phones.change(hand_over)
    _note(phones, phone)


def _note(phones: Phones, phone: str) -> None:
    phones.here(seat_rights.who(phones.rights, phone))
