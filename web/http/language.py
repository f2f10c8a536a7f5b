"""The language in which a request is answered."""

from flask import Response, current_app, request

from companion.languages import LANGUAGES
from companion.web.http.cookies import remember

COOKIE = "language"


def language() -> str:
    """Return this request's language: from its query, its cookie, the browser's preferences, or the table's own."""
    for wish in (request.args.get("lang"), request.cookies.get(COOKIE)):
        if wish in LANGUAGES:
            return wish
    preferred = (wish.partition("-")[0].lower() for wish in request.accept_languages.values())
    return next((wish for wish in preferred if wish in LANGUAGES), current_app.config.get("LANGUAGE") or LANGUAGES[0])


def wished() -> str:
    """Return the language that a form asks for, or "" if it is none of ours."""
    language = request.form.get("language", "")
    return language if language in LANGUAGES else ""


def switched(answer: Response) -> Response:
    """Add a cookie to the answer for the language that its form asks for, if that is one of ours."""
    if wish := wished():
        remember(answer, COOKIE, wish)
    return answer
