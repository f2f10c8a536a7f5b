"""The host backs the table up, to their phone or a stick, and brings a backup back."""

from collections.abc import Iterator
from typing import IO

from flask import Blueprint, Response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.live.table import BeingPlayed
from companion.web.http.form_answers import Refused, answered, at_table, words
from companion.web.http.language import language
from companion.web.render.page_names import Page
from companion.web.site import site, there

UPLOAD = "/host/restore"
PAGE = Page("host", of="table")

routes = Blueprint("backups", __name__)


@routes.post("/host/backup.zip")
def hand_out() -> ResponseReturnValue:
    """Send a backup of the table as it is now to the host's phone."""
    backups = there(site().backups)
    _close_matches()
    name, backup = at_table(backups.pack)
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(_in_pieces(backup), mimetype="application/zip", headers=headers)


def _in_pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while part := file.read(1 << 16):
            yield part


@routes.post("/host/backup/stick")
def write_to_stick() -> ResponseReturnValue:
    """Write a backup onto a stick that is mounted."""
    backups = there(site().backups)
    folder = request.form.get("stick", "")
    _close_matches()
    name = at_table(lambda: backups.write_to_stick(folder))
    return answered(words().say("backup-on-stick", {"name": name}), "/host/upkeep")


@routes.post("/host/restore")
def choose() -> ResponseReturnValue:
    """Look through a backup at hand, or one that the host's phone sends."""
    backups = there(site().backups)
    _see_that_nobody_plays("restore-after-match")
    key = request.form.get("backup", "")
    sent = request.files.get("backup")
    if sent:
        at_table(lambda: backups.choose_sent(sent.stream))
    elif key:
        at_table(lambda: backups.choose_found(key))
    else:
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
    backups = there(site().backups)
    restore = there(site().restore)
    _see_that_nobody_plays("restore-after-match")
    chosen = backups.chosen
    if chosen is None or chosen.mark != request.form.get("mark"):
        raise Refused(409, "restore-gone")
    restore.set()
    return answered("", "/host/restore")


@routes.post("/host/restore/drop")
def drop() -> ResponseReturnValue:
    """Bring nothing back."""
    at_table(there(site().backups).drop)
    return answered("", "/host/upkeep")


def _see_that_nobody_plays(code: str) -> None:
    """Put off until after the match what this code's sentence is about. Raises `Refused`."""
    if site().live.snapshot.people_play:
        raise Refused(409, code)


def _close_matches() -> None:
    """End for good the matches that people have ended early and might go on with: a backup holds what is sealed.

    Raises `Refused` while one is played.
    """
    _see_that_nobody_plays("backup-after-match")
    archive = site().archive
    live = site().live
    unfinished = at_table(lambda: [result.match for result in archive.results() if not (result.over or result.demo)])
    try:
        at_table(lambda: live.close(unfinished))
    except BeingPlayed:
        raise Refused(409, "backup-after-match") from None
