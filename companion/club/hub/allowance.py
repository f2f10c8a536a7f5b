"""Rate limits by table (token buckets), so that a table that floods costs the others nothing."""

from collections.abc import Callable

from msgspec import Struct


class Remainder(Struct):
    """One table's bucket."""

    left: float
    at: float
    """When that was counted, in seconds."""


class Allowance:
    """A token bucket for each table. Use it from one thread."""

    def __init__(self, most: float, per_second: float, clock: Callable[[], float]) -> None:
        """Allow each table `most` at once, refilled at `per_second`."""
        self._most = most
        self._per_second = per_second
        self._clock = clock
        self._stocks: dict[str, Remainder] = {}

    def take(self, table: str, amount: float) -> bool:
        """Take an amount from a table's bucket; return False, and take nothing, if less is left."""
        if self.left(table) < amount:
            return False
        self._stocks[table].left -= amount
        return True

    def left(self, table: str) -> float:
        """Return how much is left in a table's bucket."""
        at = self._clock()
        stock = self._stocks.setdefault(table, Remainder(self._most, at))
        stock.left = min(self._most, stock.left + (at - stock.at) * self._per_second)
        stock.at = at
        return stock.left


class SecondCount:
    """Counts events within a second. Use it from one thread."""

    def __init__(self) -> None:
        self._began = 0.0
        """When the current second began."""
        self._number = 0

    def add(self, at: float) -> int:
        """Count an event at `at` (seconds); return how many the current second has had."""
        if at >= self._began + 1.0:
            self._began = at
            self._number = 0
        self._number += 1
        return self._number
