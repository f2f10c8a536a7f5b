"""That the trial of probing sees what a table would betray: each fault that there was, planted again."""

import random
from collections.abc import Callable, Collection, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from companion import games
from companion.events import Event, Retracted
from companion.game import Heard, Misplay
from companion.judge import corrections
from companion.judge.changes import counted
from companion.judge.match import Match, judge
from tests.trust.findings import Tally
from tests.trust.probing import scenes, tried

Plant = Callable[[pytest.MonkeyPatch], None]


def told_at_once(slug: str) -> Plant:
    """Let what is wrong with a hidden card be told to who names it, and the card change nothing."""
    game = games.known()[slug]

    def judged(state: Any, event: Event) -> Any:
        after, verdicts = game.judge(state, event)
        told = [one for one in verdicts if isinstance(one, Misplay) and one.heard is Heard.NEVER]
        return (state, tuple(replace(one, heard=Heard.AT_ONCE) for one in told)) if told else (after, verdicts)

    changed = {**games.known(), slug: replace(game, judge=judged)}
    return lambda patch: patch.setattr(games, "known", lambda: changed)


def _unsettled(match: Match, events: Sequence[Event], targets: Collection[int]) -> bool:
    """Judge again, sealed cards and all, to find whether a ruling would no longer stand."""
    before, after = match, judge([*match.events, *events])
    rulings = [
        counted(told for told in one.public if not isinstance(told, Misplay) and told.seq not in targets)
        for one in (before, after)
    ]
    return bool(rulings[0] - rulings[1])


def put_right(patch: pytest.MonkeyPatch) -> None:
    """Let sealed cards decide whether another player must agree that a card was misread."""

    def is_last(match: Match, entry: int) -> bool:
        found = corrections.cards(match, entry)
        seq = max(found.values())
        return not _unsettled(match, corrections.correction(match, seq, "red-1", 0.0), {seq})

    patch.setattr(corrections, "is_last", is_last)


def taken_back(patch: pytest.MonkeyPatch) -> None:
    """Let sealed changes decide whether another player must agree that an act is taken back."""

    def disturbs(match: Match, targets: Collection[int]) -> bool:
        return _unsettled(match, [Retracted(0, 0.0, seq) for seq in targets], targets)

    patch.setattr("web.routes.manual_entry.disturbs", disturbs)
    patch.setattr("web.routes.manual_entry.unheard_since", lambda match, targets: [])


@pytest.mark.trial
@pytest.mark.parametrize(
    ("plant", "scene"),
    [
        (told_at_once("go"), "a hidden hand"),
        (told_at_once("stop-me-go"), "a token that another has"),
        (told_at_once("stop-me-go"), "GO or STOP, from who laid it"),
        (put_right, "hidden behind an open hand"),
        (taken_back, "a card changed or not"),
    ],
)
def test_a_planted_fault_is_found(plant: Plant, scene: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    tally = Tally(1)
    (here,) = (one for one in scenes() if one.name == scene)
    tried(here, tally, random.Random(1), 10)
    (finding,) = tally.findings("{}")
    assert finding.broken, finding
