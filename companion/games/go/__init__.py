"""¡Go! by Leo Colovini."""

from pathlib import Path

from companion.game import Game, HowSaid
from companion.games.go.calling import word_in
from companion.games.go.cards import DECK
from companion.games.go.charts import charts
from companion.games.go.feats import feats
from companion.games.go.likely_acts import acts
from companion.games.go.rules import begin, judge, outcome, shut, unit, whose, word_on
from companion.games.go.rulings import RULINGS
from companion.games.go.simulated_world import PHYSICS
from companion.games.go.state import Options
from companion.games.go.view import now, opened, view

GAME = Game(
    slug="go",
    title="¡Go!",
    folder=Path(__file__).parent,
    deck=DECK,
    most_players=4,
    options=Options,
    begin=begin,
    judge=judge,
    word_in=word_in,
    word_on=word_on,
    without_phones={"caller_series": "auto"},
    ways={
        "series": (
            HowSaid.PRESS,
            HowSaid.PHONE,
        ),
        "last-row": (HowSaid.CARD,),
        "last-pile": (HowSaid.CARD,),
        "void": (HowSaid.CARD,),
    },
    outcome=outcome,
    rulings=RULINGS,
    now=now,
    view=view,
    unit=unit,
    shut=shut,
    acts=acts,
    whose=whose,
    for_all=frozenset({"void"}),
    charts=charts,
    opened=opened,
    on_show={"tracking": "turns", "caller_series": "auto", "target": 1},
    most_on_show=3,
    feats=feats,
    variants={"target": (2, 3, 4, 5, 6)},  # a series chosen by itself would score hands that a void round never showed
    physics=PHYSICS,
)
