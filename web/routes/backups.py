"""Backups: the host makes one, to their phone or a USB stick, and restores one."""

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.acts.upkeep_acts import BackUp, BringBack, DropBackup, LookThroughBackup
from companion.web.http.downloads import download
from companion.web.http.form_answers import Refused, at_table
from companion.web.http.language import language
from companion.web.render.page_names import Page
from companion.web.routes.acting import carried_out, done
from companion.web.site import or_404, site

UPLOAD = "/host/restore"
PAGE = Page("host", of="table")

routes = Blueprint("backups", __name__)


@routes.post("/host/backup.zip")
def hand_out() -> ResponseReturnValue:
    """Send the host's phone a backup of the table as it is now."""
    backups = or_404(site().backups)
    carried_out(BackUp())
    name, backup = at_table(backups.pack)
    return download(name, backup, "application/zip")


@routes.post("/host/backup/stick")
def write_to_stick() -> ResponseReturnValue:
    """Write a backup onto a mounted USB stick."""
    or_404(site().backups)
    return done(BackUp(request.form.get("stick", "")), "/host/upkeep")


@routes.post("/host/restore")
def choose() -> ResponseReturnValue:
    """Examine a backup at hand, or one that the host's phone sends."""
    backups = or_404(site().backups)
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
    """Show what restoring the chosen backup would change, and ask for confirmation."""
    backups = or_404(site().backups)
    soon = or_404(site().restore).is_set()
    if backups.chosen is None and not soon:
        return redirect("/host/upkeep", 303)
    context = site().screens.frame(PAGE, language())
    return render_template("restore.html", **context, chosen=backups.chosen, soon=soon)


@routes.post("/host/restore/now")
def bring_back() -> ResponseReturnValue:
    """Restore the chosen backup: the table stops for it, and starts again by itself."""
    or_404(site().backups)
    or_404(site().restore)
    return done(BringBack(request.form.get("mark", "")), "/host/restore")


@routes.post("/host/restore/drop")
def drop() -> ResponseReturnValue:
    """Forget the chosen backup without restoring it."""
    or_404(site().backups)
    return done(DropBackup(), "/host/upkeep")
