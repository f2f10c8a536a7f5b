"""Sitting down before a match. Pure: each step takes the current rights, and returns the new ones.

Sitting down without a code grants nothing yet: the phone gets the rights of its seat when the next match begins, which
everybody sees, and until then the host may send it away. During a match its seats are taken by code only.
"""

from collections.abc import Collection, Mapping

import msgspec
from msgspec.structs import replace

from companion import player_names
from companion.access import people, seat_rights
from companion.access.people import Guest
from companion.access.player_looks import Face
from companion.access.seat_rights import Rights, Who
from companion.errors import NotNow
from companion.events import SEATS, Seat
from companion.player_names import same

NEVER: Mapping[int, int] = {}
"""The `earlier` of somebody who has not played."""


class SeatTaken(NotNow):
    """Somebody else sits there."""

    def __init__(self, seat: int, name: str):
        super().__init__(f"{name} sits at seat {seat}")
        self.seat = seat
        self.name = name


class NameTaken(SeatTaken):
    """Somebody with that name sits at another seat."""


class LookTaken(SeatTaken):
    """Somebody at the table has this animal or this colour; a bot's may be taken."""

    def __init__(self, seat: int, name: str, what: str):
        super().__init__(seat, name)
        self.what = what


class NeedsCode(NotNow):
    """The seat can be taken by code only: people want it that way, or a match is under way there."""

    def __init__(self, seat: int):
        super().__init__(f"seat {seat} is taken by its code")
        self.seat = seat


class Playing(msgspec.Struct, frozen=True):
    """The match under way."""

    match: int | None = None
    """None: there is none."""
    seats: frozenset[int] = frozenset()


class Ticked(msgspec.Struct, frozen=True):
    """The choices of the form that starts a match, by seat and name; one about a person who has left is void."""

    only: bool = False
    """Whether only those in it play, and all others who wait get up."""
    plays: Mapping[Seat, str] = {}
    """Those who are ticked."""
    played: Mapping[Seat, str] = {}
    """Those whom the form offered as playing."""
    sat_out: Mapping[Seat, str] = {}
    """Those whom the form offered as sitting out."""


def sit(
    rights: Rights,
    phone: str,
    seat: int,
    guest: Guest,
    playing: Playing,
    *,
    by_code: bool,
) -> Rights:
    """Sit down, move to another seat, or change one's name or look.

    A phone may hold seats for several people. A person at another of its seats moves if the name is theirs, or if they
    are the phone's only person and it only waits there; all others keep their seats.

    Raises `SeatTaken`, `NameTaken`, `LookTaken` and `NeedsCode`.
    """
    sitting = rights.people.seated.get(seat)
    holds = rights.holders.get(seat) == phone
    if not holds:
        if seat in rights.holders or (
            sitting and sitting.phone != phone and not _vacant(sitting, guest.name, seat, playing)
        ):
            raise SeatTaken(seat, sitting.name if sitting else "")
        if by_code or seat in playing.seats:
            raise NeedsCode(seat)
    freed = leave(rights, _moving(rights, phone, seat, guest.name, playing))
    if holds and seat in playing.seats:
        freed = rename(freed, playing.match, seat, guest.name)
    _see_that_it_is_free(freed, seat, guest.name)
    _see_that_nobody_looks_so(freed, seat, guest.face)
    if holds:
        freed = replace(freed, people=people.choose(freed.people, guest.name, guest.face))
    seated = replace(guest, phone=None if holds else phone, out=bool(holds and sitting and sitting.out))
    return worn(_seated(freed, {**freed.people.seated, seat: seated}), playing)


def seats_of(rights: Rights, phone: str) -> set[int]:
    """Return the seats where this phone's people sit."""
    persons = {seat: guest for seat, guest in rights.people.seated.items() if not player_names.is_bots(guest.name)}
    return {seat for seat, guest in persons.items() if phone in (guest.phone, rights.holders.get(seat))}


def unseated(rights: Rights, who: Who) -> list[int]:
    """Return the seats that this phone holds and where nobody has given a name."""
    return sorted(seat for seat in who.parts if seat in SEATS and seat not in rights.people.seated)


