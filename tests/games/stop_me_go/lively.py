"""Random matches in which everybody fumbles: cards come twice, at the centre too, are changed, or lie elsewhere."""

import random
from typing import Any

from msgspec.structs import replace

from companion.events import Event, Pressed, Said, Tapped
from companion.games import known
from companion.games.stop_me_go.acts import PLACES, TOKENS, acts
from companion.games.stop_me_go.cards import GANGSTERS, of_colour
from companion.games.stop_me_go.state import State
from companion.judge.match import Match
from tests.games.matches import started

GAME = known()["stop-me-go"]


def play(chance: random.Random, options: dict[str, Any], most: int, fumbles: float = 0.4) -> Match:
    """Play at most so many events of a match, none of them taken back."""
    match = Match(started(GAME, chance, options))
    while len(match.events) < most and not match.over:
        taps = [event for event in match.events[-8:] if isinstance(event, Tapped)]
        event = _fumble(match.state, taps, chance) if chance.random() < fumbles else chance.choice(acts(match.state))
        at = round(match.events[-1].at + chance.choice((0.1, 0.4, 0.6, 3.0, -0.05)), 6)
        match.add(replace(event, seq=len(match.events) + 1, at=at))
    return match


def _fumble(state: State, taps: list[Tapped], chance: random.Random) -> Event:
    colour, seat = chance.choice([*state.holders.items(), ("green", state.seats[0])])
    place = chance.choice([PLACES[seat], PLACES[seat], "centre", PLACES[chance.choice(state.seats)]])
    cards = chance.choice(
        [
            *[of_colour(colour)] * 4,
            *[list(out.laid.values()) for out in state.round.out if out.laid],
            *[list(state.laying.values())] * bool(state.laying),
            sorted(GANGSTERS),
            TOKENS[:3],
            *[[token for tokens in state.tokens.values() for token in tokens if token] or TOKENS] * 3,
        ]
    )
    if taps and chance.random() < 0.3:
        return replace(chance.choice(taps), place=chance.choice([taps[-1].place, place]))
    if chance.random() < 0.1:
        return chance.choice([Pressed(0, 0.0, seat), Said(0, 0.0, seat, "token"), Said(0, 0.0, "host", "flip")])
    return Tapped(0, 0.0, place, chance.choice(cards))
