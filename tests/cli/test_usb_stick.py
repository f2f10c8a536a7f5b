"""A stick that wants it gets a backup; any other is left alone."""

import zipfile
from pathlib import Path

from companion.backups.finding import FOLDER
from companion.cli import usb_stick
from tests.cli.kept import Kept


def test_a_stick_gets_a_backup_only_where_its_folder_is(tmp_path: Path) -> None:
    kept, plugged = Kept(tmp_path), tmp_path / "stick"
    plugged.mkdir()
    assert [*usb_stick.use(plugged, kept.settings, tmp_path)] == [
        "there is no folder table-companion on it: it is left alone"
    ]
    (plugged / FOLDER).mkdir()
    (told,) = usb_stick.use(plugged, kept.settings, tmp_path)
    assert (plugged / FOLDER / told.removeprefix("wrote ")).exists()


def test_an_update_that_nobody_of_the_makers_signed_is_not_taken(tmp_path: Path) -> None:
    kept, folder = Kept(tmp_path), tmp_path / "stick" / FOLDER
    folder.mkdir(parents=True)
    (folder / "new.update").write_bytes(b"of somebody else")
    told = [*usb_stick.use(folder.parent, kept.settings, tmp_path)]
    assert "damaged, or not an update" in told[0]
    assert [*(tmp_path / "updates").iterdir()] == []


def test_a_stick_gets_every_file_of_a_table_that_is_too_damaged_for_a_backup(tmp_path: Path) -> None:
    kept, folder = Kept(tmp_path), tmp_path / "stick" / FOLDER
    folder.mkdir(parents=True)
    kept.log.write_bytes(b"\x5a" * 4096)
    told = [*usb_stick.use(folder.parent, kept.settings, tmp_path)]
    (as_it_is,) = folder.iterdir()
    assert as_it_is.name in told[-1]
    with zipfile.ZipFile(as_it_is) as packed:
        assert packed.read("log.sqlite") == kept.log.read_bytes()
