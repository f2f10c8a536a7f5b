"""The bugs themselves: a file for each kind of promise, in it a table for each bug, named for what goes wrong.

    [any-player-pauses-the-match]
    promise = "the host alone pauses the match"
    found_by = ["access", "for others"]
    at = "companion.web.http.access.RIGHTS"
    piece = '"matches.pause": HOST,'
    becomes = '"matches.pause": PLAYER,'

`found_by` is a trial and where it looks (`finders.py`), or tests by their path. `at` is the symbol whose source holds
the piece, exactly once; or a file by its path, where it is not Python that is changed. What is changed in more than one
place has the others below, each as `[[any-player-pauses-the-match.also]]` with `at`, `piece` and `becomes`.
"""

import ast
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[3]
KINDS = ("secrecy", "access", "durability", "judging", "sensing")


class DoesNotApply(Exception):
    """The code is no longer what the bug changes."""


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A piece of source, and what stands in its place with the bug."""

    at: str
    piece: str
    becomes: str


class Bug(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A slip."""

    kind: str
    name: str
    promise: str
    """What no longer holds with it."""
    found_by: tuple[str, ...]
    """Who must find it, and where they are to look."""
    changes: tuple[Change, ...]

    def applied(self, root: Path) -> dict[Path, str]:
        """Return the files that are other with the bug in them. Raises `DoesNotApply`."""
        changed: dict[Path, str] = {}
        for change in self.changes:
            try:
                path, names = _found(root, change.at)
                text = changed.get(path) or path.read_text(encoding="utf-8")
                changed[path] = _changed(text, names, change)
            except DoesNotApply as why:
                raise DoesNotApply(f"{self.kind}/{self.name}: {why}") from None
        return changed


def bugs() -> Mapping[str, Bug]:
    """Return all bugs by their names, kind by kind."""
    return {bug.name: bug for kind in KINDS for bug in _of_kind(kind)}


def _of_kind(kind: str) -> Iterator[Bug]:
    tables = tomllib.loads(Path(__file__).with_name(f"{kind}.toml").read_text(encoding="utf-8"))
    for name, table in tables.items():
        first = {key: table.pop(key) for key in ("at", "piece", "becomes")}
        changes = [first, *table.pop("also", [])]
        yield msgspec.convert({**table, "kind": kind, "name": name, "changes": changes}, Bug)


def _found(root: Path, at: str) -> tuple[Path, Sequence[str]]:
    """Return the file of `at`, and the names within its module; () for the whole file. Raises `DoesNotApply`."""
    if "/" in at and (root / at).is_file():
        return root / at, ()
    names = at.split(".")
    for length in range(len(names), 0, -1):
        module = root.joinpath(*names[:length])
        for path in (module.with_suffix(".py"), module / "__init__.py"):
            if path.is_file():
                return path, names[length:]
    raise DoesNotApply(f"there is no {at} any more")


def _changed(text: str, names: Sequence[str], change: Change) -> str:
    """Return the text of a file with this change in it. Raises `DoesNotApply`."""
    lines = text.splitlines(keepends=True)
    spans = _spans(text, names) if names else [(0, len(lines))]
    if not spans:
        raise DoesNotApply(f"there is no {change.at} any more")
    sources = ["".join(lines[first:end]) for first, end in spans]
    times = sum(source.count(change.piece) for source in sources)
    if times != 1:
        raise DoesNotApply(f"{change.at} has {times} times, not once: {change.piece.strip()}")
    [(first, end)] = [span for span, source in zip(spans, sources, strict=True) if change.piece in source]
    return "".join([*lines[:first], "".join(lines[first:end]).replace(change.piece, change.becomes), *lines[end:]])


@lru_cache(maxsize=512)
def _parsed(text: str) -> ast.Module:
    return ast.parse(text)


def _spans(text: str, names: Sequence[str]) -> Sequence[tuple[int, int]]:
    """Return which lines define a symbol, its decorators included: the first, and the one after the last."""
    nodes: list[ast.AST] = [_parsed(text)]
    for name in names:
        nodes = [definition for node in nodes for definition in _definitions(node, name)]
    return [(_first_line(node) - 1, node.end_lineno or 0) for node in nodes if isinstance(node, ast.stmt)]


def _definitions(node: ast.AST, name: str) -> Iterator[ast.stmt]:
    """Yield what defines this name in the body of a module, class or function, on whichever branch."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                if child.name == name:
                    yield child
            case ast.Assign(targets=targets):
                if any(isinstance(part, ast.Name) and part.id == name for whole in targets for part in ast.walk(whole)):
                    yield child
            case ast.AnnAssign(target=ast.Name(id=target)):
                if target == name:
                    yield child
            case ast.stmt() | ast.ExceptHandler() | ast.match_case():
                yield from _definitions(child, name)


def _first_line(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", [])
    return min(part.lineno for part in (node, *decorators))
