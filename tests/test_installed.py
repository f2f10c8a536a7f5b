"""What an installation outside of this folder needs is in the package: a Pi has no other."""

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PATTERNS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["package-data"]


@pytest.mark.parametrize("package", ["companion", "companion.web"])
def test_every_file_that_is_read_at_run_time_is_installed(package: str) -> None:
    """The README's pictures are read by nobody who plays."""
    folder = ROOT / package.replace(".", "/")
    kinds = (".toml", ".html", ".css", ".js", ".svg")
    found = {path for path in folder.rglob("*") if path.suffix in kinds and "pictures" not in path.parts}
    installed = {path for pattern in PATTERNS[package] for path in folder.glob(pattern)}
    assert found - installed == set()
