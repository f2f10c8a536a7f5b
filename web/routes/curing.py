"""What the host chooses to do about what the table can't use of all that it keeps."""

from flask import Blueprint, redirect, request
from flask.typing import ResponseReturnValue

from companion.acts.upkeep_acts import CureTable
from companion.web.routes.acting import done

routes = Blueprint("curing", __name__)


@routes.get("/first-aid")
def cured() -> ResponseReturnValue:
    """Lead a phone that still shows first aid to the table."""
    return redirect("/", 303)


@routes.post("/host/cure")
def cure() -> ResponseReturnValue:
    """Carry out a remedy that the host's page offers; of a running table only its stickers have any."""
    return done(CureTable(request.form.get("code", ""), request.form.get("remedy", "")))
