"""Which phone is the host's, which phones hold which seats, and the codes that change that. Pure: no file, no chance.

A phone is identified by the digest of a secret token (see `phone_of`); a part is a seat, or `HOST`. A part's own code
does not change, so that it may be printed and stuck to the seat; it opens a seat that is free. A seat that is held
changes hands by a one-time code. The host's own code, which only the terminal shows, always works: the owner of the
machine can become host.

Can a code be guessed? There is no wait between tries, because an attacker with many addresses (an IPv6 network has 2^64
of them) can't be told from people who have just come in, so a limit would also keep out right codes. The codes are long
instead. There are 30^10 = 5.9e14, of which at most 14 are valid at a time: the host's and six seats', and as many
one-time codes. At ten thousand tries a second, far more than the page can answer, a day's 8.6e8 tries have one chance
in 48,000 that any of them is right.
"""

import hashlib
import hmac
from collections.abc import Collection, Iterator, Mapping
from typing import Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from companion.access.people import Guest, People
from companion.access.player_looks import Face
from companion.access.table_voice import TableVoice
from companion.errors import NotNow, WrongInput
from companion.events import SEATS, Seat

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Thirty signs that nobody mistakes for one another: no 0 and O, no 1, I and L, no U beside V."""
LENGTH = 10
HOST = 0
PARTS = (HOST, *SEATS)
Part = Annotated[int, Meta(ge=HOST, le=SEATS[-1])]


class Held(NotNow):
    """The code is right, but another phone holds the seat."""

    def __init__(self, seat: int):
        super().__init__(f"seat {seat} is held by another phone")
        self.seat = seat


class NoSuchCode(WrongInput):
    """No part has this code."""


class Leaver(msgspec.Struct, frozen=True):
    """A player who held a seat, and has left it since the match began."""

    name: str
    phone: str
    """The phone that can take the seat back by itself while a bot plays on there."""
    face: Face | None = None
    """Their look."""
    freed: bool = False
    """Whether the host took the seat from its phone."""
    off: bool = False
    """Whether that was without asking, because the phone was off; the players may still decide to wait for it."""
    told: Annotated[int, Meta(ge=0)] = 0
    """The number of public entries by then; pages say that they left until some more have come."""


class Rights(msgspec.Struct, frozen=True):
    """What each phone holds, with all that is stored beside it. No two codes are the same."""

    codes: Mapping[Part, Annotated[str, Meta(min_length=1)]]
    """Every part's own code."""
    holders: Mapping[Part, str] = {}
    """Part → phone. A phone may hold several seats, and be host as well."""
    passing: Mapping[Part, str] = {}
    """Part → the code that moves it, once, from the phone that holds it to another."""
    gone: Mapping[Seat, Leaver] = {}
    """By seat, those who have left since the match began and have not come back."""
    people: People = People()
    """Those who sit at the table, and those it knows."""
    voice: TableVoice = TableVoice()
    """The host's choice for the table's own loudspeaker."""
    cheers: bool = True
    """Whether people may cheer by phone."""


class Who(msgspec.Struct, frozen=True):
    """What one phone holds, waits for, and has left."""

    phone: str | None
    """None for a phone that has never claimed anything."""
    parts: frozenset[int]
    waits: frozenset[int] = frozenset()
    """The seats that it gets when the next match begins; until then it has none of their rights."""
    left: frozenset[int] = frozenset()
    """The seats that it was the last to hold in this match, and that no phone holds now."""

    @property
    def host(self) -> bool:
        """Whether it is the host's."""
        return HOST in self.parts


def phone_of(token: str) -> str:
    """Return the identity of a phone: its token's digest, so that a leaked file reveals no token."""
    return hashlib.sha256(token.encode()).hexdigest()


def new(codes: Iterator[str]) -> Rights:
    """Return rights where nobody holds anything yet."""
    return Rights(dict(zip(PARTS, codes, strict=False)))


