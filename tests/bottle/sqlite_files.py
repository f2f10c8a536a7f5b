"""SQLite's own way to its files, watched: a VFS that hands every call on to the system's, but for three that it asks
about first. What the library is linked with is asked, so it is the SQLite that the companion uses.

Only `write`, `truncate`, `sync`, opening and deleting come by here, and reads while they may fail; locks and shared
memory go straight on.
"""

import ctypes
import ctypes.util
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Protocol

OK = 0
_POINTER = ctypes.c_void_p
_METHODS = 18


class Watcher(Protocol):
    """What is asked before anything is done to a file; what is not OK (0) is SQLite's code of the fault."""

    def watches(self, path: Path) -> bool: ...
    def opens(self, path: Path) -> int: ...
    def reads(self) -> int: ...
    def writes(self, path: Path, at: int, content: bytes) -> int: ...
    def truncates(self, path: Path, size: int) -> int: ...
    def syncs(self, path: Path) -> int: ...
    def deletes(self, path: Path) -> int: ...


class _Methods(ctypes.Structure):
    _fields_ = (("version", ctypes.c_int), ("calls", _POINTER * _METHODS))


class _File(ctypes.Structure):
    _fields_ = (("methods", ctypes.POINTER(_Methods)),)


class _Vfs(ctypes.Structure):
    _fields_ = (
        ("version", ctypes.c_int),
        ("size", ctypes.c_int),
        ("longest", ctypes.c_int),
        ("next", _POINTER),
        ("name", ctypes.c_char_p),
        ("data", _POINTER),
        ("calls", _POINTER * 16),
    )


_OPEN = 0
_DELETE = 1
_READ = 1
_WRITE = 2
_TRUNCATE = 3
_SYNC = 4
_Open = ctypes.CFUNCTYPE(
    ctypes.c_int, _POINTER, _POINTER, ctypes.POINTER(_File), ctypes.c_int, ctypes.POINTER(ctypes.c_int)
)
_Delete = ctypes.CFUNCTYPE(ctypes.c_int, _POINTER, ctypes.c_char_p, ctypes.c_int)
_Write = ctypes.CFUNCTYPE(ctypes.c_int, _POINTER, _POINTER, ctypes.c_int, ctypes.c_int64)
_Truncate = ctypes.CFUNCTYPE(ctypes.c_int, _POINTER, ctypes.c_int64)
_Sync = ctypes.CFUNCTYPE(ctypes.c_int, _POINTER, ctypes.c_int)

_watcher: list[Watcher] = []
_paths: dict[int, Path] = {}
"""By the address of an open file that is watched, its path."""
_readers: list[tuple[_Methods, int, int]] = []
"""The methods of watched files, each with the address of its own `read` and of ours."""


def _call(address: int | None, prototype: Callable[..., Callable[..., int]]) -> Callable[..., int]:
    assert address is not None
    return prototype(address)


@cache
def _installed() -> list[object]:
    """Put the VFS in front of the system's; return what must not be collected while the program runs."""
    found = ctypes.util.find_library("sqlite3")
    assert found is not None, "there is no libsqlite3"
    library = ctypes.CDLL(found)
    library.sqlite3_vfs_find.restype = ctypes.POINTER(_Vfs)
    system = library.sqlite3_vfs_find(None)
    vfs = _Vfs.from_buffer_copy(system.contents)
    vfs.name = b"bottle"
    vfs.next = None
    opens = _call(system.contents.calls[_OPEN], _Open)
    deletes = _call(system.contents.calls[_DELETE], _Delete)
    methods: dict[int, _Methods] = {}

    def watched_methods(file: "ctypes._Pointer[_File]") -> _Methods:
        """Return the file's methods, with ours in the place of three; the system has several sets of them."""
        theirs = file.contents.methods
        address = ctypes.addressof(theirs.contents)
        if address not in methods:
            copied = _Methods.from_buffer_copy(theirs.contents)
            read_address = copied.calls[_READ] or 0
            read = _call(read_address, _Write)
            write = _call(copied.calls[_WRITE], _Write)
            truncate = _call(copied.calls[_TRUNCATE], _Truncate)
            sync = _call(copied.calls[_SYNC], _Sync)

            def on_read(handle: int, content: int, size: int, at: int) -> int:
                wrong = _watcher[-1].reads() if _watcher and handle in _paths else OK
                return wrong or read(handle, content, size, at)

            def on_write(handle: int, content: int, size: int, at: int) -> int:
                path = _paths.get(handle)
                if _watcher and path is not None:
                    wrong = _watcher[-1].writes(path, at, ctypes.string_at(content, size))
                    if wrong:
                        return wrong
                return write(handle, content, size, at)

            def on_truncate(handle: int, size: int) -> int:
                path = _paths.get(handle)
                wrong = _watcher[-1].truncates(path, size) if _watcher and path is not None else OK
                return wrong or truncate(handle, size)

            def on_sync(handle: int, flags: int) -> int:
                path = _paths.get(handle)
                if _watcher and path is not None:
                    return _watcher[-1].syncs(path)
                return sync(handle, flags)

            calls = _Write(on_write), _Truncate(on_truncate), _Sync(on_sync)
            reads = _Write(on_read)
            kept.extend((*calls, reads))
            _readers.append((copied, read_address, ctypes.cast(reads, _POINTER).value or 0))
            for place, ours in zip((_WRITE, _TRUNCATE, _SYNC), calls, strict=True):
                copied.calls[place] = ctypes.cast(ours, _POINTER).value
            methods[address] = copied
        return methods[address]

    def on_open(_: int, name: int | None, file: "ctypes._Pointer[_File]", flags: int, out: object) -> int:
        # An address, because SQLite reads the name there as long as the file is open.
        path = None if name is None else Path(os.fsdecode(ctypes.string_at(name)))
        watches = bool(_watcher) and path is not None and _watcher[-1].watches(path)
        _paths.pop(ctypes.addressof(file.contents), None)
        if watches and path is not None:
            wrong = _watcher[-1].opens(path)
            if wrong:
                file.contents.methods = None
                return wrong
        came = opens(ctypes.addressof(system.contents), name, file, flags, out)
        if came == OK and watches and path is not None:
            _paths[ctypes.addressof(file.contents)] = path
            file.contents.methods = ctypes.pointer(watched_methods(file))
        return came

    def on_delete(_: int, name: bytes, folder_too: int) -> int:
        path = Path(os.fsdecode(name))
        if _watcher and _watcher[-1].watches(path):
            wrong = _watcher[-1].deletes(path)
            if wrong:
                return wrong
        return deletes(ctypes.addressof(system.contents), name, folder_too)

    kept: list[object] = [library, vfs, methods]
    for place, ours in ((_OPEN, _Open(on_open)), (_DELETE, _Delete(on_delete))):
        kept.append(ours)
        vfs.calls[place] = ctypes.cast(ours, _POINTER).value
    assert library.sqlite3_vfs_register(ctypes.byref(vfs), 1) == OK
    return kept


def watch(watcher: Watcher) -> None:
    """Ask this from now on."""
    _installed()
    _watcher.append(watcher)


def watch_reads(*, are_watched: bool) -> None:
    """Ask about reads as well, or no more: there are so many that it takes long."""
    for methods, theirs, ours in _readers:
        methods.calls[_READ] = ours if are_watched else theirs


def leave(watcher: Watcher) -> None:
    """Ask it no more."""
    _watcher.remove(watcher)
