"""The judge's thread outlives whatever it meets."""

import pytest

from companion.live.worker import Worker


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
