"""A disk in a bottle: the real files of one folder in memory, and what of them would outlast a power cut.

Every write, sync, new name and deletion comes by here, SQLite's and the companion's own, and may be refused, come
late, or be the last before the power is cut. What was not synchronised by then is there in part, by lot, sector by
sector and name by name: less than any file system promises.
"""

import errno
import os
import random
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import Any
from unittest import mock

from tests.bottle import sqlite_files

SECTOR = 512
FULL, FAILS, CLOSED = 13, 10, 8
"""SQLite's codes: SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY."""
_ERRNO = {FULL: errno.ENOSPC, FAILS: errno.EIO, CLOSED: errno.EROFS}
_PASSING = ("-shm", ".lock")
"""Files that a machine makes anew."""


class PowerCut(BaseException):
    """The machine is off."""


class Luck(Enum):
    """What of all that was not synchronised is there afterwards."""

    ALL = "all: only the program was killed"
    NONE = "none"
    ANY = "any part"


class Trouble(Enum):
    """What the disk does until it is mended."""

    NONE = "it works"
    FULL = "there is no room"
    FAILING = "writes fail"
    SYNC_FAILS = "syncs fail"
    READ_ONLY = "it is mounted read-only"
    SLOW = "it is slow"
    READS_FAIL = "reads fail"


SPOILED = tuple(trouble for trouble in Trouble if trouble is not Trouble.READS_FAIL)
"""What is drawn as one step; that reads fail is drawn as another."""
WORKING = (Trouble.NONE, Trouble.SLOW)


class _Inode:
    def __init__(self) -> None:
        self.safe = bytearray()
        self.waiting: list[tuple[int, bytes | None]] = []
        """Writes since the last sync: where, and what; None: the file was cut off there."""


