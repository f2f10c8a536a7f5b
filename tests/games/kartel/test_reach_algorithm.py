"""The ring that is closed up, against the real thing: a circle of places with gaps, and a commissioner who walks."""

import random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import games
from companion.events import Tapped
from companion.games.kartel.cards import BOSS, COLOURS
from companion.games.kartel.state import Options, Phase, State
from companion.judge.match import Match, judge
from tests.games.matches import play

KARTEL = games.known()["kartel"]
seeds = st.integers(0, 2**32)


class Circle:
    """Tokens lie where they were laid; what is taken leaves a gap. The commissioner stands before place `at`."""

    def __init__(self, tokens: tuple[str, ...]):
        self.places: list[str | None] = list(tokens)
        self.at = 0

    def walk(self, most: int) -> list[str]:
        """Give the tokens he comes to on his way, each once."""
        found: list[str] = []
        for step in range(len(self.places)):
            token = self.places[(self.at + step) % len(self.places)]
            if token is not None and len(found) < most:
                found.append(token)
        return found

    def take(self, token: str) -> None:
        self.at = self.places.index(token)
        self.places[self.at] = None


@given(seed=seeds, money=st.booleans(), noise=st.sampled_from((0.0, 0.3)))
@settings(max_examples=40, deadline=None)
def test_the_reach_is_what_the_commissioner_walks_past(seed: int, money: bool, noise: float) -> None:
    options = {"ring": True, "money": money}
    events = play(KARTEL, random.Random(seed), options, most=1000, noise=noise, undo=0.0)
    match = Match(events[0])  # type: ignore[arg-type]
    circle: Circle | None = None
    for event in events[1:]:
        before: State = match.state
        if before.phase is Phase.PLAY:
            circle = circle or Circle(before.ring)
            assert list(before.reach) == (circle.walk(before.roll) if before.roll else [])
        match.add(event)
        if len(match.state.moves) > len(before.moves):
            assert circle is not None
            assert isinstance(event, Tapped)
            circle.take(event.card)
    assert match.over


@given(at=st.integers(0, 4))
def test_with_three_tokens_left_a_four_comes_round_to_the_first(at: int) -> None:
    left = tuple(f"{colour}-{BOSS}" for colour in COLOURS[at : at + 3])
    state = State((1, 2), Options(ring=True), Phase.PLAY, roll=4, ring=left)
    assert state.reach == left


@given(seed=seeds, ring=st.booleans())
@settings(max_examples=30, deadline=None)
def test_what_may_come_next_is_never_a_misplay(seed: int, ring: bool) -> None:
    chance = random.Random(seed)
    events = play(KARTEL, chance, {"ring": ring}, most=1000, noise=0.0, undo=0.0)
    assert judge(events).misplays == []
    part = judge(events[: chance.randrange(1, len(events))])
    for act in KARTEL.acts(part.state):
        state, verdicts = KARTEL.judge(part.state, msgspec.structs.replace(act, seq=len(part.events) + 1))
        assert state != part.state
        assert verdicts
