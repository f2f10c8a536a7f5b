"""What `web/templates.md` says, from `web/render/context.py`; `make reference` writes it."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

WEB = Path(__file__).parents[2] / "web"
INTRODUCTION = """# What a template may use

Written from [`render/context.py`](render/context.py) and the templates by `make reference`; change it there.
Besides these a page has what its own route adds, and every page and every game's part may import the macros listed at
the end. Any other name is an error, never an empty string. Macros are made once per page, for all of its parts: import
them `with context`, and hand them whatever is not named here.
"""

MACROS = ("parts", "moves", "drawing", "playing-cards")
"""The templates whose macros games may import."""
_MACRO = re.compile(
    r"(?:\{# (?P<about>(?:(?!#}).)*) #}\n)?\{%-? macro (?P<called>(?P<name>\w+)\(.*?\)) -?%}", re.DOTALL
)


class Name(NamedTuple):
    """A name, as its class declares it."""

    name: str
    type: str
    meaning: str


def declared() -> Iterator[tuple[str, list[Name]]]:
    """Return each set of names: what it is about, and its names."""
    for node in ast.parse((WEB / "render/context.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and "TypedDict" in map(ast.unparse, node.bases):
            yield ast.get_docstring(node) or "", [*_names(node)]


def _names(group: ast.ClassDef) -> Iterator[Name]:
    for field, after in pairwise([*group.body, None]):
        match field, after:
            case ast.AnnAssign(), ast.Expr(value=ast.Constant(value=str(meaning))):
                yield Name(ast.unparse(field.target), ast.unparse(field.annotation), meaning)
            case ast.AnnAssign(), _:
                yield Name(ast.unparse(field.target), ast.unparse(field.annotation), "")


class Macro(NamedTuple):
    """A macro, as its template has it."""

    name: str
    called: str
    """With what it takes."""
    meaning: str
    """The comment that stands above it."""


def macros(template: str) -> tuple[str, list[Macro]]:
    """Return what a template's macros are for, and each of them."""
    text = (WEB / f"templates/{template}.html").read_text(encoding="utf-8")
    about, rest = text.removeprefix("{# ").split(" #}\n", 1)
    found = (Macro(one["name"], one["called"], _in_one_line(one["about"] or "")) for one in _MACRO.finditer(rest))
    return _in_one_line(about), [*found]


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


def written() -> str:
    """Return the page."""
    parts = [INTRODUCTION]
    for about, names in declared():
        parts.append("\n".join((f"{about}\n", *(f"- `{one.name}` (`{one.type}`): {one.meaning}" for one in names), "")))
    for template in MACROS:
        about, found = macros(template)
        told = (f"- `{one.called}`{f': {one.meaning}' if one.meaning else ''}" for one in found)
        parts.append("\n".join((f"## Macros of `{template}.html`\n", f"{about}\n", *told, "")))
    return "\n".join(parts)
