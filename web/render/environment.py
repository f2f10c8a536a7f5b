"""What all our sites make their pages with: the templates, and the names in each of them."""

import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from functools import partial
from pathlib import Path
from typing import Any

from flask import Flask, templating
from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined, Template
from jinja2.environment import TemplateModule

from companion import games
from companion.history import bg_stats
from companion.player_names import is_long, legible
from companion.web.fair_queue import breathe
from companion.web.render.compiled_templates import Compiled
from companion.web.render.subjects.page import names_in_templates
from companion.web.render.subjects.site import AboutSite
from companion.web.render.verdicts import in_runs
from companion.web.render.words import NO_BREAK
from companion.words import figure, signed

_WEB = Path(__file__).parents[1]
_MACROS = "macros made for this page"
_SHOWS = re.compile(r'\sdata-shows="([^"]*)"')
_WHOLE_TITLE = 12
"""Letters of the longest title that is never broken."""
_BEFORE_NUMBER = re.compile(r"(?<=[^\W\d]) (?=\d)")


class PageEnvironment(templating.Environment):
    """Flask's, whose templates all have the same names around them: a page looks through these two dozen times."""

    def make_globals(self, names: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the environment's own names, unless a template is to have others beside them."""
        return super().make_globals(names) if names else self.globals


class Sheet(Template):
    """A template whose macros are made once per page, however many of its parts import them.

    A macro knows the page it is on, so none outlasts it; but on one page a name means the same to all who use it.
    """

    def render(self, *positional: Any, **named: Any) -> str:
        """Render a page of its own. Between its parts others may come first: what it shows must be frozen values."""
        parts = []
        for part in self.generate(*positional, **named, **{_MACROS: {}}):
            parts.append(part)
            breathe()
        return "".join(parts)

    def render_at_once(self, context: Mapping[str, Any]) -> str:
        """Render what is kept for others, so that nothing changes meanwhile."""
        return super().render(context, **{_MACROS: {}})

    def make_module(self, vars: dict[str, Any] | None = None, *how: Any) -> TemplateModule:  # noqa: A002 - Jinja's name
        """Make the macros, or return those that this page has."""
        modules: dict[str | None, TemplateModule] = (vars or {}).get(_MACROS, {})
        if self.name not in modules:
            modules[self.name] = super().make_module(vars, *how)
        return modules[self.name]


def rendered_at_once(env: Environment, template: str, context: Mapping[str, Any]) -> str:
    """Render what is kept for others, so that nothing changes meanwhile."""
    sheet = env.get_template(template)
    assert isinstance(sheet, Sheet)
    return sheet.render_at_once(context)


def prepare(app: Flask, site: AboutSite) -> None:
    """Give an app the templates, its own and the games'."""
    own_templates = FileSystemLoader(_WEB / "templates")
    theirs = {slug: FileSystemLoader(game.folder / "pages") for slug, game in games.known().items()}
    app.jinja_environment = PageEnvironment
    app.jinja_options = {
        **app.jinja_options,
        "autoescape": True,  # in each of them: nobody need ask at every macro
        "cache_size": -1,  # all of them, at hand without a lock
    }
    app.jinja_env.template_class = Sheet
    app.jinja_env.bytecode_cache = Compiled(_WEB / "templates")
    app.jinja_loader = ChoiceLoader([own_templates, PrefixLoader(theirs)])
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals.update(names_in_templates(site))
    filters = {
        "all_shown": all_shown,
        "figure": figure,
        "signed": signed,
        "bg_stats": bg_stats.link,
        "legible": legible,
        "is_long": is_long,
        "large": large,
        "in_runs": in_runs,
        "with_whole_titles": with_whole_titles,
    }
    app.jinja_env.filters |= filters


def all_shown(live: str) -> str:
    """Return what a live part shows, as its elements say in `data-shows`: by that, style sheets lay out the page."""
    return " ".join(_SHOWS.findall(live))


def large(text: str) -> str:
    """Set a headline: in large letters a thin space can't be seen, and no number begins a line."""
    return _BEFORE_NUMBER.sub("\u00a0", text.replace(NO_BREAK, "\u00a0"))


def with_whole_titles(text: str) -> str:
    """Keep each short title of a game in one line, wherever it stands in a sentence."""
    for game in games.known().values():
        if len(game.title) <= _WHOLE_TITLE:
            text = text.replace(game.title, game.title.replace(" ", "\u00a0"))
    return text


def to_compile(app: Flask) -> Iterator[Callable[[], object]]:
    """Yield what compiles each template; one kept in a file takes no memory until it is shown."""
    env = app.jinja_env
    is_kept = isinstance(env.bytecode_cache, Compiled) and env.bytecode_cache.keeps()
    where = env.overlay(cache_size=0) if is_kept else env
    return (partial(where.get_template, name) for name in env.list_templates(["html"]))
