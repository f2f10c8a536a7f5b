"""Folders that another user owns, and reaches: pytest's own are closed to all but who runs the tests."""

import codecs
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65534
EVERYBODYS = os.environ.get("PYTEST_DEBUG_TEMPROOT", "/tmp")
"""A folder that every user may enter, in memory where the tests' own are: a table waits for the disk at every event."""

for _encoding in ("ascii", "latin-1", "idna", "utf-8", "utf-16"):
    codecs.lookup(_encoding)  # one that is first wanted while root's Python can't be read is remembered as unknown


@contextmanager
def reachable_folder() -> Iterator[Path]:
    """Return a new folder that every user may enter."""
    with tempfile.TemporaryDirectory(dir=EVERYBODYS) as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def owned_folder(path: Path) -> Path:
    """Make a folder that is nobody's."""
    path.mkdir()
    os.chown(path, NOBODY, NOBODY)
    return path
