"""A stick that wants it gets a backup; any other is left alone."""

import zipfile
from pathlib import Path

import pytest

from companion.backups.finding import FOLDER, StickFault, StickNote, find_backups, last_stick
from companion.cli import usb_stick
from companion.languages import LANGUAGES
from companion.web.render.words import PageWords
from tests.cli.kept import Kept


def test_a_stick_gets_a_backup_only_where_its_folder_is(tmp_path: Path) -> None:
    backed_up = Kept(tmp_path)
    plugged = tmp_path / "stick"
    plugged.mkdir()
    assert [*usb_stick.use(plugged, backed_up.settings, tmp_path)] == [
        "there is no folder table-companion on it: it is left alone"
    ]
    (plugged / FOLDER).mkdir()
    (note,) = usb_stick.use(plugged, backed_up.settings, tmp_path)
    assert (plugged / FOLDER / note.removeprefix("wrote ")).exists()


def test_an_update_that_nobody_of_the_makers_signed_is_not_taken(tmp_path: Path) -> None:
    backed_up = Kept(tmp_path)
    folder = tmp_path / "stick" / FOLDER
    folder.mkdir(parents=True)
    (folder / "new.update").write_bytes(b"of somebody else")
    lines = [*usb_stick.use(folder.parent, backed_up.settings, tmp_path)]
    assert "damaged, or not an update" in lines[0]
    assert [*(tmp_path / "updates").iterdir()] == []


def test_a_stick_gets_every_file_of_a_table_that_is_too_damaged_for_a_backup(tmp_path: Path) -> None:
    backed_up = Kept(tmp_path)
    folder = tmp_path / "stick" / FOLDER
    folder.mkdir(parents=True)
    backed_up.log.write_bytes(b"\x5a" * 4096)
    lines = [*usb_stick.use(folder.parent, backed_up.settings, tmp_path)]
    (as_it_is,) = folder.iterdir()
    assert as_it_is.name in lines[-1]
    with zipfile.ZipFile(as_it_is) as packed:
        assert packed.read("log.sqlite") == backed_up.log.read_bytes()


def test_the_newest_backups_on_a_stick_are_at_hand_for_the_pages_afterwards(tmp_path: Path) -> None:
    backed_up = Kept(tmp_path)
    folder = tmp_path / "stick" / FOLDER
    folder.mkdir(parents=True)
    for number in range(5):
        (folder / f"table-{number}.zip").write_bytes(backed_up.file.read_bytes())
    (folder / "table-9.zip").write_bytes(b"holiday pictures")
    lines = [*usb_stick.use(folder.parent, backed_up.settings, tmp_path)]
    assert next(line for line in lines if line.startswith("copied")).startswith("copied table-4.zip")
    assert {backup.name for backup in find_backups(backed_up.settings)} == {"table-2.zip", "table-3.zip", "table-4.zip"}
    note = last_stick(backed_up.settings)
    assert note is not None
    assert (folder / note.wrote).exists()


def test_the_backups_of_an_earlier_stick_give_way_to_those_of_the_next(tmp_path: Path) -> None:
    backed_up = Kept(tmp_path)
    for number in range(2):
        folder = tmp_path / f"stick-{number}" / FOLDER
        folder.mkdir(parents=True)
        (folder / f"table-{number}.zip").write_bytes(backed_up.file.read_bytes())
        list(usb_stick.use(folder.parent, backed_up.settings, tmp_path))
    assert [backup.name for backup in find_backups(backed_up.settings)] == ["table-1.zip"]


def failed(backed_up: Kept, folder: Path) -> StickNote:
    """Use a stick onto which no backup can be written, and return what is kept of that for the host's page."""
    list(usb_stick.use(folder.parent, backed_up.settings, folder.parent))
    note = last_stick(backed_up.settings)
    assert note is not None
    return note


def test_why_nothing_could_be_written_is_kept_as_a_code_that_the_page_has_words_for(tmp_path: Path) -> None:
    backed_up = Kept(tmp_path)
    folder = tmp_path / "stick" / FOLDER
    folder.mkdir(parents=True)
    backed_up.log.write_bytes(b"\x5a" * 4096)
    assert failed(backed_up, folder).code == "table-damaged"


def test_a_stick_that_can_not_be_opened_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its file system may be one that the Pi does not know."""
    backed_up = Kept(tmp_path)
    monkeypatch.setattr(usb_stick, "SETTINGS", backed_up.settings)
    assert usb_stick.main(str(tmp_path / "no-such-device")) == 1
    note = last_stick(backed_up.settings)
    assert note is not None
    assert note.code == "stick-unreadable"
    assert "mount" in note.why


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", StickFault)
def test_every_fault_of_a_stick_has_its_words(code: StickFault, language: str) -> None:
    assert PageWords(None, language).say(code)
