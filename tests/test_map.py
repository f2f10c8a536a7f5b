"""The map and the glossary say what is so, and examples in docstrings run."""

import ast
import doctest
import re
from importlib import import_module

import pytest

from tests.test_boundaries import ROOT, SOURCES, WINGS, module_of, nodes

MAP = (ROOT / "companion/README.md").read_text(encoding="utf-8")
RETIRED = "again aside concern halt jobs misfit misread remembered sensed surroundings wholeness"
"""Names that modules had before there was one noun a concept."""


def test_every_wing_is_on_the_map() -> None:
    for wing in WINGS:
        part = wing.split(".")[-1]
        assert part == "__main__" or re.search(rf"[`(/]{part}[./`]", MAP), wing


def test_every_file_that_the_map_names_is_there() -> None:
    for named in set(re.findall(r"`([\w/]+\.(?:py|toml))`", MAP)) - {"table.toml"}:
        assert (ROOT / named).exists() or [*ROOT.glob(f"companion/**/{named}"), *ROOT.glob(f"web/{named}")], named


def test_no_module_bears_a_retired_name() -> None:
    assert [module for module in map(module_of, SOURCES) if {*RETIRED.split()} & {*re.split("[._]", module)}] == []


def test_every_thread_is_on_the_map() -> None:
    """Those whose name is not that of a device."""
    names = {
        name.value
        for path in SOURCES
        for node in nodes(path)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("LastingThread", "start_errand")
        for name in node.args[:1]
        if isinstance(name, ast.Constant)
    }
    assert "judge" in names
    assert {name for name in names if f"`{name}`" not in MAP} == set()


@pytest.mark.parametrize("module", [module_of(path) for path in SOURCES if ">>> " in path.read_text(encoding="utf-8")])
def test_examples_run(module: str) -> None:
    failed, tried = doctest.testmod(import_module(module))
    assert tried
    assert not failed
