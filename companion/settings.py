"""Reading settings files strictly: a mistake is reported with its line, what is wrong, and what is allowed."""

import math
import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import inspect
from msgspec.structs import fields, replace

from companion import player_names
from companion.errors import WrongInput

Checked = TypeVar("Checked")
Settings = TypeVar("Settings", bound=msgspec.Struct)


LONGEST_SHOWN = 60
"""Letters of a name that can't be used which are repeated in the message."""


class ConfigFault(WrongInput):
    """A file of settings can't be used: the line, what is wrong, and what is known."""


class SettingsCut(ConfigFault):
    """A file of settings lacks the end of what it said when it last worked."""


class Wrong(Exception):
    """A mistake at `key` in the `index`th `[section]`."""

    def __init__(self, why: str, *, section: str = "", index: int = 0, key: str = ""):
        super().__init__(why)
        self.why = why
        self.section = section
        self.index = index
        self.key = key


def read(path: Path, named: str, check: Callable[[dict[str, Any]], Checked]) -> Checked:
    """Read a file that messages call `named`, and check it: `check` may raise `Wrong`. Raises `ConfigFault`."""
    if path.exists() and not (path.is_file() or path.is_dir()):  # a pipe would be waited for
        raise ConfigFault(f"can't read {path}: it is no ordinary file. Give the path of {named}")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as wrong:
        forbidden = isinstance(wrong, PermissionError)
        cure = f"This user may not: sudo chmod a+r {path}" if forbidden else f"Give the path of {named}"
        if isinstance(wrong, FileNotFoundError) and not path.parent.is_dir():
            cure = f"There is no folder {path.parent}: make it, or correct the path"
        raise ConfigFault(f"can't read {path}: {wrong.strerror}. {cure}") from wrong
    except UnicodeDecodeError as wrong:
        line = 1 + wrong.object.count(b"\n", 0, wrong.start)
        raise ConfigFault(f"{path}, line {line}: not UTF-8 text. Save it as UTF-8 in your editor") from wrong
    try:
        import tomllib  # only when needed: a virtual table, which has no file, starts without it

        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as wrong:  # a number with thousands of digits, or brackets nested without end
        raise ConfigFault(f"{path}{_not_toml(str(wrong))}") from wrong
    try:
        return check(raw)
    except Wrong as wrong:
        line = _line_of(text, wrong.section, wrong.index, wrong.key)
        raise ConfigFault(f"{path}, line {line}: {wrong.why}") from wrong


def file_beside(path: Path, key: str, named: str, *other_files: Path, section: str = "") -> Path:
    """Return the path of a file named relative to a settings file. Raises `Wrong`, also for another user's."""
    try:
        file = path.parent / Path(named).expanduser()
        with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
            file.lstat()
        is_anothers = file.resolve() in [other_file.resolve() for other_file in (path, *other_files)]
    except RuntimeError:
        why = f"{key} = {named!r}: there is no such user's home folder, or links lead around in a circle"
        raise Wrong(why, section=section, key=key) from None
    except (OSError, ValueError):
        names_shown = named[:LONGEST_SHOWN]
        why = f"{key} = {names_shown!r} can't be a file's name: it is too long, or has a sign that none may have"
        raise Wrong(why, section=section, key=key) from None
    if is_anothers:
        why = f"{key} = {named!r} is another of the table's files: each needs its own"
        raise Wrong(why, section=section, key=key)
    if os.path.isdir(file):
        raise Wrong(f"{key} = {named!r} is a folder: name a file", section=section, key=key)
    return file


def with_files(settings: Settings, path: Path, section: str, *keys: str) -> Settings:
    """Return a section with the paths of its files resolved beside the file at `path`. Raises `Wrong`."""
    named = {key: name for key in keys if (name := getattr(settings, key))}
    files = {key: str(file_beside(path, key, name, section=section)) for key, name in named.items()}
    for key, file in files.items():
        if os.path.exists(file) and not os.path.isfile(file):  # a pipe would be waited for
            raise Wrong(f"{key} = {named[key]!r} is no ordinary file: name one", section=section, key=key)
    return replace(settings, **files)


def converted(
    raw: Any,
    kind: Any,
    section: str = "",
    index: int = 0,
    *,
    beside: tuple[str, ...] = (),
    above: tuple[str, ...] = (),
) -> Any:
    """Decode strictly. Raises `Wrong`.

    `beside` are sections that may follow the settings at the top, `above` the settings at the top, if this is a
    section.
    """
    if not isinstance(raw, Mapping):
        raise Wrong(f"write [{section}], with one bracket on each side, and its settings below", key=section)
    try:
        settings = msgspec.convert(raw, kind)
    except msgspec.ValidationError as wrong:
        why, key = _reason(wrong, raw, kind, beside)
        if key in above and key not in kind.__struct_fields__:
            why = f"{key!r} is of the whole table: write it above the first [section]"
        raise Wrong(why, section=section, index=index, key=key) from wrong
    if blank := _blank(settings):
        raise Wrong(blank[0], section=section, index=index, key=blank[1])
    return settings


def _not_toml(why: str) -> str:
    """Return what to say, after the path, of text that TOML can't read because of `why`."""
    cure = '. Text stands in straight "quotes"' if re.match("Invalid value|Illegal character", why) else ""
    if at := re.search(r" \(at line (\d+), (column \d+)\)$", why):
        return f", line {at[1]}: not TOML: {why[: at.start()]} at {at[2]}{cure}"
    return f" is not TOML: {why}"


