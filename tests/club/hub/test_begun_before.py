"""A match that had begun before the draw decides nothing that was drawn, whenever the hub hears of it."""

from collections.abc import Callable
from datetime import UTC, datetime

import msgspec
import pytest

from companion.club.hub.bracket_book import BracketBook
from companion.club.hub.hub import Hub
from companion.club.hub.people import PeopleBook
from companion.club.hub.store import Store
from companion.club.hub.tournament import TablesThen
from companion.club.hub.tournament_book import TournamentBook
from tests.club.hub.conftest import Joined
from tests.club.hub.tables import ONE, OTHER, result
from tests.waiting import until

DRAWN_AT = 1_000_000.5

Heard = Callable[[], dict[str, int]]
HasPlayed = Callable[[], bool]
"""Whether the group, or the duel, has a result."""


def group(store: Store, heard: Heard) -> HasPlayed:
    book = TournamentBook(store, PeopleBook(store), lambda: TablesThen(DRAWN_AT, heard()))
    book.begin(["Ana", "Bo", "Cy"], 1, 3)
    book.draw(1, [])
    return lambda: (tournament := book.now()) is not None and bool(tournament.finished)


def duel(store: Store, heard: Heard) -> HasPlayed:
    book = BracketBook(store, PeopleBook(store), lambda: TablesThen(DRAWN_AT, heard()))
    book.begin(["Ana", "Bo"], [], by_lot=False)
    return lambda: (bracket := book.now()) is not None and bracket.winner is not None


def tell(store: Store, people: int, match: int, began: float) -> None:
    """Have the hub hear of a match between the first so many of the three."""
    players = [{"seat": seat, "name": name} for seat, name in enumerate(("Ana", "Bo", "Cy")[:people], 1)]
    at = datetime.fromtimestamp(int(began), UTC).isoformat()
    store.take("t", match, 1, msgspec.json.encode(result(match, players=players, began=at)))


@pytest.mark.parametrize(("drawn", "people"), [(group, 3), (duel, 2)])
def test_at_a_table_that_was_heard_the_number_tells_and_no_clock(
    store: Store, drawn: Callable[[Store, Heard], HasPlayed], people: int
) -> None:
    has_played = drawn(store, lambda: {"t": 7})
    tell(store, people, 7, began=DRAWN_AT + 1000)
    assert not has_played()
    tell(store, people, 8, began=0)
    assert has_played()


@pytest.mark.parametrize(("drawn", "people"), [(group, 3), (duel, 2)])
def test_at_a_table_that_was_not_heard_its_clock_tells(
    store: Store, drawn: Callable[[Store, Heard], HasPlayed], people: int
) -> None:
    has_played = drawn(store, dict)
    tell(store, people, 7, began=DRAWN_AT - 1)
    assert not has_played()
    tell(store, people, 8, began=DRAWN_AT)
    assert has_played()


@pytest.mark.parametrize(("key", "drawn", "people"), [("tournament", group, 3), ("bracket", duel, 2)])
def test_what_an_older_companion_drew_goes_by_the_order_in_which_results_were_told(
    store: Store, key: str, drawn: Callable[[Store, Heard], HasPlayed], people: int
) -> None:
    drawn(store, lambda: {"t": 7})
    store.keep(key, without(msgspec.json.decode(store.stored_value(key) or b""), "then"))
    tell(store, people, 7, began=0)
    books = {"tournament": TournamentBook, "bracket": BracketBook}
    standing_now = books[key](store, PeopleBook(store), dict).now()
    assert standing_now
    assert getattr(standing_now, "finished", None) == [0] or getattr(standing_now, "winner", None) == "Ana"


def without(value: object, name: str) -> object:
    """Return what is kept without the values of this name."""
    if isinstance(value, list):
        return [without(item, name) for item in value]
    return (
        {key: without(item, name) for key, item in value.items() if key != name} if isinstance(value, dict) else value
    )


def test_the_hub_knows_the_newest_match_of_each_table_that_it_hears(hub: Hub, joined: Joined) -> None:
    first = joined(ONE)
    other = joined(OTHER)
    first.shows(5, 1.0, None)
    other.ends(3)
    until(lambda: hub.follower.newest_matches() == {ONE: 5, OTHER: 3})
    other.crash()
    until(lambda: hub.follower.newest_matches() == {ONE: 5})


def test_while_the_broker_is_gone_no_table_is_heard(hub: Hub, joined: Joined) -> None:
    joined(ONE)
    until(lambda: hub.follower.newest_matches() == {ONE: 0})
    hub.follower.stop()
    until(lambda: not hub.follower.connected)
    assert hub.follower.newest_matches() == {}
