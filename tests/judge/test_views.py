"""What an observer is told, in passages."""

import random

import pytest

from companion import games
from companion.events import Started
from companion.judge import views
from companion.judge.match import Match, judge
from companion.kit.random_matches import play


@pytest.fixture(params=games.known())
def match(request: pytest.FixtureRequest) -> Match:
    events = play(games.known()[request.param], random.Random(7), {})
    assert isinstance(events[0], Started)
    return judge(events)


def test_passages_together_are_the_whole_story(match: Match) -> None:
    for who in (None, *match.seats):
        whole = views.story(match, who)
        passages = [views.passage(match, who, slice(at, at + 7)) for at in range(0, len(whole), 7)]
        assert [one for passage in passages for one in passage.told] == whole
        assert [passage.first for passage in passages] == [*range(0, len(whole), 7)]
        assert passages[-1].end == passages[-1].whole == len(whole)


def test_the_newest_passage_ends_the_story(match: Match) -> None:
    whole = views.story(match, None)
    passage = views.passage(match, None, slice(-5, None))
    assert (passage.told, passage.end) == (whole[-5:], len(whole))


def test_a_passage_beyond_the_story_is_empty(match: Match) -> None:
    assert views.passage(match, None, slice(10**9, None)).told == []
