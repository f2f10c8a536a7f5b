"""Waiting for what has to come; how long it takes is nobody's business."""

import time
from collections.abc import Callable

PATIENCE = 60.0
"""Seconds after which it will not come any more, however busy the machine is."""


def until(true: Callable[[], object], why: Callable[[], str] = lambda: "") -> None:
    """Wait until it is true. `why` tells more where it never is."""
    looked = time.monotonic()
    end = looked + PATIENCE
    while not true():
        at = time.monotonic()
        assert at < end, f"it never came true {why()}"
        time.sleep(max(0.003, at - looked))  # what is waited for has at least as much of the processor
        looked = time.monotonic()