def show_card(rights: Rights, seat: int, card: str, former: str = "") -> Rights:
    """Seat the owner of a club card that is laid at a seat between matches; a card without an owner then belongs to the
    person there. `former`: the name that the table used for this card before.

    A person who sits there by phone is not displaced, nor is an owner who sits elsewhere by phone moved.
    """
    if former != card and former in rights.people.cards:
        rights = replace(rights, people=people.rename_card(rights.people, former, card))
    sitting = rights.people.seated.get(seat)
    owner = rights.people.cards.get(card)
    if owner is None:
        with_card = people.give_card(rights.people, card, sitting.name) if sitting and sitting.name else rights.people
        return replace(rights, people=with_card)
    owners_seat = next((place for place, guest in rights.people.seated.items() if same(guest.name, owner)), None)
    if owners_seat == seat or _by_phone(rights, seat) or (owners_seat is not None and _by_phone(rights, owners_seat)):
        return rights
    freed = leave(rights, {seat, *([] if owners_seat is None else [owners_seat])})
    return _seated(freed, {**freed.people.seated, seat: people.guest(freed.people, owner)})


def forget_card(rights: Rights, card: str) -> Rights:
    """Take a club card from its owner."""
    cards = {other_card: owner for other_card, owner in rights.people.cards.items() if other_card != card}
    return replace(rights, people=replace(rights.people, cards=cards))


def resume(rights: Rights, players: Mapping[int, str]) -> Rights:
    """Seat the players of the match on the table, if nobody is seated."""
    if rights.people.seated:
        return rights
    return _seated(rights, {seat: people.guest(rights.people, name) for seat, name in players.items()})


def leave(rights: Rights, away: Collection[int]) -> Rights:
    """Empty these seats, so that no phone holds them."""
    staying = {seat: guest for seat, guest in rights.people.seated.items() if seat not in away}
    return _seated(seat_rights.free(rights, away), staying)


def move(rights: Rights, seat: int, to: int) -> Rights:
    """Move somebody to another seat, with their phone. Raises `SeatTaken`."""
    guest = rights.people.seated[seat]
    sitting = rights.people.seated.get(to)
    if sitting or to in rights.holders:
        raise SeatTaken(to, sitting.name if sitting else "")
    freed = leave(rights, {seat})
    return _seated(freed, {**freed.people.seated, to: replace(guest, phone=guest.phone or rights.holders.get(seat))})


def sit_out(rights: Rights, seat: int, out: bool) -> Rights:
    """Have the person at a seat sit out from the next match on, or play again; they keep seat and phone."""
    return _seated(rights, {**rights.people.seated, seat: replace(rights.people.seated[seat], out=out)})


def rename(rights: Rights, match: int | None, seat: int, name: str, earlier: Mapping[int, int] = NEVER) -> Rights:
    """Correct a player's name, in this match too; their phone stays. Raises `NameTaken`.

    `earlier`: the evening's matches in which they played under the old name, and at which seat.
    """
    _see_that_it_is_free(rights, seat, name)
    corrected = people.correct(rights.people, match, seat, name)
    for match_number, seat_then in earlier.items():
        corrected = people.put_right(corrected, match_number, seat_then, name)
    return replace(rights, people=corrected)


def succeed(rights: Rights, match: int | None, seat: int, name: str) -> Rights:
    """Have somebody else play on at a seat, with its phone, from this match on. Earlier matches, and what is remembered
    of the former player, stay with that player. Raises `NameTaken`.
    """
    _see_that_it_is_free(rights, seat, name)
    return replace(rights, people=people.call(rights.people, match, seat, name))


def who_plays(rights: Rights, typed: Mapping[int, str]) -> dict[int, str]:
    """Return who plays where: those who sat down by phone, and those the host typed. Raises `SeatTaken`."""
    waiting = {seat: guest.name for seat, guest in rights.people.seated.items() if guest.phone and not guest.out}
    out = {seat: player_names.key(guest.name) for seat, guest in rights.people.seated.items() if guest.out}
    typed = {seat: name for seat, name in typed.items() if out.get(seat) != player_names.key(name)}
    for seat, name in waiting.items():
        if typed.get(seat) and not same(typed[seat], name):
            raise SeatTaken(seat, name)
    names = {**typed, **waiting}
    return {seat: names[seat] for seat in SEATS if names.get(seat)}


