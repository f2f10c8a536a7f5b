"""¡Go! by Leo Colovini."""

from pathlib import Path

from companion.game import Game
from companion.games.go.cards import DECK
from companion.games.go.cards_to_try import cards_to_try
from companion.games.go.charts import charts
from companion.games.go.feats import feats
from companion.games.go.hands_laid_out import (
    bar_length,
    by_colour,
    examples,
    lay_out_series,
    saved_since,
    split_by_colour,
    thrown_out,
    written_sum,
)
from companion.games.go.hints import HINTS
from companion.games.go.rules import MOVES, begin, outcome, unit
from companion.games.go.rulings import RULINGS
from companion.games.go.simulated_world import PHYSICS
from companion.games.go.state import Options
from companion.games.go.table_laid_out import lay_out_own_hand, lay_out_round, lay_out_table
from companion.games.go.view import knows, now, view

GAME = Game(
    slug="go",
    title="¡Go!",
    folder=Path(__file__).parent,
    deck=DECK,
    most_players=4,
    options=Options,
    begin=begin,
    moves=MOVES,
    without_phones={"caller_series": "auto"},
    outcome=outcome,
    rulings=RULINGS,
    hints=HINTS,
    now=now,
    view=view,
    unit=unit,
    charts=charts,
    knows=knows,
    on_show={"tracking": "turns", "caller_series": "auto", "target": 1},
    most_on_show=3,
    in_ten_minutes={"target": 2},
    feats=feats,
    layouts={
        "bar_length": bar_length,
        "by_colour": by_colour,
        "cards_to_try": cards_to_try,
        "examples": examples,
        "own_hand": lay_out_own_hand,
        "round": lay_out_round,
        "saved_since": saved_since,
        "series": lay_out_series,
        "split_by_colour": split_by_colour,
        "table": lay_out_table,
        "thrown_out": thrown_out,
        "written_sum": written_sum,
    },
    variants={"target": (2, 3, 4, 5, 6)},  # a series chosen by itself would score hands that a void round never showed
    physics=PHYSICS,
)
