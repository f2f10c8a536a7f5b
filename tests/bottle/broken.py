"""A promise that was not kept, and where two things differ."""

from typing import Any


class Broken(Exception):
    """A promise was not kept."""

    def __init__(self, promise: str, example: object) -> None:
        super().__init__(f"{promise}: {example}")
        self.promise = promise


def see(promise: str, holds: bool, example: object = "") -> None:
    """Raise `Broken` if it does not hold."""
    if not holds:
        raise Broken(promise, example)


def apart(one: Any, other: Any, path: str = "") -> str:
    if isinstance(one, dict) and isinstance(other, dict):
        return "; ".join(
            apart(one.get(key), other.get(key), f"{path}.{key}")
            for key in {*one, *other}
            if one.get(key) != other.get(key)
        )
    return f"{path}: {str(one)[:80]} is {str(other)[:80]}"