def ticked_off(rights: Rights, ticked: Ticked) -> Rights:
    """Apply the choices of a form: people no longer ticked sit out, those ticked again play. If it is `only` for those
    in it, all others who wait get up.
    """
    if not ticked.only:
        return rights
    absent = set[int]()
    for seat, guest in rights.people.seated.items():
        plays, played, sat_out = (
            seat in named and same(named[seat], guest.name) for named in (ticked.plays, ticked.played, ticked.sat_out)
        )
        if (played and not plays) or (sat_out and plays):
            rights = sit_out(rights, seat, not plays)
        elif guest.phone and not (plays or sat_out):
            absent.add(seat)
    return leave(rights, absent)


def worn(rights: Rights, playing: Playing) -> Rights:
    """Remember the looks of those who now play."""
    if playing.match is None:
        return rights
    return replace(rights, people=people.wear(rights.people, playing.match, playing.seats))


def begin(rights: Rights, players: Mapping[int, str], match: int | None = None) -> Rights:
    """Return the rights of a match between these players.

    Phones follow their owners, and a phone that waited for a seat gets it. Those who sit out stay, unless somebody else
    plays at their seat.
    """
    seated = rights.people.seated
    out = {seat: guest for seat, guest in seated.items() if guest.out and seat not in players}
    former_seats = {player_names.key(guest.name): seat for seat, guest in seated.items() if guest.phone is None}
    came_from = {seat: former_seats.get(player_names.key(name)) for seat, name in players.items()}
    phones = {
        seat: guest.phone
        for seat, guest in seated.items()
        if guest.phone and seat in players and same(guest.name, players[seat])
    }
    at_table = [player_names.key(guest.name) for guest in seated.values()]  # they keep their looks
    # Those already at the table are seated first: of two people with the same look, the first seated keeps it.
    order = sorted(players, key=lambda seat: player_names.key(players[seat]) not in at_table)
    reseated = seat_rights.reseat(rights, came_from, [seat for seat, guest in seated.items() if guest.phone is None])
    for seat, phone in phones.items():
        reseated = replace(reseated, holders={**reseated.holders, seat: phone})
    guests = {seat: people.guest(rights.people, players[seat]) for seat in order}
    came_with = [replace(guest, phone=reseated.holders.get(seat)) for seat, guest in guests.items()]
    reseated = _seated(replace(reseated, people=people.played(rights.people, came_with)), {**out, **guests})
    return worn(reseated, Playing(match, frozenset(players)))


def take_over(rights: Rights, phone: str, playing: Playing, seat: int, name: str, face: Face | None = None) -> Rights:
    """Take a bot's seat, and play on under one's own name, so that everybody sees who does. A newcomer who gives the
    name of the player who left the seat is taken for that player. `face`: the look that they choose.

    Raises `NameTaken`, `LookTaken`, and `SeatTaken` if another phone was quicker.
    """
    bot = rights.people.seated.get(seat)
    if seat in rights.holders:
        raise SeatTaken(seat, bot.name if bot else "")
    newcomer = replace(people.guest(rights.people, name), phone=phone)
    with_newcomer = replace(rights, people=people.played(rights.people, [newcomer]))
    _see_that_nobody_looks_so(with_newcomer, seat, face)
    named = rename(with_newcomer, playing.match, seat, name)
    if face and seat in named.people.seated:
        named = replace(named, people=people.choose(named.people, name, face))
        named = _seated(named, {**named.people.seated, seat: replace(named.people.seated[seat], face=face)})
    named = worn(named, playing)
    leaver = rights.gone.get(seat)
    if leaver is not None and same(leaver.name, name):
        return seat_rights.come(named, seat, phone)
    return replace(named, holders={**named.holders, seat: phone})


def come_back(rights: Rights, phone: str, playing: Playing, seat: int) -> Rights:
    """Take the seat back from the bot that stood in for this phone's player, with their name and look. Raises
    `NameTaken`, and `SeatTaken` if the phone has not left this seat, or another phone was quicker.
    """
    if seat not in seat_rights.who(rights, phone).left:
        raise SeatTaken(seat, "")
    leaver = rights.gone[seat]
    returned = take_over(rights, phone, playing, seat, leaver.name)
    staying = {other_seat: guest for other_seat, guest in returned.people.seated.items() if other_seat != seat}
    return worn(_seated(returned, {**staying, seat: Guest(leaver.name, leaver.face)}), playing)


