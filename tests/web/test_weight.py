"""What a phone fetches before it shows a page, as its browser counts it: far under 100 kB, also late in a match."""

import gzip
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page

from companion import games
from companion.live.table import Live
from companion.storage.log import Log
from tests.chromium import Opened
from tests.games.matches import play
from tests.web.table import app_of, living, serving

MOST = 30_000
"""Bytes."""
EVENTS = 600
"""More than in a long match of any game."""


@pytest.fixture(params=games.known().values(), ids=games.known().keys())
def late(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Live]:
    """A match of as many as can play, an act before its end."""
    game, chance = request.param, random.Random(7)
    played = (play(game, chance, {}, most=EVENTS, noise=0.01, undo=0.0) for _ in range(12))
    events = max(played, key=lambda events: (len(events[0].players), len(events)))  # type: ignore[union-attr]
    log = Log(tmp_path / "log.sqlite", writes=True)
    number = log.open_match("2026-11-20T20:00:00+01:00", True, events[0])
    log.append(number, [(event, "") for event in events[1:-1]])
    log.close()
    with living(tmp_path, simulated=True) as live:
        yield live


def test_no_page_weighs_more_than_a_weak_network_carries(late: Live, opened: Opened) -> None:
    seat, match = late.snapshot.views[None]["players"][0]["seat"], late.snapshot.match
    paths = ["/", "/big", f"/seat/{seat}", "/host", f"/host/{seat}", "/host/codes", "/table", "/tags", "/join"]
    paths += ["/story", f"/story/{seat}", "/results", f"/results/{match}", "/season"]
    with serving(app_of(late)) as port:
        page = opened(f"http://127.0.0.1:{port}/join")
        weigh = Scales(page)
        for path in paths:
            weight = weigh(f"http://127.0.0.1:{port}{path}")
            assert 1000 < weight < MOST, path


def test_who_cannot_unpack_gets_it_plain(client: FlaskClient) -> None:
    packed, plain = client.get("/", headers={"Accept-Encoding": "gzip"}), client.get("/")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert gzip.decompress(packed.data) == plain.data
    assert "Accept-Encoding" in packed.vary
    assert "Accept-Encoding" in plain.vary


class Scales:
    """Adds up what comes over the network for a page in an empty cache, heads and all; its stream is no part of it."""

    def __init__(self, page: Page):
        self._page = page
        self._came: dict[str, float] = {}
        self._streams: set[str] = set()
        network = page.context.new_cdp_session(page)
        network.on("Network.responseReceived", self._began)
        network.on("Network.loadingFinished", lambda it: self._came.update({it["requestId"]: it["encodedDataLength"]}))
        network.send("Network.enable")
        network.send("Network.setCacheDisabled", {"cacheDisabled": True})

    def _began(self, response: dict[str, Any]) -> None:
        if response["type"] == "EventSource":
            self._streams.add(response["requestId"])

    def __call__(self, url: str) -> int:
        self._came.clear()
        self._page.goto(url, wait_until="load")
        return round(sum(size for request, size in self._came.items() if request not in self._streams))
