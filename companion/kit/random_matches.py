"""Random matches of any game: mostly likely acts, now and then the noise of a real table."""

import functools
import importlib
import importlib.util
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from companion import games
from companion.events import (
    CENTRE,
    SEATS,
    UNKNOWN,
    Elapsed,
    Event,
    Lifted,
    Player,
    Pressed,
    Retracted,
    Said,
    Started,
    Tapped,
    place_of,
)
from companion.game import AnyGame
from companion.judge.match import Match

NAMES = ("Ana", "Bo", "Cléo", "Dédé", "Eva", "Fé")
OWN = 0.6
"""Share of cards in the noise that are the game's own."""
VALUES: tuple[Any, ...] = (
    *(None, True, "best", "3", ""),
    *(0, 3, 17, -1, 10**40, 2.5, 3.0),
    *([], ["red-1"], [3], {}, {"seat": 1, "fault": "dropped"}, {"1": [3]}),
)
"""Values of every kind that a word of some game may have, and of kinds that none has."""


@functools.cache
def under_test() -> Mapping[str, AnyGame]:
    """Return the games with a `secrets.py`, by slug."""
    return {slug: game for slug, game in games.known().items() if _secrets_of(game) is not None}


def named(slugs: Sequence[str]) -> Sequence[AnyGame]:
    """Return the games under test with these slugs, or all of them. Raises SystemExit for an unknown slug."""
    games_there = under_test()
    if unknown := [slug for slug in slugs if slug not in games_there]:
        raise SystemExit(f"no game under test is called {unknown[0]!r}; known: {', '.join(games_there)}")
    return [games_there[slug] for slug in slugs or games_there]


@functools.cache
def delays() -> tuple[str, ...]:
    """Return the delays of all games; a game's `secrets.py` lists its own as `DELAYS`."""
    return tuple(delay for game in under_test().values() for delay in getattr(secrets(game), "DELAYS", ()))


def secrets(game: AnyGame) -> ModuleType:
    """Return a game's `secrets.py`: the options to test, and what is sealed."""
    module = _secrets_of(game)
    assert module is not None, f"{game.slug} has no secrets.py"
    return module


def beside(game: AnyGame) -> Path:
    """Return the folder of a game's `secrets.py`, records and transcripts."""
    file = secrets(game).__file__
    assert file is not None
    return Path(file).parent


def _secrets_of(game: AnyGame) -> ModuleType | None:
    return _secrets_beside(game.folder, game.slug)


@functools.cache
def _secrets_beside(folder: Path, slug: str) -> ModuleType | None:
    """Find `secrets.py` in the game's own package or, for a game of this tree, among the tests."""
    package = next(name for name, module in [*sys.modules.items()] if str(folder) in [*getattr(module, "__path__", ())])
    for name in (f"{package}.secrets", f"tests.games.{slug.replace('-', '_')}.secrets"):
        if _is_there(name):
            return importlib.import_module(name)
    return None


def _is_there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # its parent package is missing
        return False


def begun(events: Sequence[Event]) -> Match:
    """Begin a match with the first of these events."""
    started = events[0]
    assert isinstance(started, Started)
    return Match(started)


def started(game: AnyGame, chance: random.Random, options: dict[str, Any], people: tuple[Player, ...] = ()) -> Started:
    """Return the first event of a match of these people, or else of random ones."""
    if not people:
        seats = chance.sample(SEATS, chance.randint(game.fewest_players, game.most_players))
        people = tuple(Player(seat, NAMES[seat - 1]) for seat in sorted(seats))
    return Started(1, 100.0, game.slug, people, options)


def play(
    game: AnyGame,
    chance: random.Random,
    options: dict[str, Any],
    *,
    most: int = 120,
    noise: float = 0.15,
    undo: float = 0.02,
    enough: Callable[[Match], bool] = lambda match: match.over,
    people: tuple[Player, ...] = (),
) -> list[Event]:
    """Play until `enough` says so, or `most` events have happened; return the events.

    `noise` and `undo` are the shares of noise, and of acts taken back.
    """
    match = Match(started(game, chance, options, people))
    while len(match.events) < most and not enough(match):
        match.add(_next(match, chance, noise, undo))
    return match.events


def _next(match: Match, chance: random.Random, noise: float, undo: float) -> Event:
    at = round(match.events[-1].at + chance.choice((0.0002, 0.3, 0.7, 1.5, 4.0, -0.01)), 6)
    seq = len(match.events) + 1
    dice = chance.random()
    if dice < undo and seq > 2:
        return Retracted(seq, at, chance.randrange(2, seq))
    acts = match.game.moves.likely(match.state)
    if dice < undo + noise or not acts:
        return replace(_anything(match, chance), seq=seq, at=at)
    kinds: dict[type, list[Event]] = {}
    for act in acts:
        kinds.setdefault(type(act), []).append(act)
    return replace(chance.choice(chance.choice(list(kinds.values()))), seq=seq, at=at)


def _anything(match: Match, chance: random.Random) -> Event:
    """Return noise as at a real table: a wrong card, an echo, a card twice, another's word."""
    seat = chance.choice((*match.seats, chance.choice(SEATS)))
    place = chance.choice((place_of(seat), CENTRE, chance.choice(games.places())))
    taps = [event for event in match.events[-5:] if isinstance(event, Tapped)]
    if taps and chance.random() < 0.3:
        return chance.choice(taps)
    card = chance.choice([*match.game.deck]) if chance.random() < OWN else _foreign(match.game, chance.random())
    words = (*match.game.moves.words, "hello")
    match chance.randrange(6):
        case 0:
            return Pressed(0, 0.0, seat)
        case 1:
            return Said(0, 0.0, chance.choice((seat, "host")), chance.choice(words), chance.choice((UNSET, *VALUES)))
        case 2:
            return Elapsed(0, 0.0, chance.choice((*delays(), "supper")))
        case 3:
            return Lifted(0, 0.0, place, card)
        case 4 if chance.random() < 0.2:
            return Tapped(0, 0.0, place, UNKNOWN, "04A1B2C3D4E5F6")
    return Tapped(0, 0.0, place, card)


def _foreign(game: AnyGame, lot: float) -> str:
    """Return a card that this game does not have.

    Chosen by `lot`, so that the number of installed games does not change anything else in a match.
    """
    foreign_cards = _foreign_cards(game.slug)
    return foreign_cards[int(lot * len(foreign_cards))]


@functools.cache
def _foreign_cards(slug: str) -> tuple[str, ...]:
    """Return the cards that this game does not have; gathering them takes longer than drawing one."""
    decks = {other_slug: game.deck for other_slug, game in games.known().items()}
    foreign_cards = (card for deck in decks.values() for card in deck if card not in decks[slug])
    return ("purple-1", *foreign_cards)


def random_match(game: AnyGame, seed: int, **how: Any) -> list[Any]:
    """Return a random match with one of the game's options, determined by the seed."""
    chance = random.Random(seed)
    return play(game, chance, chance.choice(secrets(game).OPTIONS), **how)


def renumbered(events: list[Event]) -> list[Event]:
    """Number events afresh from 1."""
    return [replace(event, seq=seq) for seq, event in enumerate(events, 1)]
