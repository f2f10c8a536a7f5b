"""The hub's file."""

import json
import sqlite3
from contextlib import closing

import pytest

from companion.club.hub.store import HubFault, Store, Unkeepable

DAY = "2026-11-22"


def took(store: Store, began: dict[int, str]) -> None:
    for revision, at in began.items():
        store.take("t", 1, revision, json.dumps({"began": at}).encode())


def test_a_match_that_bears_anothers_number_is_first_told_when_it_is(store: Store) -> None:
    took(store, {1: f"{DAY}T20:00:00Z", 2: f"{DAY}T20:00:00Z", 1000: f"{DAY}T21:00:00Z", 1001: f"{DAY}T21:00:00Z"})
    assert [(stored.revision, stored.first) for stored in store.results()] == [(1001, 3)]


def test_a_correction_is_of_the_same_match_however_its_beginning_is_written(store: Store) -> None:
    took(store, {1: f"{DAY}T20:00:00+01:00", 2: f"{DAY}T19:00:00Z", 3: "2026-11-23 04:00:00.000+09:00"})
    assert [(stored.revision, stored.first) for stored in store.results()] == [(3, 1)]


def test_what_an_older_companion_kept_is_of_the_same_match_too(store: Store) -> None:
    took(store, {1: f"{DAY}T20:00:00Z", 2: f"{DAY}T20:00:00Z", 1000: f"{DAY}T21:00:00Z", 1001: f"{DAY}T21:00:00Z"})
    store._db.execute("ALTER TABLE result DROP COLUMN began")
    with closing(Store(store.path)) as again:
        assert [(stored.revision, stored.first) for stored in again.results()] == [(1001, 3)]


def test_a_full_disk_is_told(store: Store) -> None:
    full(store)
    with pytest.raises(HubFault, match=r"disk is full. Make room"):
        store.keep("x", "y" * 100_000)
    store.keep("x", "y")


def full(store: Store) -> None:
    """Let its file grow no more."""
    store._db.execute("PRAGMA max_page_count = 1")


def test_a_result_is_kept_and_read_however_deep_it_goes(store: Store) -> None:
    deep = b'{"began": "%sT20:00:00Z", "options": %s}' % (DAY.encode(), b"[" * 3000 + b"]" * 3000)
    assert store.take("t", 1, 1, deep) == 1
    assert [stored.result for stored in store.results()] == [None]


def test_a_file_in_which_an_older_companion_kept_a_deep_result_can_be_opened(store: Store) -> None:
    store.take("t", 1, 1, b'{"options": %s}' % (b"[" * 3000 + b"]" * 3000))
    took(store, {2: f"{DAY}T20:00:00Z"})
    store._db.execute("ALTER TABLE result DROP COLUMN began")
    with closing(Store(store.path)) as again:
        assert [(stored.revision, stored.first) for stored in again.results()] == [(2, 2)]


def test_what_no_file_can_keep_is_no_fault_of_the_disk(store: Store) -> None:
    store._db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1000)
    for body in (b"x" * 2000, b"\xff"):
        with pytest.raises(Unkeepable):
            store.take("t", 1, 1, body)
    with pytest.raises(Unkeepable):
        store.take("t", 2**63, 1, b"{}")
