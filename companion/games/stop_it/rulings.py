"""How each ruling of stop it! is told."""

from collections.abc import Mapping

from companion.game import COUNTING, FINISH, RulingKind
from companion.game.shared_rules import WINS

RULINGS: Mapping[str, RulingKind] = {
    "started": RulingKind(2, who="seat", sound="start"),
    "head-starts": RulingKind(),
    "restarted": RulingKind(2, who="seat", sound="start"),
    "shouted": RulingKind(2, FINISH, "seat", sound="first"),
    "shouted-earlier": RulingKind(3, FINISH, "fastest", "behind"),
    "shouted-later": RulingKind(3, FINISH, "fastest", "behind", in_demo=True, explained=3.0),
    "dead-heat": RulingKind(3, FINISH, in_demo=True),
    "shouted-after-dead-heat": RulingKind(3, FINISH),
    "stop-shown": RulingKind(1, who="seat", sound="card"),
    "stop-shown-first": RulingKind(1, who="seat"),
    "stop-shown-in-dead-heat": RulingKind(2, who="seat", own="behind"),
    "stop-shown-between": RulingKind(2, who="seat", own="behind"),
    "withdrew": RulingKind(1, who="seat"),
    "false-call": RulingKind(2, who="seat"),
    "false-call-penalty": RulingKind(2, who="seat"),
    "unsorted": RulingKind(1, who="seat"),
    "dropped": RulingKind(1, who="seat"),
    "counted": RulingKind(),
    "scored": RulingKind(3, COUNTING, "seats", "counts", sound="score", in_demo=True, shows=True),
    "piles-empty": RulingKind(2),
    "piles-empty-end": RulingKind(),
    "nobody-calls": RulingKind(1, FINISH),
    **WINS,
}