def _line_of(text: str, section: str, index: int, key: str) -> int:
    """Find the line (from 1) of a key in the `index`th `[section]`, or of the section if the key is missing."""
    in_section = section == ""
    sections_seen = -1
    line_number = 1
    for number, line in enumerate(text.split("\n"), 1):
        header = re.match(r"\s*\[\[?\s*([\w-]+)", line)
        if header:
            if section == "" and header[1] == key:
                return number
            sections_seen += header[1] == section
            in_section = header[1] == section and sections_seen == index
            if in_section:
                line_number = number
        # A key may be quoted, or dotted as in `page.port`.
        elif in_section and key and re.match(rf"\s*['\"]?{re.escape(key)}['\"]?\s*[.=]", line):
            return number
    return line_number


_WANTED = {
    "str": 'text in "quotes"',
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list, as in [1, 2]",
}


def _reason(wrong: msgspec.ValidationError, raw: Any, kind: Any, beside: tuple[str, ...]) -> tuple[str, str]:
    """Return why `raw` is not a `kind`, and which setting is to blame ("" if none).

    `beside` are sections that are also allowed if it is the whole file.
    """
    why, _, at = str(wrong).partition(" - at ")
    if unknown := re.search(r"unknown field `(.+)`", why):
        known_names = ", ".join((*kind.__struct_fields__, *beside))
        return f"unknown setting {unknown[1]!r}; known: {known_names}", unknown[1]
    if missing := re.search(r"required field `(.+)`", why):
        return f"the setting {missing[1]!r} is missing", ""
    key = re.search(r"([a-z]\w*)", at)
    if key and re.match(r"Expected `\w+[^`]*` [<>]=", why):
        return f"{key[1]} = {written_value(key[1], raw, kind)} is out of range: {bounds_of(kind, key[1])}", key[1]
    if key and (choices := _choices_of(kind, key[1])):
        return f"{key[1]} = {written_value(key[1], raw)}: it must be {' or '.join(choices)}", key[1]
    expected = re.match(r"Expected `(\w+)[^`]*`(?:,|$)", why)
    if key and expected:
        if beside and expected[1] == "array":
            return f"write [[{key[1]}]], with two brackets on each side, and its settings below", key[1]
        return _not_a(expected[1], key[1], raw, at), key[1]
    named = re.match(r"`(\w+)`", why)
    return why.replace("`", "'"), named[1] if named else ""


def _not_a(expected: str, key: str, raw: Any, at: str) -> str:
    subject = "each item" if "[" in at else "it"
    return f"{key} = {written_value(key, raw)}: {subject} must be {_WANTED.get(expected, expected)}"


def written_value(key: str, raw: Any, kind: Any = None) -> str:
    """Return a setting as it is written in the file, a number in the base in which its `kind` counts."""
    value = raw.get(key) if isinstance(raw, Mapping) else None
    if kind and isinstance(value, int) and (base := _number_of(kind, key)[1].get("base")):
        return f"{value:{base}}"
    if isinstance(value, float) and not math.isfinite(value):  # JSON has no word for it
        return str(value)
    return msgspec.json.encode(value, enc_hook=str).decode()


def bounds_of(kind: Any, key: str) -> str:
    """Return the range of a setting's number, such as "0 to 1 seconds"; "" if it has no bounds."""
    number, extra = _number_of(kind, key)
    unit = f" {extra.get('unit', '')}".rstrip()
    base = extra.get("base", "d")
    match number:
        case inspect.IntType(ge=int(low), le=int(high)):
            return f"{low:{base}} to {high:{base}}{unit}"
        case inspect.FloatType(ge=low, le=high) if low is not None and high is not None:
            return f"{low:g} to {high:g}{unit}"
    return ""


def _choices_of(kind: Any, key: str) -> list[str]:
    """Return the values allowed for a setting that takes only certain ones; [] for any other."""
    allowed = _type_of(kind, key)
    if not isinstance(allowed, inspect.LiteralType):
        return []
    return [msgspec.json.encode(value).decode() for value in allowed.values]


def _number_of(kind: Any, key: str) -> tuple[inspect.Type | None, Mapping[str, Any]]:
    """Return the number that a setting is, or may be, and what its `Meta` adds: its "unit", its "base"."""
    declared = _type_of(kind, key)
    for candidate in declared.types if isinstance(declared, inspect.UnionType) else (declared,):
        number = candidate
        extra: Mapping[str, Any] = {}
        if isinstance(candidate, inspect.Metadata):
            number = candidate.type
            extra = candidate.extra or {}
        if isinstance(number, inspect.IntType | inspect.FloatType):
            return number, extra
    return None, {}


def _type_of(kind: Any, key: str) -> inspect.Type | None:
    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType)
    return next((field.type for field in described.fields if field.name == key), None)


def _blank(settings: msgspec.Struct) -> tuple[str, str] | None:
    """Find a text that is empty where that means nothing, or that is invisible; return as `_reason` does, or None."""
    for field in fields(settings):
        value = getattr(settings, field.name)
        if not isinstance(value, str):
            continue
        if not value and field.default != "":
            return f"{field.name} is empty", field.name
        # The joiners within a picture are invisible, and belong there.
        if not value.isprintable() and player_names.written(value) != value:
            return f"{field.name} = {value!r} has characters that can't be seen", field.name
    return None
