"""`companion restore` of a file that is damaged, or something else: one sentence, and nothing is changed."""

import hashlib
import json
import shutil
import sqlite3
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.backups.restoring import put_back
from companion.config import load
from companion.errors import NotNow, WrongInput
from companion.storage.integrity import unread_in_words
from companion.storage.last_copy import keep_copy
from companion.tags.deck_file import Decks
from tests.cli.kept import TABLE, TAGS, Kept
from tests.cli.program import companion
from tests.refusals import refusable
from tests.storage.altering import past_its_triggers

Files = dict[str, bytes]


def flipped(whole: bytes) -> bytes:
    middle = len(whole) // 2
    return whole[:middle] + bytes([whole[middle] ^ 0x10]) + whole[middle + 1 :]


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda whole: whole[:-100],
    "a flipped bit": flipped,
    "scribbled into what is packed first": lambda whole: whole[:60] + b"\xff" * 30 + whole[90:],
    "prose": lambda _: b"Dear diary",
    "empty": lambda _: b"",
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_backup_changes_nothing(backed_up: Kept, damage: Callable[[bytes], bytes]) -> None:
    backed_up.file.write_bytes(damage(backed_up.file.read_bytes()))
    files_before = backed_up.everything()
    with pytest.raises(WrongInput, match=r"is damaged, or not a backup: .*Nothing was changed"):
        backed_up.restore()
    assert backed_up.everything() == files_before


def packed(name: str, content: str | bytes) -> Callable[[Files], None]:
    """Put a file into a backup as if it had been there when it was made."""
    inside = content if isinstance(content, bytes) else content.encode()

    def change(files: Files) -> None:
        files[name] = inside
        manifest = json.loads(files["manifest.json"])
        manifest["files"][name] = {"size": len(inside), "sha256": hashlib.sha256(inside).hexdigest()}
        files["manifest.json"] = json.dumps(manifest).encode()

    return change


def edited(name: str, old: bytes, new: bytes) -> Callable[[Files], None]:
    """Change a file in a backup, but not what its manifest says of it."""
    return lambda files: files.update({name: files[name].replace(old, new)})


def torn_log(files: Files) -> None:
    whole = files["log.sqlite"]
    packed("log.sqlite", whole[:4096] + b"\x5a" * 400 + whole[4496:])(files)


CLUB = '[club]\nbroker = "mqtt://h"\nclub = "c"\nname = "n"\nuser = "u"\npassword_file = "companion/__main__.py"\n'


def a_program_for_a_password(files: Files) -> None:
    packed("table.toml", TABLE + CLUB)(files)
    packed("club-password", "print('at home here')\n")(files)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda files: files.pop("manifest.json"), "manifest.json"),
        (a_program_for_a_password, r"its club-password at companion/__main__\.py, where none is kept yet"),
        (packed("table.toml", TABLE + CLUB), r"its club-password at companion/__main__\.py"),
        (packed("table.toml", TABLE + CLUB.replace("companion/__main__.py", "GNUmakefile")), "club-password at GNUm"),
        (packed("table.toml", TABLE.replace("log.sqlite", "sitecustomize.py")), r"its log at sitecustomize\.py"),
        (packed("table.toml", TABLE.replace("tags.toml", "pyproject.toml")), r"its tags at pyproject\.toml"),
        (lambda files: files.pop("log.sqlite"), "log.sqlite"),
        (edited("manifest.json", b'"companion"', b'"\xff"'), "is damaged, or not a backup"),
        (edited("manifest.json", b'"backup": 1', b'"backup": 2'), "made by a newer companion"),
        (edited("tags.toml", b"04A1", b"04A2"), "tags.toml is not what it was"),
        (packed("../escaped", b"out"), "which is not a table"),
        (packed("table.toml", TABLE.replace("log.sqlite", "../escaped")), "its log at .*outside its own folder"),
        (packed("table.toml", TABLE.replace("tags.toml", "/escaped.toml")), "its tags at /escaped.toml, outside its"),
        (packed("table.toml", TABLE.replace("tags.toml", ".ssh/authorized_keys")), "its tags at .*, hidden in"),
        (packed("table.toml", TABLE.replace("virtual", "crystal-ball")), "unknown driver 'crystal-ball'"),
        (packed("tags.toml", '[stop-it]\nred-99 = "040404A1"\n'), "red-99"),
        (packed("log.sqlite", "Dear diary, this is no database. " * 300), "The file is not a log"),
        (packed("log.sqlite.phones", b""), "which is not a table"),
        (packed("phones.json", b"{}"), "is damaged"),
        (lambda files: files.update({"manifest.json": b" " * 1_000_001}), "manifest.json takes 1.0 MB, and should"),
        (packed("table.toml", TABLE + "#" * 1_000_000), "table.toml takes 1.0 MB, and should"),
        (torn_log, "damaged|malformed"),
    ],
)
def test_a_backup_with_something_else_in_it_changes_nothing(
    backed_up: Kept, change: Callable[[Files], object], why: str
) -> None:
    backed_up.repack(change)
    files_before = backed_up.everything()
    with pytest.raises(WrongInput, match=why):
        backed_up.restore()
    assert backed_up.everything() == files_before
    assert not (backed_up.folder.parent / "escaped").exists()


