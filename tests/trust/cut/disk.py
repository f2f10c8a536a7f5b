"""A disk as a power cut finds it: what was synchronised is there, and of what was not, any part.

It takes less for granted than ext4 gives: a new name is there for good only when its folder was synchronised, names
reach the disk in any order, and a write may be cut off or left out at any sector.
"""

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

SECTOR = 512
LEADS_TO = b"a link to "
"""What the content of a symbolic link begins with here."""


@dataclass(frozen=True)
class Written:
    """Bytes came into a file."""

    file: int
    at: int
    content: bytes


@dataclass(frozen=True)
class Cut:
    """A file got another length."""

    file: int
    size: int


@dataclass(frozen=True)
class Synced:
    """A file, or a folder's names, are on disk for good."""

    file: int


@dataclass(frozen=True)
class Named:
    """Names stand for other files from now on, all of these at once; None: the name is gone."""

    names: tuple[tuple[Path, int | None], ...]


@dataclass(frozen=True)
class Told:
    """The program told somebody something."""

    what: str


Step = Written | Cut | Synced | Named | Told


class Luck(Enum):
    """What a cut leaves of what was not synchronised."""

    ALL = "all of it: the program was killed"
    NONE = "none of it"
    ORDERLY = "some of it, names in their order"
    ANY = "some of it, whatever its order"


@dataclass
class _File:
    content: bytearray = field(default_factory=bytearray)
    safe: bytearray = field(default_factory=bytearray)
    waiting: list[Written | Cut] = field(default_factory=list)


class Disk:
    """Files below one folder, and how much of them would outlast a cut."""

    def __init__(self, root: Path):
        """`root` is the folder that is looked at; it and what lies above it is there for good."""
        self._root = root
        self._files: dict[int, _File] = {}
        self._folders: dict[int, Path] = {}
        self._safe: dict[Path, int] = {}
        self._waiting: list[Named] = []

    def folder(self, number: int, path: Path) -> None:
        """Say which folder has this number."""
        self._folders[number] = path

    def take(self, step: Step) -> None:
        """Do what the program did."""
        match step:
            case Written(number) | Cut(number):
                file = self._files.setdefault(number, _File())
                file.waiting.append(step)
                _do(file.content, step)
            case Synced(number) if number in self._folders:
                folder = self._folders[number]
                for named in self._waiting:
                    if any(path.parent == folder for path, _ in named.names):
                        _name(self._safe, named)
                self._waiting = [
                    named for named in self._waiting if all(path.parent != folder for path, _ in named.names)
                ]
            case Synced(number):
                file = self._files.setdefault(number, _File())
                file.safe = bytearray(file.content)
                file.waiting = []
            case Named():
                self._waiting.append(step)
            case Told():
                pass

    def after_a_cut(self, luck: Luck, chance: random.Random) -> dict[Path, bytes]:
        """Return the files that are there when the power is back, by their paths below the folder."""
        names = dict(self._safe)
        for named in self._kept(luck, chance):
            _name(names, named)
        reached = {path: number for path, number in names.items() if self._is_reached(path, names)}
        return {
            path.relative_to(self._root): bytes(self._left(self._files.setdefault(number, _File()), luck, chance))
            for path, number in reached.items()
            if number not in self._folders
        }

    def _kept(self, luck: Luck, chance: random.Random) -> Iterable[Named]:
        match luck:
            case Luck.ALL:
                return self._waiting
            case Luck.NONE:
                return ()
            case Luck.ORDERLY:
                return self._waiting[: chance.randint(0, len(self._waiting))]
            case Luck.ANY:
                return [named for named in self._waiting if chance.random() < 0.5]

    def _is_reached(self, path: Path, names: Mapping[Path, int]) -> bool:
        above = [folder for folder in path.parents if folder != self._root and folder.is_relative_to(self._root)]
        return all(folder in names for folder in above)

    def _left(self, file: _File, luck: Luck, chance: random.Random) -> bytearray:
        if luck is Luck.ALL:
            return file.content
        left = bytearray(file.safe)
        if luck is Luck.NONE:
            return left
        share = chance.choice((0.1, 0.5, 0.9, 1.0))
        for step in file.waiting:
            for part in _sectors(step):
                if chance.random() < share:
                    _do(left, part)
        return left


def _sectors(step: Written | Cut) -> Iterator[Written | Cut]:
    match step:
        case Written(number, at, content):
            begin = at
            while begin < at + len(content):
                end = min(begin // SECTOR * SECTOR + SECTOR, at + len(content))
                yield Written(number, begin, content[begin - at : end - at])
                begin = end
        case Cut():
            yield step


def _do(content: bytearray, step: Written | Cut) -> None:
    match step:
        case Written(_, at, new):
            content.extend(bytes(max(0, at - len(content))))
            content[at : at + len(new)] = new
        case Cut(_, size):
            content.extend(bytes(max(0, size - len(content))))
            del content[size:]


def _name(names: dict[Path, int], named: Named) -> None:
    for path, number in named.names:
        if number is None:
            names.pop(path, None)
        else:
            names[path] = number


def put(files: Mapping[Path, bytes], folder: Path) -> None:
    """Write what a cut has left into a folder."""
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        if content.startswith(LEADS_TO):
            (folder / path).symlink_to(content.removeprefix(LEADS_TO).decode())
        else:
            (folder / path).write_bytes(content)
