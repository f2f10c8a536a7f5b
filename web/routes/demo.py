"""The match that plays itself: starting it, and how fast it is told."""

from contextlib import suppress

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.live.demo import Demo
from companion.live.pause import Why
from companion.live.snapshot import Overtaken
from companion.web.http.form_answers import Refused, answered, at_table, words
from companion.web.routes.forms import chosen_game
from companion.web.site import site, there

routes = Blueprint("demo", __name__, url_prefix="/demo")


@routes.post("/start")
def start() -> ResponseReturnValue:
    """Have a match play itself, unless that takes somebody's match away."""
    demo, game, now = there(site().demo), chosen_game(), site().live.snapshot
    if now.people_play:
        raise Refused(409, "demo-while-played")
    at_table(lambda: demo.start(game.slug, now))
    return answered(words().say("demo-started"))


@routes.post("/stop")
def stop() -> ResponseReturnValue:
    """End the match that plays itself: people can begin their own."""
    live = site().live
    at_table(there(site().demo).stop)
    now = live.snapshot
    if now.demo and now.in_play is not None:
        with suppress(Overtaken):  # what has begun since is not a demo
            at_table(lambda: live.pause(Why.ENDED, now))
    return answered(words().say("demo-stopped"))


@routes.post("/pause")
def pause() -> ResponseReturnValue:
    """Let no further act happen."""
    _told().hold()
    return answered(words().say("demo-held"))


@routes.post("/go-on")
def go_on() -> ResponseReturnValue:
    """Let acts happen again."""
    _told().go_on()
    return answered(words().say("demo-goes-on"))


@routes.post("/step")
def step() -> ResponseReturnValue:
    """Let one act happen, then hold again."""
    _told().step()
    return answered("")


@routes.post("/pace")
def pace() -> ResponseReturnValue:
    """Play it slower or faster."""
    demo = _told()
    try:
        demo.hurry(float(request.form.get("speed", "")))
    except ValueError:
        raise Refused(400, "bad-pace") from None
    return answered("")


def _told() -> Demo:
    """Return the demonstration that is under way."""
    demo = there(site().demo)
    if demo.telling is None:
        raise Refused(409, "no-demo-now")
    return demo
