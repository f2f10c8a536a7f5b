"""What whoever is new to Hearts is told, and when."""

from collections.abc import Mapping

from companion.game import Hint

_PASSES = ("now-pass-left", "now-pass-right", "now-pass-across")
_LAID = ("laid", "not-followed", "only-hearts", "only-points")

HINTS: Mapping[str, Hint] = {
    "queen": Hint(after=("queen",)),
    "broken": Hint(after=("broken",)),
    "taken-points": Hint(after=("taken-points",)),
    "counted": Hint(after=("counted",)),
    "pass": Hint(at=_PASSES, done=("passed",)),
    "first": Hint(at=("now-first",), done=_LAID, once=True),
    "lead": Hint(after=("taken",), to_doer=True),
    "follow": Hint(at=("now-follow",), done=_LAID),
}
