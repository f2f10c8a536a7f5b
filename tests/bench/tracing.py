"""A `companion` that writes down when a tap comes by where.

    python -m tests.bench.tracing FILE COMMAND …

Each line names a place and the time of the wall clock, in seconds, when something came there.
"""

import sys
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from companion.cli import main
from companion.devices.check.checkup import Checkup
from companion.live.judging import Judging
from companion.storage.log import Log
from companion.web.bell import Bell
from companion.web.feed import Feed
from companion.web.render.screens import Screens

P = ParamSpec("P")
R = TypeVar("R")


def traced(call: Callable[P, R], place: str, *, done: bool) -> Callable[P, R]:
    """Have it written down when it is called, or when it is done."""

    def called(*args: P.args, **named: P.kwargs) -> R:
        if not done:
            NOTES.write(f"{place} {time.time()}\n")
        answer = call(*args, **named)
        if done:
            NOTES.write(f"{place} {time.time()}\n")
        return answer

    return called


if __name__ == "__main__":
    NOTES = open(sys.argv.pop(1), "a", buffering=1)  # noqa: SIM115 - for as long as it runs
    Checkup.tell = traced(Checkup.tell, "read", done=False)  # type: ignore[method-assign]
    Judging._record = traced(Judging._record, "taken", done=False)  # type: ignore[method-assign]
    Log.append = traced(Log.append, "kept", done=True)  # type: ignore[method-assign]
    Bell.ring = traced(Bell.ring, "judged", done=False)  # type: ignore[method-assign]
    Feed.now = traced(Feed.now, "woken", done=False)  # type: ignore[method-assign]
    Screens._render = traced(Screens._render, "rendered", done=True)  # type: ignore[method-assign]
    main()
