"""A simulated table of cards in hands."""

import random

import pytest
from msgspec.structs import replace

from companion.events import Event, Pressed, Said, Tapped
from companion.game.simulated_hands import cards_in, moved, physics
from companion.game.simulated_world import Move

CARDS = [f"card-{number}" for number in range(12)]
HELD = physics(CARDS, 3, lambda table, seat, hand: (), lambda sight, strength, chance: None)
WORLD = HELD.begin((2, 5), random.Random(1))
TOP = WORLD.pile[0]
MINE = WORLD.hands[5][0]


@pytest.mark.parametrize(
    ("move", "sensed"),
    [
        (Move(5, "lay", MINE), Tapped(0, 0.0, "seat-5", MINE)),
        (Move(5, "play", MINE), Tapped(0, 0.0, "centre", MINE)),
        (Move(5, "turn-up"), Tapped(0, 0.0, "centre", TOP)),
        (Move(5, "press"), Pressed(0, 0.0, 5)),
        (Move(5, "take-row", number=3), Said(0, 0.0, 5, "take-row", 3)),
        (Move(5, "pass"), Said(0, 0.0, 5, "pass")),
        (Move(5, "draw"), None),
        (Move(5, "deal"), None),
    ],
    ids=lambda value: getattr(value, "what", ""),
)
def test_a_table_senses_what_is_laid_turned_up_pressed_or_said_and_every_card_stays(
    move: Move, sensed: Event | None
) -> None:
    world, events = HELD.do(WORLD, move, random.Random(2))
    assert events == ((sensed,) if sensed else ())
    assert sorted(HELD.lies(world)) == sorted(CARDS)


def test_whoever_draws_holds_the_top_of_the_pile() -> None:
    world, _ = HELD.do(WORLD, Move(5, "draw"), random.Random(2))
    assert world.hands == {2: WORLD.hands[2], 5: (*WORLD.hands[5], TOP)}


def test_all_cards_are_dealt_anew() -> None:
    laid, _ = HELD.do(WORLD, Move(5, "lay", MINE), random.Random(2))
    world, _ = HELD.do(laid, Move(5, "deal"), random.Random(2))
    assert [len(hand) for hand in world.hands.values()] == [3, 3]
    assert world.laid == ()


def test_a_card_that_is_played_in_the_middle_lies_on_top_of_the_stack() -> None:
    turned_up, _ = HELD.do(WORLD, Move(5, "turn-up"), random.Random(2))
    world, _ = HELD.do(turned_up, Move(5, "play", MINE), random.Random(2))
    assert MINE not in world.hands[5]
    assert world.laid == (TOP, MINE)


def test_the_card_just_drawn_is_marked_until_the_next_move_of_its_seat() -> None:
    drawn, _ = HELD.do(WORLD, Move(5, "draw"), random.Random(2))
    assert HELD.sees(drawn, 5)["drawn"] == TOP
    assert "drawn" not in HELD.sees(drawn, 2)
    world, _ = HELD.do(drawn, Move(2, "press"), random.Random(2))
    assert HELD.sees(world, 5)["drawn"] == TOP
    passed, _ = HELD.do(drawn, Move(5, "pass"), random.Random(2))
    assert "drawn" not in HELD.sees(passed, 5)


def test_nobody_draws_from_an_empty_pile() -> None:
    empty = replace(WORLD, pile=())
    assert HELD.do(empty, Move(5, "draw"), random.Random(2)) == (empty, ())


def test_how_many_cards_are_dealt_may_depend_on_how_many_play() -> None:
    dealt = physics(CARDS, {2: 5, 3: 3}, lambda table, seat, hand: (), lambda sight, strength, chance: None)
    for seats, each in (((1, 2), 5), ((1, 2, 4), 3)):
        world = dealt.begin(seats, random.Random(1))
        assert {len(hand) for hand in world.hands.values()} == {each}


def test_a_world_of_its_own_moves_cards_by_the_same_functions() -> None:
    world, events = moved(WORLD, Move(5, "play", MINE))
    assert sorted(cards_in(world)) == sorted(CARDS)
    assert events == (Tapped(0, 0.0, "centre", MINE),)
