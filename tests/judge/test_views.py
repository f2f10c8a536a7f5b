"""What an observer is told, in passages."""

import random
from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from companion import games
from companion.events import Retracted, Started
from companion.game import Observer
from companion.judge import views
from companion.judge.match import Match, judge
from companion.judge.views import View
from companion.kit.random_matches import play


@pytest.fixture(params=games.known())
def match(request: pytest.FixtureRequest) -> Match:
    events = play(games.known()[request.param], random.Random(7), {})
    assert isinstance(events[0], Started)
    return judge(events)


def test_passages_together_are_the_whole_story(match: Match) -> None:
    for observer in (None, *match.seats):
        whole = views.story(match, observer)
        passages = [views.passage(match, observer, slice(at, at + 7)) for at in range(0, len(whole), 7)]
        assert [entry for passage in passages for entry in passage.told] == whole
        assert [passage.first for passage in passages] == [*range(0, len(whole), 7)]
        assert passages[-1].end == passages[-1].whole == len(whole)


def test_a_view_is_of_the_match_as_it_stood(match: Match) -> None:
    standing = Match(match.started)
    views_by_length: list[Mapping[Observer, View]] = []
    copies: list[dict[Observer, View]] = []
    for event in match.events[1:]:
        standing.add(event)
        views_by_length.append(views.Views(standing, keep_no_fault))
        copies.append({observer: views.view(standing, observer) for observer in (None, *standing.seats)})
    last = len(standing.events)
    standing.add_all([Retracted(last + 1, 1e6, last), Retracted(last + 2, 1e6, last - 1)])
    assert [dict(each) for each in views_by_length] == copies


def test_a_view_is_built_once_and_only_when_somebody_reads_it(match: Match) -> None:
    observers_asked: list[Observer] = []

    def view(state: Any, observer: Observer) -> dict[str, Any]:
        observers_asked.append(observer)
        return {}

    match.game = replace(match.game, view=view)
    built = views.Views(match, keep_no_fault)
    assert observers_asked == []
    seat = match.seats[0]
    assert built[seat] is built[seat]
    assert observers_asked == [seat]


def test_what_a_view_raises_is_kept_for_whoever_can_mend_it(match: Match) -> None:
    def view(state: Any, observer: Observer) -> dict[str, Any]:
        raise ZeroDivisionError

    match.game = replace(match.game, view=view)
    faults: list[str] = []
    built = views.Views(match, lambda hook, wrong: faults.append(f"{hook} {type(wrong).__name__}"))
    assert built[None]["table"] == views.UNSHOWN
    assert faults == ["view ZeroDivisionError"]


def keep_no_fault(hook: str, wrong: Exception) -> None:
    raise wrong


def test_the_newest_passage_ends_the_story(match: Match) -> None:
    whole = views.story(match, None)
    passage = views.passage(match, None, slice(-5, None))
    assert (passage.told, passage.end) == (whole[-5:], len(whole))


def test_a_passage_beyond_the_story_is_empty(match: Match) -> None:
    assert views.passage(match, None, slice(10**9, None)).told == []
