"""The disguise that the law of sealing rests on: strong, and, however people fumble, seen through by nobody."""

import json
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.events import Event, Tapped
from companion.games.stop_me_go.cards import DECK, STOP
from companion.judge import views
from companion.judge.match import Match, judge
from tests.games.stop_me_go.lively import play
from tests.games.stop_me_go.secrets import OPTIONS, disguised, mended

often = settings(max_examples=150, deadline=None)


def seen(match: Match) -> list[str]:
    return [json.dumps(views.view(match, who)) for who in (None, 1, 2, 3, 4, 5, 6)]


def stops(events: list[Event]) -> list[bool]:
    return [DECK[event.card].kind == STOP for event in events if isinstance(event, Tapped) and event.card in DECK]


@given(seed=st.integers(0, 2**32), most=st.integers(3, 150))
@often
def test_nobody_sees_through_the_disguise_however_people_fumble(seed: int, most: int) -> None:
    chance = random.Random(seed)
    events = play(chance, chance.choice(OPTIONS), most).events
    if not mended(events):
        assert seen(judge(disguised(events, chance))) == seen(judge(events))


def test_the_disguise_puts_go_for_stop_and_adds_changes() -> None:
    other = longer = 0
    for seed in range(40):
        chance = random.Random(seed)
        events = play(chance, {}, 40).events
        new = disguised(events, chance)
        longer += len(new) > len(events)
        other += stops(new[: len(events)]) != stops(events)
    assert other > 20
    assert longer > 10
