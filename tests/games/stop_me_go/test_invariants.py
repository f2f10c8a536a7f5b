"""What holds after every event, however people fumble."""

import functools
import random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.events import Event
from companion.game import Misplay, Verdict
from companion.games.stop_me_go.acts import acts
from companion.games.stop_me_go.cards import DECK, GANGSTERS, of_colour
from companion.games.stop_me_go.state import Phase, State
from companion.judge.match import Match, judge
from tests.games.stop_me_go.lively import play
from tests.games.stop_me_go.secrets import OPTIONS, disguised, mended
from tests.games.table import EVERYBODY, seen

SEALED = frozenset(DECK) - GANGSTERS
Step = tuple[State, Event, State, tuple[Verdict, ...]]


@functools.cache
def played() -> tuple[tuple[Step, ...], ...]:
    """Play lively matches, and give (state, event, state after it, verdicts) of every event."""
    matches = []
    for seed in range(24):
        chance = random.Random(seed)
        events: Any = play(chance, OPTIONS[seed % len(OPTIONS)], 300, fumbles=chance.choice((0.1, 0.4))).events
        match, steps = Match(events[0]), []
        for event in events[1:]:
            before = match.state
            verdicts = match.add(event)
            steps.append((before, event, match.state, verdicts))
        matches.append(tuple(steps))
    return tuple(matches)


def steps() -> list[Step]:
    return [step for match in played() for step in match]


def test_the_matches_played_here_come_to_everything() -> None:
    assert {state.phase for _, _, state, _ in steps()} >= set(Phase) - {Phase.VALUES}
    codes = {verdict.code for *_, verdicts in steps() for verdict in verdicts}
    assert codes >= {"fled-several", "discarded-several", "taken", "round-won-by-one", "lies-already", "laid-already"}


def test_every_card_lies_once_and_belongs_to_its_seat() -> None:
    for _, _, state, _ in steps():
        colours = {seat: colour for colour, seat in state.holders.items()}
        piles = [state.laying, *(out.laid for out in state.round.out)]
        lying = [(seat, card) for pile in piles for seat, card in pile.items()]
        assert len(set(lying)) == len(lying)
        assert all(card in of_colour(colours[seat]) for seat, card in lying)


def test_a_round_ends_with_an_owner_and_gives_one_token() -> None:
    for before, _, state, _ in steps():
        if state.round.won:
            assert state.round.owned[state.round.won.seat] == state.round.won.gangster
        assert state.tokens_left + sum(map(len, state.tokens.values())) == len(state.seats) + 2
        taken = sum(map(len, state.tokens.values())) - sum(map(len, before.tokens.values()))
        assert taken == len(state.history) - len(before.history)
        assert state.over or all(len(tokens) < 3 for tokens in state.tokens.values())


def test_no_verdict_names_an_action_card_or_a_token() -> None:
    for *_, verdicts in steps():
        for verdict in verdicts:
            assert SEALED.isdisjoint(verdict.facts.values()), verdict


@pytest.mark.parametrize("seed", range(30))
def test_nobody_sees_through_the_disguise_however_people_fumble(seed: int) -> None:
    chance = random.Random(seed)
    events = play(chance, chance.choice(OPTIONS), chance.randint(3, 150)).events
    if not mended(events):
        one, other = judge(events), judge(disguised(events, chance))
        assert all(seen(one, who) == seen(other, who) for who in EVERYBODY)


@pytest.mark.parametrize("seed", range(12))
def test_what_is_offered_is_no_misplay(seed: int) -> None:
    chance = random.Random(seed)
    match = play(chance, OPTIONS[seed % len(OPTIONS)], 10 + 20 * seed, fumbles=0.0)
    assert not match.misplays
    for act in acts(match.state):
        event = replace(act, seq=len(match.events) + 1, at=match.events[-1].at + 5)
        _, verdicts = match.game.judge(match.state, event)
        assert verdicts
        assert not any(isinstance(verdict, Misplay) for verdict in verdicts)
