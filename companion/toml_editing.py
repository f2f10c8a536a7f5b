"""Changes values in a text of TOML and leaves all else as it was written: comments, order, spelling, line breaks. Pure.

tomlkit keeps those within a section, but moves sections of the same name together. So a text is cut into its sections,
and each is edited by itself.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from operator import eq
from typing import Any

import tomlkit
from tomlkit.container import Container
from tomlkit.items import AoT, Array, Comment, InlineTable, Item, Key, String, StringType, Table, Trivia

_Entries = list[tuple[Key | None, Item]]


def sections(text: str) -> list[str]:
    """Cut a good text at its headers; the first part is what stands before them all."""
    parts = [""]
    for line in _lines(text):
        # Within an array or a text of several lines a bracket is no header: what stands before it can't be read.
        if line.lstrip(" \t").startswith("[") and _is_complete(parts[-1]):
            parts.append("")
        parts[-1] += line
    return parts


def lacks_last_sections(text: str, earlier: str) -> bool:
    """Whether a text ends before the last sections of an earlier one, whatever was changed in those that it has.

    False if what is lacking stands elsewhere in it: then somebody took another section out.
    """
    present = [section.strip() for section in sections(text)[1:]]
    section_names = [section.strip() for section in sections(earlier)[1:]]
    lacking = section_names[len(present) :]
    same_headers = all(map(eq, map(_header, present), map(_header, section_names)))
    return bool(lacking) and same_headers and set(present).isdisjoint(lacking)


def values_of(section: str) -> tuple[str, dict[str, Any]]:
    """Return the name of a section, and its values; "" for what stands before all sections."""
    values = tomllib.loads(section)
    if not _starts_with_header(section):
        return "", values
    name, table = next(iter(values.items()))
    return name, table[0] if isinstance(table, list) else table


def edited(section: str, values: Mapping[str, Any], order: Sequence[str] = (), *, table: str = "") -> str:
    """Return a section with these values; None takes a key out, whose comment stays.

    A new key comes after the nearest one before it in `order`, otherwise after all others. `table` names a table that
    is written before all sections, as `name = { … }`.
    """
    current = values_of(section)[1]
    current = current[table] if table else current
    changed = {key: value for key, value in values.items() if current.get(key) != _as_read(value)}
    document = tomlkit.parse(section if section.endswith("\n") or not section else f"{section}\n")
    edit_table(_table_of(document, table), changed, order)
    return document.as_string()


def edit_table(table: Any, values: Mapping[str, Any], order: Sequence[str] = ()) -> None:
    """Change the values of a table of tomlkit's; see `edited`."""
    for key, value in values.items():
        if value is not None and key in table:
            _replace(table, key, value)
    added = {key: value for key, value in values.items() if value is not None and key not in table}
    removed = [key for key, value in values.items() if value is None and key in table]
    if isinstance(table, InlineTable):
        for key in removed:
            del table[key]
        for key, value in added.items():
            table[key] = as_item(value)
        return
    entries: _Entries = (table if isinstance(table, Container) else table.value).body
    # From here on only the text is of use: tomlkit does not know of what is moved below.
    for key in removed:
        _take_out(entries, key)
    for key, value in added.items():
        _insert(entries, key, as_item(value), order)


def as_item(value: Any) -> Item:
    """Return a value as TOML. Half a character, which a terminal may pass on, becomes what TOML refuses."""
    match value:
        case str():
            escaped = tomlkit.string(value).as_string()[1:-1].encode(errors="backslashreplace").decode()
            return String(StringType.SLB, value, escaped, Trivia())
        case tuple() | list():
            array = tomlkit.array()
            array.extend([as_item(element) for element in value])
            return array
        case Mapping():
            inline = tomlkit.inline_table()
            inline.update({key: as_item(element) for key, element in value.items()})
            return inline
    item: Item = tomlkit.item(value)
    return item


def as_section(name: str, values: Mapping[str, Any], *, repeated: bool = False) -> str:
    """Write a section: "[name]", or "[[name]]" if there may be several."""
    table = tomlkit.table()
    for key, value in values.items():
        table.add(key, as_item(value))
    document = tomlkit.document()
    document.add(name, tomlkit.aot() if repeated else table)
    if repeated:
        document[name].append(table)
    return document.as_string()


def _header(section: str) -> str:
    return section.partition("\n")[0].partition("#")[0].strip()


def _as_read(value: Any) -> Any:
    """Return a value as the reader of a file returns it."""
    return [_as_read(element) for element in value] if isinstance(value, tuple | list) else value


def _lines(text: str) -> Iterator[str]:
    """Yield the lines with their ends: only a line feed ends one, for a comment may hold other line ends."""
    *whole, last = text.split("\n")
    yield from (f"{line}\n" for line in whole)
    if last:
        yield last


def _is_complete(part: str) -> bool:
    try:
        tomllib.loads(part)
    except ValueError:
        return False
    return True


def _starts_with_header(section: str) -> bool:
    for line in _lines(section):
        if line.strip() and not line.lstrip().startswith("#"):
            return line.lstrip().startswith("[")
    return False


def _table_of(document: tomlkit.TOMLDocument, name: str) -> Any:
    if name:
        return document[name]
    tables = [item for _, item in document.body if isinstance(item, Table | AoT)]
    if not tables or not _starts_with_header(document.as_string()):
        return document
    return tables[0][0] if isinstance(tables[0], AoT) else tables[0]


def _replace(table: Any, key: str, value: Any) -> None:
    if isinstance(table[key], Array) and isinstance(value, tuple | list):
        _replace_elements(table[key], value)
    else:
        table[key] = as_item(value)


def _replace_elements(array: Array, values: Sequence[Any]) -> None:
    """Replace one by one: then an array over several lines stays one, and its comments stay."""
    for place, value in enumerate(values[: len(array)]):
        if array[place] != value:
            array[place] = as_item(value)
    del array[len(values) :]
    array.extend([as_item(value) for value in values[len(array) :]])


def _place_of(entries: _Entries, key: str) -> int | None:
    return next(
        (place for place, (known_key, _) in enumerate(entries) if known_key is not None and known_key.key == key), None
    )


def _take_out(entries: _Entries, key: str) -> None:
    place = _place_of(entries, key)
    if place is None:
        return
    trivia = entries[place][1].trivia
    if trivia.comment:
        entries[place] = (None, Comment(Trivia(indent=trivia.indent, comment=trivia.comment, trail=trivia.trail)))
    else:
        del entries[place]


def _insert(entries: _Entries, key: str, item: Item, order: Sequence[str]) -> None:
    earlier_keys = order[: order.index(key)] if key in order else ()
    places = (_place_of(entries, earlier_key) for earlier_key in reversed(earlier_keys))
    keyed = [
        place for place, (known_key, value) in enumerate(entries) if known_key and not isinstance(value, Table | AoT)
    ]
    place = next((found_place for found_place in places if found_place is not None), keyed[-1] if keyed else None)
    if place is None:
        entries.append((tomlkit.key(key), item))
        return
    neighbour = entries[place][1].trivia
    item.trivia.indent = neighbour.indent
    item.trivia.trail = neighbour.trail
    entries.insert(place + 1, (tomlkit.key(key), item))
