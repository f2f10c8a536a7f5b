"""Files that outlast a power cut: after one, each is the old one or the new one, whole."""

import os
from pathlib import Path


def write(part: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a new file beside the one it shall take the place of; on return it is on disk. Raises OSError."""
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def swap(part: Path, path: Path) -> None:
    """Put what was written in the place of the old file, for good. Raises OSError."""
    part.replace(path)
    sync(path.parent)


def sync(path: Path) -> None:
    """See to it that what is in a file, or the names in a folder, are on disk. Raises OSError."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
