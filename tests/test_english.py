"""Docstrings are the English of a native engineer: what earlier ones said amiss does not come back."""

import ast
import re
from collections.abc import Iterator

from tests.test_boundaries import ROOT, nodes

AMISS = (
    re.compile(r"[Nn]one: none is\b"),
    re.compile(r"\bother than it\b"),
    re.compile(r"\b(is|are) others\b"),
    re.compile(r"\bis otherwise\b"),
    re.compile(r"\b(by|for|to|of) who (is|has|looks|asks|waits|plays)\b"),
    re.compile(r"\bSee to it that\b"),
    re.compile(r"\b[Ww]hat came of\b"),
    re.compile(r"\bbeside each other\b"),
    re.compile(r"\b(is|are|was|were) to be\b"),
    re.compile(r"\banew\b"),
    re.compile(r"\bfrom which on\b"),
    re.compile(r"\bin the (local |same )?network\b"),
    re.compile(r"\bsmall letters\b"),
    re.compile(r"\bthe own\b"),
    re.compile(r"\bis no (act|event|fault|feat|misplay|press|proof|rule)\b"),
    re.compile(r"\bRaises [^.]*\bwhere\b"),
    re.compile(r"\b(he|him|his)\b"),
    re.compile(r"^Give (?!.*\b(to|up|back)\b)(the|how|what|where|whether)\b"),
)
WHERE = ("companion", "web", "firmware")


def documented() -> Iterator[tuple[str, ast.AST, str]]:
    """Yield where each docstring stands, what it documents, and its text."""
    for path in sorted(
        path_of_module
        for folder in WHERE
        for path_of_module in (ROOT / folder).rglob("*.py")
        if not path_of_module.is_symlink()
    ):
        for node in nodes(path):
            for at in getattr(node, "body", ()) if isinstance(getattr(node, "body", ()), list) else ():
                if isinstance(at, ast.Expr) and isinstance(at.value, ast.Constant) and isinstance(at.value.value, str):
                    yield f"{path.relative_to(ROOT)}:{at.lineno}", node, " ".join(at.value.value.split())


def test_no_docstring_says_what_no_native_would() -> None:
    assert [(where, text) for where, _, text in documented() if any(pattern.search(text) for pattern in AMISS)] == []


def test_what_returns_nothing_does_not_say_return() -> None:
    assert [
        (where, text)
        for where, node, text in documented()
        if isinstance(node, ast.FunctionDef) and isinstance(node.returns, ast.Constant) and node.returns.value is None
        if text.startswith("Return ") and not text.startswith(("Return at once", "Return when"))
    ] == []
