"""What the page needs beside the live table: the virtual table's hand, and the match that plays itself."""

from typing import Protocol


class Hand(Protocol):
    """Lays cards and presses buzzers on a table that has no sensors."""

    @property
    def places(self) -> tuple[str, ...]:
        """Where a card can be laid."""

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that have a buzzer."""

    def lay(self, place: str, slug: str, card: str) -> None:
        """Lay a card of a game's deck; one that lay there goes away."""

    def lift(self, place: str) -> None:
        """Take the card away, if one lies there."""

    def press(self, seat: int) -> None:
        """Press a seat's buzzer now."""


class Demo(Protocol):
    """A demonstration: a new match that plays itself."""

    @property
    def running(self) -> bool:
        """Whether one plays now."""

    def start(self, game: str, pace: float) -> None:
        """Begin one, an act about every `pace` seconds. Raises ValueError with a message where it can't."""

    def stop(self) -> None:
        """Leave the match as it stands."""
