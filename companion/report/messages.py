"""Keeps the program's last messages beside the log, for reports: not every machine has a readable journal."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from companion import __version__
from companion.storage.files import PRIVATE, give_to_the_folders_owner

LARGEST = 200_000
"""Bytes of each of the two files."""
_HOW = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""Never follows a link, nor blocks if the file is a pipe."""


class _MessagesFile(RotatingFileHandler):
    """A rotating log file that only its owner may read; errors, such as a full disk, lose messages and nothing else."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, maxBytes=LARGEST, backupCount=1, encoding="utf-8", delay=True)

    def _open(self) -> TextIOWrapper:
        opened = os.open(self.baseFilename, _HOW, PRIVATE)
        give_to_the_folders_owner(Path(self.baseFilename))
        return open(opened, "a", encoding="utf-8", errors="backslashreplace")

    def close(self) -> None:
        """Close the file; errors are ignored."""
        with suppress(OSError):
            super().close()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 (its name)
        """Drop the message."""


def messages_of(log: Path) -> Path:
    """Return the file of the last messages; the one before it ends in `.1`."""
    return log.with_name(f"{log.name}.messages")


@contextmanager
def kept_messages(log: Path, formatter: logging.Formatter) -> Iterator[None]:
    """Keep the program's log messages during the block."""
    handler = _MessagesFile(messages_of(log))
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.addHandler(handler)
    started = logging.LogRecord(__name__, logging.INFO, "", 0, f"companion {__version__} starts", None, None)
    handler.handle(started)
    try:
        yield
    finally:
        root.removeHandler(handler)
        handler.close()


def read_messages(log: Path) -> str:
    """Return the last messages, oldest first; "" if there are none."""
    path = messages_of(log)
    texts = []
    for file in (path.with_name(f"{path.name}.1"), path):
        with suppress(OSError):
            texts.append(file.read_text(encoding="utf-8", errors="replace"))
    return "".join(texts)
