"""Lone High: all lay a card face down, and the highest that nobody else has takes the trick."""

from pathlib import Path

from companion.game import CONTRACT, Game
from companion.game.playing_cards import DECK, PLAYING_CARDS

from .rules import MOVES, begin, unit
from .simulated_world import PHYSICS
from .state import Options
from .view import RULINGS, knows, now, view

GAME = Game(
    slug="lone-high",
    title="Lone High",
    folder=Path(__file__).parent,
    contract=CONTRACT,
    deck=DECK,
    played_with=PLAYING_CARDS,
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
