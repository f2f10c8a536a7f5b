"""Every ruling of Speed Snap, and how it is told."""

from companion.game import RulingKind
from companion.game.shared_rules import WINS

RULINGS = {
    "head-starts": RulingKind(),
    "turned": RulingKind(sound="card"),
    "pressed": RulingKind(),
    "snapped": RulingKind(2, who="seat", sound="first"),
    "snapped-earlier": RulingKind(2, who="seat", sound="first"),
    "snapped-later": RulingKind(1, who="seat"),
    "dead-heat": RulingKind(2),
    "after-dead-heat": RulingKind(),
    "nothing-there": RulingKind(1, who="seat", sound="stamp"),
    "deal-over": RulingKind(2),
    **WINS,
}
