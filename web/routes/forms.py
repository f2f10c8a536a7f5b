"""Reading what was chosen in a form's fields."""

from typing import Any

import msgspec
from flask import request
from werkzeug.datastructures import MultiDict

from companion import games
from companion.events import SEATS
from companion.game import AnyGame
from companion.web.http.form_answers import Refused
from companion.web.render.fields import Field, fields
from companion.web.render.words import PageWords


def chosen(of: type[msgspec.Struct], prefix: str, words: PageWords, form: MultiDict[str, str]) -> dict[str, Any]:
    """Read what differs from the defaults. Raises `Refused`."""
    options: dict[str, Any] = {}
    if f"{prefix}." not in form:
        return options  # this form did not show them
    for field in fields(of, prefix, words):
        value = _value(field, form)
        if value != field.default:
            options[field.key.rpartition(".")[2]] = value
    try:
        msgspec.convert(options, of)
    except msgspec.ValidationError:
        raise Refused(400, "bad-options") from None
    return options


def chosen_game() -> AnyGame:
    """Read which game this request's form names. Raises `Refused`."""
    game = games.known().get(request.form.get("game", ""))
    if game is None:
        raise Refused(400, "bad-game")
    return game


def _value(field: Field, form: MultiDict[str, str]) -> Any:
    text = form.get(field.key, "")
    match field.shape:
        case "check":
            return bool(text)
        case "several":
            return tuple(form.getlist(field.key))
        case "seats":
            wishes = {str(seat): form.get(f"{field.key}.{seat}", "") for seat in SEATS}
            return {seat: wish for seat, wish in wishes.items() if wish} or field.default
        case "number" | "whole":
            read = int if field.shape == "whole" else float
            try:
                return read(text.replace(",", ".")) if text else field.default
            except ValueError:
                raise Refused(400, "bad-number", label=field.label) from None
    return text or field.default
