"""Finds contacts that stay closed: something leans on the button, it sticks, or its wires touch."""

CLOSED_S = 1.5
"""Seconds for which a contact must be found closed at every look; nobody presses that long."""
AGAIN_S = 0.5
"""Seconds between two looks."""
WANTED_S = 1.0
"""Seconds for which a request is valid, so that looking ends soon after a match begins."""


class Contacts:
    """Which of a device's buttons, numbered from 0, are closed at look after look.

    A look may make a box deaf to a button for its release time, so it must not be requested while people play.
    """

    def __init__(self) -> None:
        self._wanted_until = self._look_at = float("-inf")
        self._since: dict[int, float] = {}
        self._last = float("-inf")

    def want(self, at: float) -> None:
        """Request looks for the next `WANTED_S` seconds."""
        self._wanted_until = at + WANTED_S

    def is_due(self, at: float) -> bool:
        """Return whether to look now; if so, the next look is due `AGAIN_S` later."""
        if not self._look_at <= at < self._wanted_until:
            return False
        self._look_at = at + AGAIN_S
        return True

    def note_closed(self, closed: set[int], at: float) -> None:
        """Note which contacts were closed at a look at `at` (seconds)."""
        self._last = at
        self._since = {button: self._since.get(button, at) for button in closed}

    @property
    def stuck(self) -> tuple[int, ...]:
        """The buttons that were closed at every look of the last seconds."""
        return tuple(sorted(button for button, since in self._since.items() if self._last - since >= CLOSED_S))
