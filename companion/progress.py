"""How far work is that takes long: it says so to whoever waits for it, and may be broken off by them."""

from collections.abc import Callable

Advance = Callable[[int, int], object]
"""Hears how much is done, and of how much; of what, both know. What it raises breaks the work off, without harm."""


def say_nothing(done: int, of: int) -> None:
    """Wait without being told."""
