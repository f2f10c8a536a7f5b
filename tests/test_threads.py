"""No thread dies unnoticed: what it raises is kept and told, and it goes on; one that hangs is known."""

import ast
import threading
from collections.abc import Iterator

import pytest

from companion import threads
from companion.threads import LastingThread, Rounds, start_errand
from tests.test_boundaries import SOURCES, module_of, nodes
from tests.waiting import until


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(threads, "FIRST_BREATH_S", 0.0)
    monkeypatch.setattr(threads, "LONGEST_BREATH_S", 0.0)
    yield
    threads.forget_faults()


class Work:
    """Raises this so many times, then works until it is stopped."""

    def __init__(self, wrong: BaseException, times: int) -> None:
        self.wrong = wrong
        self.left = times
        self.works = threading.Event()

    def __call__(self, rounds: Rounds) -> None:
        if self.left:
            self.left -= 1
            raise self.wrong
        self.works.set()
        rounds.wait()


@pytest.mark.parametrize("wrong", [ValueError("no"), MemoryError(), SystemExit(), KeyError("red-5"), RecursionError()])
def test_a_thread_goes_on_whatever_it_raises_and_that_is_kept(wrong: BaseException) -> None:
    work = Work(wrong, times=3)
    thread = LastingThread("busy", work)
    thread.start()
    until(work.works.is_set)
    [fault] = threads.faults()
    assert (fault.thread, fault.kind, fault.number) == ("busy", type(wrong).__name__, 3)
    assert fault.where.startswith("test_threads.py:")
    assert threads.stuck() == ()
    thread.stop()


def test_what_is_kept_says_nothing_that_may_be_sealed() -> None:
    start_errand("errand", lambda: {}["red-5"])
    until(threads.faults)
    assert "red-5" not in str(threads.faults())


def test_an_errand_is_not_tried_again() -> None:
    tried = []

    def errand() -> None:
        tried.append(1)
        raise ValueError

    start_errand("errand", errand)
    until(lambda: "errand" not in {thread.name for thread in threading.enumerate()})
    assert tried == [1]
    assert [fault.number for fault in threads.faults()] == [1]


def test_a_thread_breathes_ever_longer_but_not_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "FIRST_BREATH_S", 1.0)
    monkeypatch.setattr(threads, "LONGEST_BREATH_S", 5.0)
    breaths: list[float | None] = []

    def wait(rounds: Rounds, timeout: float | None = None) -> bool:
        breaths.append(timeout)
        return len(breaths) == 5

    monkeypatch.setattr(Rounds, "wait", wait)
    thread = LastingThread("busy", Work(ValueError(), times=9))
    thread.start()
    thread.stop()
    assert breaths == [1.0, 2.0, 4.0, 5.0, 5.0]


def test_a_thread_that_breathes_is_stopped_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "FIRST_BREATH_S", 1e6)
    thread = LastingThread("busy", Work(ValueError(), times=9))
    thread.start()
    until(threads.faults)
    thread.stop()
    assert not thread.is_alive


def test_a_thread_that_does_not_come_round_is_stuck_until_it_does() -> None:
    leave = threading.Event()

    def work(rounds: Rounds) -> None:
        leave.wait()
        rounds.wait()

    thread = LastingThread("busy", work, patience=0.0)
    thread.start()
    until(lambda: threads.stuck() == ("busy",))
    leave.set()
    until(lambda: threads.stuck() == ())
    thread.stop()


def test_a_thread_that_rests_is_not_stuck() -> None:
    news = threading.Event()
    rests = threading.Event()

    def work(rounds: Rounds) -> None:
        with rounds.resting():
            rests.set()
            news.wait()

    thread = LastingThread("busy", work, patience=0.0)
    thread.start()
    until(rests.is_set)
    assert threads.stuck() == ()
    thread.stop(news.set)


def test_only_its_own_look_says_that_a_thread_comes_round() -> None:
    leave = threading.Event()
    thread = LastingThread("busy", lambda _: bool(leave.wait()) or None, patience=0.0)
    thread.start()
    until(lambda: threads.stuck() == ("busy",))
    assert not thread.rounds.is_set()
    assert threads.stuck() == ("busy",)
    thread.stop(leave.set)


def test_a_thread_that_has_died_is_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    """It can't, as far as is known."""
    thread = LastingThread("busy", lambda _: None)
    monkeypatch.setattr(thread, "_thread", threading.Thread())
    threads._crew.add(thread)
    assert threads.stuck() == ("busy",)
    threads._crew.remove(thread)


def test_the_journal_says_what_comes_again_and_again_ever_more_seldom(caplog: pytest.LogCaptureFixture) -> None:
    work = Work(ValueError("of the program"), times=100)
    thread = LastingThread("busy", work)
    thread.start()
    until(work.works.is_set)
    thread.stop()
    assert len(caplog.records) == 7
    assert caplog.text.count("ValueError: of the program") == 1


def test_nobody_else_starts_a_thread() -> None:
    """`ThreadPoolExecutor` is none: whoever asks it waits, and gets what was raised."""
    starts = {"Thread", "Timer", "start_new_thread", "loop_start", "loop_forever"}
    users = {
        f"{module_of(path)}: {ast.unparse(node.func)}"
        for path in SOURCES
        for node in nodes(path)
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in starts
    }
    assert users == {"companion.threads: threading.Thread"}


def test_nobody_waits_by_select_which_knows_no_file_above_1023() -> None:
    users = {
        f"{module_of(path)}: {ast.unparse(node.func)}"
        for path in SOURCES
        for node in nodes(path)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"select.select", "select", "SelectSelector"}
    }
    assert users == set()


def test_the_serial_port_is_opened_by_what_waits_by_poll() -> None:
    users = {
        module_of(path)
        for path in SOURCES
        for node in nodes(path)
        if isinstance(node, ast.Call | ast.ClassDef) and "serial.Serial" in map(ast.unparse, _named(node))
    }
    assert users == {"companion.devices.serial_line"}


def _named(node: ast.Call | ast.ClassDef) -> list[ast.expr]:
    return [node.func] if isinstance(node, ast.Call) else node.bases
