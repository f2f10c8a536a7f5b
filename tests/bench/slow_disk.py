"""A `companion` whose disk takes longer to keep something for good, by so many milliseconds.

    python -m tests.bench.slow_disk MILLISECONDS COMMAND …

The log waits that long after each of its transactions, which SQLite syncs once: so every act waits, as for a slow disk.
"""

import sys
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from companion.cli import main
from companion.storage.log import Log

P = ParamSpec("P")
R = TypeVar("R")


def slowed(keep: Callable[P, R], seconds: float) -> Callable[P, R]:
    """Have what keeps something take longer."""

    def kept(*args: P.args, **named: P.kwargs) -> R:
        done = keep(*args, **named)
        time.sleep(seconds)
        return done

    return kept


if __name__ == "__main__":
    longer = float(sys.argv.pop(1)) / 1000
    Log.append = slowed(Log.append, longer)  # type: ignore[method-assign]
    Log.open_match = slowed(Log.open_match, longer)  # type: ignore[method-assign]
    main()
