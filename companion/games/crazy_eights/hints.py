"""What whoever is new to Crazy Eights is told, and when."""

from collections.abc import Mapping

from companion.game import Hint

HINTS: Mapping[str, Hint] = {
    "eight": Hint(after=("laid-eight",)),
    "last-card": Hint(after=("last-card",)),
    "scored": Hint(after=("scored",)),
    "lay": Hint(at=("now-lay",), done=("laid", "laid-eight")),
    "drawn": Hint(at=("now-drawn",), done=("laid", "laid-eight", "passed")),
    "count": Hint(at=("now-count",), done=("hand-shown",)),
}
