"""Every ruling of Speed, and how it is told."""

from companion.game import RulingKind
from companion.game.shared_rules import WINS

RULINGS = {
    "turned": RulingKind(sound="card"),
    "laid": RulingKind(sound="card"),
    "few-left": RulingKind(1, who="seat"),
    "stuck": RulingKind(),
    "both-stuck": RulingKind(1),
    **WINS,
}
