"""MicroPython's virtual machine for these tests."""

import subprocess
from collections.abc import Iterator

import pytest

from tests.firmware.pico import PYTHON, ROOT, Pico


@pytest.fixture(scope="session", autouse=True)
def virtual_machine() -> None:
    """Fetch it where it is missing, as `make test` does."""
    if not (PYTHON / "micropython.mjs").exists():
        subprocess.run(["make", "--silent", "micropython"], cwd=ROOT, check=True)


@pytest.fixture
def pico() -> Iterator[Pico]:
    with Pico() as pico:
        yield pico
