"""Buttons as a source: what is told, kept and retried, with lines that a test moves and time that it lets pass."""

from collections.abc import Callable

import pytest

from companion.devices.buttons.debounce import Edge
from companion.devices.buttons.gpio_source import KEPT_AT_MOST, SHOWN_S, ButtonSource, Missed
from companion.devices.faults import DeviceFault, FaultCode
from companion.devices.figures import Bounce
from companion.devices.sensing import Buzzed, Failed, NotThere, Passed, Sensing, Working
from companion.errors import NotKept
from tests.devices.table import Table
from tests.emulators.time import Time, Until

SEATS = (4, 2, 6)
MS = 1_000_000


class Lines:
    """Open lines of which a test says what they hear next; they wait where they hear nothing."""

    detail = "fingers"
    late = 0.25
    hears = "all"
    behind: float | None = 0.002

    def __init__(self, time: Time) -> None:
        self.time = time
        self.moved: list[list[Edge] | NotThere] = []
        self.held = [False] * len(SEATS)
        self.missing: NotThere | None = None
        self.opened = self.closings = 0

    def __call__(self) -> "Lines":
        if self.missing:
            raise self.missing
        self.opened += 1
        return self

    def closed(self) -> list[bool]:
        return self.held

    def edges(self, wait: float) -> list[Edge]:
        if not self.moved:
            self.time.sleep(wait)
            return []
        moved = self.moved.pop(0)
        if isinstance(moved, NotThere):
            raise moved
        return moved

    def close(self) -> None:
        self.closings += 1


class Buttons(Table):
    """A table that listens to buttons, in a time that passes only while it listens."""

    def __init__(self) -> None:
        super().__init__()
        self.time = Time()
        self.lines = Lines(self.time)
        self.source = ButtonSource("buzzers", SEATS, self.lines, self.time.monotonic, self.kernel)
        self.refuses: tuple[type[Sensing], ...] = ()
        self.refused = 0

    def kernel(self) -> int:
        """The kernel's clock; it began 1000 s earlier."""
        return round((self.time.now + 1000) * 1e9)

    def __call__(self, *sensings: Sensing) -> None:
        if isinstance(sensings[0], self.refuses):
            self.refused += 1
            raise NotKept
        super().__call__(*sensings)

    def press(self, *buttons: int, early: int = 0) -> list[int]:
        """Press and release buttons, 1 ms apart; the lines tell it in the wrong order. Gives the kernel's stamps."""
        stamps = [self.kernel() + number * MS for number in range(len(buttons))]
        self.lines.moved.append(
            [
                Edge(button, at + away, closed, early)
                for button, at in [*zip(buttons, stamps, strict=True)][::-1]
                for away, closed in ((0, True), (10_000, False), (20_000, True), (25 * MS, False))
            ]
        )
        return stamps

    def until(self, true: Callable[[], object], within: float = 20.0) -> None:
        end = self.time.now + within
        self.source.listen(self, Until(self.time, lambda: bool(true()) or self.time.now > end))  # type: ignore[arg-type]
        assert true(), f"not within {within} s; told: {self.told[-4:]}"

    def kinds(self) -> list[type[Sensing]]:
        return [type(sensing_told) for sensing_told in self.state]


@pytest.fixture
def table() -> Buttons:
    return Buttons()


def test_a_press_is_told_with_its_seat_time_bound_and_origin(table: Buttons) -> None:
    (stamp,) = table.press(1, early=MS)
    table.until(lambda: table.presses)
    (press,) = table.presses
    assert press.seat == 2
    assert press.at == pytest.approx(stamp / 1e9 - 1000)
    assert press.uncertainty == pytest.approx(table.lines.late + 0.001, abs=1e-4)
    assert press.origin.startswith("gpio-")
    assert press.origin.endswith(f"-2-{stamp}")
    assert table.state == [Working("buzzers", "fingers, ±250.0 ms", 1.0)]


def test_soon_after_a_press_it_is_told_that_none_before_it_is_under_way(table: Buttons) -> None:
    table.press(1)
    table.until(lambda: table.of(Passed))
    ((press,), (passed,)) = table.presses, table.of(Passed)
    assert press.at < passed.at <= table.time.now - 0.002
    assert table.time.now < press.at + 0.005


def test_a_press_is_told_while_its_button_is_still_held(table: Buttons) -> None:
    pressed = table.kernel()
    table.lines.moved.append([Edge(1, pressed, closed=True)])
    table.until(lambda: table.presses, within=0.005)
    assert table.presses[0].origin.endswith(f"-2-{pressed}")


def test_a_dip_is_not_told(table: Buttons) -> None:
    dipped = table.kernel()
    table.lines.moved.append([Edge(1, dipped, closed=True), Edge(1, dipped + 5_000, closed=False)])
    table.until(lambda: table.time.now > 5)
    assert table.presses == []


def test_while_a_contact_bounces_it_is_not_told_that_none_is_under_way(table: Buttons) -> None:
    table.press(0)
    bounces = table.kernel() - MS
    table.lines.moved[0] += [Edge(1, bounces, closed=True), Edge(1, bounces + 1000, closed=False)]
    table.lines.moved.append([Edge(1, bounces + 3 * MS, closed=True)])
    table.until(lambda: table.of(Passed))
    seats = [press.seat for press in sorted(table.presses, key=lambda press: press.at)]
    assert seats == [2, 4]
    assert [type(sensing_told) for sensing_told in table.told if not isinstance(sensing_told, Working)] == [
        Buzzed,
        Buzzed,
        Passed,
    ]


