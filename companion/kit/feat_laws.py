"""Laws of feats: each is named in the game's words, somebody does it, and not everybody does it always.

Part of `laws.py`.
"""

import random
from collections.abc import Iterator

from companion.events import SEATS
from companion.game import AnyGame
from companion.game.simulated_world import STRENGTHS
from companion.history.achievements import FEAT
from companion.judge import record_file, views
from companion.judge.match import Match, judge
from companion.kit.games_to_test import every_game
from companion.kit.random_matches import beside, random_match
from companion.kit.simulated_matches import PLAYABLE, by_bots
from companion.words import catalogue

TRIED = 60
"""Matches at random, and as many by bots, within which every feat must be done."""


@every_game
def test_every_feat_is_done_in_some_match_and_not_always_by_everybody(game: AnyGame) -> None:
    codes = {code.removeprefix(FEAT).removesuffix("-how") for code in catalogue(game.slug) if code.startswith(FEAT)}
    never_done = set(codes)
    always_done = set(codes)
    for match in _finished_matches(game):
        table = views.view(match, None)["table"]
        feats = {code: {*seats} for code, seats in game.feats(table).items() if seats}
        assert feats.keys() <= codes, f"write {sorted(feats.keys() - codes)} into locale/words.pot as {FEAT}…"
        never_done = {code for code in never_done if code not in feats}
        always_done = {code for code in always_done if feats.get(code) == {*match.seats}}
        if not never_done and not always_done:
            break
    tried = f"in the example records and {2 * TRIED} matches"
    assert not never_done, (
        f"nobody does {sorted(never_done)} {tried}: mend `feats`, or add a record where somebody does"
    )
    assert not always_done, f"everybody always does {sorted(always_done)} {tried}: a feat is more than playing"


def _finished_matches(game: AnyGame) -> Iterator[Match]:
    """Yield the example records, then in turn a match at random and one by bots of any strength; all to their end."""
    for path in sorted((beside(game) / "records").glob("*.jsonl")):
        match = judge(record_file.decode(path.read_bytes()))
        if match.over:
            yield match
    for seed in range(TRIED):
        match = judge(random_match(game, seed, most=1000))
        if match.over:
            yield match
        if game.slug in PLAYABLE:
            chance = random.Random(seed)
            seats = sorted(chance.sample(SEATS, chance.randint(game.fewest_players, game.most_players)))
            yield by_bots(game, {seat: chance.choice(STRENGTHS) for seat in seats}, seed).match
