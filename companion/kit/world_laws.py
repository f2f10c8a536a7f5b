"""Laws of every game's physics: no card is lost, nothing leaks, possible moves break no rule, bots finish matches."""

import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.events import SEATS
from companion.game import AnyGame
from companion.game.simulated_world import STRENGTHS, Strength
from companion.judge import views
from companion.kit.games_to_test import seeds, waits
from companion.kit.simulated_matches import PLAYABLE, Simulated, by_anybody, by_bots, disguised
from companion.words import catalogue

every_world = pytest.mark.parametrize("game", PLAYABLE.values(), ids=PLAYABLE.keys())


def at_least(number: int) -> settings:
    """Try so many examples, and as many more as a longer profile tries of every law."""
    return settings(max_examples=max(number, number * settings().max_examples // 25), deadline=None)


def seats(game: AnyGame, seed: int) -> tuple[int, ...]:
    chance = random.Random(seed)
    return tuple(sorted(chance.sample(SEATS, chance.randint(game.fewest_players, game.most_players))))


@every_world
@at_least(8)
@given(seed=seeds)
def test_what_can_be_done_breaks_no_rule(game: AnyGame, seed: int) -> None:
    match = by_anybody(game, seats(game, seed), seed, most=250).match
    assert match.misplays == [], f"a world's `can` offered what the rules refuse, {waits(match)}: {match.misplays[0]}"


@every_world
@at_least(4)
@given(seed=seeds, moves=st.integers(0, 80))
def test_every_move_has_words(game: AnyGame, seed: int, moves: int) -> None:
    """Except for one whose button is the card itself."""
    entries = catalogue(game.slug)
    for move in by_anybody(game, seats(game, seed), seed, most=moves).moves():
        assert move.card or f"move-{move.what}" in entries, f"locale/words.pot has no move-{move.what}"


@every_world
@at_least(6)
@given(seed=seeds)
def test_every_card_is_in_one_place(game: AnyGame, seed: int) -> None:
    played = Simulated(game, seats(game, seed), seed)
    cards = sorted(played.physics.lies(played.world))
    assert len(set(cards)) == len(cards)
    assert set(cards) <= game.deck.keys()
    for _ in range(150):
        if played.match.over or not (moves := played.moves()):
            break
        played.do(played.chance.choice(moves))
        assert sorted(played.physics.lies(played.world)) == cards, (
            f"a card is lost or there twice {waits(played.match)}: let a move take it from where it lay"
        )


@every_world
@at_least(8)
@given(seed=seeds, moves=st.integers(0, 80))
def test_nobody_sees_what_another_holds(game: AnyGame, seed: int, moves: int) -> None:
    played = by_anybody(game, seats(game, seed), seed, most=moves)
    if not hasattr(played.world, "hands"):
        return  # everything lies open
    for seat in played.seats:
        disguised_world = disguised(game, played.world, seat, random.Random(seed))
        message = f"seat {seat} sees what another holds {waits(played.match)}: let `sees` show one seat's own things"
        assert played.sight(seat, disguised_world) == played.sight(seat), message
        message = f"all see what others than seat {seat} hold {waits(played.match)}: let `shows` show what lies open"
        assert played.physics.shows(disguised_world) == played.physics.shows(played.world), message


@every_world
@at_least(4)
@given(seed=seeds)
def test_a_hand_keeps_its_order_as_cards_come_and_go(game: AnyGame, seed: int) -> None:
    """People find a card where it was, and the order does not reveal when it came."""
    played = Simulated(game, seats(game, seed), seed)
    earlier: set[tuple[str, str]] = set()
    for _ in range(60):
        if played.match.over or not (moves := played.moves()):
            break
        for seat in played.seats:
            for left, right in combinations(played.sight(seat).sees.get("hand", ()), 2):
                assert (right, left) not in earlier, (
                    f"{right} lies before {left} in a hand, then behind it {waits(played.match)}: sort it in `sees`"
                )
                earlier.add((left, right))
        played.do(played.chance.choice(moves))


@every_world
@at_least(8)
@given(seed=seeds)
def test_whoever_acts_unseen_is_known_to_be_able_to(game: AnyGame, seed: int) -> None:
    """An undo that would take an unseen act along needs another's agreement, whether there was such an act or not."""
    played = Simulated(game, seats(game, seed), seed)
    for _ in range(150):
        if played.match.over or not (moves := played.moves()):
            break
        told_before = len(played.match.public)
        standing_before = (played.world, played.match.state)
        unseen = views.now(played.match).unseen
        move = played.chance.choice(moves)
        played.do(move)
        is_known = len(played.match.public) > told_before or move.seat in unseen
        assert is_known or (played.world, played.match.state) == standing_before, (
            f"nobody is told of {move.what!r} {waits(played.match)}: have `now` name this seat as `unseen`"
        )


@every_world
@pytest.mark.parametrize("strength", STRENGTHS)
def test_bots_finish_a_match(game: AnyGame, strength: Strength) -> None:
    seats_of_bots = (1, 3, 4)[: game.most_players]
    played = by_bots(game, dict.fromkeys(seats_of_bots, strength), seed=5)
    assert played.match.over, f"bots do not finish, {waits(played.match)}: see what `can` offers and `choose` takes"
    assert played.match.misplays == [], f"a bot breaks a rule, {waits(played.match)}: {played.match.misplays[0]}"


MATCHES = 42
"""Matches between strong and easy bots: in fewer, one that plays its worst card would win often enough by luck."""


@every_world
def test_strong_bots_beat_easy_ones(game: AnyGame) -> None:
    seats = sorted((1, 3, 5, 2, 4, 6)[: game.fewest_players])
    won: dict[Strength, float] = {"easy": 0.0, "strong": 0.0}
    for seed in range(MATCHES):
        strengths: dict[int, Strength] = dict.fromkeys(seats, "easy")
        strengths[seats[seed % len(seats)]] = "strong"
        winners = by_bots(game, strengths, seed).match.outcome.winners
        for seat in winners:
            won[strengths[seat]] += 1 / len(winners)
    enough = MATCHES / len(seats) * 6 / 5
    assert won["strong"] > enough, f"strong bots win too rarely, {won}: have `choose` do better where they are strong"