def test_where_that_cannot_be_told_it_is_told_again(table: Buttons) -> None:
    table.refuses = (Passed,)
    table.press(1)
    table.until(lambda: table.refused)
    table.refuses = ()
    table.until(lambda: table.of(Passed))


def test_where_nobody_knows_how_late_an_edge_is_read_nothing_is_passed(table: Buttons) -> None:
    table.lines.behind = None
    table.press(1)
    table.until(lambda: table.time.now > 3)
    assert (len(table.presses), table.of(Passed)) == (1, [])


def test_presses_are_told_in_the_order_of_the_kernel(table: Buttons) -> None:
    table.press(2, 0, 1)
    table.until(lambda: len(table.presses) == 3)
    assert [press.seat for press in table.presses] == [6, 4, 2]
    at = [press.at for press in table.presses]
    assert at == sorted(at)


def test_a_button_that_is_held_when_lines_are_opened_is_no_press(table: Buttons) -> None:
    table.lines.held = [True, False, False]
    table.press(0)
    table.press(1)
    table.until(lambda: table.presses)
    assert [press.seat for press in table.presses] == [2]


def test_a_press_that_is_not_stored_is_told_again_as_the_same(table: Buttons) -> None:
    table.refuses = (Buzzed,)
    (stamp,) = table.press(0)
    table.until(lambda: table.refused == 3, within=1.0)
    table.press(1)
    table.refuses = ()
    table.until(lambda: len(table.presses) == 2)
    assert [press.seat for press in table.presses] == [4, 2]
    assert table.presses[0].origin.endswith(f"-{stamp}")


def test_presses_that_can_not_be_kept_waiting_are_told_as_missing(table: Buttons) -> None:
    table.until(lambda: table.state)
    table.refuses = (Buzzed,)
    began = table.kernel()
    presses = [began + number * 100 * MS for number in range(KEPT_AT_MOST + 1)]
    table.lines.moved.append([Edge(0, at + away, not away) for at in presses for away in (0, 20 * MS)])
    table.until(lambda: len(table.state) > 1)
    failed = table.state[1]
    assert isinstance(failed, Failed)
    assert failed.fault.says == (
        "presses can't be stored, and no more of them can be kept waiting. Ask the players who called."
    )
    table.refuses = ()
    table.until(lambda: isinstance(table.state[-1], Working))
    assert len(table.presses) == KEPT_AT_MOST
    assert table.presses[0].origin.endswith(f"-{began}")


def test_lines_that_can_not_be_opened_are_told_once_and_tried_again(table: Buttons) -> None:
    table.lines.missing = NotThere("no chip: plug it in.")
    with pytest.raises(NotThere, match="plug it in"):
        table.source.start()
    waited = table.time.now + 5
    table.until(lambda: table.time.now > waited)
    fault = DeviceFault("no chip: plug it in.", FaultCode.OTHER, {"where": "buzzers", "bus": "gpio"})
    assert table.state == [Failed("buzzers", fault, 1.0)]
    table.lines.missing = None
    table.press(0)
    table.until(lambda: table.presses, within=0.5)
    assert table.kinds() == [Failed, Working]


def test_a_fault_that_could_not_be_stored_is_told_as_soon_as_it_can_be(table: Buttons) -> None:
    table.until(lambda: table.state)
    table.refuses = (Failed,)
    table.lines.missing = NotThere("no chip.")
    table.lines.moved.append(NotThere("lost the chip."))
    table.until(lambda: table.refused == 3, within=1.0)
    table.refuses = ()
    table.until(lambda: table.kinds() == [Working, Failed], within=0.5)
    assert table.source.figures.faults == 1


def test_lines_that_break_are_told_and_opened_again(table: Buttons) -> None:
    table.until(lambda: table.state)
    table.lines.moved.append(NotThere("lost the chip."))
    table.press(2)
    table.until(lambda: table.presses)
    assert table.kinds() == [Working, Failed, Working]
    table.source.close()
    assert table.lines.closings == table.lines.opened == 2


def test_lost_edges_are_told_for_a_while_but_the_buttons_work_at_once(table: Buttons) -> None:
    table.until(lambda: table.state)
    table.lines.moved.append(Missed("7 edges were lost."))
    table.press(1)
    table.until(lambda: table.presses, within=0.1)
    failed = table.state[-1]
    assert isinstance(failed, Failed)
    assert failed.fault.says == "7 edges were lost. Ask the players who called."
    table.until(lambda: isinstance(table.state[-1], Working))
    assert SHOWN_S <= table.state[-1].at - failed.at < SHOWN_S + 0.1


def test_what_buttons_did_is_counted(table: Buttons) -> None:
    table.press(1)
    table.lines.moved.append(NotThere("lost the chip."))
    table.until(lambda: len(table.state) == 3)
    table.press(1)
    table.until(lambda: len(table.presses) == 2)
    figures = table.source.figures
    assert [(button.seat, button.presses) for button in figures.buttons] == [(4, 0), (2, 2), (6, 0)]
    assert [button.bounce for button in figures.buttons] == [None, Bounce(2, 0.00002), None]
    assert (figures.edges, figures.faults, str(figures.last_fault)) == ("all", 1, "lost the chip.")
