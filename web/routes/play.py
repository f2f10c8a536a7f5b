"""Playing at the simulated table: against bots, in a bot's place, and every move of one's own seat."""

from collections.abc import Callable, Collection

from flask import Blueprint, request
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from companion import games, player_names
from companion.access import lobby, people, seat_rights
from companion.access.another_browser import WayBack
from companion.access.lobby import LookTaken, NameTaken, SeatTaken
from companion.access.seat_rights import Rights
from companion.events import Player
from companion.game import AnyGame
from companion.judge.views import told_so_far
from companion.live.simulation import NotPossible, Simulation
from companion.simulated_world import STRENGTHS, Move, Strength
from companion.web.http import phone
from companion.web.http.form_answers import Refused, answered, at_table, change_rights, words
from companion.web.routes import another_browser
from companion.web.routes.agreement import agreed, let_in, played_on
from companion.web.routes.agreement import seats as seats_now
from companion.web.routes.forms import chosen_game, see_that_they_can_play, typed_face, typed_name, typed_seat
from companion.web.routes.joining import become_host
from companion.web.routes.lobby import aside, kindly, playing
from companion.web.site import site, there

NEXT_SEATS = (1, 4, 3, 5, 2, 6)
"""The order in which seats are filled, so that people and bots sit all around the table."""
routes = Blueprint("play", __name__)


@routes.post("/play")
def begin() -> ResponseReturnValue:
    """Start a match: whoever has sat down, this phone's player, and bots in other seats."""
    simulation, game, strength, bots = there(site().simulation), _game(), _strength(), _bots()
    return _begin(simulation, game, _sitting(simulation), strength, bots)


def begin_again(simulation: Simulation) -> ResponseReturnValue:
    """Start the next match of the same kind, with the people who sit there now."""
    played = there(simulation.playing)
    game, sitting = games.known()[played.game], _sitting(simulation)
    return _begin(simulation, game, sitting, played.strength, min(len(played.bots), _room(game, sitting)))


def _begin(
    simulation: Simulation, game: AnyGame, sitting: dict[int, people.Guest], strength: Strength, wished: int
) -> ResponseReturnValue:
    now = site().live.snapshot
    left, before = aside(), phone.me().phone
    rights = left(site().phones.rights)
    out = _out(rights)
    own = lobby.own(rights, before) if before else set()
    seat = min(own & sitting.keys(), default=None) or min(own & out, default=None)
    newcomer = None
    if seat is None:
        seat = next((free for free in NEXT_SEATS if free not in sitting and free not in out), None)
        if seat is None:
            raise Refused(400, "too-many", most=game.most_players)
        newcomer = people.guest(rights.people, typed_name("name"))
        sitting = {**sitting, seat: newcomer}
    if wished > (room := _room(game, sitting)):
        raise Refused(400, "too-many-bots", game=game.slug, most=game.most_players, number=room)
    free = [other for other in NEXT_SEATS if other not in sitting and other not in out]
    called = player_names.bots_beside([guest.name for guest in (*rights.people.seated.values(), *sitting.values())])
    bots = dict(zip(sorted(free[: max(2 - len(sitting), wished, 0)]), called, strict=False))
    places = {**{other: guest.name for other, guest in sitting.items()}, **bots}
    players = tuple(Player(other, places[other]) for other in sorted(places))
    chosen = {other: guest.face.colour for other, guest in sitting.items() if guest.face}
    see_that_they_can_play(game, players)
    become_host()
    mine = phone.me().phone

    def seated(now: Rights, match: int) -> Rights:
        own = {} if newcomer is None else {seat: replace(newcomer, phone=mine)}
        table = left(now).people
        others = {other: guest for other, guest in table.seated.items() if other not in own}
        came = replace(left(now), people=replace(table, seated={**others, **own}))
        after = seat_rights.free(lobby.begin(came, places, match), bots)  # nobody looks over a bot's shoulder
        remembered = tuple(one for one in after.people.known if not player_names.is_bots(one.name))
        return replace(after, people=replace(after.people, known=remembered))

    def act() -> str:
        at_table(site().phones.try_to_store)  # or the match would begin without its players' phones
        demo = site().demo
        if demo is not None and demo.running:
            at_table(demo.stop)
        match = at_table(lambda: simulation.begin(game.slug, players, dict.fromkeys(bots, strength), chosen, now))
        change_rights(lambda now: seated(now, match))
        return words().say("match-started")

    if now.people_play:
        return agreed("ask-leave", {"game": game.slug}, act, go=f"/seat/{seat}")
    return answered(act(), f"/seat/{seat}")


