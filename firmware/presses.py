"""Numbers presses, and keeps them until the Pi has them on disk."""

from lines import line

KEPT = 64


class Presses:
    """The presses of one boot, from power-up to power-off."""

    def __init__(self, boot: str) -> None:
        """`boot` identifies this boot; together with its number it identifies a press for ever."""
        self._boot = boot
        self.last = 0
        """The last number given; 0 for none."""
        self.acked = 0
        """Everything up to this number is on the Pi's disk."""
        self.refused = 0
        """How many presses found no room; they get no number."""
        self._kept: list[bytes] = []

    def add(self, at: int, button: int) -> bytes | None:
        """Keep a press and return its line; return None if there is no room, since the oldest ones stay."""
        if len(self._kept) == KEPT:
            self.refused += 1
            return None
        self.last += 1
        self._kept.append(line("P", self._boot, self.last, button, at))
        return self._kept[-1]

    def acknowledge(self, number: int) -> None:
        """Forget the presses up to this number; ignore a number that was never given."""
        if self.acked < number <= self.last:
            self._kept = self._kept[number - self.acked :]
            self.acked = number

    def lines(self) -> list[bytes]:
        """Return the lines of all presses that are not acknowledged, the oldest first."""
        return self._kept
