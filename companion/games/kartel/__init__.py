"""Kartel by Reiner Knizia (Helvetiq 2018)."""

from pathlib import Path

from companion.game import Game
from companion.games.kartel.cards import DECK
from companion.games.kartel.charts import charts
from companion.games.kartel.counting import outcome
from companion.games.kartel.feats import feats
from companion.games.kartel.gangs_laid_out import felt_by, reason_of, stacks, tokens_of
from companion.games.kartel.hints import HINTS
from companion.games.kartel.rules import MOVES, begin, unit
from companion.games.kartel.rulings import RULINGS
from companion.games.kartel.simulated_world import PHYSICS
from companion.games.kartel.state import Options
from companion.games.kartel.view import now, view

GAME = Game(
    slug="kartel",
    title="Kartel",
    folder=Path(__file__).parent,
    deck=DECK,
    options=Options,
    begin=begin,
    moves=MOVES,
    outcome=outcome,
    rulings=RULINGS,
    hints=HINTS,
    now=now,
    view=view,
    unit=unit,
    charts=charts,
    on_show={"ring": True},
    feats=feats,
    layouts={
        "felt_by": felt_by,
        "reason_of": reason_of,
        "stacks": stacks,
        "tokens_of": tokens_of,
    },
    variants={"money": (True, False), "free_gang": ("minus", "zero")},
    physics=PHYSICS,
)
