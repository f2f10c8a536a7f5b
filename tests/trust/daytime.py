"""The time of day, as a trial wants it: the companion reads it in more than one place."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from typing import Any
from unittest.mock import patch


@contextmanager
def daytime(now: datetime) -> Iterator[None]:
    """Let it stand still."""

    class Standing(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> datetime:
            return now

    with ExitStack() as stack:
        for name, module in [*sys.modules.items()]:
            if name.startswith("companion.") and getattr(module, "datetime", None) is datetime:
                stack.enter_context(patch.object(module, "datetime", Standing))
        yield
