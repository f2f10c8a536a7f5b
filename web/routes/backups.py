"""The host backs the table up, to their phone or a stick, and brings a backup back."""

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.acts.upkeep_acts import BackUp, BringBack, DropBackup, LookThroughBackup
from companion.web.http.downloads import download
from companion.web.http.form_answers import Refused, at_table
from companion.web.http.language import language
from companion.web.render.page_names import Page
from companion.web.routes.acting import carried_out, done
from companion.web.site import site, there

UPLOAD = "/host/restore"
PAGE = Page("host", of="table")

routes = Blueprint("backups", __name__)


@routes.post("/host/backup.zip")
def hand_out() -> ResponseReturnValue:
    """Send a backup of the table as it is now to the host's phone."""
    backups = there(site().backups)
    carried_out(BackUp())
    name, backup = at_table(backups.pack)
    return download(name, backup, "application/zip")


@routes.post("/host/backup/stick")
def write_to_stick() -> ResponseReturnValue:
    """Write a backup onto a stick that is mounted."""
    there(site().backups)
    return done(BackUp(request.form.get("stick", "")), "/host/upkeep")


@routes.post("/host/restore")
def choose() -> ResponseReturnValue:
    """Look through a backup at hand, or one that the host's phone sends."""
    backups = there(site().backups)
    key = request.form.get("backup", "")
    sent = request.files.get("backup")
    carried_out(LookThroughBackup(key if key and not sent else None))
    if sent:
        at_table(lambda: backups.choose_sent(sent.stream))
    elif not key:
        raise Refused(400, "aid-no-backup")
    return redirect("/host/restore", 303)


@routes.get("/host/restore")
def compare() -> ResponseReturnValue:
    """Show what bringing back the chosen backup would change, and ask whether that is meant."""
    backups = there(site().backups)
    soon = there(site().restore).is_set()
    if backups.chosen is None and not soon:
        return redirect("/host/upkeep", 303)
    context = site().screens.frame(PAGE, language())
    return render_template("restore.html", **context, chosen=backups.chosen, soon=soon)


@routes.post("/host/restore/now")
def bring_back() -> ResponseReturnValue:
    """Bring the chosen backup back: the table stops for it, and starts again by itself."""
    there(site().backups)
    there(site().restore)
    return done(BringBack(request.form.get("mark", "")), "/host/restore")


@routes.post("/host/restore/drop")
def drop() -> ResponseReturnValue:
    """Bring nothing back."""
    there(site().backups)
    return done(DropBackup(), "/host/upkeep")
