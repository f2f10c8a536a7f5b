"""The first-aid page: one address that says what is wrong with the table and offers remedies."""

import secrets
from datetime import datetime

from flask import Blueprint, Response, current_app, jsonify, make_response, redirect, render_template, request
from flask.typing import ResponseReturnValue
from jinja2 import Environment

from companion.errors import CompanionError
from companion.first_aid.session import Overdue
from companion.web.feed import Feed, Message
from companion.web.first_aid.site import PROOF, Ward, is_host, still_host, ward
from companion.web.http.cookies import remember
from companion.web.http.form_answers import Refused, at_table, by_script
from companion.web.http.language import language, switched
from companion.web.http.one_page_answers import answer_on
from companion.web.render import to_scan
from companion.web.render.environment import rendered_at_once
from companion.web.render.without_a_match import page_context
from companion.web.render.words import PageWords
from companion.web.routes.streams import message, sent

routes = Blueprint("first_aid", __name__)


@routes.get("/")
@routes.get("/<path:elsewhere>")
def look(elsewhere: str = "") -> str:
    """Show the first-aid page, whatever page is asked for."""
    return shown()


@routes.get("/api/<path:elsewhere>")
def no_answer(elsewhere: str) -> ResponseReturnValue:
    """Answer other programs with 503."""
    message = PageWords(None, language()).say("aid-cant-start")
    return jsonify(message=message), 503, {"Retry-After": "60"}


@routes.get("/stream/first-aid")
def stream() -> Response:
    """Send the page now and whenever it changes, until the table can start."""
    of = ward()
    env = current_app.jinja_env
    chosen_language = language()
    hosts = is_host()
    feed = of.feeds.get((hosts, chosen_language))
    if feed is None:
        feed = of.feeds[hosts, chosen_language] = Feed(
            lambda: Message(message(_live(env, of, chosen_language, is_host=hosts))),
            of.bell.next_ring,
            lambda: of.aid.patient,
        )
    still = still_host(of)
    return sent(feed, lambda: not of.aid.is_over and still() == hosts)


@routes.get("/qr.svg")
def qr() -> Response:
    """Draw the page's address as a QR code."""
    return Response(to_scan.svg(ward().found_at.url), mimetype="image/svg+xml")


@routes.post("/language")
def switch() -> ResponseReturnValue:
    """Remember the language that this phone wants."""
    return switched(make_response(redirect("/", 303)))


@routes.post("/first-aid/code")
def prove() -> ResponseReturnValue:
    """Give a phone the host's rights here for typing the host's code."""
    proof = secrets.token_hex(16)
    if not ward().aid.prove(request.form.get("code", ""), proof):
        raise Refused(403, "wrong-code")
    answer = _back()
    remember(answer, PROOF, proof)
    return answer


@routes.post("/first-aid/again")
def again() -> ResponseReturnValue:
    """Examine the table again."""
    at_table(ward().aid.look)
    return _back()


@routes.post("/first-aid/cure")
def cure() -> ResponseReturnValue:
    """Carry out a remedy that the page offers."""
    code = request.form.get("code", "")
    remedy = request.form.get("remedy", "")
    aid = ward().aid
    if not aid.may(code, remedy, is_host=is_host()):
        raise Refused(403, "aid-host-only")
    at_table(lambda: aid.cure(code, remedy))
    return _back()


@routes.post("/first-aid/backup")
def bring_back() -> ResponseReturnValue:
    """Restore the table from a backup that the host's phone sends, or from one at hand."""
    if not is_host():
        raise Refused(403, "aid-host-only")
    sent = request.files.get("backup")
    key = request.form.get("backup", "")
    aid = ward().aid
    if sent:
        at_table(lambda: aid.bring_back_sent(sent.stream))
    elif key:
        at_table(lambda: aid.bring_back_found(key))
    else:
        raise Refused(400, "aid-no-backup")
    return _back()


@routes.get("/first-aid/everything.zip")
def everything() -> ResponseReturnValue:
    """Send the host's phone every file of the table as it is."""
    if not is_host():
        raise Refused(403, "aid-host-only")
    name = f"table-as-it-is-{datetime.now():%Y-%m-%d-%H%M}.zip"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(ward().aid.everything(), mimetype="application/zip", headers=headers)


@routes.get("/first-aid/report.zip")
def report() -> ResponseReturnValue:
    """Send the report for remote support, which holds no secret; to any phone if the table's rights are lost."""
    if ward().aid.patient.rights and not is_host():
        raise Refused(403, "aid-host-only")
    headers = {"Content-Disposition": 'attachment; filename="report.zip"', "Cache-Control": "no-store"}
    return Response(at_table(ward().aid.report), mimetype="application/zip", headers=headers)


def shown(wrong: str = "", detail: str = "") -> str:
    """Return the page; `wrong` says what can't be done, `detail` is the error's own text."""
    of = ward()
    chosen_language = language()
    live = _live(current_app.jinja_env, of, chosen_language, is_host=is_host()).decode()
    return render_template(
        "first-aid.html", **page_context("first-aid", chosen_language), live=live, wrong=wrong, detail=detail
    )


def not_done(wrong: CompanionError) -> ResponseReturnValue:
    """Answer an error with its reason."""
    if isinstance(wrong, Overdue):
        return _back()
    sentence = PageWords(None, language()).say("aid-not-done")
    if by_script():
        return answer_on(shown, f"{sentence} {wrong}", 409)
    return make_response(shown(sentence, str(wrong)), 409)


def _live(env: Environment, of: Ward, chosen_language: str, *, is_host: bool) -> bytes:
    """Render the live part, for the host's phone or for all others."""
    aid = of.aid
    context = {
        **page_context("first-aid", chosen_language),
        "is_over": aid.is_over,
        "ailments": aid.ailments,
        "is_host": is_host,
        "may_report": is_host or not aid.patient.rights,
        "may": lambda ailment, remedy: aid.may(ailment.code, remedy, is_host=is_host),
        "backups": aid.backups if is_host else (),
        "has_rights": aid.patient.rights is not None,
        "has_file": aid.patient.settings is not None,
        "address": of.found_at.url,
        "qr": to_scan.qr_file(of.found_at.url),
    }
    return rendered_at_once(env, "live-first-aid.html", context).encode()


def _back() -> Response:
    """Answer a form; the page itself shows the outcome, or the table's once it has started."""
    if by_script():
        return jsonify(message="", go=None)
    return make_response(redirect("/", 303))
