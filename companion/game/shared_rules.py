"""Rules that most games share: winning, alone or together."""

from companion.game.rulings import RulingKind
from companion.game.standing import Outcome
from companion.game.verdicts import Ruling

WINS = {"won": RulingKind(), "won-together": RulingKind()}
"""The rulings that `won` returns, for a game's `rulings`."""


def won(outcome: Outcome, seq: int) -> Ruling:
    """Return the ruling on who won, alone or together."""
    code = "won" if len(outcome.winners) == 1 else "won-together"
    return Ruling(code, seq, {"seats": outcome.winners, "points": outcome.scores[outcome.winners[0]]})
