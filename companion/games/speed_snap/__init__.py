"""Speed Snap: cards are turned onto one pile; when two are alike, the first buzzer takes it."""

from pathlib import Path

from companion.game import Game
from companion.game.playing_cards import DECK, PLAYING_CARDS
from companion.games.speed_snap.feats import feats
from companion.games.speed_snap.hints import HINTS
from companion.games.speed_snap.rules import MOVES, begin, unit
from companion.games.speed_snap.rulings import RULINGS
from companion.games.speed_snap.simulated_world import PHYSICS
from companion.games.speed_snap.state import Options
from companion.games.speed_snap.view import now, view

GAME = Game(
    slug="speed-snap",
    title="Speed Snap",
    folder=Path(__file__).parent,
    played_with=PLAYING_CARDS,
    deck=DECK,
    options=Options,
    begin=begin,
    moves=MOVES,
    rulings=RULINGS,
    hints=HINTS,
    now=now,
    view=view,
    unit=unit,
    dead_heat="tie_window",
    head_starts="head_starts",
    on_show={"deals": 1},
    in_ten_minutes={"deals": 2},
    feats=feats,
    physics=PHYSICS,
)
