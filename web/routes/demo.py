"""The match that plays itself: starting it, and how fast it is told."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.acts.act import Act
from companion.acts.table_acts import GoOnWithDemo, HoldDemo, LeaveDemo, PaceDemo, StartDemo, StepDemo, StopDemo
from companion.web.http.form_answers import Refused
from companion.web.routes.acting import done
from companion.web.routes.forms import chosen_game
from companion.web.site import site, there

routes = Blueprint("demo", __name__, url_prefix="/demo")


@routes.post("/start")
def start() -> ResponseReturnValue:
    """Have a match play itself, unless that takes somebody's match away."""
    return _done(StartDemo(chosen_game().slug))


@routes.post("/stop")
def stop() -> ResponseReturnValue:
    """End the match that plays itself: people can begin their own."""
    return _done(StopDemo())


@routes.post("/leave")
def leave() -> ResponseReturnValue:
    """End the one that began because nobody was there: somebody has touched the big screen."""
    return _done(LeaveDemo())


@routes.post("/pause")
def pause() -> ResponseReturnValue:
    """Let no further act happen."""
    return _done(HoldDemo())


@routes.post("/go-on")
def go_on() -> ResponseReturnValue:
    """Let acts happen again."""
    return _done(GoOnWithDemo())


@routes.post("/step")
def step() -> ResponseReturnValue:
    """Let one act happen, then hold again."""
    return _done(StepDemo())


@routes.post("/pace")
def pace() -> ResponseReturnValue:
    """Play it slower or faster."""
    try:
        return _done(PaceDemo(float(request.form.get("speed", ""))))
    except ValueError:
        raise Refused(400, "bad-pace") from None


def _done(act: Act) -> ResponseReturnValue:
    there(site().demo)
    return done(act)
