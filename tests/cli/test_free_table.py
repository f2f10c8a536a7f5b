"""A virtual table beside others: it finds a log and a port by itself, and says so before anything is installed."""

import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion import free_table
from companion.errors import NotNow
from companion.free_table import find_free, own_log
from companion.storage.opening import lock

ROOT = Path(__file__).parents[2]


@pytest.fixture
def port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The first port that is tried: it and the next one are free."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for port in range(9471, 9489, 2):
        if not free_table.is_taken(port) and not free_table.is_taken(port + 1):
            monkeypatch.setattr(free_table, "FIRST_PORT", port)
            yield port
            return


def test_a_table_alone_has_the_usual_log_and_port(port: int) -> None:
    assert find_free(None, None) == (own_log(), port, ())


def test_a_second_table_has_a_log_and_a_port_of_its_own_and_says_so(port: int, tmp_path: Path) -> None:
    with closing(lock(own_log())), socket.create_server(("127.0.0.1", port)):
        free = find_free(None, None)
    assert free.log == tmp_path / "table-companion" / "virtual-2.sqlite"
    assert free.port == port + 1
    in_play, elsewhere = free.notes
    assert f"http://localhost:{port}" in in_play
    assert str(free.log) in in_play
    assert str(port + 1) in elsewhere


def test_a_third_table_has_a_third_log(port: int, tmp_path: Path) -> None:
    with closing(lock(own_log())), closing(lock(find_free(None, None).log)):
        assert find_free(None, None).log.name == "virtual-3.sqlite"


def test_a_table_that_was_stopped_leaves_its_log_free(port: int) -> None:
    lock(own_log()).close()
    assert find_free(None, None).log == own_log()


def test_what_was_asked_for_and_is_taken_is_refused_with_what_to_do(port: int, tmp_path: Path) -> None:
    with closing(lock(tmp_path / "mine.sqlite")), pytest.raises(NotNow, match=r"make play LOG=…\), or none at all"):
        find_free(tmp_path / "mine.sqlite", None)
    with socket.create_server(("", port)), pytest.raises(NotNow, match=r"make play PORT=…\), or none at all"):
        find_free(None, port)


def test_it_is_found_out_before_anything_is_installed(port: int, tmp_path: Path) -> None:
    without_packages = [sys.executable, "-S", "-m", "companion.free_table"]
    with closing(lock(own_log())):
        done = subprocess.run(without_packages, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "in play already" in done.stderr
    log = tmp_path / "table-companion" / "virtual-2.sqlite"
    assert shlex.split(done.stdout)[:2] == ["--log", str(log)]
    with closing(lock(tmp_path / "mine.sqlite")):
        command = [*without_packages, "--log", str(tmp_path / "mine.sqlite")]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: another companion plays with the log")
