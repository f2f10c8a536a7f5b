"""Declarations, rewritten for browsers that do not know their properties, values or units."""

import re
from collections.abc import Iterator
from typing import Any

import tinycss2

Declared = tuple[str, str]
"""A property, and its value."""
SIDES = ("top", "right", "bottom", "left")
LINES = {"inline": ("left", "right"), "block": ("top", "bottom")}
"""The sides of each axis in the pages' languages, all written left to right."""
OF_CONTAINERS = {"cqw": "--cqw", "cqi": "--cqw", "cqh": "--cqh", "cqb": "--cqh", "cqmin": "--cqmin"}
"""Each container unit, and the custom property in which `static/older.js` keeps its size."""
OF_SCREENS = re.compile(r"[dsl](v[whib]|vmin|vmax)")
MOVES = ("translate", "rotate", "scale")


def lowered(declared: list[Declared]) -> Iterator[Declared]:
    """Yield the declarations of a rule for older browsers, in their order."""
    # Older browsers know `transform` alone: one declaration takes up the others, in the order in which they apply.
    moves = {name: value for name, value in declared if name in MOVES}
    for name, value in declared:
        if name == "transform" or name in MOVES:
            if name == "transform" or not any(name == "transform" for name, _ in declared):
                yield from _moved(moves, value if name == "transform" else "")
                moves = {}
        else:
            yield from _lowered(name, value)


def value_of(tokens: list[Any]) -> str:
    """Write a value, in units that older browsers know."""
    return "".join(_text(token) for token in tokens).strip()


def _text(token: Any) -> str:
    if token.type == "dimension" and token.lower_unit in OF_CONTAINERS:
        return f"calc({token.representation} * var({OF_CONTAINERS[token.lower_unit]}))"
    if token.type == "dimension" and (screen_unit := OF_SCREENS.fullmatch(token.lower_unit)):
        return f"{token.representation}{screen_unit[1]}"
    if token.type == "function":
        return f"{token.name}({''.join(_text(inner) for inner in token.arguments)})"
    if token.type == "() block":
        return f"({''.join(_text(inner) for inner in token.content)})"
    return str(tinycss2.serialize([token]))


def _lowered(name: str, value: str) -> Iterator[Declared]:
    match name.partition("-"):
        case ("inset", _, "inline" | "block" as line):
            yield from zip(LINES[line], _pair(value), strict=True)
        case ("inset", _, ""):
            yield from zip(SIDES, _four(value), strict=True)
        case ("margin" | "padding" as side, _, "inline" | "block" as line):
            yield from ((f"{side}-{end}", part) for end, part in zip(LINES[line], _pair(value), strict=True))
        case ("overflow", _, _) if value.startswith("clip"):
            yield name, value.replace("clip", "hidden")
        case ("overflow", _, "wrap"):
            yield name, value.replace("anywhere", "break-word")
            yield name, value
        case ("appearance", _, _):
            yield "-webkit-appearance", value
            yield name, value
        case ("container", _, _):
            yield "contain", "none" if value.startswith("normal") else "layout style"
        case ("grid", _, "template-rows") if value.startswith("subgrid"):
            yield name, "minmax(0, 1fr) 47%"
            yield "height", "100%"  # which its rows divide
        case _:
            yield name, value


def _moved(moves: dict[str, str], own_value: str) -> Iterator[Declared]:
    important = " !important" if "!important" in f"{moves} {own_value}" else ""
    written = [f"{move}({', '.join(_parts(moves[move]))})" for move in MOVES if moves.get(move, "none") != "none"]
    if own_value and own_value != "none":
        written.append(own_value.removesuffix("!important").strip())
    if written or own_value or moves:
        yield "transform", (" ".join(written) or "none") + important


def _parts(value: str) -> list[str]:
    """Split a value at its spaces; `!important` stays with each part."""
    parts: list[str] = [""]
    for token in tinycss2.parse_component_value_list(value):
        if token.type == "whitespace":
            parts.append("")
        else:
            parts[-1] += tinycss2.serialize([token])
    words = [part for part in parts if part]
    if words[-1:] == ["!important"]:
        return [f"{word} !important" for word in words[:-1]]
    return words


def _pair(value: str) -> list[str]:
    parts = _parts(value)
    return [parts[0], parts[-1]]


def _four(value: str) -> list[str]:
    parts = _parts(value)
    top, right, bottom, left = {1: (0, 0, 0, 0), 2: (0, 1, 0, 1), 3: (0, 1, 2, 1), 4: (0, 1, 2, 3)}[len(parts)]
    return [parts[top], parts[right], parts[bottom], parts[left]]
