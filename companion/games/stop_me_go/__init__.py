"""STOP me GO or let me GO by Taiju Sawada (Kyf Édition)."""

from pathlib import Path

from companion.game import Game
from companion.games.stop_me_go.awaited import now
from companion.games.stop_me_go.cards import DECK
from companion.games.stop_me_go.charts import charts
from companion.games.stop_me_go.feats import feats
from companion.games.stop_me_go.hints import HINTS
from companion.games.stop_me_go.reward import outcome, progress
from companion.games.stop_me_go.rules import MOVES, begin, knows, unit
from companion.games.stop_me_go.rulings import RULINGS
from companion.games.stop_me_go.simulated_world import PHYSICS
from companion.games.stop_me_go.state import Options
from companion.games.stop_me_go.table_laid_out import changes_nothing, lay_out_table, revealed_place
from companion.games.stop_me_go.tokens_in_box import Box, wanted
from companion.games.stop_me_go.view import view

GAME = Game(
    slug="stop-me-go",
    title="STOP me GO or let me GO",
    folder=Path(__file__).parent,
    deck=DECK,
    wanted=wanted,
    options=Options,
    begin=begin,
    moves=MOVES,
    outcome=outcome,
    rulings=RULINGS,
    hints=HINTS,
    now=now,
    view=view,
    unit=unit,
    knows=knows,
    box=Box,
    charts=charts,
    progress=progress,
    feats=feats,
    layouts={
        "changes_nothing": changes_nothing,
        "revealed_place": revealed_place,
        "table": lay_out_table,
    },
    on_show={"target": 2},
    in_ten_minutes={"target": 2},
    physics=PHYSICS,
)
