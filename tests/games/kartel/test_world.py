"""What the things of Kartel tell of a match, against what the judge makes of it."""

import random
from typing import Any

import pytest

from companion.game.simulated_world import Move, Sight, Strength
from companion.games.kartel import GAME
from companion.games.kartel.bots import choose
from companion.games.kartel.cards import BOSS, COLOURS, DECK, MONEY
from companion.kit.simulated_matches import by_anybody


@pytest.mark.parametrize("seed", range(12))
def test_the_judge_counts_what_lies_before_everybody(seed: int) -> None:
    played = by_anybody(GAME, (1, 2, 5), seed)
    jailed = {DECK[boss].colour for boss in played.world.prison}
    assert all(DECK[boss].kind == BOSS for boss in played.world.prison)

    def worth(token: str) -> int:
        card = DECK[token]
        if card.kind == MONEY:
            return 0 if card.colour in jailed else 3
        return (card.value or 0) * (1 if card.colour in jailed else -1)

    assert played.match.over
    assert played.match.outcome.scores == {seat: sum(map(worth, tokens)) for seat, tokens in played.world.won.items()}


@pytest.mark.parametrize("strength", ["middle", "strong"])
@pytest.mark.parametrize(
    ("own_tokens", "other_tokens", "token"),
    [
        ((), ("red-3", "red-2a"), "-1"),
        (("red-3",), ("red-1",), "-boss"),
        (("red-1", "red-2a"), ("red-3",), "-1"),
        (("red-3",), ("red-1", "red-2a"), "-boss"),
    ],
    ids=["losing", "winning", "equal with more tokens", "equal with fewer"],
)
def test_only_who_would_win_ends_the_match_if_they_have_a_choice(
    strength: Strength, own_tokens: tuple[str, ...], other_tokens: tuple[str, ...], token: str
) -> None:
    *jailed, fifth, free = COLOURS[:6]
    table: dict[str, Any] = {
        "cells": [{"colour": colour} for colour in jailed],
        "holdings": {"1": {"open": (), "closed": own_tokens}, "2": {"open": (), "closed": other_tokens}},
    }
    assert "red" in jailed
    boss = Move(1, "take", f"{fifth}-boss", seconds=1.0)
    cheap = Move(1, "take", f"{free}-1", seconds=1.0)
    chosen = choose(Sight(1, {}, table, (boss, cheap)), strength, random.Random(1))
    assert chosen
    assert chosen.card.endswith(token)
