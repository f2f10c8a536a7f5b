"""Whatever happens at the table: let the sealed cards change places, and nobody else sees a difference."""

import json
import random

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.events import Event, Tapped
from companion.games.go.cards import IDS
from companion.judge import views
from companion.judge.match import Match, judge
from tests.games.go.table import Table

seeds = st.integers(0, 2**32)


def exchanged(match: Match, chance: random.Random) -> list[Event]:
    """Let cards that were tapped by seats 3 and 4 only, at their seats or on the shared reader, change their places."""
    events = match.events
    known = {event.card for event in events if isinstance(event, Tapped) and not sealed(event)}
    known |= {verdict.facts["card"] for verdict in match.public if verdict.code == "read-in-two-hands"}
    hidden = [card for card in IDS if card not in known]
    other = dict(zip(hidden, chance.sample(hidden, len(hidden)), strict=True))
    return [
        replace(event, card=other.get(event.card, event.card)) if isinstance(event, Tapped) else event
        for event in events
    ]


def sealed(event: Tapped) -> bool:
    return event.place in ("seat-3", "seat-4") or (event.place == "centre" and event.by == "sealed")


def seen(match: Match) -> list[str]:
    """What the public, the caller and a neighbour see: what seats 3 and 4 hold is sealed for them."""
    return [json.dumps(views.view(match, who)) for who in (None, 1, 2)]


def readings(table: Table, chance: random.Random, most: int) -> None:
    """Read the hands, with all that goes wrong; seat 4 hardly ever comes to its end."""
    row, *box = chance.sample([card for card in IDS if card != "green-11"], 100)
    hands = {seat: box[12 * seat - 12 : 12 * seat - (seat == 4)] for seat in table.seats}
    table.call(1, row, chance.choice(("row", "centre")))
    reader = None
    for _ in range(most):
        seat = chance.choice(table.seats)
        card = chance.choice(hands[chance.choice((seat, seat, seat, seat, 3, 4))])
        match chance.randrange(12):
            case 0:
                reader = chance.choice((3, 4))
                table.press(reader)
            case 1 if reader:
                table.tap("centre", chance.choice(hands[reader]), by="sealed")
            case 2:
                table.tap(seat, "gangster-1")
            case 3:
                table.series(seat)
            case 4 if chance.random() < 0.1:
                table.void()
                table.call(1, row)
                reader = None
            case 5:
                table.tap(seat, " ".join(hands[seat]))
            case _:
                table.tap(seat, card)


def turns(table: Table, chance: random.Random, most: int) -> None:
    """Take and throw away, rightly and wrongly."""
    for _ in range(most):
        seat = chance.choice((*table.takers, *table.seats))
        spot = chance.choice((seat, seat, seat, "discard", "discard", "row"))
        table.tap(spot, chance.choice(IDS[: 11 * chance.choice((2, 10))]))
        if chance.random() < 0.1:
            table.say(seat, chance.choice(("last-pile", "last-row")))
        if chance.random() < 0.05:
            table.void()


@given(seed=seeds, most=st.integers(5, 120), auto=st.booleans())
def test_sealed_hands_may_be_any(seed: int, most: int, auto: bool) -> None:
    chance = random.Random(seed)
    table = Table(1, 2, 3, 4, caller_series="auto" if auto else "caller")
    readings(table, chance, most)
    if table.over or any(table.points.values()):
        return
    other = judge(exchanged(table.match, chance))
    assert seen(other) == seen(table.match)


@given(seed=seeds, most=st.integers(5, 60))
def test_drawn_cards_may_be_any(seed: int, most: int) -> None:
    chance = random.Random(seed)
    table = Table(1, 2, 3, 4, tracking="turns")
    turns(table, chance, most)
    other = judge(exchanged(table.match, chance))
    assert seen(other) == seen(table.match)


def test_what_is_exchanged_is_worth_exchanging() -> None:
    """The sealed hands do change, and their owners see it."""
    chance = random.Random(3)
    table = Table(1, 2, 3, 4)
    readings(table, chance, 80)
    assert json.dumps(views.view(judge(exchanged(table.match, chance)), 3)) != table.sees(3)
