"""stop it! by Alan R. Moon and Aaron Weissblum (Schmidt Spiele 2003)."""

from pathlib import Path

from companion.game import Game
from companion.games.stop_it.cards import DECK
from companion.games.stop_it.cards_laid_out import (
    lay_out_hand,
    lay_out_heap,
    sitting_at,
    stops_in_play,
    stops_to_choose,
)
from companion.games.stop_it.charts import charts
from companion.games.stop_it.colours_in_box import Box, wanted
from companion.games.stop_it.feats import feats
from companion.games.stop_it.hints import HINTS
from companion.games.stop_it.photo_finish import next_press, photo_finish
from companion.games.stop_it.rules import MOVES, begin, unit
from companion.games.stop_it.rulings import RULINGS
from companion.games.stop_it.simulated_world import PHYSICS
from companion.games.stop_it.state import Options
from companion.games.stop_it.view import now, view

GAME = Game(
    slug="stop-it",
    title="stop it!",
    folder=Path(__file__).parent,
    deck=DECK,
    wanted=wanted,
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
    box=Box,
    charts=charts,
    fewest_win=True,
    on_show={"negatives": 7, "empty": "end-now"},
    in_ten_minutes={"negatives": 6},
    feats=feats,
    layouts={
        "hand": lay_out_hand,
        "heap": lay_out_heap,
        "next_press": next_press,
        "photo_finish": photo_finish,
        "sitting_at": sitting_at,
        "stops_in_play": stops_in_play,
        "stops_to_choose": stops_to_choose,
    },
    variants={
        "tie_window": (0.0, 0.0005, 0.005, 0.05),
        "false_call": ("void", "penalty"),
        "cumulative": (True, False),
        "empty": ("last-calls", "end-now"),
    },
    physics=PHYSICS,
)
