"""Who may import whom, read from the code's own imports."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = sorted(path for folder in ("companion", "web") for path in (ROOT / folder).rglob("*.py"))


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports(path: Path) -> Iterator[str]:
    """Every module a file imports, with names taken from a package spelt out."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield module
                yield from (f"{module}.{name.name}" for name in names)


def within(module: str, *roots: str) -> bool:
    return any(module == root or module.startswith(f"{root}.") for root in roots)


FORBIDDEN = {
    "companion.games": (
        *("companion.table", "companion.log", "companion.live", "companion.config", "companion.commands"),
        *("companion.demo", "companion.clock", "companion.tags", "web"),
        *("sqlite3", "flask", "gevent", "serial", "click", "time", "datetime", "random", "secrets", "os", "threading"),
    ),
    "companion.table": (
        *("companion.games", "companion.game", "companion.match", "companion.views", "companion.log"),
        *("companion.live", "companion.record", "companion.commands", "web", "sqlite3", "flask", "gevent"),
    ),
    "web": (
        "companion.table.drivers",
        "companion.table.listening",
        "companion.log",
        "companion.config",
        "companion.commands",
        "companion.cli",
        "sqlite3",
        "serial",
    ),
}


@pytest.mark.parametrize("path", SOURCES, ids=module_of)
def test_a_module_imports_only_what_its_place_allows(path: Path) -> None:
    module = module_of(path)
    for root, forbidden in FORBIDDEN.items():
        if within(module, root):
            for imported in imports(path):
                assert not within(imported, *forbidden), f"{module} imports {imported}"


@pytest.mark.parametrize("path", SOURCES, ids=module_of)
def test_only_the_command_line_puts_all_together(path: Path) -> None:
    module = module_of(path)
    if not within(module, "companion.commands", "companion.cli", "companion.__main__", "web"):
        assert not any(within(imported, "web") for imported in imports(path))


def test_no_game_is_known_by_name_outside_its_folder() -> None:
    folders = [path.parent for path in (ROOT / "companion/games").glob("*/__init__.py")]
    assert len(folders) == 4
    pages = (path for kind in ("html", "js", "css", "toml") for path in (ROOT / "web").rglob(f"*.{kind}"))
    for path in (*SOURCES, *pages):
        text = path.read_text(encoding="utf-8")
        for folder in folders:
            if folder in path.parents or path.name == "tags.py":
                continue
            slug = folder.name.replace("_", "-")
            assert not re.search(rf"games[./]{folder.name}\b", text), f"{path} names {slug}"
            # A game has words of its own: a card may be a "go" without being the game.
            if ROOT / "companion/games" not in path.parents:
                assert not re.search(rf"""["'](virtual:)?({folder.name}|{slug})["'/]""", text), f"{path} names {slug}"


def test_rules_read_no_clock_and_draw_no_lot() -> None:
    for path in (ROOT / "companion/games").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "open(" not in text, path
        assert "import_module" not in text or path.parent.name == "games", path
