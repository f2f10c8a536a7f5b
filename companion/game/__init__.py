"""The interface that a game implements, and parts that many games share. An author's `GAME` is a value of `Game`.

>>> from companion import games
>>> game = games.known()["kartel"]
>>> game.deck["red-boss"].kind, game.most_players
('boss', 6)
"""

from companion.game.contract import (
    CONTRACT,
    AnyGame,
    Chart,
    Game,
    NoOptions,
    Now,
    O,
    Observer,
)
from companion.game.hints import Hint
from companion.game.knowing import Knowing, KnownCards
from companion.game.moves import Delay, GameMoves, Presses, Taps, Wait
from companion.game.pieces import Card, Pieces, SameBox
from companion.game.rulings import COUNTING, DECISIVE_S, END, FINISH, PODIUM, REVEAL, RulingKind, SoundName, Staging
from companion.game.standing import Outcome, fewest_points, leaders, most_points, with_gains
from companion.game.verdicts import (
    NOBODY,
    GameState,
    Heard,
    Judged,
    Misplay,
    Ruling,
    S,
    Verdict,
    reads_as_misplay,
    refuses_at_once,
)
from companion.game.ways import HowSaid, Ways, Word

__all__ = [
    "CONTRACT",
    "COUNTING",
    "DECISIVE_S",
    "END",
    "FINISH",
    "NOBODY",
    "PODIUM",
    "REVEAL",
    "AnyGame",
    "Card",
    "Chart",
    "Delay",
    "Game",
    "GameMoves",
    "GameState",
    "Heard",
    "Hint",
    "HowSaid",
    "Judged",
    "Knowing",
    "KnownCards",
    "Misplay",
    "NoOptions",
    "Now",
    "O",
    "Observer",
    "Outcome",
    "Pieces",
    "Presses",
    "Ruling",
    "RulingKind",
    "S",
    "SameBox",
    "SoundName",
    "Staging",
    "Taps",
    "Verdict",
    "Wait",
    "Ways",
    "Word",
    "fewest_points",
    "leaders",
    "most_points",
    "reads_as_misplay",
    "refuses_at_once",
    "with_gains",
]