def who(rights: Rights, phone: str | None) -> Who:
    """Return what a phone holds, waits for, and has left."""
    if phone is None:
        return Who(None, frozenset())
    waits = frozenset(seat for seat, guest in rights.people.seated.items() if guest.phone == phone)
    left_seats = frozenset(
        seat for seat, leaver in rights.gone.items() if leaver.phone == phone and seat not in rights.holders
    )
    return Who(phone, frozenset(part for part, holder in rights.holders.items() if holder == phone), waits, left_seats)


def phones_of(rights: Rights) -> set[str]:
    """Return the phones that hold something, or wait for it."""
    waiting = (guest.phone for guest in rights.people.seated.values() if guest.phone)
    return {*rights.holders.values(), *waiting}


def read(text: str) -> str:
    """Normalise a code as people type it, with lower-case letters, spaces and dashes."""
    return "".join(sign for sign in text.upper() if sign not in " -\t\u00a0")[:40]


def claim(
    rights: Rights, phone: str, code: str, bots: Collection[int] = (), left: Collection[int] = ()
) -> tuple[Rights, int]:
    """Give a phone the part that a code opens; return the new rights and the part. `left` are held seats that their
    code opens all the same, because their player has gone on with this phone.

    Raises `NoSuchCode`, and `Held`, also for a bot's seat.
    """
    part = _opened(rights.passing, code)
    if part is not None:
        return _given(rights, part, phone), part
    part = _opened(rights.codes, code)
    if part is None:
        raise NoSuchCode("no part has this code: type it as it stands on the seat, or on the host's page")
    if part in bots or (part not in (HOST, *left) and rights.holders.get(part, phone) != phone):
        raise Held(part)
    return _given(rights, part, phone), part


def is_code_of(rights: Rights, seat: int, text: str) -> bool:
    """Return whether this is a seat's own code, as people type it."""
    return _opened({seat: rights.codes[seat]}, read(text)) is not None


def known_as(rights: Rights, former_phone: str | None, phone: str) -> Rights:
    """Replace a phone's identity `former_phone` by `phone`; it keeps all that it holds."""
    seated = {
        seat: replace(guest, phone=phone) if former_phone and guest.phone == former_phone else guest
        for seat, guest in rights.people.seated.items()
    }
    holders = {part: phone if holder == former_phone else holder for part, holder in rights.holders.items()}
    leavers = {
        seat: replace(leaver, phone=phone) if leaver.phone == former_phone else leaver
        for seat, leaver in rights.gone.items()
    }
    persons = tuple(
        replace(person, phone=phone) if former_phone and person.phone == former_phone else person
        for person in rights.people.known
    )
    return replace(rights, holders=holders, gone=leavers, people=replace(rights.people, seated=seated, known=persons))


def first(rights: Rights, phone: str, former_phone: str | None = None) -> Rights:
    """Make this phone, formerly `former_phone`, the host's, if there is no host yet."""
    return rights if HOST in rights.holders else _given(known_as(rights, former_phone, phone), HOST, phone)


def with_host_of(rights: Rights, present: Rights) -> Rights:
    """Return these rights with the host's code of `present`, and its host's phone if it has one."""
    codes = {**rights.codes, HOST: present.codes[HOST]}
    if HOST not in present.holders:
        return replace(rights, codes=codes)
    return replace(
        rights,
        codes=codes,
        holders={**rights.holders, HOST: present.holders[HOST]},
        passing=_without(rights.passing, {HOST}),
    )


def hand_on(rights: Rights, part: int, code: str) -> Rights:
    """Set the one-time code that hands a held part to another phone; an earlier one becomes void."""
    return replace(rights, passing={**rights.passing, part: code}) if part in rights.holders else rights


def keep(rights: Rights, part: int) -> Rights:
    """Cancel handing a part on: its one-time code becomes void."""
    return replace(rights, passing=_without(rights.passing, {part}))


