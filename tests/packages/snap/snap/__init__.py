"""Snap: two alike on the pile, and the first buzzer takes it."""

from pathlib import Path

from companion.game import CONTRACT, Game, NoOptions
from companion.game.playing_cards import DECK, PLAYING_CARDS

from .rules import MOVES, begin, unit
from .simulated_world import PHYSICS
from .view import RULINGS, now, view

GAME = Game(
    slug="snap",
    title="Snap",
    folder=Path(__file__).parent,
    contract=CONTRACT,
    deck=DECK,
    played_with=PLAYING_CARDS,
    options=NoOptions,
    begin=begin,
    moves=MOVES,
    rulings=RULINGS,
    now=now,
    view=view,
    unit=unit,
    physics=PHYSICS,
)
