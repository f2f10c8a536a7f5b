"""Archives and folders that are the same bytes whoever makes them, wherever and whenever."""

import gzip
import tarfile
from collections.abc import Iterator
from pathlib import Path


def pack_folder(folder: Path, to: Path, at: int) -> None:
    """Write a folder as a .tar.gz; `at`: the time of all that is in it, in seconds since 1970.

    Its bytes depend on nothing else but the names, the contents, and which files may be executed.
    """
    with (
        to.open("wb") as file,
        gzip.GzipFile("", "wb", mtime=at, fileobj=file) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for path in (folder, *sorted(folder.rglob("*"))):
            entry = archive.gettarinfo(path, str(path.relative_to(folder.parent)))
            entry.mtime = at
            entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
            entry.uid = 0
            entry.gid = 0
            entry.uname = ""
            entry.gname = ""
            _add(archive, entry, path)


def differing(folder: Path, other: Path) -> Iterator[str]:
    """Yield the names of the files that two folders do not both hold with the same bytes."""
    names = {path.relative_to(place) for place in (folder, other) for path in place.rglob("*") if path.is_file()}
    for name in sorted(names):
        pair = (folder / name, other / name)
        if not all(path.is_file() for path in pair) or pair[0].read_bytes() != pair[1].read_bytes():
            yield str(name)


def _add(archive: tarfile.TarFile, entry: tarfile.TarInfo, path: Path) -> None:
    if not entry.isfile():
        archive.addfile(entry)
        return
    with path.open("rb") as content:
        archive.addfile(entry, content)
