"""Every ruling of Hearts, and how it is told."""

from companion.game import RulingKind
from companion.game.shared_rules import WINS

RULINGS = {
    "passed": RulingKind(sound="card"),
    "all-passed": RulingKind(1),
    "laid": RulingKind(sound="card"),
    "not-followed": RulingKind(sound="card"),
    "only-hearts": RulingKind(1, who="seat", sound="card"),
    "only-points": RulingKind(1, who="seat", sound="card"),
    "broken": RulingKind(1, who="seat"),
    "queen": RulingKind(2, who="seat", sound="stamp"),
    "revoked": RulingKind(2, who="seat", sound="stamp"),
    "taken": RulingKind(sound="score"),
    "taken-points": RulingKind(1, who="seat", sound="score"),
    "counted": RulingKind(2, own="shares"),
    "moon": RulingKind(3, who="seat", sound="first"),
    "revoke-counted": RulingKind(2, who="seat"),
    **WINS,
}
