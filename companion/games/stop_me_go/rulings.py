"""How each ruling of STOP me GO is told: none is news before its cards are turned up."""

from collections.abc import Mapping

from msgspec.structs import replace

from companion.game import REVEAL, RulingKind
from companion.game.shared_rules import WINS

ROUND_REVEAL = replace(REVEAL, settles=1.4)
"""The gangster that was turned up last makes way for those that were captured."""

RULINGS: Mapping[str, RulingKind] = {
    "took-colour": RulingKind(),
    "round-begins": RulingKind(1, sound="start"),
    "turned-up": RulingKind(1, sound="card"),
    "reshuffled-at-once": RulingKind(1),
    "laid": RulingKind(),
    "all-laid": RulingKind(),
    "all-laid-arrest": RulingKind(1),
    "fled-nobody": RulingKind(2, REVEAL, in_demo=True, explained=2.0, shows=True),
    "fled-several": RulingKind(2, REVEAL, explained=2.0, shows=True),
    "reshuffled": RulingKind(),
    "long-round": RulingKind(2, REVEAL),
    "captured": RulingKind(3, REVEAL, "seat", sound="stamp", in_demo=True, shows=True),
    "taken": RulingKind(2, REVEAL, "seat", sound="stamp", in_demo=True, shows=True),
    "discarded-nobody": RulingKind(2, REVEAL, shows=True),
    "discarded-several": RulingKind(2, REVEAL, shows=True),
    "round-won": RulingKind(3, ROUND_REVEAL, "seat", in_demo=True),
    "round-won-by-one": RulingKind(3, ROUND_REVEAL, "seat"),
    "token-taken": RulingKind(1, who="seat", shows=True),
    "third-token": RulingKind(),
    "all-tokens-won": RulingKind(2),
    "token-read-twice": RulingKind(2),
    "sum": RulingKind(),
    **WINS,
}
