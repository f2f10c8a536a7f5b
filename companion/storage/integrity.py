"""Check a log's integrity before a table writes to it, and report what is lost and what can still be read."""

import struct
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, NamedTuple

from companion.progress import Advance, say_nothing
from companion.storage import files
from companion.storage.ailments import AilmentCode
from companion.storage.files import wal_of
from companion.storage.last_copy import copy_of, says_something
from companion.storage.log import Log
from companion.storage.opening import GameMissing, LogFault

_WAL_HEAD = 32
"""Bytes of the head of a write-ahead log."""
_FRAME_HEAD = 24
"""Bytes before each page in it."""
_CURE = (
    "Keep it, and bring back a backup (companion restore), or give the log another name in table.toml: "
    "then a new one is started. Nothing was changed"
)


def see_that_it_is_whole(path: Path) -> None:
    """Check every page of a log that no table uses, without changing it; a log not made yet is fine. Raises `LogFault`.

    Which matches can't be read, or were altered, is reported later by `find_unread`, since it takes longer.
    """
    beside = wal_of(path)
    if not _size(path):
        if _size(beside):  # SQLite deletes a write-ahead log that it finds beside an empty database
            raise LogFault(
                f"the log {path} is gone or empty, but {beside.name} still holds some of it. {_CURE}",
                AilmentCode.LOG_DAMAGED,
            )
        phones = files.phones_of(path)
        if path.is_file() and _size(phones):  # made when a log is
            raise LogFault(f"the log {path} is empty, but was not before. {_CURE}", AilmentCode.LOG_LOST)
        if says_something(copy_of(phones)):  # made when a table with a log starts
            raise LogFault(
                f"the log {path} is gone, and was there before. Bring back a backup (companion restore); or move "
                f"{copy_of(phones).name} away: then a new one is started. Nothing was changed",
                AilmentCode.LOG_LOST,
            )
        return
    if _size(path.with_name(f"{path.name}-journal")):
        return  # the power failed while the log was made: SQLite makes it again
    with closing(Log(path, writes=False)) as log:
        try:
            log.skim()
        except LogFault as wrong:
            raise LogFault(f"{wrong}. {_readable(log)}. {_CURE}", wrong.code) from wrong
        if _size(beside) and _holds_more_than_is_read(beside, path.with_name(f"{path.name}-shm")):
            raise LogFault(
                f"the newest events in the log {path} can't be read: {beside.name} is damaged. To go on with all that "
                "can be read, write it to a backup (companion backup) and bring that one back (companion restore): "
                "it keeps the damaged files as well. Nothing was changed",
                AilmentCode.LOG_DAMAGED,
            )


class LostFromLog(NamedTuple):
    """A match that can't be read, or was altered."""

    match: int | None
    """None: it is the log as a whole."""
    fault: LogFault


def unread_in_words(path: Path, advance: Advance = say_nothing) -> Iterator[str]:
    """Yield the results of `find_unread` as messages."""
    return (str(ailment.fault) for ailment in find_unread(path, advance=advance))


def find_unread(
    path: Path, rested: Callable[[float], bool] = lambda _: False, advance: Advance = say_nothing
) -> Iterator[LostFromLog]:
    """Yield what can't be read of a log, or was altered, match by match, even while a table uses it.

    A thousand matches take some seconds, so `rested` is called after each with the seconds it took, and may sleep for
    the sake of those playing; if it returns true, the search ends. `advance` is called after each match.
    """
    try:
        with closing(Log(path, writes=False)) as log:
            matches = log.traces()
            for number, match in enumerate(matches, 1):
                began = time.monotonic()
                fault = fault_in(log, match)
                if fault:
                    yield LostFromLog(match, fault)
                advance(number, len(matches))
                if rested(time.monotonic() - began):
                    return
            log.check()
    except LogFault as wrong:
        yield LostFromLog(None, wrong)


def _holds_more_than_is_read(beside: Path, index: Path) -> bool:
    """Return whether SQLite, which reads a write-ahead log up to its first damage, has left out stored transactions.

    A power cut leaves at most one transaction that was not synchronised. If two or more with this log's salt, the
    second written after the first, are left out, stored data was lost. While a disk fails, a longer attempt to write
    may leave frames behind a shorter one; those are older, and their checksums do not continue from it. See "WAL-mode
    File Format" in SQLite's documentation.
    """
    with beside.open("rb") as log:
        head = log.read(_WAL_HEAD)
        if len(head) < _WAL_HEAD or not index.is_file():
            return False
        if not _is_whole(head):
            return True
        order = _order(head)
        page = int.from_bytes(head[8:12])
        salt = head[16:24]
        # The index ("-shm") is never moved between machines, so SQLite writes it in their own order; there, how many
        # frames are read (`mxFrame`) stands at byte 16.
        at = _WAL_HEAD + (_FRAME_HEAD + page) * int.from_bytes(index.read_bytes()[16:20], sys.byteorder)
        last_checksum: bytes | None = None
        """That of the previous frame, once a transaction has been left out; None until then."""
        while len(frame := _at(log, at, _FRAME_HEAD + page)) == _FRAME_HEAD + page:
            if last_checksum is not None:
                goes_on = _checksum(order, frame[:8] + frame[_FRAME_HEAD:], last_checksum) == frame[16:24]
                last_checksum = last_checksum if goes_on else None
            is_last_of_its_transaction = frame[8:16] == salt and frame[4:8] != bytes(4)
            if is_last_of_its_transaction and last_checksum is not None:
                return True
            if is_last_of_its_transaction or last_checksum is not None:
                last_checksum = frame[16:24]
            at += len(frame)
    return False


def _at(file: IO[bytes], at: int, size: int) -> bytes:
    file.seek(at)
    return file.read(size)


def _is_whole(head: bytes) -> bool:
    """Whether the head of a write-ahead log fits its checksum; it is smaller than a sector, so a power cut can't tear
    it."""
    return head[24:] == _checksum(_order(head), head[:24], bytes(8))


def _order(head: bytes) -> str:
    """Return the byte order of a write-ahead log's checksums, as `struct` names it."""
    return ">" if head[3] & 1 else "<"


def _checksum(order: str, content: bytes, previous: bytes) -> bytes:
    """Return the checksum of this content, continued from the one before it."""
    first, second = struct.unpack(">II", previous)
    for even, odd in struct.iter_unpack(f"{order}II", content):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return struct.pack(">II", first, second)


def _readable(log: Log) -> str:
    """Return the sentence that lists which matches can be read, and which can't."""
    readable = list[str]()
    unreadable = list[str]()
    for match in log.traces():
        (unreadable if fault_in(log, match) else readable).append(str(match))
    return f"Can be read in full (companion export): {_listed(readable)}; can't: {_listed(unreadable)}"


def fault_in(log: Log, match: int) -> LogFault | None:
    """Return why a match can't be read as it was written; None: it can."""
    try:
        log.events(match)
        if log.match(match) is None:
            return LogFault(f"match {match} in {log.path} is damaged: when it began is gone. It counts nowhere")
    except GameMissing:
        return None
    except LogFault as wrong:
        return wrong
    return None


def _listed(matches: list[str]) -> str:
    return f"match {', '.join(matches)}" if matches else "no match"


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0
