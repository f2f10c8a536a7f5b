"""`make club`: a club to look at, which leaves nothing behind."""

import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import msgspec
import pytest

from tests.bench.rig import free_port
from tests.club.broker import MOSQUITTO
from tests.needs import needs
from tests.waiting import until


def test_eight_tables_are_there_and_with_ctrl_c_all_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs("mosquitto", MOSQUITTO)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    port = free_port()
    command = [sys.executable, "-m", "companion.cli.virtual_club", "--host", "127.0.0.1", "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as club:

        def ready() -> list[str]:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/1/tables", timeout=5) as answer:
                    return [table["name"] for table in msgspec.json.decode(answer.read()) if table["state"] == "ready"]
            except OSError:
                return []

        until(lambda: len(ready()) == 8)
        club.send_signal(signal.SIGINT)
        assert club.wait(30) == 0
    assert [*tmp_path.iterdir()] == []
