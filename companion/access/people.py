"""The people of a table: who sits where, who is known from earlier evenings, and their looks. Pure."""

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
"""The most people known; the one who played longest ago is forgotten first."""
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
    """The look they chose, or else were first given; None: neither yet."""
    phone: str | None = None
    """The phone with which they first played, which may change what is kept of them; None: they played without one."""
    met: Mapping[str, tuple[str, ...]] = {}
    """Game → the hints that they need no more."""
    hints: bool = True
    """Whether they are told a game's rules while they play it."""


class Guest(msgspec.Struct, frozen=True):
    """Somebody at a seat, in the match under way or for the next one."""

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
    """The latest players come first."""
    corrected: Mapping[Match, Mapping[Seat, str]] = {}
    """Match → seat → the corrected name; the record keeps the one that was typed."""
    worn: Mapping[Match, Mapping[Seat, Face]] = {}
    """Match → seat → the look of its player then, who may have changed it since."""
    hidden: tuple[str, ...] = ()
    """The keys of the names whose own page is hidden."""
    terms: tuple[Term, ...] = ()
    """The seasons, the latest to begin last."""
    cards: Mapping[str, str] = {}
    """Club card → the name of its owner; the latest to get one comes last."""


def guest(people: People, name: str) -> Guest:
    """Return a guest without a phone, with the look that goes with this name."""
    return Guest(name, wish(people, name))


def look(people: People, name: str) -> Face | None:
    """Return the look of somebody with this name at the table, or else the one remembered."""
    at_table = (guest.face for guest in people.seated.values() if same(guest.name, name))
    return next(at_table, None) or next((person.face for person in people.known if same(person.name, name)), None)


def wish(people: People, name: str) -> Face | None:
    """Return the latest choice of somebody with this name, or else the look they have."""
    waiting = (guest.face for guest in people.seated.values() if guest.phone and same(guest.name, name))
    remembered = (person.face for person in people.known if same(person.name, name))
    worn_now = (guest.face for guest in people.seated.values() if same(guest.name, name))
    return next(waiting, None) or next(remembered, None) or next(worn_now, None)


def find_person(people: People, name: str) -> Person | None:
    """Return the known person of this name."""
    return next((person for person in people.known if same(person.name, name)), None)


def choose(people: People, name: str, face: Face | None) -> People:
    """Remember the look that a known person chose."""
    return replace(
        people,
        known=tuple(replace(person, face=face) if same(person.name, name) else person for person in people.known),
    )


def settle(people: People, seated: Mapping[int, Guest]) -> People:
    """Seat these people at the table, each with a distinct look.

    People keep theirs; of two with the same, the first in `seated` does. Bots get what is left. A look given to a known
    person who has chosen none is remembered.
    """
    chosen = dict[int, Face]()
    known_faces = [person.face for person in people.known if person.face]
    # People choose before bots, and those who have a look before those who get what is left.
    for seat, guest in sorted(
        seated.items(), key=lambda item: (player_names.is_bots(item[1].name), item[1].face is None)
    ):
        if guest.face or not player_names.is_bots(guest.name):
            chosen[seat] = guest.face or player_looks.given(seat, [*known_faces, *chosen.values()])
    looks = player_looks.apart(chosen, {})
    dressed = {seat: replace(guest, face=looks[seat]) for seat, guest in seated.items()}
    worn = {player_names.key(guest.name): guest.face for guest in dressed.values() if guest.phone is None}
    people_known = tuple(
        replace(person, face=person.face or worn.get(player_names.key(person.name))) for person in people.known
    )
    return replace(people, seated=dressed, known=people_known)


def namesake(people: People, seat: int, name: str) -> int | None:
    """Return another seat whose player's name is the same as this one, or looks the same; None: there is none."""
    candidates = (candidate for candidate, guest in people.seated.items() if candidate != seat)
    return next(
        (candidate for candidate in candidates if player_names.alike(people.seated[candidate].name, name)), None
    )


def played(people: People, players: Iterable[Guest]) -> People:
    """Remember these players as the latest, and the phone of those who have not played before."""
    newest = []
    for guest in players:
        if guest.name:
            person = find_person(people, guest.name)
            person = person or Person(guest.name, phone=guest.phone)
            newest.append(replace(person, name=guest.name, face=guest.face))
    keys = {player_names.key(person.name) for person in newest}
    return replace(
        people,
        known=(*newest, *(person for person in people.known if player_names.key(person.name) not in keys))[:REMEMBERED],
    )


