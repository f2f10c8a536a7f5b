"""A game's options as fields of a form: what each is called, explained, and what may be chosen."""

import types
from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args, get_origin

import msgspec
from werkzeug.datastructures import MultiDict

from companion.game import Game
from web.answers import Refused
from web.speech import PageWords

SEATS = range(1, 7)


class Field(msgspec.Struct, frozen=True):
    """One option."""

    key: str
    """Its name in the form: "game.option"."""
    label: str
    why: str
    shape: str
    """check, number, whole, one, several, or seats: one of the choices, or none, for each seat."""
    default: Any
    choices: tuple[tuple[str, str], ...] = ()
    """Value and label."""


def fields(game: Game, words: PageWords) -> Iterator[Field]:
    """Give the options a person can choose; one without words is left to the booklet."""
    for option in msgspec.structs.fields(game.options):
        shape, values = _shape(option.type)
        label = f"option-{option.name}"
        if shape and words.has(label):
            choices = tuple((value, _choice(words, option.name, value)) for value in values)
            why = words.say(f"{label}-why")
            yield Field(f"{game.slug}.{option.name}", words.say(label), why, shape, option.default, choices)


def chosen(game: Game, words: PageWords, form: MultiDict[str, str]) -> dict[str, Any]:
    """Read the options that differ from the booklet's. Raises `Refused`."""
    options: dict[str, Any] = {}
    if f"{game.slug}." not in form:
        return options  # this form did not show them
    for field in fields(game, words):
        value = _value(field, form)
        if value != field.default:
            options[field.key.partition(".")[2]] = value
    try:
        msgspec.convert(options, game.options)
    except msgspec.ValidationError:
        raise Refused(400, "bad-options") from None
    return options


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


def _shape(kind: Any) -> tuple[str, tuple[str, ...]]:
    if get_origin(kind) is types.UnionType and type(None) in get_args(kind):
        kind = next(one for one in get_args(kind) if one is not type(None))
    if hasattr(kind, "__metadata__"):
        kind = kind.__origin__
    if kind is bool:
        return "check", ()
    if kind in (int, float):
        return "whole" if kind is int else "number", ()
    if get_origin(kind) is Literal:
        return "one", get_args(kind)
    if get_origin(kind) is tuple and get_origin(get_args(kind)[0]) is Literal:
        return "several", get_args(get_args(kind)[0])
    if get_origin(kind) in (dict, Mapping) and get_origin(get_args(kind)[1]) is Literal:
        return "seats", get_args(get_args(kind)[1])
    return "", ()


def _choice(words: PageWords, option: str, value: str) -> str:
    """Name a choice; a colour goes by its own word."""
    code = f"option-{option}-{value}"
    return words.say(code) if words.has(code) else words.say(f"colour-{value}")
