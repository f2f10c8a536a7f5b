"""How much a hub takes: of each table a stock that fills up again, so that no table costs the others anything."""

from collections.abc import Callable

from msgspec import Struct


class Remainder(Struct):
    """What one table has left."""

    left: float
    at: float
    """When that was counted, in seconds."""


class Allowance:
    """Use it from one thread."""

    def __init__(self, most: float, per_second: float, clock: Callable[[], float]) -> None:
        """Let each table have `most` at once, and `per_second` from then on."""
        self._most = most
        self._per_second = per_second
        self._clock = clock
        self._stocks: dict[str, Remainder] = {}

    def take(self, table: str, amount: float) -> bool:
        """Take so much from a table's stock; return False, and take nothing, if it has less."""
        if self.left(table) < amount:
            return False
        self._stocks[table].left -= amount
        return True

    def left(self, table: str) -> float:
        """Return how much a table has left."""
        at = self._clock()
        stock = self._stocks.setdefault(table, Remainder(self._most, at))
        stock.left = min(self._most, stock.left + (at - stock.at) * self._per_second)
        stock.at = at
        return stock.left


class SecondCount:
    """Counts what comes within a second. Use it from one thread."""

    def __init__(self) -> None:
        self._began = 0.0
        """When the second began that is being counted."""
        self._number = 0

    def add(self, at: float) -> int:
        """Count one more at `at` (seconds); return how many the current second has had."""
        if at >= self._began + 1.0:
            self._began = at
            self._number = 0
        self._number += 1
        return self._number
