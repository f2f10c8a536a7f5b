"""Starting a match: a new one, or the next one with the same people; pausing and ending it."""

from itertools import combinations
from typing import Any

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion import names
from companion.access.seats import reseat
from companion.events import Player
from companion.judge.match import Match
from companion.live.pause import Why
from web.http.language import language
from web.http.responses import Refused, answered, at_table, words
from web.render.words import PageWords
from web.routes.consent import agreed
from web.routes.forms import chosen, chosen_game
from web.routes.joining import become_host
from web.site import site

LONGEST_NAME = 20

routes = Blueprint("matches", __name__)


@routes.post("/start")
def start() -> ResponseReturnValue:
    """Start a match from the host's form."""
    game = chosen_game()
    players = tuple(Player(seat, name) for seat in range(1, 7) if (name := _name(seat)))
    if len(players) < 2:
        raise Refused(400, "too-few")
    for one, other in combinations(players, 2):
        if names.look(one.name) == names.look(other.name):
            raise Refused(400, "same-name", name=one.name, other=other.name)
    if len(players) > game.most_players:
        raise Refused(400, "too-many", most=game.most_players)
    return _begin(game.slug, players, chosen(game.options, game.slug, PageWords(game.slug, language()), request.form))


@routes.post("/again")
def again() -> ResponseReturnValue:
    """Start the next match with the same people and options."""
    live = site().live
    last = at_table(lambda: live.ask(_started))
    return _begin(last.game, last.players, last.options)


@routes.post("/pause")
def pause() -> ResponseReturnValue:
    """Take a break: no act counts until the match goes on."""
    _rest(Why.BREAK)
    return answered(words().say("match-paused"))


@routes.post("/end")
def end() -> ResponseReturnValue:
    """End the match before its end; it stays in the log, unfinished."""

    def act() -> str:
        _rest(Why.ENDED)
        return words().say("match-ended")

    return agreed("ask-end", {}, act)


@routes.post("/go-on")
def go_on() -> ResponseReturnValue:
    """Go on after a break, or with a match that was ended too soon."""
    at_table(site().live.go_on)
    return answered(words().say("match-goes-on"))


def _begin(slug: str, players: tuple[Player, ...], options: dict[str, Any]) -> ResponseReturnValue:
    live, demo, phones = site().live, site().demo, site().phones
    become_host()
    shown = live.snapshot.views.get(None)
    before = {player["seat"]: names.key(player["name"]) for player in shown["players"]} if shown else {}
    seats = {name: seat for seat, name in before.items()}
    sat = {player.seat: seats.get(names.key(player.name)) for player in players}

    def act() -> str:
        if demo is not None and demo.running:
            at_table(demo.stop)
        try:
            at_table(lambda: live.begin(slug, players, options))
        except ValueError as wrong:
            raise Refused(400, "cannot-start", why=wrong) from None
        at_table(lambda: phones.change(lambda now: reseat(now, sat, before)))
        return words().say("match-started")

    if shown and shown["told"] and not shown["over"] and not live.snapshot.ended:
        return agreed("ask-leave", {}, act, go=_then(players))
    return answered(act(), _then(players))


def _then(players: tuple[Player, ...]) -> str:
    """Return where to go: at a real table to the codes, while a player has no phone yet."""
    if site().hand is None and any(player.seat not in site().phones.rights.holders for player in players):
        return "/host/codes"
    return "/table" if request.form.get("then") == "/table" else "/"


def _rest(why: Why) -> None:
    live = site().live
    if live.snapshot.under_way is None or live.snapshot.ended:
        raise Refused(409, "not-under-way")
    at_table(lambda: live.pause(why))


def _started(match: Match) -> Any:
    return match.started


def _name(seat: int) -> str:
    """Read a name, not too long; "" where nobody sits."""
    name = names.written(request.form.get(f"seat-{seat}", ""))
    if len(name) > LONGEST_NAME:
        raise Refused(400, "long-name", number=seat, most=LONGEST_NAME)
    return name
