"""A game's options, or an owner's statements about their box, as fields of a form."""

import types
from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec.structs import replace

from companion.web.render.words import PageWords


class Field(msgspec.Struct, frozen=True):
    """One option."""

    key: str
    """Its name in the form: "game.option"."""
    label: str
    why: str
    shape: str
    """check, number, whole, one, several, seats: one of the choices, or none, for each seat, or numbers: likewise."""
    default: Any
    choices: tuple[tuple[str, str], ...] = ()
    """Value and label."""


def fields(of: type[msgspec.Struct], prefix: str, words: PageWords) -> Iterator[Field]:
    """Yield a field for each option that people can choose, named "prefix.name"; one without words is not theirs."""
    for option in msgspec.structs.fields(of):
        shape, values = _shape(option.type)
        label = f"option-{option.name}"
        if shape and words.has(label):
            choices = tuple((value, _choice(words, option.name, value)) for value in values)
            why = words.say(f"{label}-why")
            yield Field(f"{prefix}.{option.name}", words.say(label), why, shape, _default(option), choices)


def as_chosen(field: Field, options: Mapping[str, Any]) -> Field:
    """Return the field with the choice in these options, if there is one."""
    return replace(field, default=options.get(field.key.rpartition(".")[2], field.default))


def _default(option: msgspec.structs.FieldInfo) -> Any:
    return option.default if option.default_factory is msgspec.NODEFAULT else option.default_factory()


def _shape(kind: Any) -> tuple[str, tuple[str, ...]]:
    """Return the shape of a field for a type, with its choices; "" if a form cannot ask for it."""
    if get_origin(kind) is types.UnionType and type(None) in get_args(kind):
        kind = next(alternative for alternative in get_args(kind) if alternative is not type(None))
    if hasattr(kind, "__metadata__"):  # Annotated, with limits that do not matter here
        kind = kind.__origin__
    if kind is bool:
        return "check", ()
    if kind in (int, float):
        return "whole" if kind is int else "number", ()
    if get_origin(kind) is Literal:
        return "one", get_args(kind)
    if get_origin(kind) is tuple and get_origin(get_args(kind)[0]) is Literal:
        return "several", get_args(get_args(kind)[0])
    if get_origin(kind) in (dict, Mapping) and _shape(get_args(kind)[1])[0] == "number":
        return "numbers", ()
    if get_origin(kind) in (dict, Mapping) and get_origin(get_args(kind)[1]) is Literal:
        return "seats", get_args(get_args(kind)[1])
    return "", ()


def _choice(words: PageWords, option: str, value: str) -> str:
    """Name a choice; a colour goes by its own word."""
    code = f"option-{option}-{value}"
    return words.say(code) if words.has(code) else words.say(f"colour-{value}")
