"""Starting, pausing, resuming and ending a match."""

import msgspec
from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion import player_names
from companion.acts.match_acts import Again, End, GoOnWithMatch, StartMatch, TakeBreak, TakeUp
from companion.acts.outcome import Starting
from companion.events import SEATS
from companion.web.http import phone
from companion.web.http.form_answers import answered
from companion.web.http.language import language
from companion.web.http.named_match import named_match
from companion.web.render.words import PageWords
from companion.web.routes.acting import carried_out, done, in_words, waiting_at
from companion.web.routes.forms import chosen, chosen_game, ticked, usual_options
from companion.web.site import site

routes = Blueprint("matches", __name__)


@routes.post("/start")
def start() -> ResponseReturnValue:
    """Start a match from the host's form."""
    game = chosen_game()
    options = chosen(game.options, game.slug, PageWords(game.slug, language()), request.form)
    if options is None:
        options = usual_options(game)
    names = {seat: player_names.written(request.form.get(f"seat-{seat}", "")) for seat in SEATS}
    typed = names if any(f"seat-{seat}" in request.form for seat in SEATS) else None
    # The form that they have after being read from the record: lists for tuples, strings for keys.
    as_recorded = msgspec.json.decode(msgspec.json.encode(options))
    return _started(StartMatch(game.slug, typed, as_recorded, _at_virtual_table(), ticked()))


@routes.post("/again")
def again() -> ResponseReturnValue:
    """Start the next match with the same options and the people now seated."""
    return _started(Again())


@routes.post("/pause")
def pause() -> ResponseReturnValue:
    """Pause the match: no act counts until it goes on."""
    return done(TakeBreak())


@routes.post("/end")
def end() -> ResponseReturnValue:
    """End the match early; it stays in the log, unfinished."""
    return done(End())


@routes.post("/go-on")
def go_on() -> ResponseReturnValue:
    """Resume a paused match, or one that was ended too soon, even an earlier one that the form names."""
    number = named_match()
    return done(GoOnWithMatch() if number is None else TakeUp(number))


def _started(act: StartMatch | Again) -> ResponseReturnValue:
    carried = carried_out(act)
    go = _next_page(carried.plan.starting) if carried.plan is not None and carried.plan.starting is not None else None
    return answered(in_words(carried), waiting_at(go) if carried.asked else go)


def _next_page(starting: Starting) -> str:
    """Return the starter's next page: a real table's codes while a player has no phone; else their own seat."""
    if starting.seat is not None:
        return f"/seat/{starting.seat}"
    players = starting.players
    if site().hand is None and any(player.seat not in site().phones.rights.holders for player in players):
        return "/host/codes"
    own_seats = [player.seat for player in players if player.seat in phone.me().parts]
    if len(own_seats) == 1 and not site().live.snapshot.demo:
        return f"/seat/{own_seats[0]}"
    return "/table" if _at_virtual_table() else "/"


def _at_virtual_table() -> bool:
    """Return whether the form was sent from the virtual table."""
    return site().hand is not None and request.form.get("then") == "/table"
