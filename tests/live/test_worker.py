"""The judge's thread outlives whatever it meets."""

import pytest

from companion import threads
from companion.live.worker import Worker, _answer


def test_where_nobody_knows_what_is_due_jobs_are_done_all_the_same(caplog: pytest.LogCaptureFixture) -> None:
    def due() -> float:
        raise RuntimeError("a fault of the program")

    worker = Worker(lambda jobs: None, lambda: None, due)
    worker.start()
    try:
        assert [worker.ask(lambda: "done") for _ in range(3)] == ["done"] * 3
    finally:
        worker.stop()
    assert "RuntimeError: a fault of the program" in caplog.text


def test_what_a_job_raises_is_told_as_a_fault_of_the_judge(caplog: pytest.LogCaptureFixture) -> None:
    def call() -> None:
        raise ZeroDivisionError("in a game's code")

    try:
        _answer([], call)
    finally:
        threads.forget_faults()
    assert "judge goes on after a fault of the program" in caplog.text