def correct(people: People, match: int | None, seat: int, name: str) -> People:
    """Correct a player's name: at their seat, in this match, and from now on."""
    guest = people.seated.get(seat)
    corrected = call(people, match, seat, name)
    cards = {card: name if guest and same(owner, guest.name) else owner for card, owner in people.cards.items()}
    corrected = replace(corrected, cards=cards)
    person = find_person(people, guest.name) if guest else None
    if person is None:
        return corrected
    remaining = tuple(neighbour for neighbour in people.known if neighbour is not person)
    return played(replace(corrected, known=remaining), [replace(corrected.seated[seat], phone=person.phone)])


def call(people: People, match: int | None, seat: int, name: str) -> People:
    """Call the player at a seat by this name, at the seat and in this match, with the look that goes with the name; no
    known person is renamed.
    """
    guest = people.seated.get(seat)
    if guest is not None:
        named = replace(guest, name=name, face=wish(people, name) or guest.face)
        staying = {place: sitter for place, sitter in people.seated.items() if place != seat}
        people = settle(people, {**staying, seat: named})
    return people if match is None else put_right(people, match, seat, name)


def put_right(people: People, match: int, seat: int, name: str) -> People:
    """Correct the name of a seat's player in a match."""
    names = {**people.corrected, match: {**people.corrected.get(match, {}), seat: name}}
    return replace(people, corrected={number: names[number] for number in sorted(names)[-CORRECTED:]})


def meet(people: People, game: str, met: Mapping[str, Collection[str]]) -> People:
    """Remember which hints of a game known people have met, by their names."""
    codes_by_key = {player_names.key(name): codes for name, codes in met.items()}
    people_known = []
    for person in people.known:
        former = person.met.get(game, ())
        codes = tuple(dict.fromkeys((*former, *codes_by_key.get(player_names.key(person.name), ()))))
        people_known.append(person if codes == former else replace(person, met={**person.met, game: codes}))
    return replace(people, known=tuple(people_known))


def tell_rules(people: People, name: str, hints: bool) -> People:
    """Turn a person's hints on, beginning again with the first, or off."""
    person = find_person(people, name) or Person(name)
    other_people = [person_known for person_known in people.known if person_known is not person]
    place = people.known.index(person) if person in people.known else 0
    other_people.insert(place, replace(person, hints=hints, met={} if hints else person.met))
    return replace(people, known=tuple(other_people[:REMEMBERED]))


def wear(people: People, match: int, seats: Collection[int]) -> People:
    """Remember the looks of those who play a match at these seats."""
    looks = {seat: guest.face for seat, guest in people.seated.items() if guest.face and seat in seats}
    worn = {**people.worn, match: {**people.worn.get(match, {}), **looks}}
    return replace(people, worn={number: worn[number] for number in sorted(worn)[-WORN:]})


def give_card(people: People, card: str, name: str) -> People:
    """Make somebody the owner of a club card, and of no other."""
    cards = [
        (other_card, owner)
        for other_card, owner in people.cards.items()
        if other_card != card and not same(owner, name)
    ]
    return replace(people, cards=dict([*cards[1 - CARDS :], (card, name)]))


def rename_card(people: People, former: str, card: str) -> People:
    """Rename a club card; its owner stays."""
    return replace(
        people, cards={card if old_card == former else old_card: owner for old_card, owner in people.cards.items()}
    )


def card_of(people: People, name: str) -> str:
    """Return somebody's club card, or ""."""
    return next((card for card, owner in people.cards.items() if same(owner, name)), "")


def hide(people: People, name: str, hidden: bool) -> People:
    """Hide a person's page, or show it again."""
    hidden_keys = tuple(key for key in people.hidden if key != player_names.key(name))
    return replace(people, hidden=(*hidden_keys, player_names.key(name)) if hidden else hidden_keys)


def with_todays_keys(people: People) -> People:
    """Return the people with the keys of hidden names converted to today's: an earlier version made others."""
    return replace(people, hidden=tuple(dict.fromkeys(map(player_names.key, people.hidden))))


def set_term(people: People, term: Term) -> People:
    """Keep a season; it replaces one with the same name."""
    terms = (*drop_term(people, term.name).terms, term)
    return replace(people, terms=tuple(sorted(terms, key=lambda kept_term: kept_term.begins))[-SEASONS:])


def drop_term(people: People, name: str) -> People:
    """Forget a season. What was played in it stays."""
    return replace(people, terms=tuple(term for term in people.terms if not same(term.name, name)))
