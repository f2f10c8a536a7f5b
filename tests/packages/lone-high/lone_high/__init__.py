"""Lone High: all lay a card face down, and the highest that nobody else has takes the trick."""

from pathlib import Path

from companion.game import CONTRACT, Game
from companion.game.playing_cards import DECK

from .likely_acts import acts
from .rules import begin, judge, unit
from .simulated_world import PHYSICS
from .state import Options
from .view import MOMENTS, now, view

GAME = Game(
    slug="lone-high",
    title="Lone High",
    folder=Path(__file__).parent,
    contract=CONTRACT,
    deck=DECK,
    options=Options,
    begin=begin,
    judge=judge,
    now=now,
    view=view,
    unit=unit,
    acts=acts,
    opening=frozenset({"taken", "cancelled"}),
    opened=lambda state: [card for _, card in state.open],
    moments=MOMENTS,
    sounds={"laid": "card", "taken": "score", "cancelled": "stamp"},
    physics=PHYSICS,
)