class Disk:
    """One folder."""

    def __init__(self, folder: Path, chance: random.Random, passes: Callable[[float], None]) -> None:
        """`passes` lets seconds go by."""
        self.folder = folder
        self.trouble = Trouble.NONE
        self.is_off = False
        self.has_refused_to_sync = False
        self.times_mended = 0
        self.operations = 0
        self._cut_at: int | None = None
        self._troubles_at: int | None = None
        self._troubled = Trouble.NONE, False
        """The trouble that comes, and whether it passes at once."""
        self._own_until_cut: int | None = None
        """How many operations on files that are not SQLite's are left before the power is cut; None: it is not."""
        self._chance = chance
        self._passes = passes
        self._inodes: dict[int, _Inode] = {}
        self._safe: dict[str, int] = {}
        """The names that are there for good, and their inodes."""
        self._written_by_hand: set[int] = set()
        """The inodes to which the companion writes by itself, without SQLite."""
        self._by_path: dict[Path, _Inode] = {}
        """What has been written to since a name last changed."""
        self._names_known: dict[str, int] | None = None
        """The names that there are, and their inodes; None: one may have changed since they were looked at."""

    def cut_after(self, operations: int) -> None:
        """Cut the power after so many more operations."""
        self._cut_at = self.operations + operations

    def cut_among_own(self, operations: int) -> None:
        """Cut the power after so many more operations on files that are not SQLite's, which are seldom written."""
        self._own_until_cut = operations

    def trouble_after(self, operations: int, trouble: Trouble, *, once: bool) -> None:
        """Have it be in trouble after so many more operations, or only at that one."""
        self._troubles_at = self.operations + operations
        self._troubled = trouble, once

    def stop_reading(self) -> None:
        """Have reads fail from now on."""
        self.trouble = Trouble.READS_FAIL
        sqlite_files.watch_reads(are_watched=True)

    def mend(self) -> None:
        """Have it work again, and the power stay."""
        self.times_mended += 1
        self.trouble = Trouble.NONE
        sqlite_files.watch_reads(are_watched=False)
        self._troubles_at = None
        self._cut_at = None
        self._own_until_cut = None

    # What SQLite asks.

    def watches(self, path: Path) -> bool:
        return path.parent == self.folder and not path.name.endswith(_PASSING)

    def opens(self, path: Path) -> int:
        self._by_path.pop(path, None)
        if self._names_known is not None and path.name not in self._names_known:
            self._names_known = None
        return FAILS if self.is_off else sqlite_files.OK

    def reads(self) -> int:
        return FAILS if self.trouble is Trouble.READS_FAIL else sqlite_files.OK

    def writes(self, path: Path, at: int, content: bytes) -> int:
        wrong = self._refused(sync=False)
        if not wrong:
            self._of(path).waiting.append((at, content))
        return wrong

    def truncates(self, path: Path, size: int) -> int:
        wrong = self._refused(sync=False)
        if not wrong:
            self._of(path).waiting.append((size, None))
        return wrong

    def syncs(self, path: Path) -> int:
        wrong = self._refused(sync=True)
        if not wrong:
            self._settle(self._of(path))
            if path.name.endswith(("-wal", "-journal")):  # SQLite then synchronises the folder
                self._settle_names()
        return wrong

    def deletes(self, path: Path) -> int:
        self._by_path.pop(path, None)
        self._names_known = None
        return self._refused(sync=False)

    # What the companion asks.

    def fsync(self, real: Callable[[int], None], number: int) -> None:
        """Stand in the place of `os.fsync`."""
        status = os.fstat(number)
        path = Path(os.readlink(f"/proc/self/fd/{number}"))
        is_folder = stat.S_ISDIR(status.st_mode)
        if self.folder not in (path, path.parent):
            return real(number)
        self._see(self._refused(sync=True))
        if is_folder:
            self._settle_names()
            return None
        inode = self._inodes.setdefault(status.st_ino, _Inode())
        inode.safe = bytearray(path.read_bytes()) if path.exists() else inode.safe
        inode.waiting.clear()
        return None

    def open(self, real: Callable[..., int], path: Any, flags: int, mode: int = 0o777, **more: Any) -> int:
        """Stand in the place of `os.open`."""
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) and self._is_kept(path):
            self._see(self._refused(sync=False))
            self._names_known = None
            opened = real(path, flags, mode, **more)
            self._written_by_hand.add(os.fstat(opened).st_ino)
            return opened
        return real(path, flags, mode, **more)

    def replace(self, real: Callable[..., None], part: Any, path: Any, **more: Any) -> None:
        """Stand in the place of `os.replace`."""
        if self._is_kept(path):
            self._see(self._refused(sync=False))
            self._names_change()
        return real(part, path, **more)

    def unlink(self, real: Callable[..., None], path: Any, **more: Any) -> None:
        """Stand in the place of `os.unlink`: a full disk lets that be done."""
        if self._is_kept(path):
            self._names_change()
            trouble = self.trouble
            self.trouble = Trouble.NONE if self.trouble is Trouble.FULL else self.trouble
            try:
                self._see(self._refused(sync=False))
            finally:
                self.trouble = trouble
        return real(path, **more)

    # The power.

    def restore(self, luck: Luck) -> None:
        """Have the files be what a power cut leaves, and the disk work again."""
        left = self._left(luck)
        self.is_off = False
        self.mend()
        for path in self.folder.iterdir():
            path.unlink()
        self._inodes = {}
        self._safe = {}
        self._names_change()
        self._written_by_hand.clear()
        for name, content in left.items():
            path = self.folder / name
            path.write_bytes(content)
            path.chmod(0o600)
            number = path.stat().st_ino
            inode = self._inodes[number] = _Inode()
            inode.safe = bytearray(content)
            self._safe[name] = number

    def size(self, database: str) -> int:
        """Return how many bytes a database has, with all files beside it that are named after it."""
        return sum(path.stat().st_size for path in self.folder.glob(f"{database}*"))

    def _left(self, luck: Luck) -> dict[str, bytes]:
        names = self._names()
        if luck is Luck.ALL:
            return {name: (self.folder / name).read_bytes() for name in names}
        if luck is Luck.NONE:
            found = dict(self._safe)
        else:
            both = sorted({*names, *self._safe})
            found = {name: number for name in both if (number := self._chance.choice((names, self._safe)).get(name))}
        return {name: self._content(number, luck) for name, number in sorted(found.items())}

    def _content(self, number: int, luck: Luck) -> bytes:
        inode = self._inodes.get(number)
        if inode is None or number in self._written_by_hand:
            inode = self._with_what_was_written_by_hand(number, inode or _Inode())
        left = bytearray(inode.safe)
        if luck is Luck.ANY:
            share = self._chance.choice((0.1, 0.5, 0.9, 1.0))
            for at, content in inode.waiting:
                for begin, part in _sectors(at, content):
                    if self._chance.random() < share:
                        _do(left, begin, part)
        return bytes(left)

    def _with_what_was_written_by_hand(self, number: int, inode: _Inode) -> _Inode:
        """Return a file to which the companion has written since it last synchronised it, if ever."""
        path = next((self.folder / name for name, other in self._names().items() if other == number), None)
        content = None if path is None else path.read_bytes()
        if content is not None and content != inode.safe:
            inode.waiting = [(0, None), (0, content)]
        return inode

    def _names(self) -> dict[str, int]:
        return {
            path.name: path.stat().st_ino for path in sorted(self.folder.iterdir()) if not path.name.endswith(_PASSING)
        }

    def _of(self, path: Path) -> _Inode:
        inode = self._by_path.get(path)
        if inode is None:
            number = path.stat().st_ino
            self._written_by_hand.discard(number)  # the companion made it, empty, for SQLite
            inode = self._by_path[path] = self._inodes.setdefault(number, _Inode())
        return inode

    def _settle(self, inode: _Inode) -> None:
        for at, content in inode.waiting:
            _do(inode.safe, at, content)
        inode.waiting.clear()

    def _settle_names(self) -> None:
        if self._names_known is None:
            self._names_known = self._names()
        self._safe = self._names_known

    def _names_change(self) -> None:
        self._by_path.clear()
        self._names_known = None

    def _is_kept(self, path: Any) -> bool:
        try:
            there = Path(os.fspath(path))
        except TypeError:
            return False
        return there.parent == self.folder and not there.name.endswith(_PASSING)

    def _refused(self, *, sync: bool) -> int:
        """Count an operation; return SQLite's code of what is wrong with it."""
        if self.is_off:
            return FAILS
        self.operations += 1
        if self._cut_at is not None and self.operations >= self._cut_at:
            self.is_off = True
            return FAILS
        trouble = self.trouble
        if self._troubles_at is not None and self.operations >= self._troubles_at:
            trouble, is_passing = self._troubled
            self._troubles_at = None
            self.trouble = self.trouble if is_passing else trouble
        match trouble:
            case Trouble.FULL if not sync:
                return FULL
            case Trouble.FAILING if not sync:
                return FAILS
            case Trouble.SYNC_FAILS if sync:
                self.has_refused_to_sync = True
                return FAILS
            case Trouble.READ_ONLY:
                return CLOSED
            case Trouble.SLOW if sync:
                self._passes(self._chance.choice((0.05, 0.3, 2.0)))
        return sqlite_files.OK

    def _see(self, wrong: int) -> None:
        if self._own_until_cut is not None:
            self._own_until_cut -= 1
            self.is_off = self.is_off or self._own_until_cut <= 0
        if self.is_off:
            raise PowerCut
        if wrong:
            raise OSError(_ERRNO[wrong], os.strerror(_ERRNO[wrong]))


