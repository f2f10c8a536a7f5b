"""Readers of form fields; each raises `Refused` for what its form can't contain."""

from collections.abc import Collection
from typing import Any

import msgspec
from flask import request
from werkzeug.datastructures import MultiDict

from companion import games, player_names
from companion.access.lobby import Ticked
from companion.access.player_looks import ANIMALS, COLOURS, Face
from companion.events import SEATS
from companion.game import AnyGame, Pieces
from companion.web.http.form_answers import Refused
from companion.web.render.fields import Field, fields
from companion.web.render.words import PageWords
from companion.web.site import site

MOST_CARDS = 50
"""Most cards in one form; no deck's set-up needs more at a time."""


def chosen(of: type[msgspec.Struct], prefix: str, words: PageWords, form: MultiDict[str, str]) -> dict[str, Any] | None:
    """Read the options that differ from their defaults; None: the form did not show them. Raises `Refused`."""
    # A hidden field says that they were shown: a browser sends nothing for boxes that are not ticked.
    if f"{prefix}." not in form:
        return None
    options: dict[str, Any] = {}
    for field in fields(of, prefix, words):
        value = _value(field, form)
        if value != field.default:
            options[field.key.rpartition(".")[2]] = value
    try:
        msgspec.convert(options, of)
    except msgspec.ValidationError:
        raise Refused(400, "bad-options") from None
    return options


def usual_options(game: AnyGame) -> dict[str, Any]:
    """Return a game's options where nobody has chosen any."""
    return {} if site().phones_in_play else dict(game.without_phones)


def chosen_game() -> AnyGame:
    """Read the form's game. Raises `Refused`."""
    game = games.known().get(request.form.get("game", ""))
    if game is None:
        raise Refused(400, "bad-game")
    return game


def chosen_pieces() -> Pieces:
    """Read the form's deck: a game's cards, or the table's own. Raises `Refused`."""
    pieces = games.with_tags().get(games.bearer_of(request.form.get("game", "")))
    if pieces is None:
        raise Refused(400, "bad-game")
    return pieces


def whole(text: str, digits: int) -> int | None:
    """Read a whole number of at most this many digits; None if it is not one."""
    # `isdigit` alone is also true of "²", which `int` refuses.
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def typed_entry() -> int:
    """Read the number of an entry of the story. Raises `Refused`."""
    entry = whole(request.form.get("entry", ""), 6)
    if entry is None:
        raise Refused(400, "bad-entry")
    return entry


def typed_name(field: str) -> str:
    """Read a person's name."""
    return player_names.written(request.form.get(field, ""))


def ticked() -> Ticked:
    """Read the people in the form that starts a match, and which of them are ticked to play."""
    form = request.form
    if "only" not in form:
        return Ticked()
    plays, played, sat_out = (
        {seat: form[f"{choice}-{seat}"] for seat in SEATS if f"{choice}-{seat}" in form}
        for choice in ("plays", "played", "sat-out")
    )
    return Ticked(True, plays, played, sat_out)


def typed_seat(field: str, among: Collection[int] = SEATS) -> int:
    """Read the number of a seat, one of `among`. Raises `Refused`."""
    text = request.form.get(field, "")
    if text not in map(str, among):
        raise Refused(400, "no-seat")
    return int(text)


def typed_face() -> Face:
    """Read the chosen animal and colour. Raises `Refused`."""
    animal = request.form.get("animal", "")
    colour = request.form.get("colour", "")
    if animal not in ANIMALS or colour not in COLOURS:
        raise Refused(400, "no-look")
    return Face(animal, colour)


def offered_cards() -> list[str]:
    """Read the form's cards. Raises `Refused`."""
    offered = [card for card in request.form.getlist("card") if card]
    if not offered:
        raise Refused(400, "no-card")
    if len(offered) > MOST_CARDS:
        raise Refused(400, "bad-card")
    return offered


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
        case "numbers":
            texts = {str(seat): form.get(f"{field.key}.{seat}", "") for seat in SEATS}
            return {seat: _number(text, float, field) for seat, text in texts.items() if text} or field.default
        case "number" | "whole":
            return _number(text, int if field.shape == "whole" else float, field) if text else field.default
    return text or field.default


def _number(text: str, read: type[int] | type[float], field: Field) -> int | float:
    try:
        return read(text.replace(",", "."))
    except ValueError:
        raise Refused(400, "bad-number", label=field.label) from None
