"""Refusals of a site with a single page and no match: shown on that page, or sent to its script."""

import logging
from collections.abc import Callable

from flask import Flask, jsonify, make_response
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from companion.errors import NotKept
from companion.web.http.form_answers import Refused, by_script, code_of
from companion.web.http.language import language
from companion.web.http.problems import is_for_programs, problem
from companion.web.render.words import PageWords

PageSaying = Callable[[str], str]
"""Renders the page with a sentence that says what can't be done."""
_journal = logging.getLogger(__name__)


def handle_refusals_on(app: Flask, page: PageSaying) -> None:
    """Answer every refusal in the page's language, with a fitting status."""

    def refuse(status: int, code: str, facts: dict[str, object]) -> ResponseReturnValue:
        return answer_on(page, PageWords(None, language()).say(code, facts), status)

    def not_kept(wrong: NotKept) -> ResponseReturnValue:
        _journal.warning(wrong)  # the details are for the journal
        return refuse(503, "setup-not-kept", {})

    def failed(wrong: HTTPException) -> ResponseReturnValue:
        status = wrong.code or 500
        return refuse(status, code_of(PageWords(None, language()), status, "http"), {})

    app.register_error_handler(Refused, lambda wrong: refuse(wrong.status, wrong.code, wrong.facts))
    app.register_error_handler(NotKept, not_kept)
    app.register_error_handler(HTTPException, failed)


def answer_on(page: PageSaying, message: str, status: int) -> ResponseReturnValue:
    """Answer with a message: as a problem to programs, as JSON to the script, else on the page."""
    if is_for_programs():
        return problem(status, message)
    return make_response(jsonify(message=message, go=None) if by_script() else page(message), status)
