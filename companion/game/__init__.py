"""What a game brings, and what many games share. An author's `GAME` is a value of `Game`.

>>> from companion import games
>>> game = games.known()["kartel"]
>>> game.deck["red-boss"].kind, game.most_players
('boss', 6)
"""

from companion.game.contract import (
    CONTRACT,
    END,
    AnyGame,
    Card,
    Chart,
    Delay,
    Game,
    GameState,
    Heard,
    HowSaid,
    Judged,
    Misplay,
    Moment,
    NoOptions,
    Now,
    O,
    Observer,
    Outcome,
    Pieces,
    Ruling,
    S,
    SameBox,
    Stage,
    Verdict,
    Ways,
    fewest_points,
    leaders,
    most_points,
)

__all__ = [
    "CONTRACT",
    "END",
    "AnyGame",
    "Card",
    "Chart",
    "Delay",
    "Game",
    "GameState",
    "Heard",
    "HowSaid",
    "Judged",
    "Misplay",
    "Moment",
    "NoOptions",
    "Now",
    "O",
    "Observer",
    "Outcome",
    "Pieces",
    "Ruling",
    "S",
    "SameBox",
    "Stage",
    "Verdict",
    "Ways",
    "fewest_points",
    "leaders",
    "most_points",
]
