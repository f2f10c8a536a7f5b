"""Starting a match: a new one, or the next one with the same people; pausing and ending it."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion import games, player_names
from companion.access import lobby
from companion.access.seat_rights import Rights
from companion.events import SEATS, Player
from companion.game import AnyGame
from companion.live.pause import Why
from companion.live.snapshot import Snapshot
from companion.web.http import phone
from companion.web.http.form_answers import Refused, answered, at_table, change_rights, words
from companion.web.http.language import language
from companion.web.http.named_match import named_match
from companion.web.render.players import names_of
from companion.web.render.words import PageWords
from companion.web.routes.agreement import agreed, unmet
from companion.web.routes.earlier_matches import take_up
from companion.web.routes.forms import chosen, chosen_game, see_that_it_is_legible, see_that_they_can_play
from companion.web.routes.joining import become_host
from companion.web.routes.lobby import Step, aside, kindly
from companion.web.routes.play import begin_again
from companion.web.site import dealing, site

INVENTED = {1: "Ana", 3: "Bo", 5: "Cléo"}
"""Who plays at a virtual table if nobody has said who they are; such a match counts for nobody."""

routes = Blueprint("matches", __name__)


@routes.post("/start")
def start() -> ResponseReturnValue:
    """Start a match from the host's form."""
    game = chosen_game()
    options = chosen(game.options, game.slug, PageWords(game.slug, language()), request.form)
    return _begin(game, _players(), options or {}, aside())


@routes.post("/again")
def again() -> ResponseReturnValue:
    """Start the next match with the same options, and the people who sit there now."""
    if (simulation := dealing()) is not None:
        return begin_again(simulation)
    live = site().live
    last = at_table(lambda: live.ask(lambda match: match.started))
    seated = _who_play(site().phones.rights)
    before = INVENTED if live.snapshot.demo else {one.seat: one.name for one in last.players}
    return _begin(games.known()[last.game], seated or before, last.options)


@routes.post("/pause")
def pause() -> ResponseReturnValue:
    """Take a break: no act counts until the match goes on."""
    _rest(Why.BREAK, site().live.snapshot)
    return answered(words().say("match-paused"))


@routes.post("/end")
def end() -> ResponseReturnValue:
    """End the match early; it stays in the log, unfinished.

    Nobody is held at a table: if nobody agrees, the host ends it by asking once more. That reveals nothing sealed.
    """

    now = site().live.snapshot

    def act() -> str:
        _rest(Why.ENDED, now)
        return ""  # every page says so

    if unmet("ask-end"):
        said = act()
        site().questions.settle("ask-end")
        return answered(said)
    return agreed("ask-end", {}, act)


@routes.post("/go-on")
def go_on() -> ResponseReturnValue:
    """Go on after a break, or with a match that was ended too soon, even an earlier one that the form names."""
    number, on_table = named_match(), site().live.snapshot
    if number is not None and (number != on_table.match or on_table.under_way is None):
        return take_up(number)
    at_table(site().live.go_on)
    return answered(words().say("match-goes-on"))


def _begin(
    game: AnyGame, places: Mapping[int, str], options: dict[str, Any], left: Step = lambda now: now
) -> ResponseReturnValue:
    """Begin a match, with whoever `left` leaves at the table."""
    live, demo, slug = site().live, site().demo, game.slug
    now = live.snapshot
    players = tuple(Player(seat, places[seat]) for seat in sorted(places))
    see_that_they_can_play(game, players)
    become_host()
    shown = None if now.demo else now.views.get(None)
    before = names_of(shown)

    def act() -> str:
        at_table(site().phones.try_to_store)  # or the match would begin without its players' phones
        if demo is not None and demo.running:
            at_table(demo.stop)
        if places is INVENTED:
            at_table(lambda: live.begin_try(slug, players, options, now))
            return words().say("match-started")
        number = at_table(lambda: live.begin(slug, players, options, now))
        change_rights(lambda now: lobby.begin(lobby.resume(left(now), before), places, number))
        return words().say("match-started")

    if shown and shown["told"] and not shown["over"] and not now.ended:
        return agreed("ask-leave", {"game": slug}, act, go=_then(players))
    return answered(act(), _then(players))


def _then(players: tuple[Player, ...]) -> str:
    """Return where to go: at a real table to the codes, while a player has no phone yet; else to one's own seat."""
    if site().hand is None and any(player.seat not in site().phones.rights.holders for player in players):
        return "/host/codes"
    own = [player.seat for player in players if player.seat in phone.me().parts]
    if len(own) == 1 and not site().live.snapshot.demo:
        return f"/seat/{own[0]}"
    return "/table" if _at_virtual_table() else "/"


def _at_virtual_table() -> bool:
    """Whether the form leads there."""
    return site().hand is not None and request.form.get("then") == "/table"


def _rest(why: Why, upon: Snapshot) -> None:
    live = site().live
    if upon.in_play is None:
        raise Refused(409, "not-under-way")
    at_table(lambda: live.pause(why, upon))


def _players() -> dict[int, str]:
    """Read who plays where: those the form names, and those who have sat down by phone. Raises `Refused`."""
    typed = {seat: see_that_it_is_legible(player_names.written(request.form.get(f"seat-{seat}", ""))) for seat in SEATS}
    seated = aside()(site().phones.rights)
    if _at_virtual_table() and not any(typed.values()) and not seated.people.seated:
        return INVENTED
    if not any(f"seat-{seat}" in request.form for seat in SEATS):
        typed = _who_play(seated)
    with kindly():
        return lobby.who_plays(seated, typed)


def _who_play(now: Rights) -> dict[int, str]:
    return {seat: guest.name for seat, guest in now.people.seated.items() if not guest.out}
