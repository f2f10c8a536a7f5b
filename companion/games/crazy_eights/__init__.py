"""Crazy Eights: follow the suit or the rank, lay an eight on anything, and get rid of your hand."""

from pathlib import Path

from companion.game import Game
from companion.game.playing_cards import DECK, PLAYING_CARDS
from companion.games.crazy_eights.feats import feats
from companion.games.crazy_eights.hints import HINTS
from companion.games.crazy_eights.rules import MOVES, begin, unit
from companion.games.crazy_eights.rulings import RULINGS
from companion.games.crazy_eights.simulated_world import PHYSICS
from companion.games.crazy_eights.state import Options
from companion.games.crazy_eights.view import now, view

GAME = Game(
    slug="crazy-eights",
    title="Crazy Eights",
    folder=Path(__file__).parent,
    played_with=PLAYING_CARDS,
    most_players=5,
    deck=DECK,
    options=Options,
    begin=begin,
    moves=MOVES,
    rulings=RULINGS,
    hints=HINTS,
    now=now,
    view=view,
    unit=unit,
    on_show={"limit": 30},
    in_ten_minutes={"limit": 60},
    feats=feats,
    physics=PHYSICS,
)
