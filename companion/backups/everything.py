"""Packs every file of a table, damaged or not, into one zip, streamed because the disk may have no room for it."""

import os
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, cast

from companion.backups.writing import files_of
from companion.config import Table
from companion.storage.files import files_of_log

_PIECE = 1 << 18
"""Bytes."""


class _Outlet:
    """A file without seek to which a zip is written, and from which its parts are taken at once."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, part: bytes) -> int:
        self._parts.append(bytes(part))
        return len(part)

    def flush(self) -> None:
        pass

    def take(self) -> bytes:
        parts = b"".join(self._parts)
        self._parts.clear()
        return parts


def pack_everything(settings: Path | None, table: Table) -> Iterator[bytes]:
    """Yield a zip of all files of a table, including credentials and files moved aside; skip unreadable ones."""
    outlet = _Outlet()
    with zipfile.ZipFile(cast(IO[bytes], outlet), "w", zipfile.ZIP_DEFLATED) as packed:
        for path in _everything(settings, table):
            yield from _packed(packed, outlet, path)
    yield outlet.take()


def _packed(packed: zipfile.ZipFile, outlet: _Outlet, path: Path) -> Iterator[bytes]:
    with suppress(OSError), path.open("rb") as file, packed.open(path.name, "w", force_zip64=True) as inside:
        while part := file.read(_PIECE):
            inside.write(part)
            yield outlet.take()


def _everything(settings: Path | None, table: Table) -> list[Path]:
    own_files = {table.log, *(path for name, path in files_of(table).items())}
    named = {*own_files, *([settings] if settings else [])}
    paths = {beside for path in named for beside in files_of_log(path)}
    return sorted((path for path in paths if path.is_file() and os.access(path, os.R_OK)), key=str)
