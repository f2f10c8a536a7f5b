"""No language is named in code but in its own module: a new one is a set of files."""

import ast
from collections.abc import Iterator
from pathlib import Path

from companion.languages import SOURCE, TRANSLATED
from tests.test_boundaries import ROOT, nodes


def named(file: Path) -> Iterator[str]:
    """Yield the lines where a language's code stands as a value, but not in a docstring."""
    for node in nodes(file):
        if isinstance(node, ast.Constant) and node.value in TRANSLATED:
            yield f"{file}:{node.lineno}"


def test_code_names_no_language() -> None:
    code = [file for part in ("companion", "web", "hardware") for file in (ROOT / part).rglob("*.py")]
    kept_apart = ROOT / "companion/languages"
    assert [line for file in code if kept_apart not in file.parents for line in named(file)] == []


def test_pages_name_no_language() -> None:
    pages = [
        *(ROOT / "web").rglob("*.html"),
        *(ROOT / "web").rglob("*.js"),
        *(ROOT / "companion/games").rglob("*.html"),
    ]
    quoted = [f"{quote}{code}{quote}" for code in (SOURCE, *TRANSLATED) for quote in "\"'"]
    assert [f"{page}: {code}" for page in pages for code in quoted if f"== {code}" in page.read_text()] == []
