"""The emulated Pico leaves nothing behind."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.firmware.pico import ROOT, virtual_machine
from tests.waiting import until

KILLED = """
import sys, time
from contextlib import ExitStack
from pathlib import Path
from tests.firmware.pico import Pico
with ExitStack() as stack:
    picos = [stack.enter_context(Pico(main=Path(main))) for main in sys.argv[1:]]
    print(*(pico._process.pid for pico in picos), flush=True)
    time.sleep(600)
"""


def running(pid):
    """Whether a process is there, and is more than what nobody has asked after."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_when_the_test_is_killed_its_node_goes_whatever_the_firmware_does(tmp_path):
    virtual_machine()
    mains = (
        "while True: pass",
        "from machine import idle\nwhile True: idle()",
        "import port\nwhile port.Port().read() is None: pass",
        "print('and then the prompt')",
    )
    paths = [tmp_path / f"{number}.py" for number in range(len(mains))]
    for path, main in zip(paths, mains, strict=True):
        path.write_text(main)
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", KILLED, *paths], cwd=ROOT, env=env, stdout=subprocess.PIPE) as test:
        nodes = [int(pid) for pid in test.stdout.readline().split()]
        assert [running(node) for node in nodes] == [True] * len(mains)
        test.send_signal(signal.SIGKILL)
    until(lambda: not any(map(running, nodes)))
