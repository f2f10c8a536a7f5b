"""Playing at the simulated table: starting against bots, taking a bot's place, and moves."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion import games, player_names
from companion.acts.match_acts import HaveRead, MakeMove, PlayBots
from companion.acts.seat_acts import ComeBack, TakeOver, WaitForPhone
from companion.game.simulated_world import STRENGTHS, Strength
from companion.web.http.form_answers import Refused, answered
from companion.web.routes.acting import address_of_gained_part, carried_out, done, done_at_seat, in_words, waiting_at
from companion.web.routes.forms import chosen_game, ticked, typed_face, typed_name, typed_seat
from companion.web.site import or_404, site

routes = Blueprint("play", __name__)


@routes.post("/play")
def begin() -> ResponseReturnValue:
    """Start a match of the people who have sat down, this phone's player, and bots in other seats."""
    or_404(site().simulation)
    short = games.known().get(request.form.get("short", ""))
    game = short or chosen_game()
    name = player_names.written(request.form.get("name", ""))
    carried = carried_out(PlayBots(game.slug, _bots(), _strength(), name, ticked(), short is not None))
    go = address_of_gained_part(carried)
    return answered(in_words(carried), waiting_at(go) if carried.asked else go)


@routes.post("/play/sit")
def sit() -> ResponseReturnValue:
    """Take a bot's place in the current match."""
    or_404(site().simulation)
    face = typed_face() if {"animal", "colour"} & request.form.keys() else None
    return done_at_seat(TakeOver(typed_seat("seat"), typed_name("name"), face, request.form.get("code", "")))


@routes.post("/play/back")
def come_back() -> ResponseReturnValue:
    """Take this player's seat back from the bot; the phone's key held it before, so nobody need agree."""
    or_404(site().simulation)
    return done_at_seat(ComeBack(typed_seat("seat")))


@routes.post("/play/wait")
def wait_for() -> ResponseReturnValue:
    """Keep waiting for a phone that is off, instead of letting a bot play on."""
    or_404(site().simulation)
    return done(WaitForPhone(typed_seat("part")))


@routes.post("/play/move")
def move() -> ResponseReturnValue:
    """Make a move at this phone's own seat."""
    or_404(site().simulation)
    form = request.form
    return done(MakeMove(typed_seat("seat"), form.get("what", ""), form.get("card", ""), form.get("number", "0")))


@routes.post("/play/read")
def have_read() -> ResponseReturnValue:
    """Have the bots go on after a count that people have read."""
    or_404(site().simulation)
    return done(HaveRead())


def _strength() -> Strength:
    strength = next((offered for offered in STRENGTHS if offered == request.form.get("strength", "easy")), None)
    if strength is None:
        raise Refused(400, "bad-strength")
    return strength


def _bots() -> int:
    wished = request.form.get("bots", "2")
    if wished not in ("0", "1", "2", "3", "4", "5"):
        raise Refused(400, "bad-bots")
    return int(wished)
