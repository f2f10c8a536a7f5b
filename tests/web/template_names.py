"""What `web/templates.md` says, from `web/render/subjects/`; `make reference` writes it."""

import ast
import re
from collections.abc import Iterator
from inspect import getsource
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, get_type_hints

from companion.web.render.subjects.all_shown import AllAbout
from companion.web.render.subjects.site import AboutSite

WEB = Path(__file__).parents[2] / "web"
INTRODUCTION = """# What a template may use

Written from [`render/subjects/`](render/subjects) and the templates by `make reference`; change it there.
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
    """A name, as its subject declares it."""

    name: str
    type: str
    """Of a function also what it takes."""
    meaning: str


def declared() -> Iterator[tuple[str, list[Name]]]:
    """Return each subject: what it is about, and its names."""
    for subject in (*get_type_hints(AllAbout).values(), AboutSite):
        (node,) = ast.parse(getsource(subject)).body
        assert isinstance(node, ast.ClassDef)
        yield _in_one_line(ast.get_docstring(node) or ""), [name for name in _names(node) if name.name[0] != "_"]


def _names(subject: ast.ClassDef) -> Iterator[Name]:
    for member, below in pairwise([*subject.body, None]):
        match member, below:
            case ast.AnnAssign(), ast.Expr(value=ast.Constant(value=str(meaning))):
                yield Name(ast.unparse(member.target), ast.unparse(member.annotation), _in_one_line(meaning))
            case ast.AnnAssign(), _:
                yield Name(ast.unparse(member.target), ast.unparse(member.annotation), "")
            case ast.FunctionDef(returns=ast.expr() as returned), _:
                meaning = _in_one_line(ast.get_docstring(member) or "")
                yield Name(member.name, f"{parameters_of(member)}{ast.unparse(returned)}", meaning)


def parameters_of(member: ast.FunctionDef) -> str:
    """Return what a template hands to a function; "" of a property."""
    if {"property", "cached_property"} & {ast.unparse(decorator) for decorator in member.decorator_list}:
        return ""
    parameters = ast.unparse(member.args).split(", ")
    return f"({', '.join(parameter for parameter in parameters if parameter not in ('self', 'env: Environment'))}) -> "


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
    about, body = text.removeprefix("{# ").split(" #}\n", 1)
    macros_found = (
        Macro(match["name"], match["called"], _in_one_line(match["about"] or "")) for match in _MACRO.finditer(body)
    )
    return _in_one_line(about), [*macros_found]


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


def written() -> str:
    """Return the page."""
    parts = [INTRODUCTION]
    for about, names in declared():
        parts.append(
            "\n".join((f"{about}\n", *(f"- `{name.name}` (`{name.type}`): {name.meaning}" for name in names), ""))
        )
    for template in MACROS:
        about, macros_found = macros(template)
        macro_lines = (f"- `{macro.called}`{f': {macro.meaning}' if macro.meaning else ''}" for macro in macros_found)
        parts.append("\n".join((f"## Macros of `{template}.html`\n", f"{about}\n", *macro_lines, "")))
    return "\n".join(parts)
