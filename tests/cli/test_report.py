"""A report helps who was not there, and tells nothing that is nobody else's business."""

import zipfile
from pathlib import Path

from companion.access.rights_file import Phones
from companion.cli import report
from companion.config import load
from companion.storage.files import phones_of
from tests.cli.kept import Kept
from tests.cli.program import companion


def test_no_code_name_card_or_sticker_stands_in_it(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    codes = Phones(phones_of(kept.log)).rights.codes.values()
    said = (
        f"Ana held red-1, sticker 04A1B2C3D4E5F6, the host's code is {' '.join(codes)}; old code is XYZ\npassword = 'x'"
    )
    clean = report.without({"journal.txt": said}, report.secrets(load(kept.settings)))["journal.txt"]
    for secret in ("Ana", "red-1", "04A1B2C3D4E5F6", "XYZ", "'x'", *codes):
        assert secret not in clean
    assert "held [card], sticker [number]" in clean


def test_a_table_that_is_not_set_up_yet_can_be_helped_too(tmp_path: Path) -> None:
    done = companion("report", tmp_path / "table.toml", tmp_path / "report.zip")
    assert done.exit_code == 0, done.output
    with zipfile.ZipFile(tmp_path / "report.zip") as packed:
        assert {*packed.namelist()} == {"about.txt", "check.txt", "journal.txt"}


def test_it_holds_what_helps(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    done = companion("report", str(kept.settings), str(tmp_path / "report.zip"))
    assert done.exit_code == 0, done.output
    with zipfile.ZipFile(tmp_path / "report.zip") as packed:
        assert {*packed.namelist()} == {"about.txt", "table.toml", "check.txt", "journal.txt"}
        assert b"keeping a page" in packed.read("about.txt")
    assert companion("report", str(kept.settings), str(tmp_path / "report.zip")).exit_code == 1
