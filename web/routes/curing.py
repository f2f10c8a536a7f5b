"""Remedies that the host may choose when a file of the table can't be used."""

from flask import Blueprint, redirect, request
from flask.typing import ResponseReturnValue

from companion.acts.upkeep_acts import CureTable
from companion.web.routes.acting import done

routes = Blueprint("curing", __name__)


@routes.get("/first-aid")
def cured() -> ResponseReturnValue:
    """Redirect a phone that still shows first aid to the table."""
    return redirect("/", 303)


@routes.post("/host/cure")
def cure() -> ResponseReturnValue:
    """Carry out a remedy that the host's page offers; at a running table only the stickers' file has any."""
    return done(CureTable(request.form.get("code", ""), request.form.get("remedy", "")))
