"""What `web/templates.md` says, from `web/render/context.py`; `make reference` writes it."""

import ast
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

WEB = Path(__file__).parents[2] / "web"
INTRODUCTION = """# What a template may use

Written from [`render/context.py`](render/context.py) by `make reference`; change it there.
Beside these a page has what its own route adds, and every page and every game's part may import the macros of
`parts.html`, and a game's those of `moves.html` (what can be done with simulated things), `drawing.html` (how it is
played) and `playing-cards.html` (an ordinary deck). Any other name is an error, never an empty string. Macros are made
once a page, for all of its parts: import them `with context`, and hand them whatever is not named here.
"""


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


def written() -> str:
    """Return the page."""
    parts = [INTRODUCTION]
    for about, names in declared():
        parts.append("\n".join((f"{about}\n", *(f"- `{one.name}` (`{one.type}`): {one.meaning}" for one in names), "")))
    return "\n".join(parts)
