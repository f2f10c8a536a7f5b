"""Sitting down before a match. Pure: each step takes the rights as they are, and returns the new ones.

Sitting down without a code grants nothing yet: the phone gets what its seat may see and do when the next match begins,
before everybody's eyes, and the host may send it away until then. While a match is under way, its seats are taken by
code only.
"""

from collections.abc import Collection, Mapping

import msgspec
from msgspec.structs import replace

from companion import player_names
from companion.access import people, seat_rights
from companion.access.people import Guest
from companion.access.player_looks import Face
from companion.access.seat_rights import Rights
from companion.errors import NotNow
from companion.events import SEATS, Seat
from companion.player_names import same

NEVER: Mapping[int, int] = {}
"""The `earlier` of somebody who has not played."""


class SeatTaken(NotNow):
    """Somebody else sits there."""

    def __init__(self, seat: int, name: str):
        super().__init__(f"{name} sits at seat {seat}")
        self.seat, self.name = seat, name


class NameTaken(SeatTaken):
    """Somebody with that name sits at another seat."""


class LookTaken(SeatTaken):
    """Somebody at the table has this animal or this colour; a bot's is free."""

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
    """Whom the form that starts a match names, by seat: whoever has got up since is nobody's choice."""

    only: bool = False
    """Whether only those in it play, and all others who wait get up."""
    plays: Mapping[Seat, str] = {}
    """Who is ticked."""
    played: Mapping[Seat, str] = {}
    """Who was offered as playing."""
    sat_out: Mapping[Seat, str] = {}
    """Who was offered as sitting out."""


def sit(
    now: Rights,
    phone: str,
    seat: int,
    guest: Guest,
    playing: Playing,
    *,
    by_code: bool,
) -> Rights:
    """Sit down, move to another seat, or become known by another name or look.

    A phone may hold seats for several people: who sits at another of its seats moves if they give their own name, or
    if nobody else has come with that phone and it has no code; all others keep their seats.

    Raises `SeatTaken`, `NameTaken`, `LookTaken` and `NeedsCode`.
    """
    there = now.people.seated.get(seat)
    holds = now.holders.get(seat) == phone
    if not holds:
        if seat in now.holders or (there and there.phone != phone and not _vacant(there, guest.name, seat, playing)):
            raise SeatTaken(seat, there.name if there else "")
        if by_code or seat in playing.seats:
            raise NeedsCode(seat)
    left = leave(now, _moving(now, phone, seat, guest.name, playing))
    if holds and seat in playing.seats:
        left = rename(left, playing.match, seat, guest.name)
    _see_that_it_is_free(left, seat, guest.name)
    _see_that_nobody_looks_so(left, seat, guest.face)
    if holds:
        left = replace(left, people=people.choose(left.people, guest.name, guest.face))
    here = replace(guest, phone=None if holds else phone, out=bool(holds and there and there.out))
    return worn(_seated(left, {**left.people.seated, seat: here}), playing)


def own(now: Rights, phone: str) -> set[int]:
    """Return the seats where this phone's people sit."""
    persons = {seat: guest for seat, guest in now.people.seated.items() if not player_names.is_bots(guest.name)}
    return {seat for seat, guest in persons.items() if phone in (guest.phone, now.holders.get(seat))}


def show_card(now: Rights, seat: int, card: str, former: str = "") -> Rights:
    """Sit down by a club card laid at a seat between matches; a card that nobody owns then belongs to whoever sits
    there. `former`: what the table called this card before.

    Whoever sits there with their phone stays; so does a card's owner who sits elsewhere with theirs.
    """
    if former != card and former in now.people.cards:
        now = replace(now, people=people.rename_card(now.people, former, card))
    there, owner = now.people.seated.get(seat), now.people.cards.get(card)
    if owner is None:
        given = people.give_card(now.people, card, there.name) if there and there.name else now.people
        return replace(now, people=given)
    sits = next((at for at, guest in now.people.seated.items() if same(guest.name, owner)), None)
    if sits == seat or _by_phone(now, seat) or (sits is not None and _by_phone(now, sits)):
        return now
    left = leave(now, {seat, *([] if sits is None else [sits])})
    return _seated(left, {**left.people.seated, seat: people.guest(left.people, owner)})


def forget_card(now: Rights, card: str) -> Rights:
    """Make a club card nobody's."""
    others = {known: owner for known, owner in now.people.cards.items() if known != card}
    return replace(now, people=replace(now.people, cards=others))


