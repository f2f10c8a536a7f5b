"""What whoever is new to ¡Go! is told, and when."""

from collections.abc import Mapping

from companion.game import Hint

_TAKEN = ("took-pile", "took-discard", "took-row")
_CHOSEN = ("series-told", "series-best", "series-auto")

HINTS: Mapping[str, Hint] = {
    "scored": Hint(after=("scored-caller", "scored-others")),
    "chosen": Hint(after=_CHOSEN),
    "called": Hint(after=("called", "called-last-pile")),
    "void": Hint(after=("void-row",)),
    "call": Hint(after=("discarded",), to_doer=True),
    "playing": Hint(at=("now-playing",), done=("called", "called-last-pile"), once=True),
    "deal": Hint(at=("now-deal",), done=("row-open",), once=True),
    "take": Hint(at=("now-take", "now-take-or-call"), done=_TAKEN),
    "discard": Hint(at=("now-discard", "now-discard-and-call"), done=("discarded",)),
    "series": Hint(at=("now-series",), done=_CHOSEN),
}
