"""Logs the warnings of a running table to standard error, each on one line, with control characters escaped."""

import logging
import os
from typing import Any

from companion.cli.output import printable


class LogLine(logging.Formatter):
    """Formats a message as one line, followed by the lines of an exception."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (its name)
        """See `logging.Formatter`."""
        return printable(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802 (its name)
        """See `logging.Formatter`."""
        return "\n".join(map(printable, super().formatException(ei).splitlines()))


def log_to_stderr() -> None:
    """Send messages to standard error; without times if systemd's journal takes them, which adds its own."""
    when = "" if "JOURNAL_STREAM" in os.environ else "%(asctime)s "
    handler = logging.StreamHandler()
    handler.setFormatter(LogLine(f"{when}%(levelname)s %(message)s", "%H:%M:%S"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
