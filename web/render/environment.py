"""What all our sites make their pages with: the templates, and the names in each of them."""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from flask import Flask
from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined, Template
from jinja2.environment import TemplateModule
from msgspec import Struct

from companion import games
from companion.access.seat_rights import Who
from companion.events import SEATS
from companion.history import bg_stats
from companion.network.own_wifi import OwnWifi
from companion.player_names import is_long, legible
from companion.web.fair_queue import breathe
from companion.web.render.compiled_templates import Compiled
from companion.web.render.context import Globals
from companion.web.render.seating import spots
from companion.web.render.words import NO_BREAK
from companion.words import figure, signed

_WEB = Path(__file__).parents[1]
_MACROS = "macros made for this page"
_BEFORE_NUMBER = re.compile(r"(?<=[^\W\d]) (?=\d)")


class Sheet(Template):
    """A template whose macros are made once per page, however many of its parts import them.

    A macro knows the page it is on, so none outlasts it; but on one page a name means the same to all who use it.
    """

    def render(self, *given: Any, **named: Any) -> str:
        """Render a page of its own. Between its parts others may come first: what it shows must be frozen values."""
        parts = []
        for part in self.generate(*given, **named, **{_MACROS: {}}):
            parts.append(part)
            breathe()
        return "".join(parts)

    def render_at_once(self, context: Mapping[str, Any]) -> str:
        """Render what is kept for others, so that nothing changes meanwhile."""
        return super().render(context, **{_MACROS: {}})

    def make_module(self, vars: dict[str, Any] | None = None, *how: Any) -> TemplateModule:  # noqa: A002 - Jinja's name
        """Make the macros, or return those that this page has."""
        made: dict[str | None, TemplateModule] = (vars or {}).get(_MACROS, {})
        if self.name not in made:
            made[self.name] = super().make_module(vars, *how)
        return made[self.name]


def rendered_at_once(env: Environment, template: str, context: Mapping[str, Any]) -> str:
    """Render what is kept for others, so that nothing changes meanwhile."""
    sheet = env.get_template(template)
    assert isinstance(sheet, Sheet)
    return sheet.render_at_once(context)


class Outfit(Struct, frozen=True):
    """Features that only some sites have."""

    checks: bool = False
    """A page of devices."""
    upkeep: bool = False
    """A page for updating the machine and switching it off."""
    sets_up: bool = False
    """A way for the host to set the table up again."""
    networked: bool = False
    """A page of the network that the table is in."""
    own_wifi: OwnWifi | None = None
    """The table's own Wi-Fi, open."""
    table_name: str = ""
    seats: tuple[int, ...] = tuple(SEATS)
    """Where people sit."""
    me: Callable[[], Who] = lambda: Who(None, frozenset())
    """What a request's phone is, where phones have parts."""


def prepare(app: Flask, outfit: Outfit) -> None:
    """Give an app the templates, its own and the games'."""
    own = FileSystemLoader(_WEB / "templates")
    theirs = {slug: FileSystemLoader(game.folder / "pages") for slug, game in games.known().items()}
    app.jinja_env.template_class = Sheet
    app.jinja_env.bytecode_cache = Compiled(_WEB / "templates")
    app.jinja_loader = ChoiceLoader([own, PrefixLoader(theirs)])
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    spot_of = spots(outfit.seats)
    common: Globals = {
        "edition": _edition(),
        "all_seats": SEATS,
        "table_seats": outfit.seats,
        "spots": spot_of,
        "around": tuple(sorted(SEATS, key=spot_of.__getitem__)),
        "checks": outfit.checks,
        "upkeep": outfit.upkeep,
        "sets_up": outfit.sets_up,
        "networked": outfit.networked,
        "own_wifi": outfit.own_wifi,
        "table_name": outfit.table_name,
        "me": outfit.me,
        "part_of": partial(part_of, app.jinja_env),
    }
    app.jinja_env.globals.update(common)
    filters = {
        "figure": figure,
        "signed": signed,
        "bg_stats": bg_stats.link,
        "legible": legible,
        "is_long": is_long,
        "large": large,
    }
    app.jinja_env.filters |= filters


def part_of(env: Environment, slug: str, name: str) -> Template:
    """Return a game's own part of a page, or the plain one if it brings none."""
    return env.select_template([f"{slug}/{name}.html", f"plain-{name}.html"])


def large(text: str) -> str:
    """Set a headline: in large letters a thin space can't be seen, and no number begins a line."""
    return _BEFORE_NUMBER.sub("\u00a0", text.replace(NO_BREAK, "\u00a0"))


def to_compile(app: Flask) -> Iterator[Callable[[], object]]:
    """Yield what compiles each template; one kept in a file takes no memory until it is shown."""
    env = app.jinja_env
    kept = isinstance(env.bytecode_cache, Compiled) and env.bytecode_cache.keeps()
    where = env.overlay(cache_size=0) if kept else env
    return (partial(where.get_template, name) for name in env.list_templates(["html"]))


def _edition() -> str:
    """Name the static files' edition, so that a phone never mixes an old style sheet with a new page."""
    folders = [_WEB / "static", *(game.folder / "pages" for game in games.known().values())]
    files = (file for folder in folders for file in sorted(folder.iterdir()) if file.suffix != ".html")
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:8]
