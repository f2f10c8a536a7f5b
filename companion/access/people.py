"""The people of a table: who sits where, who is known from earlier evenings, and how each of them looks. Pure."""

from collections.abc import Collection, Iterable, Mapping
from datetime import date
from typing import Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from companion import player_names
from companion.access import player_looks
from companion.access.player_looks import Face
from companion.events import Seat
from companion.player_names import same

REMEMBERED = 48
"""The most people known; whoever played longest ago is forgotten first."""
CORRECTED = 400
"""The most matches with corrected names."""
WORN = 200
"""The most matches with the looks of their players."""
SEASONS = 40
"""The most seasons with a name."""
CARDS = 400
"""The most club cards; the one owned longest is forgotten first."""

Match = Annotated[int, Meta(ge=1)]
"""A match's number in the log."""


class Person(msgspec.Struct, frozen=True):
    """Somebody who has played here."""

    name: str
    face: Face | None = None
    """What they chose, or else were first given; None: nothing yet."""
    phone: str | None = None
    """The phone with which they first played: what is kept of them is theirs to change; None: they had none then."""


class Guest(msgspec.Struct, frozen=True):
    """Who sits at a seat, in the match under way or for the next one."""

    name: str
    face: Face | None = None
    phone: str | None = None
    """The phone that gets the seat when the next match begins; None: it holds the seat already, or they have none."""
    out: bool = False
    """Whether they keep the seat but sit out until they say otherwise."""


class Term(msgspec.Struct, frozen=True):
    """A season with a name: the evenings from one date to another, inclusive, in ISO 8601."""

    name: str
    begins: str
    ends: str = ""
    """"": it goes on."""

    def __post_init__(self) -> None:
        """Raise ValueError for what is no date."""
        for day in filter(None, (self.begins, self.ends)):
            date.fromisoformat(day)


class People(msgspec.Struct, frozen=True):
    """Everybody a table knows."""

    seated: Mapping[Seat, Guest] = {}
    """By seat."""
    known: tuple[Person, ...] = ()
    """Who played last comes first."""
    corrected: Mapping[Match, Mapping[Seat, str]] = {}
    """Match → seat → the corrected name; the record keeps the one that was typed."""
    worn: Mapping[Match, Mapping[Seat, Face]] = {}
    """Match → seat → the look of whoever played there; people may look different later."""
    hidden: tuple[str, ...] = ()
    """The keys of names whose people do not want their own page shown."""
    terms: tuple[Term, ...] = ()
    """The seasons, the latest to begin last."""
    cards: Mapping[str, str] = {}
    """Club card → the name of its owner; the latest to get one comes last."""


def guest(now: People, name: str) -> Guest:
    """Return somebody who sits down without a phone, with the look they are known by."""
    return Guest(name, wish(now, name))


def look(now: People, name: str) -> Face | None:
    """Return the look that somebody with this name wears at the table, or wishes to."""
    at_table = (one.face for one in now.seated.values() if same(one.name, name))
    return next(at_table, None) or next((one.face for one in now.known if same(one.name, name)), None)


def wish(now: People, name: str) -> Face | None:
    """Return the look that somebody with this name chose last."""
    waits = (one.face for one in now.seated.values() if one.phone and same(one.name, name))
    known = (one.face for one in now.known if same(one.name, name))
    worn = (one.face for one in now.seated.values() if same(one.name, name))
    return next(waits, None) or next(known, None) or next(worn, None)


def whose(now: People, name: str) -> Person | None:
    """Return the known person of this name."""
    return next((one for one in now.known if same(one.name, name)), None)


def choose(now: People, name: str, face: Face | None) -> People:
    """Remember the look that a known person chose."""
    return replace(now, known=tuple(replace(one, face=face) if same(one.name, name) else one for one in now.known))


def settle(now: People, seated: Mapping[int, Guest]) -> People:
    """Seat these people at the table, each with a look of their own.

    People keep theirs; if two have the same, whoever came first does. Bots wear what is left. A look given to a known
    person who has chosen none is remembered as theirs.
    """
    chosen, theirs = dict[int, Face](), [one.face for one in now.known if one.face]
    for seat, one in sorted(
        seated.items(), key=lambda item: (player_names.is_bots(item[1].name), item[1].face is None)
    ):
        if one.face or not player_names.is_bots(one.name):
            chosen[seat] = one.face or player_looks.given(seat, [*theirs, *chosen.values()])
    looks = player_looks.apart(chosen, {})
    dressed = {seat: replace(one, face=looks[seat]) for seat, one in seated.items()}
    worn = {player_names.key(one.name): one.face for one in dressed.values() if one.phone is None}
    known = tuple(replace(one, face=one.face or worn.get(player_names.key(one.name))) for one in now.known)
    return replace(now, seated=dressed, known=known)


