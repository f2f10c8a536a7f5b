"""Logs in which matches were played, for tests of what is seen afterwards."""

import random
from collections.abc import Sequence
from itertools import count
from pathlib import Path

from companion import games
from companion.events import Event, Player, Pressed, Said, Started, Tapped
from companion.kit.random_matches import NAMES, play
from companion.storage.log import Log

SLUGS = ["go", "kartel", "stop-it", "stop-me-go"]
"""Tests know their matches by number: another game that is added plays on another evening."""
NIGHT = "2026-11-20T23:10:00+01:00"
LATER = "2026-11-21T01:40:00+01:00"
EVE = "2026-11-19T20:00:00+01:00"
WEEK_BEFORE = "2026-11-13T20:00:00+01:00"
LATE = 600
"""Events; more than in a long match of any game."""


def store_match(log: Log, began: str, events: Sequence[Event]) -> int:
    first, *later_events = events
    assert isinstance(first, Started)
    number = log.open_match(began, True, first)
    log.append(number, [(event, "") for event in later_events])
    return number


def evenings(folder: Path) -> list[int]:
    """Log a match of last week, every game to its end, one not finished, two damaged; return which can be read."""
    log = Log(folder / "log.sqlite", writes=True)
    chance = random.Random(20)
    planned = [(WEEK_BEFORE, SLUGS[0], 5000), *((NIGHT, slug, 5000) for slug in SLUGS), (LATER, SLUGS[1], 9)]
    numbers = [
        store_match(log, began, play(games.known()[slug], chance, {}, most=most, noise=0.02, undo=0.01))
        for began, slug, most in planned
    ]
    log.open_match(LATER, True, Pressed(1, 0.0, 1))
    log.open_match(LATER, True, Started(1, 0.0, SLUGS[1], (Player(1, "=1+1"), Player(3, "Bo")), {}))
    log.close()
    return numbers


def close_shouts() -> list[Event]:
    """Return a match of stop it! of six with long names, three shouts and everybody's time."""
    names = "Wilhelmina-Magdalena Maximilian-Emmanuel Marguerite-Gwendoline Ottomar-Quirin-Georg MM W"
    people = tuple(Player(seat, name[:20]) for seat, name in enumerate(names.split(), 1))
    numbers = count(3)
    at = 102.0
    events: list[Event] = [Started(1, 100.0, "stop-it", people, {}), Pressed(2, at, 1)]
    for caller, ahead, card in ((2, 0.0871, "blue-stop-1"), (6, 0.0123, "red-stop-1"), (4, 1.25, "green-stop-1")):
        other_seats = [seat for seat in range(1, 7) if seat != caller]
        at += 40
        events += [Pressed(next(numbers), at, caller)]
        events += [
            Pressed(next(numbers), round(at + ahead + late, 6), seat) for late, seat in enumerate(other_seats, 1)
        ]
        events += [Tapped(next(numbers), at + 10, f"seat-{caller}", card)]  # type: ignore[arg-type]
        events += [Said(next(numbers), at + 11, seat, "count", int(seat != caller)) for seat in range(1, 7)]
        at += 15
        events += [Pressed(next(numbers), at, caller)]
    return events


def turning() -> list[list[Event]]:
    """Return an evening's matches of the game with the longest title: Bo wins one, then Ana two, and it is hers."""
    longest = max(games.known().values(), key=lambda game: len(game.title))
    return [play(longest, random.Random(seed), {}, most=5000) for seed in (8, 1, 2)]


def late(slug: str, folder: Path) -> None:
    """Log a match of as many as can play, an act before its end."""
    game = games.known()[slug]
    people = tuple(Player(seat, name) for seat, name in enumerate(NAMES[: game.most_players], 1))
    log = Log(folder / "log.sqlite", writes=True)
    store_match(log, NIGHT, play(game, random.Random(0), {}, most=LATE, noise=0.01, undo=0.0, people=people)[:-1])
    log.close()