@routes.post("/play/sit")
def sit() -> ResponseReturnValue:
    """Take a bot's place in the match under way, let in by another who plays, or by the seat's code; whoever plays
    already takes no other.

    The code proves nothing of the host, who can read it, nor of somebody who has seen another hand.
    """
    simulation, seat, name = there(site().simulation), typed_seat("seat"), typed_name("name")
    face = typed_face() if {"animal", "colour"} & request.form.keys() else None
    phones, now, token, who = site().phones, playing(), phone.new_token(), phone.me()
    mine = seat_rights.phone_of(token)
    if who.parts & now.seats:
        raise Refused(409, "plays-already")  # they would see two hands
    if seat not in simulation.bots or seat not in now.seats:
        raise Refused(409, "no-bot-there", number=seat)
    left = phones.rights.gone.get(seat)
    if left is not None and player_names.same(left.name, name) and another_browser.way_to(seat) is WayBack.BOT:
        return another_browser.go_on_here(seat)

    def taken(rights: Rights) -> Rights:
        sat = _at_a_bots(lambda: lobby.take_over(rights, mine, now, seat, name, face))
        return seat_rights.forgo(sat, mine)

    def act() -> str:
        if seat not in playing().seats:  # the match has ended since somebody was asked
            raise Refused(409, "no-bot-there", number=seat)
        change_rights(taken)
        at_table(lambda: simulation.take_over(seat))
        return words().say("sat-down", {"name": name})

    taken(phones.rights)
    change_rights(lambda rights: seat_rights.known_as(rights, who.phone, mine))
    site().questions.know_as(who.phone, mine)
    phone.keep(token)
    taken(phones.rights)  # if somebody was quicker, asking would be in vain
    code = request.form.get("code", "")
    if code and not who.parts and who.left <= {seat} and seat_rights.is_code_of(phones.rights, seat, code):
        return answered(act(), f"/seat/{seat}")
    return let_in("ask-sit", seat, name, mine, act)


@routes.post("/play/back")
def come_back() -> ResponseReturnValue:
    """Take over from the bot that plays for this phone's player, by the key that held the seat: nobody need agree."""
    simulation, seat, before, token = there(site().simulation), typed_seat("seat"), phone.me(), phone.new_token()
    now, mine = playing(), seat_rights.phone_of(token)
    if seat not in before.left:
        raise Refused(403, "not-your-seat")
    if seat not in simulation.bots or seat not in now.seats:
        raise Refused(409, "no-bot-there", number=seat)

    def back(rights: Rights) -> Rights:
        known = seat_rights.known_as(rights, before.phone, mine)
        return _at_a_bots(lambda: lobby.come_back(known, mine, now, seat))

    name = change_rights(back).people.seated[seat].name
    at_table(lambda: simulation.take_over(seat))
    phone.keep(token)
    return answered(words().say("sat-down", {"name": name}), f"/seat/{seat}")


