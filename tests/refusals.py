"""The program as somebody runs it who is not above the rights of files: root is, and tests may be run by root."""

import os
import subprocess
import sys
from pathlib import Path

_STARTED_S = 30
"""A command that should have been refused by then has started."""
_MORTAL = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search")


def refusable(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command so that it is refused what the modes of files refuse to their owner."""
    mortal = _MORTAL if os.geteuid() == 0 else ()
    program = [*mortal, sys.executable, "-m", "companion", *map(str, words)]
    return subprocess.run(program, capture_output=True, text=True, check=False, timeout=_STARTED_S)
