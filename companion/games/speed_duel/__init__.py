"""Speed: red against black, both at once; who has laid all cards first wins."""

from pathlib import Path

from companion.game import Game
from companion.game.playing_cards import DECK, PLAYING_CARDS
from companion.games.speed_duel.feats import feats
from companion.games.speed_duel.hints import HINTS
from companion.games.speed_duel.rules import MOVES, begin, unit
from companion.games.speed_duel.rulings import RULINGS
from companion.games.speed_duel.simulated_world import PHYSICS
from companion.games.speed_duel.state import Options
from companion.games.speed_duel.view import now, view

GAME = Game(
    slug="speed-duel",
    title="Speed",
    folder=Path(__file__).parent,
    played_with=PLAYING_CARDS,
    deck=DECK,
    fewest_players=2,
    most_players=2,
    options=Options,
    begin=begin,
    moves=MOVES,
    rulings=RULINGS,
    hints=HINTS,
    now=now,
    view=view,
    unit=unit,
    on_show={"cards": 13},
    most_on_show=2,
    feats=feats,
    physics=PHYSICS,
)
