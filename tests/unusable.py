"""What settings may name that can't be used, what may become of files, and what a start comes to for all that."""

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from flask import Flask

from tests.owned import NOBODY

FILE_NAMES = {
    "a folder": "afolder",
    "a folder's inside": "afolder/",
    "a file in no folder": "no/such/folder/file",
    "a file in a file": "tags.toml/file",
    "a NUL": r"a\u0000b",
    "a long name": "x" * 300,
    "a long path": "/".join(["y" * 200] * 30),
    "a device": "/dev/null",
    "a full device": "/dev/full",
    "a pipe": "apipe",
    "a socket": "asocket",
    "a link to itself": "aloop",
    "a link's inside": "aloop/file",
    "a link to nothing": "adangling",
    "a file that can't be read": "/proc/self/mem",
    "nothing": "",
    "a blank": " ",
    "its own folder": ".",
    "another's home": "~nobodysuch/file",
    "a line end": r"a\nb",
    "the settings": "table.toml",
    "no text": 7,
}
ADDRESSES = {
    "nothing": "",
    "no text": 7,
    "a list": ["a"],
    "a NUL": r"a\u0000b",
    "a long name": "x" * 300,
    "two words": "a b",
    "a word with an accent": "é",
    "dots": "a..b",
    "an invisible sign": r"a\u202eb",
    "half an IPv6 address": "[::1",
    "an IPv6 address in brackets": "[::1]",
    "an address of a network that is not there": "fe80::1%nosuch",
    "an address that is none": "256.1.1.1",
    "an address and a port": "127.0.0.1:80",
    "a network of too many bits": "10.0.0.0/99",
    "a page's address": "http://127.0.0.1",
    "a page with a password": "https://u:p@127.0.0.1/",
    "a page with a port that is none": "http://127.0.0.1:99999",
    "a broker's port that is none": "mqtt://127.0.0.1:0",
    "a broker with half an address": "mqtt://[::1",
    "a broker's port in wide digits": "mqtt://127.0.0.1:１",
    "a broker with dots": "mqtt://a..b:1",
    "a broker with a long name": f"mqtt://{'x' * 300}:1",
}


PORTS = (
    "0",
    "-1",
    "1",
    "65535",
    "65536",
    "1" + "0" * 30,
    "1" + "0" * 5000,
    "9.5",
    "true",
    '"80"',
    "[80]",
    "inf",
    "nan",
)


def as_folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()


def as_full_folder(path: Path) -> None:
    as_folder(path)
    (path / "file").write_text("something")


def as_pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def as_socket(path: Path) -> None:
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(path))


def as_link(path: Path, to: str) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(to)


def as_loop(path: Path) -> None:
    as_link(path, path.name)


def with_mode(path: Path, mode: int) -> None:
    path.touch()
    path.chmod(mode)


HARMS: dict[str, Callable[[Path], object]] = {
    "a folder": as_folder,
    "a folder with a file in it": as_full_folder,
    "a pipe": as_pipe,
    "a socket": as_socket,
    "a link to itself": as_loop,
    "a link to nothing": lambda path: as_link(path, "no/where"),
    "an error of the disk": lambda path: as_link(path, "/proc/self/mem"),
    "empty": lambda path: path.write_bytes(b""),
    "NUL bytes": lambda path: path.write_bytes(bytes(5000)),
    "other bytes": lambda path: path.write_bytes(b"\xff\xfeZ" * 2000),
    "brackets without end": lambda path: path.write_bytes(b"[[" * 200_000),
    "closed": lambda path: with_mode(path, 0),
    "read-only": lambda path: with_mode(path, 0o444),
    "write-only": lambda path: with_mode(path, 0o222),
}


class PageIsServed(BaseException):
    """A start has come to its page; nothing that keeps a table from starting may catch it."""


def served(app: Flask, *_: object, **__: object) -> None:
    """Ask for a page instead of serving it. Raises `PageIsServed`."""
    page = app.test_client().get("/", base_url="http://127.0.0.1/")
    assert page.status_code == 200
    raise PageIsServed(page.text)


def put_strange_files(folder: Path) -> None:
    """Put what `FILE_NAMES` names into a folder."""
    (folder / "afolder").mkdir()
    as_pipe(folder / "apipe")
    as_socket(folder / "asocket")
    as_loop(folder / "aloop")
    as_link(folder / "adangling", "no/where")


@contextmanager
def as_folders_owner(folder: Path) -> Iterator[None]:
    """Run a block as the folder's owner, who is not root."""
    if os.geteuid() != 0:
        yield
        return
    for inside in (folder, *folder.rglob("*")):
        os.chown(inside, NOBODY, NOBODY, follow_symlinks=False)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def toml(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
