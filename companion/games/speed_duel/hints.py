"""What whoever is new to Speed is told, and when."""

from collections.abc import Mapping

from companion.game import Hint

HINTS: Mapping[str, Hint] = {
    "both-stuck": Hint(after=("both-stuck",)),
    "stuck": Hint(after=("stuck",)),
    "race": Hint(at=("now-race",), done=("laid",)),
    "turn": Hint(at=("now-turn",), done=("turned",)),
}
