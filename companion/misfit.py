"""What is wrong with a value in a file of settings, in the file's own words."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import fields

_WANTED = {
    "str": 'a text in "quotes"',
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list, as in [1, 2]",
}


def told(wrong: msgspec.ValidationError, found: Any, kind: Any, beside: tuple[str, ...] = ()) -> tuple[str, str]:
    """Say why `found` is no `kind`; give that and the setting's name, "" for none of them.

    `beside` are sections that may stand there too, where it is the file itself.
    """
    why, _, at = str(wrong).partition(" - at ")
    if unknown := re.search(r"unknown field `(.+)`", why):
        known = ", ".join((*kind.__struct_fields__, *beside))
        return f"unknown setting {unknown[1]!r}; known: {known}", unknown[1]
    if missing := re.search(r"required field `(.+)`", why):
        return f"the setting {missing[1]!r} is missing", ""
    key = re.search(r"([a-z]\w*)", at)
    wanted = re.match(r"Expected `(\w+)[^`]*`(?: (>=|<=) (\S+?))?(?:,|$)", why)
    if key and wanted:
        if beside and wanted[1] == "array":
            return f"write [[{key[1]}]], with two brackets on each side, and its settings below", key[1]
        return _wanted(key[1], found, at, *wanted.groups()), key[1]
    named = re.match(r"`(\w+)`", why)
    return why.replace("`", "'"), named[1] if named else ""


def _wanted(key: str, found: Any, at: str, wanted: str, bound: str | None, limit: str | None) -> str:
    value = found.get(key) if isinstance(found, Mapping) else None
    shown = msgspec.json.encode(value, enc_hook=str).decode()
    if bound and limit:
        return f"{key} = {shown} is out of range: it must be {limit} or {'more' if bound == '>=' else 'less'}"
    each = "each in it" if "[" in at else "it"
    return f"{key} = {shown} is none: {each} must be {_WANTED.get(wanted, wanted)}"


def blank(found: msgspec.Struct) -> tuple[str, str] | None:
    """Find a text that is empty, though that means nothing there, or that can't be seen: as `told`, or None."""
    for field in fields(found):
        value = getattr(found, field.name)
        if not isinstance(value, str):
            continue
        if not value and field.default != "":
            return f"{field.name} is empty", field.name
        if not value.isprintable():
            return f"{field.name} = {value!r} has characters that can't be seen", field.name
    return None
