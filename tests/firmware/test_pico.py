"""The emulated Pico leaves nothing behind."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.firmware.pico import ROOT, virtual_machine
from tests.waiting import until

KILLED = """
import sys, time
from pathlib import Path
from tests.firmware.pico import Pico
with Pico(main=Path(sys.argv[1])) as pico:
    print(pico._process.pid, flush=True)
    time.sleep(600)
"""


def running(pid):
    """Whether a process is there, and is more than what nobody has asked after."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize(
    "main",
    [
        "while True: pass",
        "from machine import idle\nwhile True: idle()",
        "import port\nwhile port.Port().read() is None: pass",
        "print('and then the prompt')",
    ],
)
def test_when_the_test_is_killed_its_node_goes_whatever_the_firmware_does(main, tmp_path):
    virtual_machine()
    (tmp_path / "main.py").write_text(main)
    run = [sys.executable, "-c", KILLED, tmp_path / "main.py"]
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(run, cwd=ROOT, env=env, stdout=subprocess.PIPE) as test:
        node = int(test.stdout.readline())
        assert running(node)
        test.send_signal(signal.SIGKILL)
    until(lambda: not running(node))
