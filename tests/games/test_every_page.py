"""What a match shows, whatever it waits for: every part of every page renders, and nothing on it is cut off."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from companion import games
from companion.events import Player
from companion.game import Game
from companion.judge import corrections, views
from companion.judge.match import Match
from companion.kit.matches import random_match
from companion.live.snapshot import Snapshot
from companion.live.table import Live
from tests.web.looking import NARROW_TO_WIDE, UNFIT, Glass, at_every_moment
from tests.web.table import app_of, living
from web.render.page import Page
from web.render.words import NAMES

MATCHES = 6
every_game = pytest.mark.parametrize("game", games.known().values(), ids=games.known().keys())


@every_game
def test_every_page_renders_whatever_the_match_waits_for(game: Game, tmp_path: Path) -> None:
    with living(tmp_path, simulated=True) as live:
        app = app_of(live)
        screens = app.extensions["companion"].screens
        with app.test_request_context():
            for waited_for in shown(live, game):
                own = [Page(kind, seat) for kind in ("seat", "host") for seat in (1, 2)]
                for page in (*map(Page, ("score", "big", "host", "table")), *own):
                    for language in NAMES:
                        assert screens.fragment(page, language), (page, waited_for)


@every_game
def test_nothing_is_cut_off_and_every_button_fits_a_thumb_however_long_the_names(
    game: Game, tmp_path: Path, glass: Glass
) -> None:
    with living(tmp_path, simulated=True) as live:
        paths = ("/", "/big", "/seat/1", "/seat/2", "/host", "/host/1", "/table")
        found = at_every_moment(app_of(live).test_client(), paths, shown(live, game))
    assert not (amiss := glass.ask(found, UNFIT, *NARROW_TO_WIDE[::4])), "\n".join(amiss)


def shown(live: Live, game: Game) -> Iterator[str]:
    """Show a match in every stage; give what it waits for."""
    for waited_for, match in stages(game.slug).items():
        seen = {who: views.view(match, who) for who in (None, *match.seats)}
        live.snapshot = Snapshot(1, simulated=True, views=seen, misread=corrections.offered(match))
        yield waited_for


@cache
def stages(slug: str) -> dict[str, Match]:
    """One match for all that random matches wait for, played by as many as can, with the widest names."""
    game = games.known()[slug]
    people = tuple(Player(seat, f"{seat}WWWWWWWWWWWWWWWWWWW") for seat in range(1, game.most_players + 1))
    found: dict[str, Match] = {}
    for seed in range(MATCHES):
        events = random_match(game, seed, undo=0.0, most=5000, noise=0.05, people=people)
        match = Match(events[0])
        for event in events[1:]:
            match.add(event)
            code = match.game.now(match.state).code
            if code not in found:
                found[code] = Match(events[0])
                found[code].add_all(events[1 : event.seq])
    return found
