"""A tiny language for records of ¡Go!: what happens, and what the judge makes of it.

Cards may be written short: "O8" is the orange 8, P pink, V violet, B blue, T lightblue, K grey, N brown, R red,
Y yellow, G green. Seats are named in the order of `players`: the first named begins.
"""

from collections.abc import Mapping
from typing import Any, cast

from companion.events import Pressed, Seat, Tapped
from companion.kit import table_for_tests
from companion.kit.table_for_tests import Spot, place

COLOURS = ("pink", "violet", "blue", "lightblue", "grey", "brown", "red", "orange", "yellow", "green")
"""In the order of the table of card ids."""
SHORT = dict(zip("PVBTKNROYG", COLOURS, strict=True))
PROBE = "grey-9"
"""Kept out of the tests: with it the table is asked what it waits for."""

ROW = "K11"
"""The open row card, where nothing else is said: the row colour is grey."""
TWO = "O1 O2 O3 P4 O5 P6 P7 P9 P11 K10 K3 R2"
"""With a grey row it leaves 2 points of penalty."""
THIRTYTWO = "B1 B2 B3 G4 G5 G6 R7 R8 Y9 Y10 V11 K4"
SEVENTEEN = "T1 T2 T5 V6 V7 V8 N9 N10 Y3 G2 R4 K7"
PERFECT = "O1 O2 O3 O4 O5 O6 P7 P8 P9 P10 K1 K2"
ALL_THREE = {1: TWO, 2: THIRTYTWO, 3: SEVENTEEN}
BEGINNING = tuple(
    Tapped(0, 0.0, where, card) for where, card in (("discard", "red-1"), ("row", "grey-1"), ("seat-1", "red-1"))
)
"""Where turns are tracked: the discard and the row are read, and the first player takes from the discard."""


class Table(table_for_tests.AtTable):
    """A table of ¡Go!; the first named seat begins. Cards may be written short, several with blanks between."""

    game = "go"
    pause = 1.25

    # What happens.

    def tap(self, spot: Spot, *written: str, after: float | None = None, at: float | None = None, **more: str) -> int:
        return super().tap(spot, *cards(" ".join(written)), after=after, at=at, **more)

    def lift(self, spot: Spot, card: str) -> int:
        return super().lift(spot, *cards(card))

    def series(self, seat: Seat | str, written: str = "best") -> int:
        """Tell a series in short writing, or the judge's proposal."""
        return self.say(seat, "series", written if written == "best" else cards(written))

    def void(self, by: Seat | str = "host") -> int:
        return self.say(by, "void")

    # Whole stretches.

    def _act(self, spot: Spot, act: str) -> None:
        word, _, value = act.partition(" ")
        match word:
            case "press":
                self.press(cast(Seat, spot))
            case "claim":
                self.claim(cast(Seat, spot), value)
            case "series":
                self.series(spot, value)
            case "void" | "last-row" | "last-pile":
                self.say(spot, word)
            case _:
                self.tap(spot, act)

    def stands(self, **answers: Any) -> None:
        """Whether the table answers these questions so."""
        answers_given = {question: getattr(self, question) for question in answers}
        assert answers_given == answers, answers_given

    def call(self, seat: int, row: str = ROW, spot: Spot = "row") -> int:
        self.press(seat)
        return self.tap(spot, row)

    def claim(self, seat: int, written: str) -> int:
        """Tap a hand on the shared reader."""
        self.press(seat)
        return self.tap("centre", written)

    def hands(self, hands: Mapping[int, str]) -> int:
        for seat, hand in hands.items():
            self.tap(seat, hand)
        return self._seq - 1

    def round(self, hands: Mapping[int, str], series: str = "best", row: str = ROW) -> None:
        """A whole round, called by the first seat of `hands`; the series is told before the others' hands are read."""
        caller, *other_seats = hands
        self.call(caller, row)
        self.tap(caller, hands[caller])
        self.series(caller, series)
        if not self.over:
            self.hands({seat: hands[seat] for seat in other_seats})

    def turn(self, seat: int, card_taken: str, discarded: str, opened: str | None = None) -> int:
        """A whole turn; `opened` is the row card newly open, where a row card was taken."""
        self.tap(seat, card_taken)
        if opened:
            self.tap("row", opened)
        return self.tap("discard", discarded)

    # What the judge makes of it.

    @property
    def callers(self) -> list[int]:
        """Before a call: whose press would be one."""
        return [seat for seat in self.seats if self.allows(Pressed(self._seq, self.now, seat))]

    @property
    def takers(self) -> list[int]:
        """Where turns are tracked: whose take would be taken now."""
        return self._wanting

    @property
    def unread(self) -> list[int]:
        """After a call: at whose seat one more card would be read."""
        return self._wanting

    @property
    def wants_row(self) -> bool:
        """Whether a row card would be taken now."""
        return self.allows(Tapped(self._seq, self.now, "row", PROBE))

    @property
    def wants_discard(self) -> bool:
        """Whether a discarded card would be taken now."""
        return self.allows(Tapped(self._seq, self.now, "discard", PROBE))

    @property
    def claimed(self) -> bool:
        """After the row colour is known: whether a card on the shared reader would be somebody's."""
        return self.allows(Tapped(self._seq, self.now, "centre", PROBE))

    # How.

    @property
    def _wanting(self) -> list[int]:
        return [seat for seat in self.seats if self.allows(Tapped(self._seq, self.now, place(seat), PROBE))]


def cards(written: str) -> list[str]:
    """Return the ids of cards written short; what is no short writing stays."""
    return [
        f"{SHORT[card[0]]}-{card[1:]}" if card[0] in SHORT and card[1:].isdigit() else card for card in written.split()
    ]


def called(*seats: int, row: str = ROW, **options: Any) -> Table:
    """The first seat has called, the row colour is known."""
    table = Table(*seats, **options)
    table.call(table.seats[0], row)
    return table


def opened(hand: str = TWO, *seats: int, **options: Any) -> Table:
    """The first seat has called and its twelve are read."""
    table = called(*seats, **options)
    table.tap(table.seats[0], hand)
    return table


def tracked(*seats: int, discard: str = "V3", row: str = "K11", **options: Any) -> Table:
    """The table tracks turns; one card lies on the discard, and one row card is open, where they are told."""
    table = Table(*seats, tracking="turns", **options)
    table.tap("discard", discard)
    table.tap("row", row)
    return table


def play_out(table: Table, caller: int = 1) -> Table:
    """Read three hands that give the caller the point, and their series."""
    other_seats = [seat for seat in table.seats if seat != caller]
    table.hands(dict(zip((caller, *other_seats), (TWO, THIRTYTWO, SEVENTEEN), strict=False)))
    table.series(caller)
    return table