def test_a_file_may_have_any_name_under_which_the_table_keeps_it_already(backed_up: Kept, tmp_path: Path) -> None:
    backed_up.settings.write_text(TABLE.replace("tags.toml", "stickers"))
    backed_up.tags.rename(backed_up.folder / "stickers")
    backed_up.file = backed_up.backup(tmp_path / "named.zip")
    (backed_up.folder / "stickers").write_text("")
    backed_up.restore()
    assert (backed_up.folder / "stickers").read_text() == TAGS


@contextmanager
def log_in(files: Files) -> Iterator[sqlite3.Connection]:
    """Change the log of a backup by SQL, as if it had been so when it was made."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.deserialize(files["log.sqlite"])
        yield db
        db.commit()
        packed("log.sqlite", db.serialize())(files)


def altered_log(files: Files) -> None:
    """Somebody who knows SQLite has taken the second press for another's."""
    with log_in(files) as db, past_its_triggers(db):
        db.execute("UPDATE event SET body = replace(body, '\"seat\":1', '\"seat\":2') WHERE seq = 2")


@pytest.mark.parametrize("anyway", [False, True])
@pytest.mark.parametrize(
    ("alteration", "named"),
    {
        "DROP TRIGGER event_kept": "trigger event_kept",
        "CREATE TRIGGER a AFTER INSERT ON event BEGIN DELETE FROM event WHERE seq > 3; END": "trigger a",
        "ALTER TABLE event RENAME TO e; CREATE VIEW event AS SELECT * FROM e": ".*view event",
        "DROP INDEX event_origin": "index event_origin",
        "CREATE TABLE another (one)": "table another",
    }.items(),
)
def test_a_log_that_would_not_keep_what_is_played_is_not_brought_back(
    backed_up: Kept, alteration: str, named: str, anyway: bool
) -> None:
    def altered(files: Files) -> None:
        with log_in(files) as db:
            db.executescript(alteration)

    backed_up.repack(altered)
    files_before = backed_up.everything()
    with pytest.raises(WrongInput, match=f"is not made as the table makes it: see {named}"):
        list(put_back(backed_up.settings, backed_up.file, anyway=anyway))
    assert backed_up.everything() == files_before


def test_a_log_that_was_altered_is_told_and_not_brought_back(backed_up: Kept) -> None:
    backed_up.repack(altered_log)
    files_before = backed_up.everything()
    with pytest.raises(WrongInput, match=r"match 1 in log\.sqlite is damaged, event 2: .*--anyway\. Nothing"):
        backed_up.restore()
    assert backed_up.everything() == files_before


