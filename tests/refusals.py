"""A command called by somebody who is not above the rights of files: root is, and tests may be run by root."""

import ctypes
import threading
from pathlib import Path

from click.testing import Result

from tests.cli.program import companion
from tests.waiting import PATIENCE

_VERSION_3 = 0x20080522
_WITHOUT = ~(1 << 1 | 1 << 2)
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""


def refusable(*words: str | Path) -> Result:
    """Run a command so that it is refused what the modes of files refuse to their owner."""
    done: list[Result] = []

    def run() -> None:
        _give_up_what_root_may()
        done.append(companion(*words))

    thread = threading.Thread(target=run, daemon=True)  # what a thread gives up, no other does
    thread.start()
    thread.join(PATIENCE)
    assert done, "it should have been refused, and started"
    return done[0]


def _give_up_what_root_may() -> None:
    head = (ctypes.c_uint32 * 2)(_VERSION_3, 0)
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted and inheritable, each of the first 32; then those of the rest
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.capget(head, sets) == 0
    for n in range(3):
        sets[n] &= _WITHOUT
    assert libc.capset(head, sets) == 0
