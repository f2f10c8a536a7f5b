"""Teams: by `outcome` alone, partners have the same points and win together, wherever a result is shown."""

from typing import Any

import pytest
from msgspec.structs import replace

from companion import games
from companion.events import Player
from companion.game import Outcome, leaders
from companion.history.standings import result
from companion.judge import views
from companion.judge.match import Match, judge
from companion.kit.random_matches import random_match
from companion.web.render.podium import steps

FOUR = tuple(Player(seat, name) for seat, name in enumerate(("Ana", "Bo", "Cléo", "Dan"), 1))
TEAMS = ((1, 3), (2, 4))
KARTEL = games.known()["kartel"]


def by_teams(state: Any) -> Outcome:
    """Return how a match stands if partners sit opposite each other, and the pair with the most points wins."""
    points = {seat: sum(state.points[partner] for partner in team) for team in TEAMS for seat in team}
    return Outcome(points, leaders(points) if state.over else ())


@pytest.fixture
def match(monkeypatch: pytest.MonkeyPatch) -> Match:
    """Kartel in teams, played to its end."""
    in_teams = replace(KARTEL, outcome=by_teams)
    monkeypatch.setattr(games, "known", lambda: {"kartel": in_teams})
    return judge(random_match(in_teams, 2, noise=0.0, undo=0.0, most=4000, people=FOUR))


def test_partners_win_together_and_stand_on_one_step(match: Match) -> None:
    assert match.outcome.winners in TEAMS
    places = {ranked.seat: ranked.place for ranked in steps(views.view(match, None), match.game)}
    assert tuple(seat for seat, place in places.items() if place == 1) == match.outcome.winners
    assert len({places[1], places[2]}) == 2


def test_each_of_a_team_has_won_in_the_season(match: Match) -> None:
    names = {player.name for player in result(match, 1, "", simulated=False).winners}
    assert names in ({"Ana", "Cléo"}, {"Bo", "Dan"})
