"""Renders a table at the hub with the words and drawings of its own pages, from its public view alone."""

import logging
from collections.abc import Mapping
from typing import Any, cast

from jinja2 import Environment

from companion import games
from companion.club.hub.known_table import KnownTable
from companion.judge.game_code_fault import where
from companion.judge.views import View
from companion.live.pause import Why
from companion.live.snapshot import Snapshot
from companion.web.render.environment import rendered_at_once
from companion.web.render.page_names import Page
from companion.web.render.subjects.match import AboutMatch
from companion.web.render.subjects.page import AboutPage, names_in_templates
from companion.web.render.without_a_match import page_context
from companion.web.render.words import PageWords

_KNOWN: set[str] = set()
"""Places of the faults that were logged."""

_journal = logging.getLogger(__name__)


def drawn(env: Environment, template: str, table: KnownTable, language: str, **more: Any) -> str:
    """Render a table; without its picture if its view, perhaps of another version, can't be drawn."""
    plain = {**page_context("big", language), "one": table, "titled": _titled(table), "picture": False, **more}
    if table.view is None or table.shown is None or not table.shown.drawable or table.shown.game not in games.known():
        return rendered_at_once(env, template, plain)
    try:
        return rendered_at_once(env, template, {**plain, **_match(table, table.view, language), **more})
    except Exception as wrong:  # deliberately everything: it comes from another machine
        at = where(table.shown.game, wrong)
        if at not in _KNOWN:  # it recurs with every change of the table
            _KNOWN.add(at)
            _journal.warning("table %s is shown without its picture: %s", table.table, at)
        return rendered_at_once(env, template, plain)


def _titled(table: KnownTable) -> str:
    slug = table.shown.game if table.shown else ""
    game = games.known().get(slug)
    return slug[:40] if game is None else game.title


def _match(table: KnownTable, view: Mapping[str, Any], language: str) -> dict[str, Any]:
    assert table.shown is not None
    slug = table.shown.game
    names = {player.seat: player.name for player in table.players}
    words = PageWords(slug, language, names)
    pause = Why.ENDED if table.ended else None
    snapshot = Snapshot(match=table.match, views={None: cast("View", view)}, pause=pause)
    page = AboutPage(Page("big"), words, snapshot)
    return {
        **names_in_templates(page, AboutMatch(page, view, (), None)),
        "picture": True,
        "faces": {},  # a table tells nobody how its players look
    }