def resume(now: Rights, players: Mapping[int, str]) -> Rights:
    """Take who sits where from the match on the table, if nothing else says."""
    if now.people.seated:
        return now
    return _seated(now, {seat: people.guest(now.people, name) for seat, name in players.items()})


def leave(now: Rights, away: Collection[int]) -> Rights:
    """Empty these seats, so that no phone holds them."""
    kept = {seat: guest for seat, guest in now.people.seated.items() if seat not in away}
    return _seated(seat_rights.free(now, away), kept)


def move(now: Rights, seat: int, to: int) -> Rights:
    """Move somebody to another seat, with their phone. Raises `SeatTaken`."""
    guest, there = now.people.seated[seat], now.people.seated.get(to)
    if there or to in now.holders:
        raise SeatTaken(to, there.name if there else "")
    moved = leave(now, {seat})
    return _seated(moved, {**moved.people.seated, to: replace(guest, phone=guest.phone or now.holders.get(seat))})


def rest(now: Rights, seat: int, out: bool) -> Rights:
    """Have whoever sits there sit out from the next match on, or play again; they keep their seat and phone."""
    return _seated(now, {**now.people.seated, seat: replace(now.people.seated[seat], out=out)})


def rename(now: Rights, match: int | None, seat: int, name: str, earlier: Mapping[int, int] = NEVER) -> Rights:
    """Correct a player's name, in this match too; their phone stays. Raises `NameTaken`.

    `earlier`: the evening's matches in which they played under the old name, and at which seat.
    """
    _see_that_it_is_free(now, seat, name)
    after = people.correct(now.people, match, seat, name)
    for one, at in earlier.items():
        after = people.put_right(after, one, at, name)
    return replace(now, people=after)


def succeed(now: Rights, match: int | None, seat: int, name: str) -> Rights:
    """Have somebody else play on at a seat, with its phone, from this match on; what its player has played before, and
    what is known about them, stays theirs. Raises `NameTaken`.
    """
    _see_that_it_is_free(now, seat, name)
    return replace(now, people=people.call(now.people, match, seat, name))


def who_plays(now: Rights, typed: Mapping[int, str]) -> dict[int, str]:
    """Return who plays where: those who sat down by phone, and those the host typed. Raises `SeatTaken`."""
    waiting = {seat: guest.name for seat, guest in now.people.seated.items() if guest.phone and not guest.out}
    out = {seat: player_names.key(guest.name) for seat, guest in now.people.seated.items() if guest.out}
    typed = {seat: name for seat, name in typed.items() if out.get(seat) != player_names.key(name)}
    for seat, name in waiting.items():
        if typed.get(seat) and not same(typed[seat], name):
            raise SeatTaken(seat, name)
    found = {**typed, **waiting}
    return {seat: found[seat] for seat in SEATS if found.get(seat)}


def ticked_off(now: Rights, ticked: Ticked) -> Rights:
    """Have those whom the form no longer ticks sit out, and those whom it ticks again play; all who wait but are not in
    it get up, if it says that only those in it play.
    """
    if not ticked.only:
        return now
    gone = set[int]()
    for seat, guest in now.people.seated.items():
        plays, played, sat_out = (
            seat in named and same(named[seat], guest.name) for named in (ticked.plays, ticked.played, ticked.sat_out)
        )
        if (played and not plays) or (sat_out and plays):
            now = rest(now, seat, not plays)
        elif guest.phone and not (plays or sat_out):
            gone.add(seat)
    return leave(now, gone)


def worn(now: Rights, playing: Playing) -> Rights:
    """Remember how those who now play look."""
    if playing.match is None:
        return now
    return replace(now, people=people.wear(now.people, playing.match, playing.seats))


def begin(now: Rights, players: Mapping[int, str], match: int | None = None) -> Rights:
    """Have these people play a match: phones go with their people, and whoever waited for a seat holds it; whoever sits
    out stays unless somebody else plays there.
    """
    before = now.people.seated
    out = {seat: guest for seat, guest in before.items() if guest.out and seat not in players}
    was = {player_names.key(guest.name): seat for seat, guest in before.items() if guest.phone is None}
    sat = {seat: was.get(player_names.key(name)) for seat, name in players.items()}
    came = {
        seat: guest.phone
        for seat, guest in before.items()
        if guest.phone and seat in players and same(guest.name, players[seat])
    }
    there = [player_names.key(guest.name) for guest in before.values()]  # they keep their looks
    order = sorted(players, key=lambda seat: player_names.key(players[seat]) not in there)
    after = seat_rights.reseat(now, sat, [seat for seat, guest in before.items() if guest.phone is None])
    for seat, phone in came.items():
        after = replace(after, holders={**after.holders, seat: phone})
    guests = {seat: people.guest(now.people, players[seat]) for seat in order}
    came_with = [replace(guest, phone=after.holders.get(seat)) for seat, guest in guests.items()]
    after = _seated(replace(after, people=people.played(now.people, came_with)), {**out, **guests})
    return worn(after, Playing(match, frozenset(players)))


