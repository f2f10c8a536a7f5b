"""How each ruling of Kartel is told."""

from collections.abc import Mapping

from companion.game import RulingKind, Staging

JAIL = Staging("jail", 3.1)
"""A boss goes to prison."""

RULINGS: Mapping[str, RulingKind] = {
    "in-ring": RulingKind(),
    "in-ring-beside": RulingKind(),
    "in-ring-already": RulingKind(),
    "ring-done": RulingKind(1, who="seat", sound="start"),
    "rolled": RulingKind(1, who="seat", in_demo=True, passing=True),
    "won": RulingKind(1, who="seat", sound="card", in_demo=True),
    "won-closed": RulingKind(1, who="seat", sound="card", in_demo=True),
    "boss-jailed": RulingKind(3, JAIL, "seats", "tally", sound="stamp", in_demo=True),
    "boss-jailed-alone": RulingKind(1, JAIL, "seat", sound="stamp"),
    "match-won": RulingKind(),
    "match-won-by-fewer": RulingKind(),
    "match-shared": RulingKind(),
}
