"""The program's last messages, kept beside the log for a report: not every machine has a journal that may be read."""

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
"""Without waiting for whoever reads a pipe, if somebody has made it one."""


class _MessagesFile(RotatingFileHandler):
    """A file that only its owner may read. A full disk costs what would be written there, and nothing else."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, maxBytes=LARGEST, backupCount=1, encoding="utf-8", delay=True)

    def _open(self) -> TextIOWrapper:
        opened = os.open(self.baseFilename, _HOW, PRIVATE)
        give_to_the_folders_owner(Path(self.baseFilename))
        return open(opened, "a", encoding="utf-8", errors="backslashreplace")

    def close(self) -> None:
        """Close the file; what it still had to write is lost too."""
        with suppress(OSError):
            super().close()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 (its name)
        """Lose it."""


def messages_of(log: Path) -> Path:
    """Return the file of the program's last messages; an earlier one beside it ends in `.1`."""
    return log.with_name(f"{log.name}.messages")


@contextmanager
def kept_messages(log: Path, formatter: logging.Formatter) -> Iterator[None]:
    """Keep what the program writes into its journal, for as long as the block lasts."""
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
    """Return the program's last messages, oldest first; "" if there are none."""
    path = messages_of(log)
    texts = []
    for file in (path.with_name(f"{path.name}.1"), path):
        with suppress(OSError):
            texts.append(file.read_text(encoding="utf-8", errors="replace"))
    return "".join(texts)
