"""Playing at the simulated table: against bots, in a bot's place, and every move of one's own seat."""

from collections.abc import Callable

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion import player_names
from companion.access import lobby, seat_rights
from companion.access.lobby import SeatTaken
from companion.access.seat_rights import Rights
from companion.acts import outcome as acts
from companion.acts.act import PlayBots, TakeOver
from companion.acts.seating import at_a_bots
from companion.game import AnyGame
from companion.game.simulated_world import STRENGTHS, Move, Strength
from companion.judge.views import told_so_far
from companion.live.simulation import NotPossible, Simulation
from companion.web.http import phone
from companion.web.http.form_answers import Refused, answered, at_table, change_rights, words
from companion.web.routes.acting import carried_out, in_words, table_now, waiting_at
from companion.web.routes.forms import chosen_game, ticked, typed_face, typed_name, typed_seat
from companion.web.routes.lobby import playing
from companion.web.site import site, there

routes = Blueprint("play", __name__)


@routes.post("/play")
def begin() -> ResponseReturnValue:
    """Start a match: whoever has sat down, this phone's player, and bots in other seats."""
    there(site().simulation)
    game = _game()
    name = player_names.written(request.form.get("name", ""))
    carried = carried_out(PlayBots(game.slug, _bots(), _strength(), name, ticked()))
    seat = carried.plan.starting.seat if carried.plan is not None and carried.plan.starting is not None else None
    go = f"/seat/{seat}"
    return answered(in_words(carried), waiting_at(go) if carried.asked else go)


@routes.post("/play/sit")
def sit() -> ResponseReturnValue:
    """Take a bot's place in the match under way."""
    there(site().simulation)
    seat = typed_seat("seat")
    name = typed_name("name")
    face = typed_face() if {"animal", "colour"} & request.form.keys() else None
    carried = carried_out(TakeOver(seat, name, face, request.form.get("code", "")))
    return answered(in_words(carried), "/" if carried.asked else f"/seat/{seat}")


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
    if not phone.me().parts & table_now().seats:
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
        # A move that nobody was told of lets no question lapse: all would see that there was one.
        at_table(site().acting.played_on)
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
    try:
        return step()
    except SeatTaken as taken:
        raise acts.ActRefused(at_a_bots(taken)) from None


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