def free(rights: Rights, seats: Collection[int]) -> Rights:
    """Take these seats from their phones; the seats' own codes open them again."""
    return replace(rights, holders=_without(rights.holders, seats), passing=_without(rights.passing, seats))


def go(rights: Rights, seat: int, name: str, told: int = 0, *, freed: bool = False, off: bool = False) -> Rights:
    """Free a seat whose player leaves it, or from whom it is taken (`freed`, and `off` if that was without asking).

    `told` is the number of public entries so far; `name` is used if nobody has sat down there.
    """
    guest = rights.people.seated.get(seat, Guest(name))
    leaver = Leaver(guest.name, rights.holders.get(seat, ""), guest.face, freed, off, told)
    return replace(free(rights, {seat}), gone={**rights.gone, seat: leaver})


def come(rights: Rights, seat: int, phone: str) -> Rights:
    """Give a seat to the phone of the player who left it and has come back."""
    leavers = {other_seat: leaver for other_seat, leaver in rights.gone.items() if other_seat != seat}
    return replace(rights, holders={**rights.holders, seat: phone}, gone=leavers)


def forgo(rights: Rights, phone: str) -> Rights:
    """Drop a phone's way back to every seat that it has left, because it now plays elsewhere."""
    return replace(rights, gone={seat: leaver for seat, leaver in rights.gone.items() if leaver.phone != phone})


def reseat(rights: Rights, sat: Mapping[int, int | None], former_seats: Collection[int]) -> Rights:
    """Seat people for another match, with their phones.

    `sat`: for each seat that plays, where its player sat in the last match; None: nowhere. `former_seats`:
    that match's seats. The phone of a seat that another player takes loses it.
    """
    moves = {new: old for new, old in sat.items() if old is not None and old != new}
    vacated = {seat for seat in former_seats if seat in sat and sat[seat] != seat}
    freed = free(rights, {*vacated, *moves.values()})
    phones = {new: rights.holders[old] for new, old in moves.items() if old in rights.holders}
    return replace(freed, holders={**freed.holders, **phones}, passing=_without(freed.passing, phones), gone={})


def renew(rights: Rights, codes: Iterator[str]) -> Rights:
    """Give every seat a new code of its own; phones keep the seats that they hold."""
    fresh = {part: next(codes) for part in rights.codes if part != HOST}
    return replace(rights, codes={**rights.codes, **fresh})


def lengthen(rights: Rights, codes: Iterator[str]) -> Rights:
    """Replace the shorter codes that an earlier version made; drop its one-time codes."""
    if all(len(code) >= LENGTH for code in rights.codes.values()):
        return rights
    return replace(rights, codes={part: next(codes) for part in rights.codes}, passing={})


def unused_codes(rights: Rights, codes: Iterator[str]) -> Iterator[str]:
    """Yield codes that are not in use yet, each only once."""
    used = {*rights.codes.values(), *rights.passing.values()}
    for code in codes:
        if code not in used:
            used.add(code)
            yield code


def _given(rights: Rights, part: int, phone: str) -> Rights:
    holders = {**rights.holders, part: phone}
    seated = rights.people.seated
    if part in seated:
        seated = {**seated, part: replace(seated[part], phone=None)}
    return replace(
        rights,
        holders=holders,
        passing=_without(rights.passing, {part}),
        people=replace(rights.people, seated=seated),
    )


def _opened(codes: Mapping[int, str], tried: str) -> int | None:
    """Return the part that a code opens, comparing every code to its end, so that the time taken reveals nothing."""
    # A list, not next(): stopping at the first match would show by its time how far down the code stands.
    typed = tried.encode(errors="replace")
    matching = [part for part, code in codes.items() if hmac.compare_digest(code.encode(), typed)]
    return matching[0] if matching else None


def _without(held: Mapping[int, str], parts: Collection[int]) -> dict[int, str]:
    return {part: value for part, value in held.items() if part not in parts}
