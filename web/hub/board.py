"""The club's screens: each view is rendered once for everybody, at most once a second, and sent as changes."""

import re
from typing import Any

import gevent
from gevent.event import Event
from jinja2 import Environment
from msgspec import Struct

from companion.club.hub.hub import Hub
from companion.club.hub.known_table import KnownTable
from companion.threads import keep
from companion.web.bell import Bell
from companion.web.feed import Feed, Message
from companion.web.hub.schedule_page import call_context, schedule_context
from companion.web.hub.season import season_context
from companion.web.hub.table_view import drawn
from companion.web.hub.tournament_page import bracket_context, tournament_context
from companion.web.hub.wall_pages import FRONT, PICTURED, by_name, last_page, leaf
from companion.web.render.environment import rendered_at_once
from companion.web.render.without_a_match import page_context
from companion.web.routes.streams import message

COALESCED = 1.0
"""Seconds between two states of a screen, at least."""
LOOKED_AGAIN = 5.0
"""Seconds after which a screen is rendered even without news, because a table may have gone silent."""
Place = tuple[str, int | None]
"""A view of the wall: its language, and the page of tables; None: the scene that the keeper has chosen."""

_ID = re.compile(r' id="(?!t-)([^"]*)"')
_PAINTS = re.compile(r'<svg[^>]* width="0" height="0".*?</svg>', re.DOTALL)
_PAINTED = '<li class="paints" id="t-paints" aria-hidden="true">{}</li>\n'
_LABEL = re.compile(r' (?:role="(?:img|group)"|aria-label="[^"]*")')


class Screen(Struct, frozen=True):
    """The current state of a view."""

    whole: bytes
    said: Message
    """The same for streams, with the step from the previous state if only tiles have changed."""
    frame: str
    tiles: dict[str, str]


class Tile(Struct, frozen=True):
    """A table on the wall."""

    html: str
    paints: tuple[str, ...] = ()
    """The SVG symbols of its picture, the same for all tables of a game, so that a page contains them once."""


