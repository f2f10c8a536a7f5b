"""Where what is compiled from our own files is kept, as Python keeps compiled modules: a start need not do it again."""

import os
import sys
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path


def folder_of(sources: Path) -> Path:
    """Return where what is compiled from this folder is kept: in systemd's cache if there is one, or beside it."""
    beside = Path(cache_from_source(str(sources / "any.py"))).parent
    return Path(os.environ.get("CACHE_DIRECTORY", beside))


def name_of(source: Path) -> str:
    """Name a file by its package and itself, wherever they are installed."""
    return "-".join(source.parts[-3:])


def can_keep(folder: Path) -> bool:
    """Whether anything can be kept in this folder; it is made if need be."""
    with suppress(OSError):
        if not sys.dont_write_bytecode:
            folder.mkdir(parents=True, exist_ok=True)
            return os.access(folder, os.W_OK)
    return False


def keep(file: Path, content: bytes) -> None:
    """Keep it, if possible; whoever reads meanwhile finds the last one or this one whole."""
    if not can_keep(file.parent):
        return
    unfinished = file.with_name(f"{file.name}.{os.getpid()}")
    with suppress(OSError):
        unfinished.write_bytes(content)
        unfinished.replace(file)
