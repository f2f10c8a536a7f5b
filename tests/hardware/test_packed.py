"""The archive of the hardware's files can be read by itself."""

import re
import shutil
from pathlib import Path

import pytest

from tests.hardware.wiring import ROOT
from tests.release import unlink_what_is_not_packed

_TARGET = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)|src=\"(?!\w+:)([^\"]+)\"")


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    folder = tmp_path / "table-companion-hardware"
    shutil.copytree(ROOT / "hardware", folder, ignore=shutil.ignore_patterns("__pycache__"))
    unlink_what_is_not_packed(folder)
    return folder


def test_every_link_of_a_packed_document_leads_to_a_packed_file(packed: Path) -> None:
    documents = sorted(packed.rglob("*.md"))
    assert documents
    assert [
        f"{document.relative_to(packed)}: {target}"
        for document in documents
        for targets in _TARGET.findall(document.read_text(encoding="utf-8"))
        for target in filter(None, targets)
        if not (document.parent / target).resolve().is_relative_to(packed.resolve())
        or not (document.parent / target).exists()
    ] == []


def test_what_a_document_linked_to_outside_the_archive_is_named(packed: Path) -> None:
    guide = (packed / "README.md").read_text(encoding="utf-8")
    assert "line protocol (`firmware/protocol.md` in the program's archive)" in guide
    assert "[`table.toml`](table.toml)" in guide
