"""What the pages of Kartel draw of gangs: what their tokens bring, and what an arrest would change."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from companion.games.kartel.cards import DECK


class Reason(Struct, frozen=True):
    """Why a gang's tokens bring so much."""

    code: str
    gangsters: int
    """What each gangster on a token counts, times how many."""
    money: int


def reason_of(gang: Mapping[str, Any], free_gang: str) -> Reason:
    """Return why; `free_gang`: the option, `minus` where gangsters count against their holder until the arrest."""
    state = "jailed" if gang["jailed"] else "free"
    holds = ""
    if gang["money"]:
        holds = "-both" if gang["gangsters"] else "-money"
    gangsters = gang["gangsters"]
    if not gang["jailed"]:
        gangsters = -gangsters if free_gang == "minus" else 0
    return Reason(f"why-{state}{holds}", gangsters, 0 if gang["jailed"] else 3)


def felt_by(table: Mapping[str, Any], boss: str, seats: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield who would feel this boss's arrest, and by how many points."""
    weight = 2 if table["free_gang"] == "minus" else 1
    for seat in seats:
        for gang in table["holdings"][str(seat)]["gangs"]:
            if gang["colour"] == DECK[boss].colour:
                yield seat, gang["gangsters"] * weight - 3 * gang["money"]


def tokens_of(holding: Mapping[str, Sequence[str]], colour: str) -> list[str]:
    """Return a player's tokens of a gang, open and closed, in their order on its tag."""
    return sorted(card for card in (*holding["open"], *holding["closed"]) if DECK[card].colour == colour)


class Stack(Struct, frozen=True):
    """Tokens that look alike, of all that can be won."""

    card: str
    """One of them, whether it is still there or not."""
    first_left: str
    """The one that is taken first; "": none is left."""
    is_two: bool
    """Whether two are left."""


def stacks(table: Mapping[str, Any], colours: Iterable[str]) -> Iterator[Stack]:
    """Yield each gang's tokens: the two 2s look alike."""
    for colour in colours:
        for numbers in (("1",), ("2a", "2b"), ("3",), ("money",), ("boss",)):
            if numbers == ("money",) and not table["money"]:
                continue
            copies = [f"{colour}-{number}" for number in numbers]
            left = [card for card in copies if card in table["offered"]]
            yield Stack(copies[0], left[0] if left else "", len(left) > 1)
