"""The Jinja environment of all our sites: the templates, and the names that each can use."""

import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from functools import partial
from pathlib import Path
from typing import Any

from flask import Flask, templating
from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined, Template, pass_context
from jinja2.environment import TemplateModule
from jinja2.runtime import Context

from companion import games, player_names
from companion.history import bg_stats
from companion.player_names import is_long
from companion.web.fair_queue import breathe
from companion.web.render.compiled_templates import Compiled
from companion.web.render.subjects.page import names_in_templates
from companion.web.render.subjects.site import AboutSite
from companion.web.render.verdicts import in_runs
from companion.web.render.words import NO_BREAK, capitalised
from companion.words import figure, signed

_WEB = Path(__file__).parents[1]
_MACROS = "macros made for this page"
_SHOWS = re.compile(r'\sdata-shows="([^"]*)"')
_WHOLE_TITLE = 12
"""Letters of the longest title that is never broken."""
_BEFORE_NUMBER = re.compile(r"(?<=[^\W\d]) (?=\d)")


class PageEnvironment(templating.Environment):
    """Flask's environment with one set of globals for all templates: a page looks through them two dozen times."""

    def make_globals(self, names: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the environment's own globals, not a copy, unless a template gets others besides."""
        return super().make_globals(names) if names else self.globals


class Sheet(Template):
    """A template that builds each imported module of macros once per page, however many parts import it.

    A macro refers to the page's context, so no module outlasts its page; on one page that context is the same for all.
    """

    def render(self, *positional: Any, **named: Any) -> str:
        """Render a page that is not shared. Other work may run between its parts, so it must show frozen values."""
        parts = []
        for part in self.generate(*positional, **named, **{_MACROS: {}}):
            parts.append(part)
            breathe()
        return "".join(parts)

    def render_at_once(self, context: Mapping[str, Any]) -> str:
        """Render a part that is shared, in one go, so that nothing changes meanwhile."""
        return super().render(context, **{_MACROS: {}})

    def make_module(self, vars: dict[str, Any] | None = None, *how: Any) -> TemplateModule:  # noqa: A002 - Jinja's name
        """Build the module of macros, or return the one that this page has already."""
        modules: dict[str | None, TemplateModule] = (vars or {}).get(_MACROS, {})
        if self.name not in modules:
            modules[self.name] = super().make_module(vars, *how)
        return modules[self.name]


def rendered_at_once(env: Environment, template: str, context: Mapping[str, Any]) -> str:
    """Render a part that is shared, in one go, so that nothing changes meanwhile."""
    sheet = env.get_template(template)
    assert isinstance(sheet, Sheet)
    return sheet.render_at_once(context)


def prepare(app: Flask, site: AboutSite) -> None:
    """Set an app up with the templates, its own and the games'."""
    own_templates = FileSystemLoader(_WEB / "templates")
    theirs = {slug: FileSystemLoader(game.folder / "pages") for slug, game in games.known().items()}
    app.jinja_environment = PageEnvironment
    app.jinja_options = {
        **app.jinja_options,
        "autoescape": True,  # for all templates; Flask would decide by a template's name, at every macro
        "cache_size": -1,  # all templates stay loaded; a cache with a limit takes a lock at each use
    }
    app.jinja_env.template_class = Sheet
    app.jinja_env.bytecode_cache = Compiled(_WEB / "templates")
    app.jinja_loader = ChoiceLoader([own_templates, PrefixLoader(theirs)])
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals.update(names_in_templates(site))
    filters = {
        "all_shown": all_shown,
        "figure": figure,
        "signed": signed,
        "bg_stats": bg_stats.link,
        "legible": legible,
        "is_long": is_long,
        "large": large,
        "capitalised": capitalised,
        "in_runs": in_runs,
        "with_whole_titles": with_whole_titles,
    }
    app.jinja_env.filters |= filters


def all_shown(live: str) -> str:
    """Return all words in the `data-shows` of a live part's elements: style sheets lay out the page by them."""
    return " ".join(_SHOWS.findall(live))


@pass_context
def legible(context: Context, name: str) -> str:
    """Return a name with what can be read of it, in the page's language."""
    return player_names.legible(name, context["words"].language)


def large(text: str) -> str:
    """Set a headline with wide no-break spaces: thin ones can't be seen in large type, and no number begins a line."""
    return _BEFORE_NUMBER.sub("\u00a0", text.replace(NO_BREAK, "\u00a0"))


def with_whole_titles(text: str) -> str:
    """Keep each short title of a game in one line, wherever it occurs in a sentence."""
    for game in games.known().values():
        if len(game.title) <= _WHOLE_TITLE:
            text = text.replace(game.title, game.title.replace(" ", "\u00a0"))
    return text


def to_compile(app: Flask) -> Iterator[Callable[[], object]]:
    """Yield functions that compile one template each; one kept in a file takes no memory until it is shown."""
    env = app.jinja_env
    is_kept = isinstance(env.bytecode_cache, Compiled) and env.bytecode_cache.keeps()
    where = env.overlay(cache_size=0) if is_kept else env
    return (partial(where.get_template, name) for name in env.list_templates(["html"]))
