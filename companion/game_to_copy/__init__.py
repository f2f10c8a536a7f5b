"""Starter: in each round everybody lays a card face down, somebody presses, and the highest card scores."""

from pathlib import Path

from companion.game import CONTRACT, Game

from .cards import DECK
from .rules import MOVES, begin, unit
from .simulated_world import PHYSICS
from .state import Options
from .view import RULINGS, knows, now, view

GAME = Game(
    slug="starter",
    title="Starter",
    folder=Path(__file__).parent,
    contract=CONTRACT,
    deck=DECK,
    options=Options,
    begin=begin,
    moves=MOVES,
    rulings=RULINGS,
    now=now,
    view=view,
    unit=unit,
    knows=knows,
    physics=PHYSICS,
)
