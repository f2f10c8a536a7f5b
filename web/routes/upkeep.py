"""The upkeep page: updating the machine, setting its clock, switching it off; and the backups."""

from datetime import date, datetime
from typing import TYPE_CHECKING

from flask import Blueprint, Response, abort, render_template, request
from flask.typing import ResponseReturnValue

from companion.acts.upkeep_acts import SetClock, SwitchOff, TellDay, UpdateTable
from companion.versions.host_wishes import Machine, knows_the_time
from companion.versions.wear import wear, years
from companion.web.http import phone
from companion.web.http.form_answers import at_table
from companion.web.http.language import language
from companion.web.render.page_names import Page
from companion.web.routes.acting import done
from companion.web.site import or_404, site

if TYPE_CHECKING:  # only a table with a file has them
    from companion.backups.at_table import TableBackups

routes = Blueprint("upkeep", __name__)


@routes.get("/host/upkeep")
def show() -> str:
    """Show the backups, the running and the offered version, and the switch-off button."""
    machine = site().machine
    backups = site().backups
    if machine is None and backups is None and site().report is None:
        abort(404)
    context = site().screens.frame(Page("host", of="table"), language())
    about_machine = at_table(lambda: _about_machine(machine)) if machine else {}
    about_backups = at_table(lambda: _about_backups(backups)) if backups and phone.me().host else {}
    return render_template(
        "upkeep.html",
        **context,
        machine=about_machine,
        backups=about_backups,
        restored=site().restored,
        wear=wear(),
        card=years(date.today()),
        reports=site().report is not None and phone.me().host,
    )


def _about_machine(machine: Machine) -> dict[str, object]:
    return {
        "version": machine.version,
        "offered": machine.offered(),
        "last": machine.last_outcome(),
        "now": None if knows_the_time() else f"{datetime.now():%Y-%m-%dT%H:%M}",
    }


def _about_backups(backups: "TableBackups") -> dict[str, object]:
    return {"found": backups.find(), "sticks": backups.find_sticks(), "last": backups.last_stick()}


@routes.get("/host/report.zip")
def report() -> Response:
    """Send the host's phone the report for remote support; it holds no secret."""
    whole = at_table(or_404(site().report).pack)
    headers = {"Content-Disposition": 'attachment; filename="report.zip"', "Cache-Control": "no-store"}
    return Response(whole, mimetype="application/zip", headers=headers)


@routes.post("/host/update")
def update() -> ResponseReturnValue:
    """Update the table from the file at hand; refused during a match."""
    or_404(site().machine)
    return done(UpdateTable(), "/host/upkeep")


@routes.post("/host/clock")
def clock() -> ResponseReturnValue:
    """Set the table's clock from the host's phone, for a table without network time."""
    or_404(site().machine)
    return done(SetClock(request.form.get("at", "")), "/host/upkeep")


@routes.get("/host/day")
def ask_the_day() -> str:
    """Ask the host for the date."""
    context = site().screens.frame(Page("host", of="table"), language())
    return render_template("day.html", **context)


@routes.post("/host/day")
def tell_the_day() -> ResponseReturnValue:
    """Date the matches played since the machine started, for a table without network time."""
    return done(TellDay(request.form.get("at", "")), "/host")


@routes.post("/host/off")
def off() -> ResponseReturnValue:
    """Switch the table off; while people play, one of them has to agree."""
    or_404(site().machine)
    return done(SwitchOff(), "/host/upkeep")
