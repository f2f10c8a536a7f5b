"""A tiny language for records of STOP me GO: what happens, and what the judge makes of it.

The people hold their cards themselves here, as they do at a real table: `lay`, `misdeed` and `flip` move them, `tap`
moves nothing.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from companion.events import Tapped
from companion.kit import table_for_tests
from companion.kit.table_for_tests import Spot

COLOURS = ("red", "orange", "yellow", "green", "blue", "violet")
GANGSTERS = tuple(range(1, 11))
FOUR: dict[int, list[int]] = {8: [], 2: [], 5: [], 3: []}
"""Four gangsters on which nobody lays STOP."""

Which = int | str
"""Which of their cards: "stop", or the number of a GO."""


class Table(table_for_tests.AtTable):
    """A table of STOP me GO. Seat 1 has red, 2 orange, 3 yellow, 4 green …"""

    game = "stop-me-go"

    def __init__(self, *seats: int, **options: Any):
        super().__init__(*seats, **options)
        self.lying: list[dict[int, str]] = []
        """The cards on each gangster, the oldest first."""
        self.captured = False
        self.tokens = 0

    # What happens.

    def gangster(self, number: int, after: float = 2.0) -> int:
        """Turn up a gangster whose time has come; after a round everybody has five cards again."""
        if self.captured:
            self.lying = []
            self.captured = False
        self.lying.append({})
        return self.tap("centre", f"gangster-{number}", after=after)

    def lay(self, seat: int, which: Which, spot: Spot | None = None) -> int:
        """Lay a card on the newest gangster."""
        self.lying[-1][seat] = card(seat, which)
        return self.tap(spot or seat, card(seat, which))

    def press(self, seat: int | None = None, after: float | None = None, at: float | None = None, **more: str) -> int:
        return super().press(seat or self.seats[0], after, at, **more)

    # Whole stretches.

    def hand(self, seat: int) -> list[str]:
        """What a player holds now, GO before STOP."""
        if self.captured:
            return list(five(seat))
        return [each for each in five(seat) if all(laid.get(seat) != each for laid in self.lying)]

    def misdeed(self, number: int, *stops: int) -> int:
        """A gangster is turned up; these lay STOP on it, the others GO."""
        self.gangster(number)
        return self.all_lay(*stops)

    def all_lay(self, *stops: int) -> int:
        for seat in self.seats:
            self.lay(seat, "stop" if seat in stops else self.hand(seat)[0].rpartition("-")[2])
        return self._seq - 1

    def misdeeds(self, stops: Mapping[int, Iterable[int]]) -> int:
        for number, seats in stops.items():
            self.misdeed(number, *seats)
        return self._seq - 1

    def flip(self, times: int = 1, seat: int | None = None) -> int:
        """Press, two seconds apart; whatever flees gives its cards back."""
        for _ in range(times):
            self.press(seat)
            self.turned()
        return self._seq - 1

    def turned(self) -> None:
        """The people turn up the cards on the oldest gangster that lies there."""
        laid = self.lying[0]
        if self.captured:
            self.lying = self.lying[1:]
        elif sum(each.endswith("stop") for each in laid.values()) == 1:
            self.captured = True
        else:
            self.lying = self.lying[1:]

    def token(self, spot: Spot, value: int = 0) -> int:
        """A token that nobody has yet is tapped."""
        self.tokens += 1
        return self.tap(spot, f"token-{value}-{self.tokens}")

    def win(self, seat: int) -> int:
        """A round won by this seat: the first gangster is captured, nobody else captures. The token is not taken."""
        self.misdeeds({8: [seat], 2: [], 5: [], 3: []})
        return self.flip(4)

    def rounds(self, *won: int | tuple[int, int]) -> int:
        """Whole rounds: a seat and the value of the token it takes, or a seat alone, whose token bears no tag."""
        for each in won:
            seat, value = each if isinstance(each, tuple) else (each, None)
            self.win(seat)
            if value is None:
                self.say(seat, "token")
            else:
                self.token(seat, value)
        return self._seq - 1

    # What the judge makes of it.

    @property
    def sealed(self) -> bool:
        """Whether nobody's points are known."""
        return set(self.points) == set(self.seats) and set(self.points.values()) == {None}

    @property
    def waits(self) -> str:
        """What the table waits for: "misdeed", "intervention", "arrest" …"""
        return str(self.view["phase"])

    @property
    def awaited(self) -> list[int]:
        """The gangsters that may be turned up now."""
        return [
            number for number in GANGSTERS if self.advances(Tapped(self._seq, self.now, "centre", f"gangster-{number}"))
        ]

    @property
    def unlaid(self) -> list[int]:
        """Those whose first card on the newest gangster is still to come."""
        return list(self.view["now"]["seats"]) if self.waits == "intervention" else []

    @property
    def takers(self) -> list[int]:
        """Those who may take a token now."""
        return list(self.view["now"]["seats"]) if self.waits == "reward" else []


def card(seat: int, which: Which) -> str:
    """The STOP or a GO of the colour that a seat has in these tests."""
    return f"{COLOURS[seat - 1]}-stop" if which == "stop" else f"{COLOURS[seat - 1]}-go-{which}"


def five(seat: int) -> tuple[str, ...]:
    return tuple(card(seat, which) for which in (1, 2, 3, 4, "stop"))


def colours(*seats: int) -> dict[str, str]:
    """The option that gives these seats their colours beforehand."""
    return {str(seat): COLOURS[seat - 1] for seat in seats}


def laying(*seats: int, **options: Any) -> Table:
    """The 8 is turned up, nobody has laid."""
    table = Table(*seats, **options)
    table.gangster(8)
    return table


def second(**options: Any) -> Table:
    """Everybody has laid GO on the 8 and has their colour, the 2 is turned up."""
    table = Table(**options)
    table.misdeed(8)
    table.gangster(2)
    return table


def arrest(stops: Mapping[int, Iterable[int]] = FOUR, *seats: int, **options: Any) -> Table:
    """Four gangsters lie there with these STOPs on them, everybody holds one card."""
    table = Table(*seats, **options)
    table.misdeeds(stops)
    return table


def fled() -> Table:
    """The 8 has fled, a fifth gangster is awaited."""
    table = arrest()
    table.flip()
    return table


def captured() -> Table:
    """Seat 1 has captured the 8, three gangsters are left."""
    table = arrest({8: [1], 2: [], 5: [], 3: []})
    table.flip()
    return table


def won(seat: int = 1, *seats: int, **options: Any) -> Table:
    """This seat has won the first round and is to take a token."""
    table = Table(*seats, **options)
    table.win(seat)
    return table


def valued() -> Table:
    """All tokens are won, none bears a tag."""
    table = Table()
    table.rounds(1, 2, 1, 2, 3)
    return table


def ended() -> Table:
    """Seat 1 has three tokens."""
    table = Table()
    table.rounds((1, 0), (1, 0), (1, 0))
    return table
