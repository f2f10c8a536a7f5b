"""Laws of sealing: two matches that differ only in what is sealed look the same to everybody. Part of `laws.py`."""

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
    for observer in observers(match):
        disguised_match = judge(hidden.disguised(events, random.Random(seed + 1), observer))
        _see_that_nothing_shows(match, disguised_match, observer)
        assert charts(disguised_match) == charts(match), (
            f"a chart shows what is sealed {waits(match)}: draw what `view` shows all"
        )


def _see_that_nothing_shows(match: Match, disguised_match: Match, observer: int | None) -> None:
    view = seen(match)[observer]
    disguised_view = seen(disguised_match)[observer]
    alike_so_far = "".join(
        characters[0] for characters in zip(view, disguised_view, strict=False) if characters[0] == characters[1]
    )
    assert view == disguised_view, (
        f"{observer or 'the public'} sees what is sealed {waits(match)}: leave it out of `view`. "
        f"The views differ after …{alike_so_far[-80:]}"
    )


@every_game
@given(seed=seeds)
def test_nothing_shows_by_being_the_same_as_what_another_hides(game: AnyGame, seed: int) -> None:
    """Two seats hide the same card, which the game's own disguise may avoid."""
    hidden = secrets(game)
    chance = random.Random(seed)
    events = random_match(game, seed, undo=0.0, noise=0.0, enough=at_length(hidden.sealed, seed))
    match = judge(events)
    observer = chance.choice(observers(match))
    disguise = alike(events, [hidden.disguised(events, chance, observer) for _ in range(8)], chance, observer)
    if hidden.sealed(match) and disguise and not hidden.mended(disguise):
        _see_that_nothing_shows(match, judge(disguise), observer)


@every_game
@given(seed=seeds)
def test_no_lamp_shows_what_is_sealed(game: AnyGame, seed: int) -> None:
    """Everybody sees every lamp, also a player who knows their own secret and tries a card on another's pad."""
    hidden = secrets(game)
    chance = random.Random(seed)
    events = random_match(game, seed, undo=0.0, noise=0.2, enough=at_length(hidden.sealed, seed))
    if not hidden.sealed(judge(events)) or hidden.mended(events):
        return
    match = judge(events)
    disguised_match = judge(hidden.disguised(events, chance))
    for place, card in _cards_on_pads(match, disguised_match, chance):
        answers = [_answered(either, place, card) for either in (match, disguised_match)]
        everybody_told = answers[0].told == answers[1].told
        assert answers[0].red == answers[1].red or not everybody_told, (
            f"by what is sealed, the lamp is red or green for {card} at {place} {waits(match)}: tell the "
            "refusal to `NOBODY`, or as `Heard.PRIVATELY`, or name the seat in `shut`"
        )


def _cards_on_pads(match: Match, disguised_match: Match, chance: random.Random) -> list[tuple[Place, str]]:
    """Return some cards to lay: those that either match has read, at the same place or elsewhere, and others."""
    places = [place_of(seat) for seat in match.seats]
    deck = match.game.deck
    latest = [event for either in (match, disguised_match) for event in either.events[-LATEST:]]
    taps = [event for event in latest if isinstance(event, Tapped) and event.card in deck]
    read_before = [(tap.place, tap.card) for tap in taps if tap.place in places]
    elsewhere = [(chance.choice(places), card) for _, card in read_before[-2:]]
    return [*read_before, *elsewhere, *((chance.choice(places), chance.choice([*deck])) for _ in range(2))]


LATEST = 8
"""Latest events whose cards are laid once more."""


class _Answer(NamedTuple):
    red: bool
    told: list[str]
    """The codes of what everybody was told."""


def _answered(match: Match, place: Place, card: str) -> _Answer:
    """Return how the lamp and the public story would answer this card at this place."""
    tap = Tapped(len(match.events) + 1, match.events[-1].at + 1, place, card)
    match_after = match.as_of(len(match.events))
    shut_then = shut(match)
    match_after.add(tap)
    codes = [verdict.code for verdict in match_after.public[len(match.public) :]]
    return _Answer(refusal_of(tap, shut_then, match_after.latest) is not None, codes)


@every_game
@given(seed=seeds)
def test_what_lies_open_is_on_every_view_and_what_nobody_may_know_on_none(game: AnyGame, seed: int) -> None:
    match = judge(random_match(game, seed, undo=0.0, noise=0.05, most=random.Random(seed).randint(1, 120)))
    everybody_sees = game.knows(match.state, None).sees
    views_of = {observer: json.dumps(table(match, observer)) for observer in observers(match)}
    for observer, view in views_of.items():
        unshown = [card for card in everybody_sees if f'"{card}"' not in view]
        whom = f"{observer or 'the public'} {waits(match)}"
        assert not unshown, f"`knows` has everybody see {unshown}, which `view` does not show {whom}"
        if observer is None:
            continue
        own_cards = game.knows(match.state, observer)
        less = [card for card in everybody_sees if own_cards.of(card) is not Knowing.SEES]
        assert not less, f"`knows` has everybody see {less}, but not {whom}"
        shown_to_seat = [card for card in own_cards.nothing if f'"{card}"' in view]
        assert not shown_to_seat, (
            f"`knows` has this seat know nothing of {shown_to_seat}, which its `view` shows to {whom}"
        )


def at_length(sealed: Callable[[Match], bool], seed: int) -> Callable[[Match], bool]:
    """Return a test for `enough`: something is sealed, after a different number of events for every seed."""
    least = random.Random(seed).randint(2, 30)
    return lambda match: len(match.events) >= least and sealed(match)


def alike(events: list[Any], disguises: list[list[Any]], chance: random.Random, observer: int | None) -> list[Any]:
    """Combine two disguises so that two seats other than the observer's hide the same card; [] if none allow it."""
    disguises = [disguise for disguise in disguises if len(disguise) == len(events)]
    hides = [
        (seat_at(event.place), disguise[at].card, disguise)
        for disguise in disguises
        for at, event in enumerate(events)
        if isinstance(event, Tapped) and isinstance(disguise[at], Tapped) and disguise[at].card != event.card
        if seat_at(event.place) not in (None, observer)
    ]
    pairs = [(a, b) for a in hides for b in hides if a[0] != b[0] and a[1] == b[1]]
    for (seat, _, first), (other_seat, _, second) in chance.sample(pairs, len(pairs)):
        events_of_seat = {seat: first, other_seat: second}
        mixed = [events_of_seat.get(_seat_of(event), events)[at] for at, event in enumerate(events)]
        # If a seat acted at another time than it did, a hand that is incomplete would look complete.
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
    disguises = [hidden.disguised(events, random.Random(1)) for events in sealed]
    differ = [judge(events).state != judge(disguise).state for events, disguise in zip(sealed, disguises, strict=True)]
    assert sum(differ) >= len(sealed) / 2, "`disguised` leaves most matches as they are: have it change what is sealed"


@every_game
@given(seed=seeds)
def test_a_view_holds_no_event_number(game: AnyGame, seed: int) -> None:
    match = judge(random_match(game, seed))
    for text in seen(match).values():
        message = f"a view holds an event's number {waits(match)}: what is sealed would show by it"
        assert '"seq"' not in text, message
        assert '"events"' not in text, message
