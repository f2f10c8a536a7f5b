"""The hub's file."""

import pytest

from companion.club.hub.store import HubFault, Store


def test_a_match_that_bears_anothers_number_is_first_told_when_it_is(store: Store) -> None:
    for revision, began in ((1, "20:00"), (2, "20:00"), (1000, "21:00"), (1001, "21:00")):
        store.take("t", 1, revision, f'{{"began": "{began}"}}'.encode())
    assert [(one.revision, one.first) for one in store.results()] == [(1001, 3)]


def test_a_full_disk_is_told(store: Store) -> None:
    full(store)
    with pytest.raises(HubFault, match=r"disk is full. Make room"):
        store.keep("x", "y" * 100_000)
    store.keep("x", "y")


def full(store: Store) -> None:
    """Let its file grow no more."""
    store._db.execute("PRAGMA max_page_count = 1")
