"""How a form is answered: a sentence for the script's toast, or a redirect to the page it came from."""

from collections.abc import Callable
from typing import Any, TypeVar

import gevent
from flask import Flask, Response, flash, jsonify, make_response, redirect, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from companion.access import lobby
from companion.access.seat_rights import Who
from companion.acts import outcome
from companion.acts.outcome import Refusing
from companion.errors import CompanionError, NotKept, NotNow, WrongInput
from companion.history.archive import NotInLog, NotReadNow
from companion.live.judging import NoMatch
from companion.live.pause import Paused, Why
from companion.live.snapshot import Overtaken
from companion.web.http.language import language
from companion.web.http.page_turns import waiting
from companion.web.http.phone import COOKIE, may_see, me
from companion.web.http.problems import is_for_programs, problem
from companion.web.render.page_names import Page, named
from companion.web.render.words import PageWords
from companion.web.site import site

T = TypeVar("T")
_EXPECTED = (CompanionError, ValueError)
_NO_ACT = {Why.BREAK: "paused-no-act", Why.ENDED: "ended-no-act", Why.CLOSED: "closed-no-act"}
_FOR_WHOM = ("for-players", "for-holder", "for-host", "not-your-seat")
"""Refusals whose cause may be a browser that keeps no cookies."""

_STATUS = {
    Refusing.WRONG: 400,
    Refusing.NOT_YOURS: 403,
    Refusing.NOT_NOW: 409,
    Refusing.PAUSED: 409,
    Refusing.BROKEN: 503,
}


class Refused(CompanionError):
    """A refused request; `code` names the sentence to show, `go` the page that has what was wanted."""

    def __init__(self, status: int, code: str, *, go: str | None = None, **facts: Any):
        super().__init__(code)
        self.status = status
        self.code = code
        self.go = go
        self.facts = facts


def words() -> PageWords:
    """Return the words for the match as it stands, in this request's language."""
    return site().screens.words(language())


def page_of_form() -> Page:
    """Return the page that the form is on; the score, if this phone may not see that page."""
    page = named(request.form.get("page", "score"))
    return page if page and may_see(page) else Page("score")


def answered(message: str, go: str | None = None) -> ResponseReturnValue:
    """Answer a form with a sentence, shown on its own page or on page `go`."""
    if by_script():
        return jsonify(message=message, go=go)
    flash(message)
    return redirect(go or page_of_form().url, 303)


def at_table(call: Callable[[], T]) -> T:
    """Call something that may block (disk, judge) in a thread; other phones are served meanwhile."""
    with waiting():
        done, value = gevent.get_hub().threadpool.apply(_tried, (call,))
    if done:
        result: T = value
        return result
    raise value


def _tried(call: Callable[[], T]) -> tuple[bool, Any]:
    """Return expected exceptions as values, because gevent would print them."""
    try:
        return True, call()
    except _EXPECTED as wrong:
        return False, wrong


def handle_refusals(app: Flask) -> None:
    """Answer every refusal in the page's language, with a fitting status."""
    app.register_error_handler(Refused, lambda wrong: _refused(wrong.status, wrong.code, wrong.facts, wrong.go))
    app.register_error_handler(outcome.ActRefused, _act_refused)
    app.register_error_handler(NotNow, lambda wrong: _refused(409, "not-now", {"why": wrong}))
    app.register_error_handler(WrongInput, lambda wrong: _refused(400, "wrong-input", {"why": wrong}))
    app.register_error_handler(NoMatch, lambda _: _refused(409, "no-match-yet", {}))
    app.register_error_handler(NotInLog, lambda _: _refused(404, "not-in-log", {}))
    app.register_error_handler(NotReadNow, lambda _: _refused(503, "not-read-now", {}))
    app.register_error_handler(Overtaken, lambda _: _refused(409, "overtaken", {}))
    app.register_error_handler(Paused, _paused)
    app.register_error_handler(NotKept, lambda _: _refused(503, "not-recorded", {}))
    app.register_error_handler(HTTPException, _http)


def code_of(words: PageWords, status: int, *families: str) -> str:
    """Return the code of the sentence for a status, from the first of these families that has one."""
    return next((code for family in families if words.has(code := f"{family}-{status}")), "http-other")


def waiting_place(who: Who) -> str | None:
    """Return the page of the seat at which this phone waits for a match to begin; None: it waits nowhere."""
    return f"/lobby/{min(who.waits)}" if who.waits else None


def turned_away(code: str) -> ResponseReturnValue:
    """Refuse with 403, and reveal nothing of the table: neither what is played nor by whom."""
    message = PageWords(None, language()).say(code)
    if is_for_programs():
        return problem(403, message)
    return (jsonify(message=message, go=None), 403) if by_script() else Response(message, 403, mimetype="text/plain")


def _act_refused(wrong: outcome.ActRefused) -> ResponseReturnValue:
    refuse = wrong.refuse
    go = waiting_place(me()) if refuse.code == "started-already" else None
    if refuse.code == "no-name" and "name" not in request.form:  # its page has no field for one
        unseated = lobby.unseated(site().phones.rights, me())
        go = f"/join?seat={unseated[0]}" if unseated else "/join"
    return _refused(_STATUS[refuse.kind], refuse.code, dict(refuse.facts), go)


def _paused(wrong: Paused) -> ResponseReturnValue:
    return _refused(409, _NO_ACT[wrong.why], {})


def _http(wrong: HTTPException) -> ResponseReturnValue:
    status = wrong.code or 500
    answer = make_response(_refused(status, code_of(words(), status, "http"), {}))
    if isinstance(wrong, MethodNotAllowed):
        answer.allow.update(wrong.valid_methods or ())
    return answer


def _refused(status: int, code: str, facts: dict[str, Any], go: str | None = None) -> ResponseReturnValue:
    message = words().say(code, facts)
    if code in _FOR_WHOM and COOKIE not in request.cookies:
        message += f" {words().say('no-cookie')}"
    if is_for_programs():
        return problem(status, message)
    if by_script():
        return jsonify(message=message, go=go), status
    try:
        back = page_of_form() if request.method == "POST" else Page("score")
    except HTTPException:  # the form is too large, or was cut off with the connection
        back = Page("score")
    context = site().screens.frame(back, language())
    return make_response(render_template("refused.html", **context, message=message, go=go), status)


def by_script() -> bool:
    """Return whether a page's script asks, and not a browser that navigates to the answer."""
    return request.accept_mimetypes.best == "application/json"
