"""Snap: two alike on the pile, and the first buzzer takes it."""

from pathlib import Path

from companion.game import CONTRACT, Game, NoOptions
from companion.game.playing_cards import DECK

from .likely_acts import acts
from .rules import begin, judge, unit, whose
from .simulated_world import PHYSICS
from .view import RULINGS, now, view

GAME = Game(
    slug="snap",
    title="Snap",
    folder=Path(__file__).parent,
    contract=CONTRACT,
    deck=DECK,
    options=NoOptions,
    begin=begin,
    judge=judge,
    rulings=RULINGS,
    now=now,
    view=view,
    unit=unit,
    acts=acts,
    whose=whose,
    physics=PHYSICS,
)
