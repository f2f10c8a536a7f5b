"""The warnings of a running table on standard error, each a line that can't be mistaken for another."""

import logging
import os
from typing import Any

from companion.cli.output import printable


class LogLine(logging.Formatter):
    """A warning is one line; an exception follows it on lines of its own."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (its name)
        """See `logging.Formatter`."""
        return printable(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802 (its name)
        """See `logging.Formatter`."""
        return "\n".join(map(printable, super().formatException(ei).splitlines()))


def log_to_stderr() -> None:
    """Send the warnings of a running table to standard error; systemd's journal knows itself when each came."""
    when = "" if "JOURNAL_STREAM" in os.environ else "%(asctime)s "
    handler = logging.StreamHandler()
    handler.setFormatter(LogLine(f"{when}%(levelname)s %(message)s", "%H:%M:%S"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
