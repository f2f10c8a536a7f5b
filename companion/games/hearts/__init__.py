"""Hearts: take no hearts, and above all not the queen of spades; or take them all."""

from pathlib import Path

from companion.game import Game
from companion.game.playing_cards import DECK, PLAYING_CARDS
from companion.games.hearts.feats import feats
from companion.games.hearts.hints import HINTS
from companion.games.hearts.rules import MOVES, begin, unit
from companion.games.hearts.rulings import RULINGS
from companion.games.hearts.simulated_world import PHYSICS
from companion.games.hearts.state import Options
from companion.games.hearts.view import now, view

GAME = Game(
    slug="hearts",
    title="Hearts",
    folder=Path(__file__).parent,
    played_with=PLAYING_CARDS,
    fewest_players=3,
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
    fewest_win=True,
    on_show={"limit": 20},
    in_ten_minutes={"limit": 30},
    feats=feats,
    physics=PHYSICS,
)
