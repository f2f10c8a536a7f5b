"""Laws of what is sealed: two matches that differ in nothing else look the same to everybody. Part of `laws.py`."""

import json
import random
from collections.abc import Callable
from typing import Any, NamedTuple

from hypothesis import given

from companion.events import Place, Tapped, place_of, seat_at
from companion.game import AnyGame, Knowing
from companion.history.charts import charts
from companion.judge.match import Match, judge
from companion.judge.refusals import refusal_of, shut
from companion.judge.views import table
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


@every_game
@given(seed=seeds)
def test_no_lamp_shows_what_is_sealed(game: AnyGame, seed: int) -> None:
    """Everybody sees every lamp: also who knows their own secret, and tries a card on another's pad."""
    hidden, chance = secrets(game), random.Random(seed)
    events = random_match(game, seed, undo=0.0, noise=0.2, enough=at_length(hidden.sealed, seed))
    if not hidden.sealed(judge(events)) or hidden.mended(events):
        return
    match, other = judge(events), judge(hidden.disguised(events, chance))
    for place, card in _cards_on_pads(match, other, chance):
        answers = [_answered(one, place, card) for one in (match, other)]
        everybody_told = answers[0].told == answers[1].told
        assert answers[0].red == answers[1].red or not everybody_told, (
            f"by what is sealed, the lamp is red or green for {card} at {place} {waits(match)}: tell the "
            "refusal to `NOBODY`, or as `Heard.PRIVATELY`, or name the seat in `shut`"
        )


def _cards_on_pads(match: Match, other: Match, chance: random.Random) -> list[tuple[Place, str]]:
    """Return some cards to lay: those that either match has read, where they were read or elsewhere, and others."""
    places, deck = [place_of(seat) for seat in match.seats], match.game.deck
    latest = [event for one in (match, other) for event in one.events[-LATEST:]]
    taps = [event for event in latest if isinstance(event, Tapped) and event.card in deck]
    again = [(tap.place, tap.card) for tap in taps if tap.place in places]
    elsewhere = [(chance.choice(places), card) for _, card in again[-2:]]
    return [*again, *elsewhere, *((chance.choice(places), chance.choice([*deck])) for _ in range(2))]


LATEST = 8
"""Events in which a card was read that is laid once more."""


class _Answer(NamedTuple):
    red: bool
    told: list[str]
    """What everybody was told of it."""


def _answered(match: Match, place: Place, card: str) -> _Answer:
    """Return what the lamp shows of this card, if it is laid there next."""
    tap = Tapped(len(match.events) + 1, match.events[-1].at + 1, place, card)
    after, shut_then = match.as_of(len(match.events)), shut(match)
    after.add(tap)
    told = [verdict.code for verdict in after.public[len(match.public) :]]
    return _Answer(refusal_of(tap, shut_then, after.latest) is not None, told)


@every_game
@given(seed=seeds)
def test_what_lies_open_is_on_every_view_and_what_nobody_may_know_on_none(game: AnyGame, seed: int) -> None:
    match = judge(random_match(game, seed, undo=0.0, noise=0.05, most=random.Random(seed).randint(1, 120)))
    everybody_sees = game.knows(match.state, None).sees
    views_of = {who: json.dumps(table(match, who)) for who in observers(match)}
    for who, shown in views_of.items():
        unshown = [card for card in everybody_sees if f'"{card}"' not in shown]
        here = f"{who or 'the public'} {waits(match)}"
        assert not unshown, f"`knows` has everybody see {unshown}, which `view` does not show {here}"
        if who is None:
            continue
        known = game.knows(match.state, who)
        less = [card for card in everybody_sees if known.of(card) is not Knowing.SEES]
        assert not less, f"`knows` has everybody see {less}, but not {here}"
        told = [card for card in known.nothing if f'"{card}"' in shown]
        assert not told, f"`knows` has this seat know nothing of {told}, which its `view` shows to {here}"


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
