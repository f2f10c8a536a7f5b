"""A press is shown as soon as no source can tell an earlier one, and as it would be shown at the end of the window."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.sensing import Buzzed, Passed, Sensing
from companion.events import Player, Pressed
from tests.live.table import Table
from tests.waiting import until
from tests.web.table import Clock

SEATS = (1, 2, 3, 4)
SOURCES = ("box", "other box", "buttons")
HOLD = 0.2
TIE = 0.01
LATEST = 0.15
"""A press is told within the window less the tie window: so every source keeps the bound."""
moments = st.integers(0, 300).map(lambda ms: ms / 1000)


@st.composite
def told(draw: st.DrawFn) -> list[tuple[float, Sensing]]:
    """Draw what sources tell, and when: presses late and in any order, and how far they have come, or nothing of it."""
    presses = []
    for seat in SEATS:
        at = draw(moments)
        presses.append((at + draw(st.floats(0, LATEST)), at, seat, draw(st.sampled_from(SOURCES))))
    sensings: list[tuple[float, Sensing]] = [(when, Buzzed(seat, at, 0.0, "")) for when, at, seat, _ in presses]
    for source in draw(st.lists(st.sampled_from(SOURCES), unique=True)):
        for moment in draw(st.lists(st.floats(0, 0.5), max_size=12)):
            untold = [
                at for when, at, _, source_of_press in presses if source_of_press == source and at <= moment <= when
            ]
            sensings.append((moment, Passed(source, min([moment, *untold]) - draw(st.floats(0, 0.002)))))
    return sorted(sensings, key=lambda timed: timed[0])


class Shown:
    """A table, and who was first when it first showed that somebody had shouted, and when."""

    def __init__(self, folder: Path, buttons: tuple[str, ...] | None) -> None:
        folder.mkdir()
        self.table, self.clock = Table(folder), Clock()
        self.table.again(self.clock, press_window=HOLD, buttons=buttons)
        self.begin()

    def begin(self, **options: Any) -> None:
        people = tuple(Player(seat, f"P{seat}") for seat in SEATS)
        self.table.live.begin("stop-it", people, {"tie_window": TIE, **options})
        self.table.press(1)
        self.clock.now += 2 * HOLD
        until(lambda: self.table.waits_for == "now-collecting")
        self.clock.now = self.began = round(self.clock.now) + 100  # whole, so that no sum drifts
        self.first: tuple[set[int], float] | None = None

    def hear(self, when: float, *sensings: Any) -> None:
        self.clock.now = max(self.clock.now, self.began + when)
        if sensings:
            self.table.live.tell(*sensings)
        for _ in range(2):  # the second is answered only when the first has been seen to
            self.table.live.ask_any(lambda: None)
        shouts = self.table.live.snapshot.views[None]["table"]["shouts"]
        if shouts and self.first is None:
            self.first = {shout["seat"] for shout in shouts if shout["behind"] <= TIE * 1e6}, when


def placed(sensing: Sensing, began: float) -> Sensing:
    match sensing:
        case Buzzed(seat, at, doubt, origin):
            return Buzzed(seat, began + at, doubt, origin)
        case Passed(source, at):
            return Passed(source, began + at)
    raise AssertionError(sensing)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Shown]]:
    """One that hears how far sources have come, and one that always waits for the whole window."""
    folder = tmp_path_factory.mktemp("tables")
    both = [Shown(folder / name, buttons) for name, buttons in (("passed", SOURCES), ("window", None))]
    yield both
    for shown_table in both:
        shown_table.table.close()


@given(sensings=told())
def test_who_was_first_is_what_the_whole_window_would_say_and_is_shown_no_later(
    tables: list[Shown], sensings: list[tuple[float, Any]]
) -> None:
    first = min(sensing_told.at for _, sensing_told in sensings if isinstance(sensing_told, Buzzed))
    looks = [(first + HOLD, None), (1.0, None), *sensings]
    for shown_table in tables:
        shown_table.begin()
        for when, sensing in sorted(looks, key=lambda look: look[0]):
            shown_table.hear(when, *([] if sensing is None else [placed(sensing, shown_table.began)]))
    true = {buzz.seat for _, buzz in sensings if isinstance(buzz, Buzzed) and buzz.at - first <= TIE + 1e-9}
    passed, window = (shown_table.first for shown_table in tables)
    assert passed is not None
    assert window is not None
    assert (passed[0], window[0]) == (true, true)
    assert passed[1] <= window[1]


@pytest.fixture
def shown_table(tmp_path: Path) -> Iterator[Shown]:
    shown_table = Shown(tmp_path / "table", ("box",))
    yield shown_table
    shown_table.table.close()


def test_where_all_have_passed_it_nobody_waits(shown_table: Shown) -> None:
    shown_table.hear(0.0, Buzzed(2, shown_table.began, 0.0, ""))
    shown_table.hear(0.05, Passed("box", shown_table.began + 0.005))
    assert shown_table.first is None, "one in a dead heat with it may still come"
    shown_table.hear(0.05, Passed("box", shown_table.began + 0.02))
    assert shown_table.first == ({2}, 0.05)


def test_whoever_has_a_head_start_may_still_be_first(shown_table: Shown) -> None:
    shown_table.begin(head_starts={"3": 0.12})
    shown_table.hear(0.0, Buzzed(2, shown_table.began, 0.0, ""))
    shown_table.hear(0.1, Passed("box", shown_table.began + 0.1))
    assert shown_table.first is None
    shown_table.hear(0.11, Buzzed(3, shown_table.began + 0.105, 0.0, ""))
    shown_table.hear(0.24, Passed("box", shown_table.began + 0.24))
    assert shown_table.first == ({3}, 0.24)


def test_what_somebody_enters_by_phone_meanwhile_is_waited_for(shown_table: Shown) -> None:
    with shown_table.table.live._judging.watermark.entering():
        shown_table.clock.now += 0.05
        shown_table.hear(0.05, Buzzed(2, shown_table.clock.now, 0.0, ""), Passed("box", shown_table.clock.now + 1))
        shown_table.hear(0.1)
        assert shown_table.first is None
    shown_table.hear(0.1)
    assert shown_table.first == ({2}, 0.1)


def test_what_is_judged_holds_nothing_up_even_if_whoever_entered_it_has_no_answer_yet(shown_table: Shown) -> None:
    live = shown_table.table.live
    pressed = Pressed(0, shown_table.began, 2)
    shown_table.hear(0.0, Passed("box", shown_table.began + 1))
    with live._judging.watermark.entering() as (act, at):
        live.ask_any(lambda: live._judging.enter(act, lambda *_: (pressed,), at, ""))
        shown_table.hear(0.05)
        assert shown_table.first == ({2}, 0.05)
