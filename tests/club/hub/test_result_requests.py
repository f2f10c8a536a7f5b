"""Whom the hub asks for everything: a law over whatever has happened to a table before the keeper wants all results."""

from collections.abc import Iterator
from contextlib import closing
from itertools import product
from pathlib import Path

import pytest

from companion.club.hub.result_requests import EVERYTHING, ResultRequests
from companion.club.hub.store import Store
from tests.club.hub.tables import ONE

HAPPENINGS = ("it is there", "it reconnects", "a gap is seen")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A hub's file that holds the table's first result: whoever is asked for gaps alone is asked for those after it."""
    with closing(Store(tmp_path / "CLUB.sqlite")) as store:
        store.take(ONE, 1, 1, b"{}")
        yield store


@pytest.mark.parametrize(
    "earlier", [[], *([happening] for happening in HAPPENINGS), *map(list, product(HAPPENINGS, repeat=2))]
)
@pytest.mark.parametrize("is_there", [True, False], ids=["while it is there", "while it is away"])
def test_a_table_is_asked_for_everything_once_the_keeper_wants_all_results(
    store: Store, earlier: list[str], is_there: bool
) -> None:
    requested: list[int] = []
    requests = ResultRequests(store, lambda table, since: requested.append(since), lambda: 0.0)
    requests.can_be_answered = True

    def happens(happening: str) -> None:
        match happening:
            case "it is there":
                requests.ask_ready_table(ONE, reconnected=False)
            case "it reconnects":
                requests.ask_ready_table(ONE, reconnected=True)
            case _:
                requests.ask_for_gap_before(ONE, 3)

    for happening in earlier:
        happens(happening)
    requested.clear()
    requests.ask_all([ONE] if is_there else [])
    assert requested == ([EVERYTHING] if is_there else [])
    happens("it reconnects")
    assert requested[-1] == EVERYTHING
    assert len(requested) == 1 + is_there
