"""What whoever is new to Kartel is told, and when."""

from collections.abc import Mapping

from companion.game import Hint

_TAKEN = ("won", "won-closed", "boss-jailed", "boss-jailed-alone")

HINTS: Mapping[str, Hint] = {
    "boss-jailed": Hint(after=("boss-jailed", "boss-jailed-alone")),
    "won-closed": Hint(after=("won-closed",)),
    "won": Hint(after=("won",)),
    "ring": Hint(at=("now-ring",), done=("ring-done",), once=True),
    "roll": Hint(at=("now-roll", "now-turn"), done=("rolled", *_TAKEN)),
    "reach": Hint(at=("now-reach",), done=_TAKEN),
}
