"""What a program does to its disk, write by write, as the kernel hears it: recorded by strace."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.bench.rig import ROOT
from tests.trust.cut.disk import LEADS_TO, Cut, Disk, Named, Step, Synced, Told, Written

_OPENING = "open,openat,creat,close,dup,lseek"
_WRITING = "write,pwrite64,sendfile,copy_file_range,ftruncate,truncate,fallocate,fsync,fdatasync"
_NAMING = "rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat"
_CALL = re.compile(r"(\d+) +(\w+)\((.*)\) += +(-?\d+)")
_BEGUN = re.compile(r"(\d+) +(\w+)\((.*) <unfinished \.\.\.>$")
_ENDED = re.compile(r"(\d+) +<\.\.\. (\w+) resumed>(.*)")
_ARGUMENT = re.compile(
    r'\s*(?:"(?P<text>(?:\\x..)*)"|(?P<number>-?\w+)<(?P<path>(?:\\x..)*)>(?:\(deleted\))?|[^,"\s][^,"]*)'
)
TO_PEOPLE = 1
"""The descriptor on which a recorded program tells what somebody would be told."""


def possible() -> bool:
    """Whether strace works here."""
    return (
        shutil.which("strace") is not None and not subprocess.run(["strace", "-qq", "-o/dev/null", "true"]).returncode
    )


def aloud(line: str) -> None:
    """Tell it where a recording hears it."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def record(folder: Path, traced: Path, *command: str) -> tuple[Disk, list[Step]]:
    """Run a module of ours to its end; give the disk that it began with, and what it did below that folder."""
    before = Disk(folder)
    steps = _Steps(folder, before)
    steps.begin()
    calls = f"trace={_OPENING},{_WRITING},{_NAMING}"
    how = ["-f", "-qq", "-y", "-xx", "-s", "1000000", "--seccomp-bpf", "-e", "signal=none", "-e", calls]
    subprocess.run(
        ["strace", *how, "-o", traced, sys.executable, "-m", *command], cwd=ROOT, stdout=subprocess.DEVNULL, check=True
    )
    with traced.open(encoding="ascii") as lines:
        return before, [step for call in _calls(lines) for step in steps.of(*call)]


def _calls(lines: Iterator[str]) -> Iterator[tuple[str, str, int]]:
    """Return every call's name, arguments and answer, when it came back. What is told counts from when it is begun."""
    begun: dict[str, str] = {}
    for line in lines:
        if found := _BEGUN.match(line):
            begun[found[1]] = found[3]
            if _tells(found[2], found[3]):
                yield found[2], found[3], len(line)
        elif found := _ENDED.match(line):
            whole = _CALL.match(f"{found[1]} {found[2]}({begun.pop(found[1])}{found[3]}")
            if whole and not _tells(whole[2], whole[3]):
                yield whole[2], whole[3], int(whole[4])
        elif found := _CALL.match(line):
            yield found[2], found[3], int(found[4])


def _tells(call: str, arguments: str) -> bool:
    return call == "write" and arguments.startswith(f"{TO_PEOPLE}<")