def namesake(now: People, seat: int, name: str) -> int | None:
    """Return another seat whose player's name nobody could tell from this one."""
    others = (other for other, one in now.seated.items() if other != seat)
    return next((other for other in others if player_names.alike(now.seated[other].name, name)), None)


def played(now: People, players: Iterable[Guest]) -> People:
    """Remember who plays, and with which phone somebody who has not played before."""
    fresh = []
    for one in players:
        if one.name:
            known = whose(now, one.name)
            fresh.append(Person(one.name, one.face, known.phone if known else one.phone))
    keys = {player_names.key(one.name) for one in fresh}
    return replace(
        now, known=(*fresh, *(one for one in now.known if player_names.key(one.name) not in keys))[:REMEMBERED]
    )


def correct(now: People, match: int | None, seat: int, name: str) -> People:
    """Correct a player's name: at their seat, in this match, and from now on."""
    here, after = now.seated.get(seat), call(now, match, seat, name)
    cards = {card: name if here and same(owner, here.name) else owner for card, owner in now.cards.items()}
    after = replace(after, cards=cards)
    known = whose(now, here.name) if here else None
    if known is None:
        return after
    others = tuple(one for one in now.known if one is not known)
    return played(replace(after, known=others), [replace(after.seated[seat], phone=known.phone)])


def call(now: People, match: int | None, seat: int, name: str) -> People:
    """Give whoever plays at a seat this name, at the seat and in this match, with the look known by it; no known person
    is renamed.
    """
    here = now.seated.get(seat)
    if here is not None:
        named = replace(here, name=name, face=wish(now, name) or here.face)
        others = {other: one for other, one in now.seated.items() if other != seat}
        now = settle(now, {**others, seat: named})
    return now if match is None else put_right(now, match, seat, name)


def put_right(now: People, match: int, seat: int, name: str) -> People:
    """Give whoever played at a seat in a match this name in it."""
    fresh = {**now.corrected, match: {**now.corrected.get(match, {}), seat: name}}
    return replace(now, corrected={one: fresh[one] for one in sorted(fresh)[-CORRECTED:]})


def wear(now: People, match: int, seats: Collection[int]) -> People:
    """Remember the looks of those who play a match at these seats."""
    looks = {seat: one.face for seat, one in now.seated.items() if one.face and seat in seats}
    fresh = {**now.worn, match: {**now.worn.get(match, {}), **looks}}
    return replace(now, worn={one: fresh[one] for one in sorted(fresh)[-WORN:]})


def give_card(now: People, card: str, name: str) -> People:
    """Make somebody the owner of a club card, and of no other."""
    others = [(known, owner) for known, owner in now.cards.items() if known != card and not same(owner, name)]
    return replace(now, cards=dict([*others[1 - CARDS :], (card, name)]))


def rename_card(now: People, former: str, card: str) -> People:
    """Call a club card otherwise; its owner stays."""
    return replace(now, cards={card if known == former else known: owner for known, owner in now.cards.items()})


def card_of(now: People, name: str) -> str:
    """Return somebody's club card, or ""."""
    return next((card for card, owner in now.cards.items() if same(owner, name)), "")


def hide(now: People, name: str, hidden: bool) -> People:
    """Show a person's page to nobody, or to everybody again."""
    others = tuple(key for key in now.hidden if key != player_names.key(name))
    return replace(now, hidden=(*others, player_names.key(name)) if hidden else others)


def with_todays_keys(now: People) -> People:
    """Return people whose names an earlier version kept by its own keys."""
    return replace(now, hidden=tuple(dict.fromkeys(map(player_names.key, now.hidden))))


def set_term(now: People, term: Term) -> People:
    """Keep a season; it replaces one with the same name."""
    terms = (*drop_term(now, term.name).terms, term)
    return replace(now, terms=tuple(sorted(terms, key=lambda one: one.begins))[-SEASONS:])


def drop_term(now: People, name: str) -> People:
    """Forget a season. What was played in it stays."""
    return replace(now, terms=tuple(one for one in now.terms if not same(one.name, name)))
