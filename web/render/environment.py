"""What every site of ours makes its pages with: the templates, and what stands in each of them."""

import hashlib
from pathlib import Path

from flask import Flask
from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader, StrictUndefined

from companion import games
from companion.events import SEATS
from companion.history import bg_stats
from companion.names import legible
from companion.web.render.context import Globals
from companion.words import figure, signed

_WEB = Path(__file__).parents[1]


def prepare(app: Flask, *, checks: bool, upkeep: bool) -> None:
    """Give an app the templates, its own and the games'; `checks` and `upkeep`: see `Globals`."""
    own = FileSystemLoader(_WEB / "templates")
    theirs = {slug: FileSystemLoader(game.folder / "pages") for slug, game in games.known().items()}
    app.jinja_loader = ChoiceLoader([own, PrefixLoader(theirs)])
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    common: Globals = {"edition": _edition(), "checks": checks, "upkeep": upkeep, "all_seats": SEATS}
    app.jinja_env.globals.update(common)
    app.jinja_env.filters |= {"figure": figure, "signed": signed, "bg_stats": bg_stats.link, "legible": legible}


def _edition() -> str:
    """Name the static files' edition, so that a phone never mixes an old style sheet with a new page."""
    folders = [_WEB / "static", *(game.folder / "pages" for game in games.known().values())]
    files = (file for folder in folders for file in sorted(folder.iterdir()) if file.suffix != ".html")
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:8]