def seat_owner(rights: Rights, phone: str, seat: int) -> Rights:
    """Seat this phone's known owner at a seat that its code has just opened, outside a match.

    A person who sits there stays; a bot makes room. If the owner is not known, the seat stays empty.
    """
    sitting = rights.people.seated.get(seat)
    if sitting is not None and not player_names.is_bots(sitting.name):
        return rights
    others_seated = {place: guest for place, guest in rights.people.seated.items() if place != seat}
    owner = _owner(rights, phone, seat)
    return _seated(rights, others_seated if owner is None else {**others_seated, seat: owner})


def hand_over(rights: Rights, playing: Playing, seat: int, began: Mapping[int, str]) -> Rights:
    """Have a bot play on, with its own look and name, so that everybody sees who does. `began`: by seat, the names at
    the beginning of the match, none of which the bot gets.
    """
    beginners = [name for place, name in began.items() if place != seat]
    bots = player_names.bots_beside([guest.name for guest in rights.people.seated.values()])
    free = next(bot for bot in bots if bot not in beginners and people.namesake(rights.people, seat, bot) is None)
    seated = {
        place: replace(guest, face=None) if place == seat else guest for place, guest in rights.people.seated.items()
    }
    bare = replace(rights.people, seated=seated)
    return worn(replace(rights, people=people.call(bare, playing.match, seat, free)), playing)


def _moving(rights: Rights, phone: str, seat: int, name: str, playing: Playing) -> set[int]:
    """Return the other seats of this phone that the person who sits down leaves: one, or none."""
    seats = seats_of(rights, phone) - {seat}
    same_name = {
        seat_of_phone for seat_of_phone in seats - playing.seats if same(rights.people.seated[seat_of_phone].name, name)
    }
    waits = {seat_of_phone for seat_of_phone in seats if rights.people.seated[seat_of_phone].phone == phone}
    # A phone that only waits, and at a single seat, has one owner, who moves even under another name.
    renamed = waits if len(seats) == 1 and rights.holders.get(seat) != phone else set()
    return same_name or renamed


def _owner(rights: Rights, phone: str, seat: int) -> Guest | None:
    """Return the person who left this seat with this phone, or else the only one who first played with it; None if
    they sit elsewhere, or are not known.
    """
    leaver = rights.gone.get(seat)
    if leaver is not None and leaver.phone == phone:
        owners = [Guest(leaver.name, leaver.face)]
    else:
        owners = [people.guest(rights.people, person.name) for person in rights.people.known if person.phone == phone]
    free = [owner for owner in owners if people.namesake(rights.people, seat, owner.name) is None]
    return free[0] if len(free) == 1 else None


def _by_phone(rights: Rights, seat: int) -> bool:
    sitting = rights.people.seated.get(seat)
    return seat in rights.holders or bool(sitting and sitting.phone)


def _vacant(sitting: Guest, name: str, seat: int, playing: Playing) -> bool:
    """Whether somebody may sit down here: the host has only typed their name, or a bot has played there."""
    played = player_names.is_bots(sitting.name) and seat not in playing.seats
    return sitting.phone is None and (played or same(sitting.name, name))


def _see_that_it_is_free(rights: Rights, seat: int, name: str) -> None:
    other_seat = people.namesake(rights.people, seat, name)
    if other_seat is not None:
        raise NameTaken(other_seat, rights.people.seated[other_seat].name)


def _see_that_nobody_looks_so(rights: Rights, seat: int, face: Face | None) -> None:
    for other_seat, guest in rights.people.seated.items():
        if other_seat != seat and guest.face and face and not player_names.is_bots(guest.name):
            for trait in ("animal", "colour"):
                if getattr(guest.face, trait) == getattr(face, trait):
                    raise LookTaken(other_seat, guest.name, trait)


def _seated(rights: Rights, seated: Mapping[int, Guest]) -> Rights:
    return replace(rights, people=people.settle(rights.people, seated))