def test_anyway_brings_back_a_log_that_was_altered(backed_up: Kept) -> None:
    backed_up.repack(altered_log)
    backed_up.lose_everything()
    assert companion("restore", backed_up.settings, backed_up.file).exit_code == 2
    assert companion("restore", "--anyway", backed_up.settings, backed_up.file).exit_code == 0
    assert [f"match 1 in {backed_up.log} is damaged, event 2" in lost for lost in unread_in_words(backed_up.log)] == [
        True
    ]


def test_a_backup_of_a_log_that_was_altered_says_so(backed_up: Kept, tmp_path: Path) -> None:
    backed_up.repack(altered_log)
    list(put_back(backed_up.settings, backed_up.file, anyway=True))
    done = companion("backup", backed_up.settings, tmp_path / "new.zip")
    assert (done.exit_code, "would want `--anyway` for it: match 1" in done.stderr) == (1, True)
    assert (tmp_path / "new.zip").exists()


def test_what_is_packed_more_tightly_than_we_do_is_not_unpacked(backed_up: Kept) -> None:
    """Of 4 kB of it come many megabytes at once."""
    backed_up.repack(lambda files: files, zipfile.ZIP_BZIP2)
    with pytest.raises(WrongInput, match=r"manifest\.json is packed as we never do"):
        backed_up.restore()


def test_a_size_that_is_understated_bounds_what_is_unpacked(backed_up: Kept) -> None:
    backed_up.repack(lambda files: files.update({"manifest.json": b" " * 50_000_000}), zipfile.ZIP_DEFLATED)
    raw = backed_up.file.read_bytes()
    backed_up.file.write_bytes(raw.replace((50_000_000).to_bytes(4, "little"), (900_000).to_bytes(4, "little")))
    tracemalloc.start()
    with pytest.raises(WrongInput, match="is damaged, or not a backup"):
        backed_up.restore()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 10_000_000


def test_where_the_disk_has_no_room_for_it_nothing_is_unpacked(
    backed_up: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    files_before = backed_up.everything()
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=5_000))
    with pytest.raises(NotNow, match=r"no room to restore .* and 0\.0 MB are free\. Make room\. Nothing was changed"):
        backed_up.restore()
    assert backed_up.everything() == files_before


def test_a_link_in_the_folder_leads_no_file_out_of_it(backed_up: Kept, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (backed_up.folder / "sub").symlink_to(outside)
    backed_up.repack(packed("table.toml", TABLE.replace("log.sqlite", "sub/log.sqlite")))
    with pytest.raises(WrongInput, match="outside its own folder"):
        backed_up.restore()
    assert list(outside.iterdir()) == []


def test_a_backup_that_is_not_there_is_told(backed_up: Kept) -> None:
    backed_up.file.unlink()
    with pytest.raises(WrongInput, match="there is no"):
        backed_up.restore()


def test_where_nothing_may_be_written_nothing_is_changed(backed_up: Kept) -> None:
    files_before = backed_up.everything()
    backed_up.folder.chmod(0o500)
    done = refusable("restore", backed_up.settings, backed_up.file)
    backed_up.folder.chmod(0o700)
    assert done.exit_code == 1
    assert "Permission denied" in done.stderr
    assert backed_up.everything() == files_before


def test_a_backup_with_fewer_stickers_and_devices_lacks_nothing(backed_up: Kept) -> None:
    backed_up.settings.write_text(f'{TABLE}[[reader]]\ndriver = "virtual"\nplace = "centre"\n')
    backed_up.tags.write_text(f'{TAGS}yellow-2 = "04A1B2C3D4E5F7"\n')
    for file in (backed_up.settings, backed_up.tags):
        keep_copy(file)
    backed_up.restore()
    assert load(backed_up.settings).readers == ()
    assert Decks(backed_up.tags).ailment() is None
