"""The match that plays itself: start, stop, pause and pace."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.acts.act import Act
from companion.acts.table_acts import GoOnWithDemo, HoldDemo, LeaveDemo, PaceDemo, StartDemo, StepDemo, StopDemo
from companion.web.http.form_answers import Refused
from companion.web.routes.acting import done
from companion.web.routes.forms import chosen_game
from companion.web.site import or_404, site

routes = Blueprint("demo", __name__, url_prefix="/demo")


@routes.post("/start")
def start() -> ResponseReturnValue:
    """Start a match that plays itself, unless people are playing one."""
    return _done(StartDemo(chosen_game().slug))


@routes.post("/stop")
def stop() -> ResponseReturnValue:
    """End the match that plays itself."""
    return _done(StopDemo())


@routes.post("/leave")
def leave() -> ResponseReturnValue:
    """End one that began because nobody was there, for a touch on the big screen."""
    return _done(LeaveDemo())


@routes.post("/pause")
def pause() -> ResponseReturnValue:
    """Pause it before its next act."""
    return _done(HoldDemo())


@routes.post("/go-on")
def go_on() -> ResponseReturnValue:
    """Resume it."""
    return _done(GoOnWithDemo())


@routes.post("/step")
def step() -> ResponseReturnValue:
    """Play one act, then pause again."""
    return _done(StepDemo())


@routes.post("/pace")
def pace() -> ResponseReturnValue:
    """Play it slower or faster."""
    try:
        return _done(PaceDemo(float(request.form.get("speed", ""))))
    except ValueError:
        raise Refused(400, "bad-pace") from None


def _done(act: Act) -> ResponseReturnValue:
    or_404(site().demo)
    return done(act)
