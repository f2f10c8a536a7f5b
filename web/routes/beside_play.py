"""What the big screen shows beside play: cheers from anybody, and replays of the last act for players."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.acts.match_acts import LookAgain
from companion.acts.table_acts import AllowCheers, Cheer
from companion.acts.told import EntryTold
from companion.web.routes.acting import done
from companion.web.routes.forms import typed_entry

routes = Blueprint("beside_play", __name__)


@routes.post("/cheer")
def cheer() -> ResponseReturnValue:
    """Cheer at the big screen."""
    return done(Cheer())


@routes.post("/host/cheers")
def allow() -> ResponseReturnValue:
    """Allow or forbid cheers."""
    return done(AllowCheers(request.form.get("allowed") == "yes"))


@routes.post("/look-again")
def look_again() -> ResponseReturnValue:
    """Have the big screen show the last act again."""
    return done(LookAgain(EntryTold(typed_entry(), mark=request.form.get("mark", ""))))
