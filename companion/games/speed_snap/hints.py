"""What whoever is new to Speed Snap is told, and when."""

from collections.abc import Mapping

from companion.game import Hint

HINTS: Mapping[str, Hint] = {
    "snapped": Hint(after=("snapped", "snapped-earlier")),
    "nothing-there": Hint(after=("nothing-there",)),
    "dead-heat": Hint(after=("dead-heat",)),
    "turn": Hint(at=("now-turn",), done=("turned",)),
    "deal": Hint(at=("now-deal",), done=("turned",)),
}
