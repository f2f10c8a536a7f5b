"""What a match shows must render, whatever it waits for: every part of every page, without a browser."""

from pathlib import Path

import pytest

from companion import games
from companion.game import Game
from companion.judge import corrections, views
from companion.judge.match import Match
from companion.live.snapshot import Snapshot
from tests.games.matches import random_match
from tests.web.table import app_of, living
from web.render.page import Page
from web.render.words import NAMES

MATCHES = 6


@pytest.mark.parametrize("game", games.known().values(), ids=games.known().keys())
def test_every_page_renders_whatever_the_match_waits_for(game: Game, tmp_path: Path) -> None:
    with living(tmp_path, simulated=True) as live:
        app = app_of(live)
        screens = app.extensions["companion"].screens
        with app.test_request_context():
            for match in stages(game):
                seen = {who: views.view(match, who) for who in (None, *match.seats)}
                live.snapshot = Snapshot(1, simulated=True, views=seen, misread=corrections.offered(match))
                for page in pages(match):
                    for language in NAMES:
                        assert screens.fragment(page, language), (page, seen[None]["table"]["now"])


def pages(match: Match) -> list[Page]:
    seats = [Page(kind, seat) for kind in ("seat", "host") for seat in match.seats]
    return [*map(Page, ("score", "big", "host", "table")), *seats]


def stages(game: Game) -> list[Match]:
    """One match for all that random matches wait for."""
    found: dict[str, Match] = {}
    for seed in range(MATCHES):
        events = random_match(game, seed, undo=0.0, most=5000, noise=0.05)
        match = Match(events[0])
        for event in events[1:]:
            match.add(event)
            code = match.game.now(match.state).code
            if code not in found:
                found[code] = Match(events[0])
                found[code].add_all(events[1 : event.seq])
    return list(found.values())
