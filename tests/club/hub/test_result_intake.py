"""Results are kept table by table in turn, within bounds; what is beyond them is asked for later, not lost."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.club.hub import result_intake
from companion.club.hub.allowance import Allowance
from companion.club.hub.hub import Hub
from companion.club.hub.result_intake import ASKED_AGAIN_S, KEPT_PER_S, MOST_KEPT, ArrivedResult, ResultIntake
from companion.club.hub.store import Store
from tests.club.hub.conftest import Joined
from tests.club.hub.tables import ONE, OTHER, result
from tests.club.hub.test_store import full
from tests.waiting import until


class Hall:
    """Hands results over, and writes down what comes of it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.now = 0.0
        self.kept: list[tuple[str, int]] = []
        self.ignored: list[tuple[str, str]] = []
        self.asked: list[str] = []
        self.intake = ResultIntake(
            store,
            lambda: self.now,
            is_kept=lambda arrived, _: self.kept.append((arrived.table, arrived.match)),
            ignore=lambda table, why: self.ignored.append((table, why)),
            ask=self.asked.append,
            has_changed=lambda: None,
        )

    def sends(self, table: str, match: int, size: int = 0) -> bool:
        """Hand a result over, if there is room for it."""
        body = msgspec.json.encode(result(match, options={"x": "x" * size}))
        if not self.intake.has_room(table, len(body)):
            return False
        self.intake.add(ArrivedResult(table, match, 1, body, match, 1))
        return True


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with closing(Store(tmp_path / "hub.sqlite")) as store:
        hall = Hall(store)
        yield hall
        hall.intake.stop()


def test_whoever_sends_much_waits_behind_all_others(hall: Hall) -> None:
    for match in range(1, 100):
        hall.sends("flooding", match)
    hall.sends("other", 1)
    hall.sends("third", 1)
    hall.intake.start()
    until(lambda: len(hall.kept) == 101)
    assert hall.kept[:3] == [("flooding", 1), ("other", 1), ("third", 1)]
    assert [match for table, match in hall.kept if table == "flooding"] == [*range(1, 100)]


def test_a_whole_season_that_comes_at_once_is_taken(hall: Hall) -> None:
    assert all(hall.sends("returned", match, size=300) for match in range(1, 2001))
    hall.intake.start()
    until(lambda: len(hall.kept) == 2000)
    assert hall.ignored == []


def test_a_table_keeps_no_more_than_it_may_and_is_asked_for_the_others_later(hall: Hall) -> None:
    hall.intake.start()
    sent = 0
    while hall.sends("flooding", sent + 1, size=15_000):
        sent += 1
        until(lambda: len(hall.kept) == sent)  # noqa: B023
    assert MOST_KEPT - 20_000 < sum(len(stored.told) for stored in hall.store.results()) <= MOST_KEPT
    assert hall.sends("other", 1)
    assert hall.asked == []
    hall.now += ASKED_AGAIN_S
    hall.sends("other", 2)  # wakes it
    until(lambda: hall.asked == ["flooding"])


def test_of_a_table_that_floods_with_short_results_no_more_than_a_few_seasons_are_kept(hall: Hall) -> None:
    hall.intake.start()
    sent = 0
    while hall.sends("flooding", sent + 1) and sent < 3000:
        sent += 1
    assert sent < 3000


def test_what_a_full_disk_refuses_is_not_acknowledged_until_it_is_kept(hall: Hall) -> None:
    full(hall.store)
    hall.sends("one", 1, size=15_000)
    hall.intake.turn()
    assert "disk is full" in hall.intake.disk_trouble
    assert hall.kept == []
    hall.store._db.execute("PRAGMA max_page_count = 100000")
    assert hall.intake.turn() == result_intake.AGAIN_S
    hall.now += result_intake.AGAIN_S
    hall.intake.turn()
    assert hall.kept == [("one", 1)]
    assert hall.intake.disk_trouble == ""


def test_what_a_full_disk_refuses_is_kept_before_what_its_table_sends_later(hall: Hall) -> None:
    full(hall.store)
    hall.sends("one", 1, size=15_000)
    hall.intake.turn()
    hall.sends("one", 2)
    hall.store._db.execute("PRAGMA max_page_count = 100000")
    hall.now += result_intake.AGAIN_S
    while hall.intake.turn() == 0.0:
        pass
    assert hall.kept == [("one", 1), ("one", 2)]


def test_what_is_being_stored_has_its_room_until_it_is_charged(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = hall.store.take
    rooms: list[bool] = []

    def take(table: str, *rest_of_result: Any) -> int | None:
        rooms.append(hall.intake.has_room(table, MOST_KEPT - 20))
        return stored(table, *rest_of_result)

    monkeypatch.setattr(hall.store, "take", take)
    hall.sends("one", 1)
    hall.intake.turn()
    assert rooms == [False]


def test_a_stock_fills_up_again_and_no_further() -> None:
    seconds = [0.0]
    allowance = Allowance(10.0, 2.0, lambda: seconds[0])
    assert [allowance.take("one", 6.0), allowance.take("one", 6.0), allowance.take("other", 6.0)] == [True, False, True]
    seconds[0] = 1.0
    assert allowance.take("one", 6.0)
    seconds[0] = 1000.0
    assert allowance.left("one") == 10.0


def test_a_table_that_floods_with_results_costs_the_others_none(hub: Hub, joined: Joined) -> None:
    began = time.monotonic()
    flooding = joined(ONE)
    other = joined(OTHER)
    until(lambda: flooding.asked and other.asked)
    for match in range(1, 1000):
        body = msgspec.json.encode(result(match, options={"x": "x" * 15_000}))
        flooding.client.publish(f"{flooding.root}/result/{match}", body, 1)
        if match % 100 == 0:
            other.ends(match // 100)
    until(lambda: [stored.match for stored in hub.store.results() if stored.table == OTHER] == [*range(1, 10)])
    refilled = KEPT_PER_S * (time.monotonic() - began)
    assert sum(len(stored.told) for stored in hub.store.results() if stored.table == ONE) <= MOST_KEPT + refilled