class _Steps:
    """Knows which descriptor and which name is which file."""

    def __init__(self, root: Path, disk: Disk):
        self._root = root
        self._disk = disk
        self._names: dict[Path, int] = {}
        self._open: dict[int, list[int]] = {}
        """Descriptor → number of the file and where in it; the number is -1 where it is none of ours."""
        self._sizes: dict[int, int] = {}
        self._content: dict[int, bytearray] = {}
        self._last = 0

    def begin(self) -> None:
        """Take what is in the folder already as being there for good."""
        self._folder(self._root)
        for path in sorted(self._root.rglob("*")):
            if path.is_dir() and not path.is_symlink():
                self._name(path, self._folder(path))
                continue
            number = self._new(path)
            content = LEADS_TO + bytes(path.readlink()) if path.is_symlink() else path.read_bytes()
            for step in (Written(number, 0, content), Synced(number)):
                self._disk.take(self._done(step))
            self._name(path, number)
        for path in {self._root, *(path for path in self._root.rglob("*") if path.is_dir() and not path.is_symlink())}:
            self._disk.take(Synced(self._names[path]))

    def of(self, call: str, arguments: str, answer: int) -> Iterator[Step]:
        """Return what a call changed."""
        if answer < 0:
            return
        found = [_value(one) for one in _ARGUMENT.finditer(arguments) if one[0].strip()]
        for step in self._of(call, found, answer, arguments):
            yield self._done(step)

    def _done(self, step: Step) -> Step:
        match step:
            case Written(number, at, content):
                held = self._content.setdefault(number, bytearray())
                held.extend(bytes(max(0, at - len(held))))
                held[at : at + len(content)] = content
            case Cut(number, size):
                held = self._content.setdefault(number, bytearray())
                held.extend(bytes(max(0, size - len(held))))
                del held[size:]
            case _:
                pass
        return step

    def _of(self, call: str, found: Sequence[object], answer: int, arguments: str) -> Iterator[Step]:
        match call, found:
            case "openat", [folder, bytes() as name, *_]:
                yield from self._opened(answer, _path(folder, name), arguments)
            case "open" | "creat", [bytes() as name, *_]:
                yield from self._opened(answer, _path(None, name), arguments)
            case "close", [(int() as at, _), *_]:
                self._open.pop(at, None)
            case "lseek", [(int() as at, _), *_] if at in self._open:
                self._open[at][1] = answer
            case "write", [(int() as at, _), bytes() as content, *_]:
                if at == TO_PEOPLE:
                    yield from (Told(line) for line in content.decode().splitlines())
                elif at in self._open:
                    yield Written(self._open[at][0], self._open[at][1], content[:answer])
                    self._open[at][1] += answer
            case "pwrite64", [(int() as at, _), bytes() as content, _, int() as where] if at in self._open:
                yield Written(self._open[at][0], where, content[:answer])
            case "sendfile", [(int() as at, _), (int() as source, _), *_] if at in self._open and answer:
                begin = next(int(one) for one in re.findall(r"\[(\d+)\]", arguments))
                yield Written(*self._open[at], bytes(self._content[self._open[source][0]][begin : begin + answer]))
                self._open[at][1] += answer
            case "ftruncate", [(int() as at, _), int() as size] if at in self._open:
                yield Cut(self._open[at][0], size)
            case "fsync" | "fdatasync", [(int() as at, _)] if at in self._open:
                yield Synced(self._open[at][0])
            case "rename", [bytes() as old, bytes() as new]:
                yield from self._moved(_path(None, old), _path(None, new))
            case "renameat" | "renameat2", [one, bytes() as old, other, bytes() as new, *_]:
                yield from self._moved(_path(one, old), _path(other, new))
            case "link", [bytes() as old, bytes() as new]:
                yield from self._linked(_path(None, old), _path(None, new))
            case "linkat", [one, bytes() as old, other, bytes() as new, *_]:
                yield from self._linked(_path(one, old), _path(other, new))
            case "symlink", [bytes() as target, bytes() as name]:
                yield from self._pointed(target, _path(None, name))
            case "symlinkat", [bytes() as target, folder, bytes() as name]:
                yield from self._pointed(target, _path(folder, name))
            case "mkdir", [bytes() as name, *_]:
                yield from self._made(_path(None, name))
            case "mkdirat", [folder, bytes() as name, *_]:
                yield from self._made(_path(folder, name))
            case "unlink" | "rmdir", [bytes() as name]:
                yield from self._gone(_path(None, name))
            case "unlinkat", [folder, bytes() as name, *_]:
                yield from self._gone(_path(folder, name))
            case _, [(int() as at, _), *_] if at in self._open and (call != "sendfile" or answer):
                raise NotImplementedError(f"{call}({arguments})")  # so that nothing is overlooked

    def _opened(self, at: int, path: Path, flags: str) -> Iterator[Step]:
        self._open.pop(at, None)
        if not path.is_relative_to(self._root) or "O_TMPFILE" in flags:
            return
        number = self._names.get(path)
        if number is None:
            if "O_CREAT" not in flags:
                return
            number = self._new(path)
            yield Named(((path, number),))
        elif "O_TRUNC" in flags:
            yield Cut(number, 0)
        self._open[at] = [number, 0]

    def _moved(self, old: Path, new: Path) -> Iterator[Step]:
        if old in self._names:
            self._names[new] = self._names.pop(old)
            yield Named(((old, None), (new, self._names[new])))

    def _linked(self, old: Path, new: Path) -> Iterator[Step]:
        if old in self._names:
            self._names[new] = self._names[old]
            yield Named(((new, self._names[new]),))

    def _pointed(self, target: bytes, path: Path) -> Iterator[Step]:
        """A link is made with what it leads to, at once."""
        if path.is_relative_to(self._root):
            number = self._new(path)
            yield Written(number, 0, LEADS_TO + target)
            yield Synced(number)
            yield Named(((path, number),))

    def _made(self, path: Path) -> Iterator[Step]:
        if path.is_relative_to(self._root):
            yield Named(((path, self._folder(path)),))

    def _gone(self, path: Path) -> Iterator[Step]:
        if self._names.pop(path, None) is not None:
            yield Named(((path, None),))

    def _folder(self, path: Path) -> int:
        number = self._new(path)
        self._disk.folder(number, path)
        return number

    def _new(self, path: Path) -> int:
        self._last += 1
        self._names[path] = self._last
        return self._last

    def _name(self, path: Path, number: int) -> None:
        self._disk.take(Named(((path, number),)))


def _value(one: re.Match[str]) -> object:
    if one["text"] is not None:
        return bytes.fromhex(one["text"].replace("\\x", ""))
    if one["path"] is not None:
        path = bytes.fromhex(one["path"].replace("\\x", ""))
        return (int(one["number"]) if one["number"].isdigit() else -1, path)
    text = one[0].strip()
    return int(text) if re.fullmatch(r"-?\d+", text) else text


def _path(folder: object, name: bytes) -> Path:
    match folder:
        case (_, bytes() as above):
            return Path(above.decode()) / name.decode()
    return Path(name.decode())
