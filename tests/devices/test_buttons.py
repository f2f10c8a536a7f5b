"""Buttons as a source: what is told, kept and retried, with lines that a test moves."""

import queue
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from companion.devices.buttons import source as gpio_buttons
from companion.devices.buttons.debounce import Edge
from companion.devices.buttons.source import KEPT_AT_MOST, ButtonSource, Missed
from companion.devices.sensing import Buzzed, Failed, NotThere, Sensing, Working
from companion.errors import NotKept
from tests.waiting import until

SEATS = (4, 2, 6)


class Fingers:
    """Opens lines that `press` and `fail` move."""

    detail = "fingers"
    late = 0.25
    hears = "all"

    def __init__(self) -> None:
        self.moved: queue.Queue[list[Edge] | NotThere] = queue.Queue()
        self.held = [False] * len(SEATS)
        self.broken: NotThere | None = None
        self.opened = self.closings = 0

    def __call__(self) -> "Fingers":
        if self.broken:
            raise self.broken
        self.opened += 1
        return self

    def closed(self) -> list[bool]:
        return self.held

    def edges(self) -> list[Edge]:
        try:
            moved = self.moved.get(timeout=0.01)
        except queue.Empty:
            return []
        if isinstance(moved, NotThere):
            raise moved
        return moved

    def close(self) -> None:
        self.closings += 1

    def press(self, *pressed: int, early: int = 0) -> list[int]:
        """Press and release buttons 1 ms apart; told in the wrong order."""
        now = time.monotonic_ns()
        stamps = [now + number * 1_000_000 for number in range(len(pressed))]
        edges = [
            Edge(button, at + away, closed, early)
            for button, at in zip(pressed, stamps, strict=True)
            for away, closed in ((0, True), (10_000, False))
        ]
        self.moved.put(edges[::-1] if len(pressed) > 1 else edges)
        return stamps


class Table:
    def __init__(self) -> None:
        self.told: list[Sensing] = []
        self.calls = 0
        self.may_keep = True

    def __call__(self, *sensings: Sensing) -> None:
        self.calls += 1
        if not self.may_keep and any(isinstance(sensing, Buzzed) for sensing in sensings):
            raise NotKept
        self.told += sensings

    @property
    def presses(self) -> list[Buzzed]:
        return [sensing for sensing in list(self.told) if isinstance(sensing, Buzzed)]

    @property
    def state(self) -> list[Failed | Working]:
        return [sensing for sensing in list(self.told) if isinstance(sensing, Failed | Working)]


@pytest.fixture
def fingers() -> Fingers:
    return Fingers()


@contextmanager
def listening(fingers: Fingers) -> Iterator[Table]:
    source, table, stop = ButtonSource("buzzers", SEATS, fingers, time.monotonic), Table(), threading.Event()
    raised: list[BaseException] = []

    def listen() -> None:
        try:
            source.listen(table, stop)
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=listen)
    thread.start()
    try:
        yield table
    finally:
        stop.set()
        thread.join()
        source.close()
        assert raised == []
        assert fingers.closings == fingers.opened


def test_a_press_is_told_with_its_seat_time_bound_and_origin(fingers: Fingers) -> None:
    with listening(fingers) as table:
        (stamp,) = fingers.press(1, early=1_000_000)
        until(lambda: table.presses)
        (press,) = table.presses
        assert press.seat == 2
        assert abs(press.at - stamp / 1e9) <= press.uncertainty
        assert 0.251 < press.uncertainty < 0.252
        assert press.origin.startswith("gpio-")
        assert press.origin.endswith(f"-2-{stamp}")
        (working,) = table.state
        assert isinstance(working, Working)
        assert working.detail == "fingers, ±250.0 ms"


def test_presses_are_told_in_the_order_of_the_kernel(fingers: Fingers) -> None:
    with listening(fingers) as table:
        fingers.press(2, 0, 1)
        until(lambda: len(table.presses) == 3)
        assert [press.seat for press in table.presses] == [6, 4, 2]
        at = [press.at for press in table.presses]
        assert at == sorted(at)


def test_a_button_that_is_held_when_lines_are_opened_is_no_press(fingers: Fingers) -> None:
    fingers.held = [True, False, False]
    with listening(fingers) as table:
        fingers.press(0)
        fingers.press(1)
        until(lambda: table.presses)
        assert [press.seat for press in table.presses] == [2]


def test_a_press_that_is_not_stored_is_told_again_as_the_same(fingers: Fingers) -> None:
    with listening(fingers) as table:
        table.may_keep = False
        (stamp,) = fingers.press(0)
        until(lambda: table.calls > 2)
        fingers.press(1)
        table.may_keep = True
        until(lambda: len(table.presses) == 2)
        assert [press.seat for press in table.presses] == [4, 2]
        assert table.presses[0].origin.endswith(f"-{stamp}")


def test_presses_that_can_not_be_kept_waiting_are_told_as_missing(
    fingers: Fingers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpio_buttons, "_RETRY_S", 0.0)
    monkeypatch.setattr(gpio_buttons, "SHOWN_S", 0.05)
    with listening(fingers) as table:
        until(lambda: table.state)
        table.may_keep = False
        began = time.monotonic_ns()
        presses = range(0, (KEPT_AT_MOST + 1) * 100_000_000, 100_000_000)
        edges = [Edge(0, began + at + away, not away) for at in presses for away in (0, 1_000)]
        fingers.moved.put(edges)
        until(lambda: len(table.state) > 1)
        failed = table.state[1]
        assert isinstance(failed, Failed)
        assert "can't be stored" in failed.why
        assert failed.why.endswith("Ask the players who called.")
        table.may_keep = True
        until(lambda: len(table.presses) == KEPT_AT_MOST)
        until(lambda: isinstance(table.state[-1], Working))
        assert table.presses[0].origin.endswith(f"-{began}")


def test_lines_that_can_not_be_opened_are_told_once_and_tried_again(fingers: Fingers) -> None:
    fingers.broken = NotThere("no chip: plug it in.")
    source = ButtonSource("buzzers", SEATS, fingers, time.monotonic)
    with pytest.raises(NotThere, match="plug it in"):
        source.start()
    with listening(fingers) as table:
        until(lambda: table.state)
        time.sleep(0.5)
        assert [type(told) for told in table.state] == [Failed]
        fingers.broken = None
        until(lambda: len(table.state) == 2)
        fingers.press(0)
        until(lambda: table.presses)
    assert [type(told) for told in table.state] == [Failed, Working]


def test_lines_that_break_are_told_and_opened_again(fingers: Fingers) -> None:
    with listening(fingers) as table:
        until(lambda: table.state)
        fingers.moved.put(NotThere("lost the chip."))
        until(lambda: len(table.state) == 3)
        fingers.press(2)
        until(lambda: table.presses)
        assert [type(told) for told in table.state] == [Working, Failed, Working]


def test_lost_edges_are_told_for_a_while_but_the_buttons_work_at_once(
    fingers: Fingers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpio_buttons, "SHOWN_S", 0.5)
    with listening(fingers) as table:
        until(lambda: table.state)
        fingers.moved.put(Missed("7 edges were lost."))
        fingers.press(1)
        until(lambda: table.presses)
        failed = table.state[-1]
        assert isinstance(failed, Failed)
        assert failed.why == "7 edges were lost. Ask the players who called."
        until(lambda: isinstance(table.state[-1], Working))
        assert table.state[-1].at - failed.at >= 0.5
