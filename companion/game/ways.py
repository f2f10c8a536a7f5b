"""How something is said or done at the table."""

from collections.abc import Mapping
from enum import Enum


class HowSaid(Enum):
    """How something is said or done at the table."""

    PRESS = "press"
    """By a button."""
    LAID = "laid"
    """By cards of the game, laid as when it is played."""
    CARD = "card"
    """By one of the table's own cards."""
    PHONE = "phone"
    """Only on a phone."""


Ways = Mapping[str, tuple[HowSaid, ...]]
"""What is said or done → every way of it. The words hold a sentence for each as `way-WHAT-WAY`, but none of what is
laid."""
