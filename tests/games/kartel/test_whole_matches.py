"""Whole matches against a simulation of the booklet's own: a circle of tokens, a walk, a count."""

from collections import deque
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from companion.kit.table_for_tests import EVERYBODY
from tests.games.kartel.table import BOX, YOUNG, Table

SEATS = st.permutations(range(1, 7)).flatmap(lambda seats: st.integers(2, 6).map(lambda n: tuple(seats[:n])))
OPTIONS = st.fixed_dictionaries(
    {}, optional={"money": st.booleans(), "free_gang": st.sampled_from(["minus", "zero"]), "ring": st.just(False)}
)


class Booklet:
    """What the players do with their hands."""

    def __init__(self, seats: tuple[int, ...], circle: list[str], options: dict[str, Any]):
        self.circle = deque(circle)
        """The commissioner stands before the first."""
        self.turns = deque(seats)
        self.in_front_of: dict[int, list[str]] = {seat: [] for seat in seats}
        self.cells: list[str] = []
        self.minus = options.get("free_gang", "minus") == "minus"

    @property
    def over(self) -> bool:
        return len(self.cells) == 5

    def walk(self, steps: int) -> None:
        """Stop before the token that is `steps` further, and win it."""
        self.circle.rotate(1 - steps)
        token = self.circle.popleft()
        colour, kind = token.split("-")
        if kind == "boss":
            self.cells.append(colour)
        else:
            self.in_front_of[self.turns[0]].append(token)
        self.turns.rotate(-1)

    def points(self, seat: int) -> int:
        total = 0
        for token in self.in_front_of[seat]:
            colour, kind = token.split("-")
            closed = colour in self.cells
            if kind == "money":
                total += 0 if closed else 3
            elif closed:
                total += int(kind[0])
            elif self.minus:
                total -= int(kind[0])
        return total

    @property
    def scores(self) -> dict[int, int]:
        return {seat: self.points(seat) for seat in self.in_front_of}

    @property
    def winners(self) -> list[int]:
        if not self.over:
            return []
        ranks = {seat: (-self.points(seat), len(tokens)) for seat, tokens in self.in_front_of.items()}
        return sorted(seat for seat, rank in ranks.items() if rank == min(ranks.values()))


def agree(table: Table, booklet: Booklet) -> None:
    assert table.points == booklet.scores
    assert table.over == booklet.over
    assert table.winners == booklet.winners
    for seat, tokens in booklet.in_front_of.items():
        holding = table.view["holdings"][str(seat)]
        face_down = {token for token in tokens if token.split("-")[0] in booklet.cells}
        assert {*holding["closed"]} == face_down
        assert {*holding["open"]} == {*tokens} - face_down
        assert sum(gang["points"] for gang in holding["gangs"]) == booklet.points(seat)


def box(options: dict[str, Any]) -> tuple[str, ...]:
    return BOX if options.get("money", True) else YOUNG


@given(seats=SEATS, options=OPTIONS, data=st.data())
def test_a_match_at_a_ring(seats: tuple[int, ...], options: dict[str, Any], data: st.DataObject) -> None:
    circle = data.draw(st.permutations(box(options)))
    chance = data.draw(st.randoms(use_true_random=False))
    table = Table(*seats, **{**options, "ring": True})
    table.tap("centre", *circle)
    table.done()
    booklet = Booklet(seats, circle, options)
    wrong: list[int] = []
    while not booklet.over:
        mover = booklet.turns[0]
        other_seats = [seat for seat in seats if seat != mover]
        gone = [token for token in BOX if token not in booklet.circle and not lies_anywhere(token, mover, booklet)]
        if chance.random() < 0.2:
            wrong.append(
                table.tap(chance.choice((mover, chance.choice(other_seats), "prison", "row")), booklet.circle[0])
            )
        if chance.random() < 0.2:
            wrong.append(
                table.roll(*chance.choice([(mover, 5), (mover, 1), (chance.choice(other_seats), 3), (mover, 2.0)]))
            )
        die = chance.randint(2, 4)
        table.roll(mover, die)
        ahead = list(booklet.circle)
        if chance.random() < 0.3 and len(ahead) > die:
            wrong.append(table.tap(chance.choice((mover, "centre")), chance.choice(ahead[die:])))
        if chance.random() < 0.2:
            wrong.append(table.tap(chance.choice(other_seats), chance.choice(ahead)))
        if chance.random() < 0.2 and gone:
            wrong.append(table.tap(mover, chance.choice(gone)))
        if chance.random() < 0.2:
            wrong.append(table.roll(mover, die))
        steps = chance.randint(1, die)
        token = ahead[(steps - 1) % len(ahead)]
        boss = token.endswith("boss")
        table.tap(chance.choice((mover, "centre", "prison") if boss else (mover, "centre")), token)
        booklet.walk(steps)
        agree(table, booklet)
    assert table.misplays == wrong
    assert len({table.sees(observer) for observer in EVERYBODY}) == 1


def lies_anywhere(token: str, mover: int, booklet: Booklet) -> bool:
    """Leave out what could be a reading twice at the mover's place: their own tokens, and jailed bosses."""
    return token in booklet.in_front_of[mover] or token.endswith("boss")


@given(seats=SEATS, options=OPTIONS, data=st.data())
def test_a_match_without_a_ring(seats: tuple[int, ...], options: dict[str, Any], data: st.DataObject) -> None:
    order = data.draw(st.permutations(box(options)))
    chance = data.draw(st.randoms(use_true_random=False))
    table = Table(*seats, **options)
    booklet = Booklet(seats, order, options)
    wrong: list[int] = []
    while not booklet.over:
        mover = booklet.turns[0]
        token = booklet.circle[0]
        other_seats = [seat for seat in seats if seat != mover]
        if chance.random() < 0.2:
            wrong.append(table.tap(chance.choice((*other_seats, "row", "discard")), token))
        if chance.random() < 0.2 and not token.endswith("boss"):
            wrong.append(table.tap("prison", token))
        if chance.random() < 0.2:
            table.lift(mover, token)
        place = chance.choice((mover, "centre"))
        table.tap(place, token)
        if chance.random() < 0.3:
            table.tap(place, token)
        if chance.random() < 0.3:
            table.tap("centre" if place == mover else mover, token)
        booklet.walk(1)
        agree(table, booklet)
    assert table.misplays == wrong
