"""A report helps who was not there, and tells nothing that is nobody else's business."""

import io
import logging
import zipfile
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import pytest

from companion.access.rights_file import Phones
from companion.config import load
from companion.measuring.figures_file import Figure, FiguresFile, figures_of
from companion.report.asking import ask
from companion.report.messages import LARGEST, kept_messages, messages_of, read_messages
from companion.report.packing import packed as packed_report
from companion.report.secrets import secrets, without
from companion.storage.files import phones_of
from companion.storage.log import Log
from tests.bench.rig import free_port
from tests.cli.kept import TABLE, Kept
from tests.cli.program import Running, companion


def test_no_code_name_card_or_sticker_stands_in_it(tmp_path: Path) -> None:
    backed_up = Kept(tmp_path)
    codes = Phones(phones_of(backed_up.log)).rights.codes.values()
    journal = (
        f"Ana held red-1, sticker 04A1B2C3D4E5F6, the host's code is {' '.join(codes)}; old code is XYZ\npassword = 'x'"
    )
    clean = without({"journal.txt": journal}, secrets(load(backed_up.settings)))["journal.txt"]
    for secret in ("Ana", "red-1", "04A1B2C3D4E5F6", "XYZ", "'x'", *codes):
        assert secret not in clean
    assert "held [card], sticker [number]" in clean


def test_a_table_that_is_not_set_up_yet_can_be_helped_too(tmp_path: Path) -> None:
    done = companion("report", tmp_path / "table.toml", tmp_path / "report.zip")
    assert done.exit_code == 0, done.output
    with zipfile.ZipFile(tmp_path / "report.zip") as packed:
        assert {*packed.namelist()} == {"about.txt", "check.txt", "journal.txt", "measured.txt"}


def test_it_holds_what_helps(tmp_path: Path) -> None:
    backed_up = Kept(tmp_path)
    FiguresFile(figures_of(backed_up.log)).tell(Figure("reach", 12, "board 3"))
    done = companion("report", str(backed_up.settings), str(tmp_path / "report.zip"))
    assert done.exit_code == 0, done.output
    with zipfile.ZipFile(tmp_path / "report.zip") as packed:
        assert {*packed.namelist()} == {"about.txt", "table.toml", "check.txt", "journal.txt", "measured.txt"}
        assert packed.read("measured.txt").startswith(b"wrong   reach 12 mm")
        assert b"keeping a page" in packed.read("about.txt")
    assert companion("report", str(backed_up.settings), str(tmp_path / "report.zip")).exit_code == 1


def test_a_running_table_is_asked_itself(tmp_path: Path) -> None:
    backed_up = Kept(tmp_path)
    backed_up.settings.write_text(f'{TABLE}[page]\nhost = "127.0.0.1"\nport = {free_port()}\n')
    with Running("run", backed_up.settings) as table:
        table.wait_for("Stop with Ctrl-C")
        assert companion("report", backed_up.settings, tmp_path / "report.zip").exit_code == 0
    with zipfile.ZipFile(tmp_path / "report.zip") as packed:
        check = packed.read("check.txt").decode()
    assert check.startswith("told by the running table")
    assert "1 of 1 answer" in check
    assert not [*backed_up.folder.glob("*.asked")]


def test_a_table_that_does_not_run_is_not_waited_for(tmp_path: Path) -> None:
    backed_up = Kept(tmp_path)
    assert ask(backed_up.log) == ""
    assert not [*backed_up.folder.glob("*.asked")]


def test_a_table_that_does_not_answer_is_not_waited_for_ever(tmp_path: Path) -> None:
    backed_up = Kept(tmp_path)
    with closing(Log(backed_up.log, writes=True)):
        assert ask(backed_up.log, patience=0.3) == ""
    assert not [*backed_up.folder.glob("*.asked")]


def test_without_systemd_the_report_has_what_the_program_said(tmp_path: Path) -> None:
    backed_up = Kept(tmp_path)
    with kept_messages(backed_up.log, logging.Formatter("%(asctime)s %(message)s")):
        logging.getLogger("companion.devices").warning("reader seat-3: connection lost, while Ana held red-1")
    assert companion("report", backed_up.settings, tmp_path / "report.zip").exit_code == 0
    with zipfile.ZipFile(tmp_path / "report.zip") as packed:
        journal = packed.read("journal.txt").decode()
    assert "reader seat-3: connection lost, while [name] held [card]" in journal
    assert messages_of(backed_up.log).stat().st_mode & 0o077 == 0


def test_the_kept_messages_never_grow_beyond_their_room(tmp_path: Path) -> None:
    log = tmp_path / "log.sqlite"
    with kept_messages(log, logging.Formatter("%(message)s")):
        for number in range(400):
            logging.getLogger("companion").warning("%d %s", number, "x" * 2000)
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= 2 * LARGEST
    assert read_messages(log).splitlines()[-1].startswith("399 ")


def test_a_disk_that_is_full_when_the_messages_are_closed_costs_them_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.report.messages._MessagesFile._open", lambda _: open("/dev/full", "a"))  # noqa: SIM115
    with kept_messages(tmp_path / "log.sqlite", logging.Formatter("%(message)s")):
        pass


def test_a_full_disk_costs_the_messages_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with kept_messages(tmp_path / "no such folder" / "log.sqlite", logging.Formatter("%(message)s")):
        logging.getLogger("companion").warning("heard by others")
    assert "Traceback" not in capsys.readouterr().err


def test_it_is_packed_by_a_clock_that_nobody_has_set() -> None:
    with patch("time.time", lambda: 0.0):
        report = packed_report({"a.txt": "é"})
    with zipfile.ZipFile(io.BytesIO(report)) as zipped:
        assert zipped.read("a.txt").decode() == "é"