@contextmanager
def plugged_in(disk: Disk) -> Iterator[None]:
    """Have the disk be asked, in this block, about all that happens in its folder."""
    fsync = os.fsync
    open_ = os.open
    replace = os.replace
    unlink = os.unlink
    sqlite_files.watch(disk)
    try:
        with (
            mock.patch.object(os, "fsync", lambda number: disk.fsync(fsync, number)),
            mock.patch.object(os, "open", lambda *where, **more: disk.open(open_, *where, **more)),
            mock.patch.object(os, "replace", lambda *names, **more: disk.replace(replace, *names, **more)),
            mock.patch.object(os, "unlink", lambda *names, **more: disk.unlink(unlink, *names, **more)),
        ):
            yield
    finally:
        sqlite_files.leave(disk)


def _sectors(at: int, content: bytes | None) -> Iterator[tuple[int, bytes | None]]:
    if content is None:
        yield at, None
        return
    begin = at
    while begin < at + len(content):
        end = min(begin // SECTOR * SECTOR + SECTOR, at + len(content))
        yield begin, content[begin - at : end - at]
        begin = end


def _do(file: bytearray, at: int, content: bytes | None) -> None:
    file.extend(bytes(max(0, at - len(file))))
    if content is None:
        del file[at:]
    else:
        file[at : at + len(content)] = content