def take_over(now: Rights, phone: str, playing: Playing, seat: int, name: str, face: Face | None = None) -> Rights:
    """Sit down where a bot plays, and play on under one's own name, so that everybody sees who does; giving the name of
    the player who left there means being them. `face`: the look that they choose.

    Raises `NameTaken`, `LookTaken`, and `SeatTaken` if another phone was quicker.
    """
    bot = now.people.seated.get(seat)
    if seat in now.holders:
        raise SeatTaken(seat, bot.name if bot else "")
    newcomer = replace(people.guest(now.people, name), phone=phone)
    known = replace(now, people=people.played(now.people, [newcomer]))
    _see_that_nobody_looks_so(known, seat, face)
    named = rename(known, playing.match, seat, name)
    if face and seat in named.people.seated:
        named = replace(named, people=people.choose(named.people, name, face))
        named = _seated(named, {**named.people.seated, seat: replace(named.people.seated[seat], face=face)})
    named = worn(named, playing)
    was = now.gone.get(seat)
    if was is not None and same(was.name, name):
        return seat_rights.come(named, seat, phone)
    return replace(named, holders={**named.holders, seat: phone})


def come_back(now: Rights, phone: str, playing: Playing, seat: int) -> Rights:
    """Play on where a bot has stood in for this phone's player, under their name and with their look. Raises
    `NameTaken`, and `SeatTaken` if it is not theirs, or another phone was quicker.
    """
    if seat not in seat_rights.who(now, phone).left:
        raise SeatTaken(seat, "")
    was = now.gone[seat]
    back = take_over(now, phone, playing, seat, was.name)
    others = {other: guest for other, guest in back.people.seated.items() if other != seat}
    return worn(_seated(back, {**others, seat: Guest(was.name, was.face)}), playing)


def hand_over(now: Rights, playing: Playing, seat: int, began: Mapping[int, str]) -> Rights:
    """Have a bot play on, with its own look and name, so that everybody sees who does: a name that nobody had when the
    match `began`.
    """
    others = [name for at, name in began.items() if at != seat]
    bots = player_names.bots_beside([guest.name for guest in now.people.seated.values()])
    free = next(bot for bot in bots if bot not in others and people.namesake(now.people, seat, bot) is None)
    seated = {at: replace(guest, face=None) if at == seat else guest for at, guest in now.people.seated.items()}
    bare = replace(now.people, seated=seated)
    return worn(replace(now, people=people.call(bare, playing.match, seat, free)), playing)


def _moving(now: Rights, phone: str, seat: int, name: str, playing: Playing) -> set[int]:
    """Return the other seat of this phone that whoever sits down now gets up from, if there is one."""
    others = own(now, phone) - {seat}
    same_name = {at for at in others - playing.seats if same(now.people.seated[at].name, name)}
    waits = {at for at in others if now.people.seated[at].phone == phone}
    renamed = waits if len(others) == 1 and now.holders.get(seat) != phone else set()
    return same_name or renamed


def _by_phone(now: Rights, seat: int) -> bool:
    there = now.people.seated.get(seat)
    return seat in now.holders or bool(there and there.phone)


def _vacant(there: Guest, name: str, seat: int, playing: Playing) -> bool:
    """Whether the host has only typed this name, so that its owner may sit down, or a bot has played there."""
    played = player_names.is_bots(there.name) and seat not in playing.seats
    return there.phone is None and (played or same(there.name, name))


def _see_that_it_is_free(now: Rights, seat: int, name: str) -> None:
    other = people.namesake(now.people, seat, name)
    if other is not None:
        raise NameTaken(other, now.people.seated[other].name)


def _see_that_nobody_looks_so(now: Rights, seat: int, face: Face | None) -> None:
    for other, one in now.people.seated.items():
        if other != seat and one.face and face and not player_names.is_bots(one.name):
            for what in ("animal", "colour"):
                if getattr(one.face, what) == getattr(face, what):
                    raise LookTaken(other, one.name, what)


def _seated(now: Rights, seated: Mapping[int, Guest]) -> Rights:
    return replace(now, people=people.settle(now.people, seated))