class Board:
    """The screens of a club. Use it from the page's thread."""

    def __init__(self, env: Environment, hub: Hub):
        self._env = env
        self._hub = hub
        self._bell = Bell()
        self._next = Event()
        """Set at the next change of any screen."""
        self._screens: dict[Place, Screen] = {}
        self._looked_at: set[Place] = set()
        """Views asked for since unused ones were last forgotten."""
        self._channels: dict[Place, Feed] = {}
        self._tiles: dict[tuple[str, str], tuple[Any, Tile]] = {}
        self._keeping: gevent.Greenlet | None = None
        hub.follower.watch(self._bell.ring)
        hub.season.watch(self._bell.ring)

    def changed(self) -> None:
        """Render all screens at once, after a change by the keeper."""
        self._renew({*self._screens})

    def now(self, language: str, page: int | None) -> Screen:
        """Return a view's current state, which may be `COALESCED` old."""
        place = language, page
        self._looked_at.add(place)
        if self._keeping is None:
            self._keeping = gevent.spawn(self._keep)
        if place not in self._screens:
            self._renew({place})
        return self._screens[place]

    def feed(self, language: str, page: int | None) -> Feed:
        """Return the feed of a view: the whole at first and when its frame has changed, else only the changed tiles."""
        if (language, page) not in self._channels:
            self._channels[language, page] = Feed(lambda: self.now(language, page).said, lambda: self._next)
        return self._channels[language, page]

    def _keep(self) -> None:
        while True:
            ring = self._bell.next_ring()
            try:
                self._forget()
                self._renew({*self._screens})
            except Exception as wrong:  # the wall stays as it was, and is tried again
                keep("wall", wrong)
            # The ring was taken before rendering, so one during the pause ends the wait at once.
            gevent.sleep(COALESCED)
            ring.wait(LOOKED_AGAIN)

    def _forget(self) -> None:
        """Forget unused views."""
        in_use = {place for place, feed in self._channels.items() if feed.heard} | self._looked_at
        self._screens = {place: screen for place, screen in self._screens.items() if place in in_use}
        self._channels = {place: feed for place, feed in self._channels.items() if place in in_use}
        self._looked_at = set()

    def _renew(self, places: set[Place]) -> None:
        tables = by_name(self._hub.follower.tables().values())
        changed = False
        for place in places:
            frame, tiles = self._rendered(*place, tables)
            frame = self._call(place[0]) + frame
            former = self._screens.get(place)
            if former is not None and former.frame == frame and former.tiles == tiles:
                continue
            whole = frame.replace("<!-- tiles -->", "".join(tiles.values()))
            step = b""
            since = b""
            # Tiles can be replaced one by one only while they are the same tables in the same order.
            if former is not None and former.frame == frame and [*former.tiles] == [*tiles]:
                step = b"".join(_message(tile, b"part") for key, tile in tiles.items() if former.tiles[key] != tile)
                since = former.said.whole
            self._screens[place] = Screen(whole.encode(), Message(_message(whole), step, since), frame, tiles)
            changed = True
        on_screens = {table for screen in self._screens.values() for table in screen.tiles}
        self._tiles = {key: tile for key, tile in self._tiles.items() if key[0] in on_screens}
        if changed:
            change = self._next
            self._next = Event()  # replaced first: a feed that is woken waits for the one after
            change.set()

    def _call(self, language: str) -> str:
        """Render the people whom the keeper calls, above any scene."""
        context = call_context(self._hub)
        if not context["called_names"]:
            return ""
        return rendered_at_once(self._env, "club-call.html", {**page_context("wall", language), **context})

    def _rendered(self, language: str, page: int | None, tables: list[KnownTable]) -> tuple[str, dict[str, str]]:
        hub = self._hub
        keeping = hub.keeper.now
        more = {"club": hub.club, "connected": hub.follower.connected, "address": hub.address, "tables": tables}
        more["told_on"] = hub.follower.told_on
        context = page_context("wall", language)
        scene = keeping.scene if page is None else "wall"
        chosen = next((table for table in tables if table.table == keeping.table), None)
        if scene == "table" and chosen is not None:
            return drawn(self._env, "club-large.html", chosen, language, **more), {}
        if scene == "standings":
            context |= season_context(hub, language)
            return rendered_at_once(self._env, "club-scene-standings.html", {**context, **more}), {}
        if scene == "round":
            context |= tournament_context(hub)
            return rendered_at_once(self._env, "club-scene-round.html", {**context, **more}), {}
        if scene == "cup":
            context |= tournament_context(hub)
            return rendered_at_once(self._env, "club-scene-cup.html", {**context, **more}), {}
        if scene == "bracket":
            context |= bracket_context(hub)
            return rendered_at_once(self._env, "club-scene-bracket.html", {**context, **more}), {}
        if scene == "schedule":
            context |= schedule_context(hub)
            return rendered_at_once(self._env, "club-scene-schedule.html", {**context, **more}), {}
        last = last_page(len(tables))
        at = min(page or FRONT, last)
        on_page = leaf(tables, at)
        playing = sum(table.state == "ready" and table.match is not None and not table.over for table in tables)
        pictured = len(tables) <= PICTURED
        tiles = {table.table: self.tile(table, language, with_picture=pictured) for table in on_page}
        paints = sorted({paint for tile in tiles.values() for paint in tile.paints})
        drawn_from = {"paints": _PAINTED.format("".join(paints))} if pictured else {}
        more |= {"at": at, "last": last, "here": on_page, "playing": playing, "pictured": pictured}
        frame = rendered_at_once(self._env, "club-tiles.html", {**context, **more})
        return frame, {**drawn_from, **{table: tile.html for table, tile in tiles.items()}}

    def tile(self, table: KnownTable, language: str, *, with_picture: bool) -> Tile:
        """Render a table's tile, or reuse the last one if nothing has changed."""
        state = (table.changed, table.state, with_picture)
        drawn_before = self._tiles.get((table.table, language))
        if drawn_before is not None and drawn_before[0] == state:
            return drawn_before[1]
        text = drawn(
            self._env,
            "club-tile.html",
            table,
            language,
            with_picture=with_picture,
            told_on=self._hub.follower.told_on,
        )
        tile = _lightened(text)
        self._tiles[table.table, language] = state, tile
        return tile


def _lightened(tile: str) -> Tile:
    """Strip a tile of the symbols that its game's tiles share, of unused ids, and of labels for screen readers.

    On a wall nobody hears the labels.
    """
    unpainted = _PAINTS.sub("", tile)
    needed = _ID.sub(lambda match: match[0] if f"#{match[1]}" in unpainted else "", unpainted)
    return Tile(_LABEL.sub("", needed), tuple(_PAINTS.findall(tile)))


def _message(html: str, event: bytes = b"") -> bytes:
    return message(html.strip().encode(), event)
