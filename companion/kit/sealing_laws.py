"""Laws of what is sealed: two matches that differ in nothing else look the same to everybody. Part of `laws.py`."""

import random
from collections.abc import Callable
from typing import Any

from hypothesis import given

from companion.events import Tapped, seat_at
from companion.game import AnyGame
from companion.history.charts import charts
from companion.judge.match import Match, judge
from companion.kit.games_to_test import every_game, observers, seeds, seen, waits
from companion.kit.random_matches import random_match, secrets


@every_game
@given(seed=seeds)
def test_what_is_sealed_is_seen_by_nobody_and_is_in_no_chart(game: AnyGame, seed: int) -> None:
    hidden = secrets(game)
    events = random_match(game, seed, undo=0.0, noise=0.05, enough=at_length(hidden.sealed, seed))
    match = judge(events)
    if not hidden.sealed(match) or hidden.mended(events):
        return
    for who in observers(match):
        other = judge(hidden.disguised(events, random.Random(seed + 1), who))
        _see_that_nothing_shows(match, other, who)
        assert charts(other) == charts(match), (
            f"a chart shows what is sealed {waits(match)}: draw what `view` shows all"
        )


def _see_that_nothing_shows(match: Match, other: Match, who: int | None) -> None:
    here, there = seen(match)[who], seen(other)[who]
    shown = "".join(one[0] for one in zip(here, there, strict=False) if one[0] == one[1])
    assert here == there, (
        f"{who or 'the public'} sees what is sealed {waits(match)}: leave it out of `view`. "
        f"The views differ after …{shown[-80:]}"
    )


@every_game
@given(seed=seeds)
def test_nothing_shows_by_being_the_same_as_what_another_hides(game: AnyGame, seed: int) -> None:
    """Two seats hide the same: whatever the author's own disguise takes care to keep apart."""
    hidden, chance = secrets(game), random.Random(seed)
    events = random_match(game, seed, undo=0.0, noise=0.0, enough=at_length(hidden.sealed, seed))
    match = judge(events)
    who = chance.choice(observers(match))
    others = alike(events, [hidden.disguised(events, chance, who) for _ in range(8)], chance, who)
    if hidden.sealed(match) and others and not hidden.mended(others):
        _see_that_nothing_shows(match, judge(others), who)


def at_length(sealed: Callable[[Match], bool], seed: int) -> Callable[[Match], bool]:
    """Look when something is sealed, after a different number of events in every match."""
    least = random.Random(seed).randint(2, 30)
    return lambda match: len(match.events) >= least and sealed(match)


def alike(events: list[Any], disguises: list[list[Any]], chance: random.Random, who: int | None) -> list[Any]:
    """Put the parts of two others than `who` together, where both hide the same card; [] if they never do."""
    disguises = [one for one in disguises if len(one) == len(events)]
    hides = [
        (seat_at(event.place), other[at].card, other)
        for other in disguises
        for at, event in enumerate(events)
        if isinstance(event, Tapped) and isinstance(other[at], Tapped) and other[at].card != event.card
        if seat_at(event.place) not in (None, who)
    ]
    pairs = [(a, b) for a in hides for b in hides if a[0] != b[0] and a[1] == b[1]]
    for (one, _, first), (two, _, second) in chance.sample(pairs, len(pairs)):
        whose = {one: first, two: second}
        mixed = [whose.get(_seat_of(event), events)[at] for at, event in enumerate(events)]
        # Where one lays at another time than they did, a hand would be complete that is not.
        if [*map(_seat_of, mixed)] == [*map(_seat_of, events)]:
            return mixed
    return []


def _seat_of(event: Any) -> int | None:
    return seat_at(event.place) if isinstance(event, Tapped) else getattr(event, "seat", None)


@every_game
def test_what_is_sealed_is_disguised_indeed(game: AnyGame) -> None:
    hidden = secrets(game)
    matches = [random_match(game, seed, undo=0.0, noise=0.0, enough=hidden.sealed) for seed in range(20)]
    sealed = [events for events in matches if hidden.sealed(judge(events))]
    others = [hidden.disguised(events, random.Random(1)) for events in sealed]
    differ = [judge(one).state != judge(other).state for one, other in zip(sealed, others, strict=True)]
    assert sum(differ) >= len(sealed) / 2, "`disguised` leaves most matches as they are: have it change what is sealed"


@every_game
@given(seed=seeds)
def test_a_view_holds_no_event_number(game: AnyGame, seed: int) -> None:
    match = judge(random_match(game, seed))
    for text in seen(match).values():
        here = f"a view holds an event's number {waits(match)}: what is sealed would show by it"
        assert '"seq"' not in text, here
        assert '"events"' not in text, here
