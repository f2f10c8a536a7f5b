"""How each ruling of ¡Go! is told."""

from collections.abc import Mapping

from companion.game import COUNTING, RulingKind
from companion.game.shared_rules import WINS

RULINGS: Mapping[str, RulingKind] = {
    "took-pile": RulingKind(1, who="seat", sound="card", in_demo=True, shows=True, seals=True),
    "took-discard": RulingKind(1, who="seat", sound="card", in_demo=True),
    "took-row": RulingKind(1, who="seat", sound="card", in_demo=True),
    "row-open": RulingKind(1, explained=8.0),
    "discard-open": RulingKind(),
    "discarded": RulingKind(1, who="seat", sound="card"),
    "must-call": RulingKind(2, who="seat"),
    "called": RulingKind(2, who="seat", sound="first", in_demo=True),
    "called-last-pile": RulingKind(2, who="seat"),
    "row-card": RulingKind(1),
    "row-card-in-your-hand": RulingKind(),
    "reading": RulingKind(1, who="seat"),
    # Told to its seat alone, in the misplay's words: the card counts for all that, until all hands lie open.
    **dict.fromkeys(
        ("is-row-card", "in-callers-hand", "on-the-discard", "taken-by-other", "hand-is-complete"), RulingKind()
    ),
    "hand-complete": RulingKind(),
    "lies-open": RulingKind(),
    "read-in-two-hands": RulingKind(2, who="seat", shows=True),
    "series-told": RulingKind(2, who="seat"),
    "series-best": RulingKind(2, who="seat"),
    "series-auto": RulingKind(2, who="seat"),
    "scored-caller": RulingKind(3, COUNTING, "caller", "penalties", sound="score", shows=True),
    "scored-others": RulingKind(3, COUNTING, "seats", "penalties", sound="score", in_demo=True, shows=True),
    "perfect": RulingKind(3, COUNTING, "seat"),
    "void-row": RulingKind(2, who="seat"),
    "void-host": RulingKind(2),
    **WINS,
}
