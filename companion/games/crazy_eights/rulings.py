"""Every ruling of Crazy Eights, and how it is told."""

from companion.game import RulingKind
from companion.game.shared_rules import WINS

RULINGS = {
    "turned-up": RulingKind(sound="card"),
    "laid": RulingKind(sound="card"),
    "laid-eight": RulingKind(1, who="seat", sound="stamp", in_demo=True),
    "named": RulingKind(1, who="seat"),
    "drew": RulingKind(),
    "passed": RulingKind(),
    "last-card": RulingKind(1, who="seat"),
    "out": RulingKind(2, who="seat", sound="first"),
    "blocked": RulingKind(2),
    "shown": RulingKind(sound="card"),
    "hand-shown": RulingKind(),
    "scored": RulingKind(2, who="seats", sound="score"),
    **WINS,
}
