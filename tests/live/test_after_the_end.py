"""A match that is over, while people clear the table."""

import random

import pytest

from companion import games
from companion.events import Event, Lifted, Retracted, Tapped
from companion.history.souvenir import souvenir
from companion.judge.match import Match, judge
from companion.kit.random_matches import play
from companion.live.device_status import Status
from companion.live.in_play import InPlay
from companion.live.snapshot import Snapshot, snapshot_of


def over(slug: str) -> InPlay:
    """A match of this game that has been played to its end."""
    matches = (judge(play(games.known()[slug], random.Random(seed), {}, most=1500)) for seed in range(50))
    return InPlay(1, next(match for match in matches if match.over), lambda: 0.0, demo=False)


def shown(played: InPlay) -> Snapshot:
    return snapshot_of(played, Status(), Snapshot(), lambda *fault: pytest.fail(f"{fault}"))


@pytest.mark.parametrize("slug", games.known())
def test_a_card_that_is_tapped_or_lifted_has_nothing_judged_but_itself(
    slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = over(slug)
    highlights = shown(played).highlights
    judged: list[Event] = []
    judge_event = Match._judge
    monkeypatch.setattr(Match, "_judge", lambda match, event: (judged.append(event), judge_event(match, event))[1])
    cleared: list[Event] = []
    for card in [*played.match.game.deck][:12]:
        for kind in (Tapped, Lifted):
            event = kind(len(played.match.events) + 1, 1e6, "seat-1", card)
            played.judge([event])
            cleared.append(event)
            assert shown(played).highlights == highlights
    assert judged == cleared


@pytest.mark.parametrize("slug", games.known())
def test_what_is_taken_back_changes_what_it_is_remembered_for(slug: str) -> None:
    played = over(slug)
    highlights = shown(played).highlights
    last = len(played.match.events)
    played.judge([Retracted(last + 1, 1e6, last)])
    assert shown(played).highlights == souvenir(played.match).highlights
    played.judge([Retracted(last + 2, 1e6, last + 1)])
    assert shown(played).highlights == highlights
