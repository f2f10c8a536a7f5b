"""Laws of misplays: they change nothing, lamps show them, and meaningless acts are misplays. Part of `laws.py`."""

import random
from typing import Any, Literal, cast

import pytest
from hypothesis import given
from msgspec import UNSET

from companion import games
from companion.events import (
    SEATS,
    UNKNOWN,
    Elapsed,
    Pressed,
    Said,
    Seat,
    Tapped,
    place_of,
    seat_at,
)
from companion.game import NOBODY, AnyGame, Delay, Heard, Misplay, Ruling
from companion.judge.match import Match, judge
from companion.judge.refusals import refusal_of, shut
from companion.kit.games_to_test import every_game, seeds, waits
from companion.kit.random_matches import VALUES, delays, random_match, renumbered, under_test
from companion.kit.wording import see_that_it_is_said
from companion.words import Words

WORDS = sorted({"", "hello"}.union(*(game.moves.words for game in under_test().values())))
"""Every word of some game, and some of none."""
ODD_CARDS = {"", "boss", "Red-1"}.union(next(iter(game.deck)) for game in games.known().values())
"""Cards of every deck, and of none; each once, because one that is read twice on a pad is answered once."""
PADS = tuple(place for place in games.places() if seat_at(place) is None)


@every_game
@given(seed=seeds)
def test_a_misplay_changes_nothing(game: AnyGame, seed: int) -> None:
    events = random_match(game, seed, noise=0.5, undo=0.0)
    match = Match(events[0])
    for event in events[1:]:
        state_before = match.state
        verdicts = match.add(event)
        assert not match.faults, f"the rules raise {waits(match)}:\n{[fault.trace for fault in match.faults.values()]}"
        misplays = [verdict for verdict in verdicts if isinstance(verdict, Misplay)]
        loud = [misplay.code for misplay in misplays if misplay.counts and misplay.to != NOBODY]
        assert not loud, f"{loud} count though they are told {waits(match)}: tell `NOBODY` of a misplay that counts"
        if any(not misplay.counts for misplay in misplays):
            code = verdicts[0].code
            assert match.state == state_before, (
                f"the misplay {code!r} changes the state {waits(match)}: return it as it was"
            )
            assert len(verdicts) == 1, f"besides the misplay {code!r} something is told {waits(match)}: tell it alone"


@every_game
@given(seed=seeds)
def test_a_lamp_is_green_for_what_counts_and_red_for_what_does_not(game: AnyGame, seed: int) -> None:
    """Or green where the refusal is sealed."""
    match = Match(random_match(game, seed, most=1)[0])
    for event in random_match(game, seed, noise=0.4, undo=0.0)[1:]:
        state_before = match.state
        shut_then = shut(match)
        match.add(event)
        if not isinstance(event, Tapped | Pressed):
            continue
        refusal = refusal_of(event, shut_then, match.latest)
        misplays = [verdict for verdict in match.latest if isinstance(verdict, Misplay)]
        if refusal is None:
            loud = [misplay.code for misplay in misplays if misplay.heard is Heard.AT_ONCE and misplay.to != NOBODY]
            assert not loud, f"the lamp is green for {loud} {waits(match)}"
        elif not any(isinstance(verdict, Ruling) and verdict.as_refusal for verdict in match.latest):
            assert match.state == state_before, (
                f"the lamp is red for {refusal.code!r}, and {event} counts {waits(match)}: "
                "`shut` names only seats at which no card counts"
            )


@every_game
@given(seed=seeds)
def test_what_means_nothing_is_a_misplay_at_any_time(game: AnyGame, seed: int) -> None:
    """Such as another game's word, a value that its word can't have, a delay that is not running, an unknown card."""
    chance = random.Random(seed)
    events = random_match(game, seed, undo=0.0, most=chance.randint(1, 120))
    match = judge(events)
    at = events[-1].at + 1
    state_before = repr(match.state)
    seats: tuple[Any, ...] = (*match.seats, "host")
    odd: list[Any] = [
        Said(0, at, chance.choice(seats), word, value)
        for word in WORDS
        for value in (UNSET, *VALUES)
        if word not in game.moves.words or not game.moves.words[word].may_bear(value)
    ]
    odd += [Elapsed(0, at, delay) for delay in ("supper", *_delays(match))]
    odd += [Tapped(0, at, chance.choice(PADS), card) for card in sorted(ODD_CARDS - game.deck.keys())]
    odd += [Pressed(0, at, seat) for seat in SEATS if seat not in match.seats]
    for event in renumbered([*events, *odd])[len(events) :]:
        verdicts = match.add(event)
        assert [type(verdict) for verdict in verdicts] == [Misplay], (
            f"{event} means nothing {waits(match)}: answer it by one misplay"
        )
        assert verdicts[0].code != "judge-failed", (
            f"{event} means nothing {waits(match)}: answer it by one misplay; the rules raise"
        )
    assert repr(match.state) == state_before, (
        f"what means nothing changes the state {waits(match)}: return it as it was"
    )


def _delays(match: Match) -> set[str]:
    """Return all games' delays, except for one that is running."""
    running = match.game.moves.delay(match.state)
    return {*delays()} - {running.what if isinstance(running, Delay) else ""}


@every_game
@pytest.mark.parametrize("other", games.known().values(), ids=games.known().keys())
def test_a_card_of_another_game_is_told_with_its_game(game: AnyGame, other: AnyGame) -> None:
    match = Match(random_match(game, 1, most=1)[0])
    seat = match.seats[0]
    (verdict,) = match.add(Tapped(2, 101.0, place_of(seat), UNKNOWN, f"{other.slug}/{next(iter(other.deck))}"))
    if other is game:  # the tag would have told the card
        assert verdict == Misplay("unknown-card", 2, {}, to=seat)
    else:
        assert verdict == Misplay("other-game", 2, {"game": other.slug}, to=seat)


@every_game
@given(seed=seeds)
def test_every_word_is_answered_at_any_time(game: AnyGame, seed: int) -> None:
    events = random_match(game, seed, undo=0.0, noise=0.05, most=random.Random(seed).randint(1, 120))
    match = judge(events)
    state_before = match.state
    for word_name, word in game.moves.words.items():
        for value in filter(word.may_bear, (UNSET, *VALUES, *range(1, 8))):
            for seat in cast(tuple[Seat | Literal["host"], ...], (*match.seats, "host")):
                state, verdicts = game.moves.judge(state_before, Said(0, events[-1].at + 1, seat, word_name, value))
                if any(isinstance(verdict, Misplay) and not verdict.counts for verdict in verdicts):
                    assert state == state_before, (
                        f"the misplay {verdicts[0].code!r} changes the state: return it, "
                        f"on {word_name!r} with {value!r} by {seat} {waits(match)}"
                    )
                for verdict in verdicts:
                    see_that_it_is_said(
                        Words(game.slug, "en", match.names), verdict.code, verdict.facts, match, len(events)
                    )


@every_game
@given(seed=seeds)
def test_whose_a_card_in_the_middle_is_can_be_asked_of_any_card(game: AnyGame, seed: int) -> None:
    """Also of an unknown card, and of another game's."""
    ask_game = game.moves.taps.whose
    match = judge(random_match(game, seed, most=random.Random(seed).randint(1, 40)))
    for pad in PADS if ask_game else ():
        for card in (UNKNOWN, *sorted(ODD_CARDS)):
            seats = ask_game(match.state, Tapped(0, 0.0, pad, card)) if ask_game else ()
            assert {*seats} <= {*match.seats}, (
                f"{card!r} on {pad} is said to be of {seats} {waits(match)}: name players"
            )
