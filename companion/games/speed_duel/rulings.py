"""Every ruling of Speed, and how it is told."""

from companion.game import RulingKind, Staging
from companion.game.shared_rules import WINS

STUCK = Staging("stuck", 1.6, ends_unit=False)
"""Both have pressed, and each is about to turn up a card."""
FEW = Staging("few", 1.6, ends_unit=False)
"""Somebody has only a hand left, and the race goes on."""
LAST_CARD = Staging("last-card", 2.8, ends_unit=False)
"""Somebody is out, and everybody sees what the other still has."""

RULINGS = {
    "turned": RulingKind(sound="card"),
    "laid": RulingKind(sound="card"),
    "few-left": RulingKind(1, FEW, "seat"),
    "stuck": RulingKind(),
    "both-stuck": RulingKind(1, STUCK),
    "last-card": RulingKind(1, LAST_CARD, "seat"),
    **WINS,
}
