"""Codes made at a table by hand, as acts make them."""

from companion.access import seat_rights
from companion.access.rights_file import Phones, unused_codes


def hand_on(phones: Phones, part: int) -> None:
    phones.change(lambda rights: seat_rights.hand_on(rights, part, next(unused_codes(rights))))


def renew(phones: Phones) -> None:
    phones.change(lambda rights: seat_rights.renew(rights, unused_codes(rights)))
