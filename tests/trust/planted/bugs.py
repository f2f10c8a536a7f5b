"""The bugs themselves: a folder for what each breaks, a file a bug, named for what goes wrong.

A patch's first line says who must find it: `found by: probing "a hidden hand"`, or tests by their path. It is applied
by what it says, not by line numbers, so that it holds while the code around it moves.
"""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]
KINDS = ("secrecy", "access", "durability", "judging", "sensing")
FOUND_BY = "found by: "
_HUNK = re.compile(r"@@ -(\d+)")


class DoesNotApply(Exception):
    """The code is no longer what the patch changes."""


@dataclass(frozen=True, slots=True)
class Bug:
    """A slip."""

    kind: str
    name: str
    finder: tuple[str, ...]
    """Who must find it, and where they are to look."""
    patch: str

    def applied(self, root: Path) -> dict[Path, str]:
        """Return the files that are other with the bug in them. Raises `DoesNotApply`."""
        changed: dict[Path, list[str]] = {}
        for file, line, old, new in _hunks(self.patch):
            path = root / file
            text = changed.setdefault(path, path.read_text(encoding="utf-8").split("\n") if path.is_file() else [])
            places = [at for at in range(len(text) - len(old) + 1) if text[at : at + len(old)] == old]
            if not places:
                raise DoesNotApply(f"{self.kind}/{self.name}: {file} is no longer as it was around line {line}")
            at = min(places, key=lambda at: abs(at + 1 - line))
            text[at : at + len(old)] = new
        return {path: "\n".join(text) for path, text in changed.items()}


def _hunks(patch: str) -> Iterator[tuple[str, int, Sequence[str], Sequence[str]]]:
    """Return each place that is changed: its file and line, what stands there, and what shall."""
    file, lines = "", patch.splitlines()
    for number, line in enumerate(lines):
        if line.startswith("+++ b/"):
            file = line.removeprefix("+++ b/")
        elif found := _HUNK.match(line):
            here = []
            for one in lines[number + 1 :]:
                if not one or one[0] not in " +-" or one.startswith("--- a/"):
                    break
                here.append(one)
            old, new = ([one[1:] for one in here if one[0] in f" {sign}"] for sign in "-+")
            yield file, int(found[1]), old, new


def bugs() -> Mapping[str, Bug]:
    """Return all bugs by their names, kind by kind."""
    found = {}
    for kind in KINDS:
        for path in sorted((Path(__file__).parent / kind).glob("*.patch")):
            text = path.read_text(encoding="utf-8")
            first = text.partition("\n")[0]
            finder = tuple(shlex.split(first.removeprefix(FOUND_BY))) if first.startswith(FOUND_BY) else ()
            found[path.stem] = Bug(kind, path.stem, finder, text)
    return found