@routes.post("/play/wait")
def wait_for() -> ResponseReturnValue:
    """Wait for a phone that is off after all: it gets its seat back, and the host must ask before a bot gets it."""
    simulation, seat, now = there(site().simulation), typed_seat("part"), playing()
    if not phone.me().parts & seats_now():
        raise Refused(403, "for-players")

    def back(rights: Rights) -> Rights:
        gone = rights.gone.get(seat)
        if gone is None or not gone.off or seat not in simulation.bots or seat not in now.seats:
            raise Refused(409, "ask-lapsed")
        return _at_a_bots(lambda: lobby.come_back(rights, gone.phone, now, seat))

    site().phones.wait_for(change_rights(back).holders[seat])
    at_table(lambda: simulation.take_over(seat))
    return answered(words().say("waited-for", {"seat": seat}))


@routes.post("/play/move")
def move() -> ResponseReturnValue:
    """Make a move of this phone's own seat."""
    simulation, seat = there(site().simulation), typed_seat("seat")
    if seat not in phone.me().parts:
        raise Refused(403, "not-your-seat")
    wanted = request.form.get("what", ""), request.form.get("card", ""), request.form.get("number", "0")
    sight = simulation.sights.get(seat)
    found = next((one for one in sight.moves if _named(one) == wanted), None) if sight else None
    if found is None:
        return _made_already(simulation, seat, wanted)
    before = _told()
    try:
        at_table(lambda: simulation.play(found))
    except NotPossible:
        return _made_already(simulation, seat, wanted)
    if _told() != before:
        played_on()  # a move that nobody was told of lets no question lapse: all would see that there was one
    return answered("")


def _told() -> int:
    return told_so_far(site().live.snapshot.views.get(None))


def _made_already(simulation: Simulation, seat: int, wanted: tuple[str, str, str]) -> ResponseReturnValue:
    """Say nothing if a move was tapped twice, or somebody was quicker with what anybody may do: it is made once, as
    both wanted. Raises `Refused` otherwise.
    """
    done = [one.move for one in simulation.playing.done] if simulation.playing else []
    own = next((move for move in reversed(done) if move.seat == seat), None)
    if wanted in [_named(move) for move in (own, simulation.anybodys) if move is not None]:
        return answered("")
    raise Refused(409, "no-such-move")


@routes.post("/play/read")
def have_read() -> ResponseReturnValue:
    """Have the bots go on after a count."""
    there(site().simulation).have_read()
    return answered("")


def _at_a_bots(step: Callable[[], Rights]) -> Rights:
    """Sit down where a bot plays, or say kindly what prevents it."""
    with kindly():
        try:
            return step()
        except (NameTaken, LookTaken):  # these are of the whole table
            raise
        except SeatTaken as wrong:
            raise Refused(409, "no-bot-there", number=wrong.seat) from None


def _sitting(simulation: Simulation) -> dict[int, people.Guest]:
    """Return who plays: those waiting for a match and not left out, or who have played by phone; not who sits out."""
    rights = aside()(site().phones.rights)
    return {
        seat: guest
        for seat, guest in rights.people.seated.items()
        if not guest.out and (guest.phone or (seat in rights.holders and seat not in simulation.bots))
    }


def _out(rights: Rights) -> set[int]:
    """Return the seats kept for those who sit out."""
    return {seat for seat, guest in rights.people.seated.items() if guest.out}


def _room(game: AnyGame, sitting: Collection[int]) -> int:
    """Return how many bots find a seat beside these people."""
    kept = _out(aside()(site().phones.rights)).difference(sitting)
    return max(min(game.most_players, len(NEXT_SEATS) - len(kept)) - len(sitting), 0)


def _named(move: Move) -> tuple[str, str, str]:
    return move.what, move.card, str(move.number)


def _game() -> AnyGame:
    game = chosen_game()
    if game.physics is None:
        raise Refused(400, "bad-game")
    return game


def _strength() -> Strength:
    found = next((one for one in STRENGTHS if one == request.form.get("strength", "easy")), None)
    if found is None:
        raise Refused(400, "bad-strength")
    return found


def _bots() -> int:
    wished = request.form.get("bots", "2")
    if wished not in ("0", "1", "2", "3", "4", "5"):
        raise Refused(400, "bad-bots")
    return int(wished)
