"""The host backs the table up and brings backups back by phone; nobody else does; nothing sealed leaves a match."""

import errno
import io
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from gevent.event import Event

from companion.backups import writing
from companion.backups.at_table import TableBackups
from companion.backups.finding import FOLDER, StickFault, StickNote, note_stick
from companion.backups.writing import MANIFEST
from companion.config import load
from companion.live.pause import Paused, Why
from companion.live.table import Live
from companion.storage.log import Log
from tests.cli.kept import TABLE, TAGS
from tests.web.table import ANAS, BOS, PEOPLE, app_with, client_of, living, phones_of, post

SEALED = ("/host/backup.zip", "/host/backup/stick")


class Home:
    """A table with a file, whose host is Ana, and a stick."""

    def __init__(self, live: Live, folder: Path) -> None:
        self.live = live
        self.settings = folder / "table.toml"
        self.stick = folder.with_name("stick") / FOLDER
        mounts = folder / "mounts"
        mounts.write_text(f"36 25 8:1 / {self.stick.parent} rw - vfat /dev/sda1 rw\n")
        self.restore = Event()
        self.backups = TableBackups(self.settings, load(self.settings), mounts)
        phones = phones_of(live, {0: ANAS, 1: ANAS, 3: BOS})
        self.app = app_with(live, phones, virtual=False, backups=self.backups, restore=self.restore)

    @property
    def host(self) -> FlaskClient:
        return client_of(self.app, ANAS)

    def backup(self) -> bytes:
        return self.host.post("/host/backup.zip").data

    def send(self, backup: bytes) -> str:
        form = {"backup": (io.BytesIO(backup), "table.zip")}
        answer = self.host.post("/host/restore", data=form, content_type="multipart/form-data", follow_redirects=True)
        return answer.text


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "table.toml").write_text(TABLE)
    (folder / "tags.toml").write_text(TAGS)
    with living(folder, tags=folder / "tags.toml") as live:
        yield Home(live, folder)


def marks(page: str) -> dict[str, str]:
    return {"mark": page.partition('name="mark" value="')[2].partition('"')[0]}


def test_the_host_takes_a_backup_to_their_phone(home: Home) -> None:
    with zipfile.ZipFile(io.BytesIO(home.backup())) as packed:
        assert {"manifest.json", "table.toml", "tags.toml", "log.sqlite", "phones.json"} == {*packed.namelist()}
    assert not [*home.settings.parent.glob(".backup-*")]


def test_nobody_else_takes_or_brings_anything(home: Home) -> None:
    backup = home.backup()
    for token in (BOS, "ff" * 16, None):
        phone = client_of(home.app, token)
        for address in (*SEALED, "/host/restore/now", "/host/restore/drop"):
            assert post(phone, address)[0] == 403
        form = {"backup": (io.BytesIO(backup), "table.zip")}
        assert phone.post("/host/restore", data=form, content_type="multipart/form-data").status_code == 403
    assert home.backups.chosen is None


def test_at_a_table_without_a_host_a_stranger_takes_nothing(home: Home) -> None:
    app = app_with(home.live, phones_of(home.live, {}), virtual=False, backups=home.backups, restore=home.restore)
    stranger = client_of(app, None)
    assert stranger.get("/host/upkeep").status_code == 200
    assert "backup" not in stranger.get("/host/upkeep").text.partition("<main")[2]
    assert post(stranger, "/host/backup.zip")[0] == 403


@pytest.mark.parametrize("address", [*SEALED, "/host/restore", "/host/restore/now"])
def test_nothing_leaves_or_replaces_a_match_that_is_played(home: Home, address: str) -> None:
    home.live.begin("stop-it", PEOPLE, {})
    status, says = post(home.host, address)
    assert status == 409
    assert "after" in says


def test_a_match_ended_early_does_not_go_on_once_its_secrets_may_have_left(home: Home) -> None:
    home.live.begin("stop-it", PEOPLE, {})
    home.live.pause(Why.ENDED)
    assert home.live.snapshot.may_go_on
    assert "The match that was ended can’t go on after that" in home.host.get("/host/upkeep").text
    assert home.backup()
    assert post(home.host, "/go-on")[0] == 409
    assert home.live.snapshot.ended
    assert "/go-on" not in home.host.get("/host").text


def test_a_match_that_has_ended_for_good_does_not_go_on_after_a_restart(home: Home) -> None:
    home.live.begin("stop-it", PEOPLE, {})
    home.live.pause(Why.ENDED)
    home.backup()
    with closing(Log(home.live.kept_in, writes=False)) as log:
        paused = log.paused(1)
    assert paused is not None
    assert paused.why == Why.CLOSED.value


def test_a_mounted_stick_gets_a_backup_only_if_it_has_the_tables_folder(home: Home) -> None:
    assert "/host/backup/stick" not in home.host.get("/host/upkeep").text
    home.stick.mkdir(parents=True)
    assert 'action="/host/backup/stick"' in home.host.get("/host/upkeep").text
    assert post(home.host, "/host/backup/stick", stick=str(home.stick))[0] == 200
    assert [*home.stick.glob("table-*.zip")]
    assert post(home.host, "/host/backup/stick", stick="/etc")[0] == 409


def test_a_stick_that_was_pulled_out_is_asked_for_again(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.stick.mkdir(parents=True)
    monkeypatch.setattr(writing, "swap", lambda *_: shutil.rmtree(home.stick.parent) or os.stat(home.stick))
    assert "The stick is not there any more" in said_of_the_stick(home)


def test_a_stick_with_its_lock_on_is_offered_and_the_lock_is_named(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.stick.mkdir(parents=True)
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path != home.stick and access(path, mode))
    monkeypatch.setattr(writing, "swap", refusing(errno.EROFS))
    assert 'action="/host/backup/stick"' in home.host.get("/host/upkeep").text
    assert "is its little lock on?" in said_of_the_stick(home)
    assert [*home.stick.iterdir()] == []


def test_a_full_stick_is_called_full_and_the_tables_disk_is_not(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.stick.mkdir(parents=True)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(8_000_000, 7_999_000, 1_000))
    monkeypatch.setattr(writing, "swap", refusing(errno.ENOSPC))
    assert "The stick is full" in said_of_the_stick(home)
    assert [*home.stick.iterdir()] == []


def test_a_backup_that_went_with_its_stick_is_asked_for_again(home: Home) -> None:
    home.stick.mkdir(parents=True)
    (home.stick / "table.zip").write_bytes(home.backup())
    key = home.backups.find()[0].key
    shutil.rmtree(home.stick)
    answer = home.host.post("/host/restore", data={"backup": key}, follow_redirects=True)
    assert "The stick is not there any more" in answer.text


def said_of_the_stick(home: Home) -> str:
    """Back up to it, and return what the page answers."""
    answer = home.host.post("/host/backup/stick", data={"stick": str(home.stick)}, follow_redirects=True)
    return answer.text


def refusing(number: int) -> Callable[..., None]:
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    return refuse


@pytest.mark.parametrize("where", ["stick", "from-stick", "table"])
def test_a_backup_at_hand_is_offered(home: Home, where: str) -> None:
    backup = home.backup()
    beside = home.settings.parent
    folder = {"stick": home.stick, "from-stick": beside / "from-stick", "table": beside}[where]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "table-1.zip").write_bytes(backup)
    (folder / "not-ours.zip").write_bytes(b"holiday pictures")
    page = home.host.get("/host/upkeep").text
    keys = [backup.key for backup in home.backups.find()]
    assert len(keys) == 1
    assert f'name="backup" value="{keys[0]}"' in page
    assert (
        "Bring back the table of"
        in home.host.post("/host/restore", data={"backup": keys[0]}, follow_redirects=True).text
    )


def test_backups_of_one_minute_are_told_apart_by_their_names(home: Home) -> None:
    backup = home.backup()
    for name in ("table-2026-11-28-120000.zip", "table-2026-11-28-120000-2.zip"):
        (home.settings.parent / name).write_bytes(backup)
    page = home.host.get("/host/upkeep").text
    assert page.count("Kept at the table, of") == 2
    assert "table-2026-11-28-120000.zip" in page
    assert "table-2026-11-28-120000-2.zip" in page


def test_two_sticks_files_of_one_name_are_both_offered_if_they_differ(home: Home) -> None:
    beside = home.settings.parent / "from-stick"
    for folder, second in ((home.stick, 1), (beside, 2)):
        folder.mkdir(parents=True)
        (folder / "table.zip").write_bytes(remade(home.backup(), f"2026-11-28T12:00:0{second}+00:00"))
    assert len(home.backups.find()) == 2
    (beside / "table.zip").write_bytes((home.stick / "table.zip").read_bytes())
    assert len(home.backups.find()) == 1


def test_a_name_in_no_spelling_breaks_no_page(home: Home) -> None:
    path = os.fsencode(home.settings.parent) + b"/table-\xff.zip"
    Path(os.fsdecode(path)).write_bytes(home.backup())
    assert "table-\ufffd.zip" in home.host.get("/host/upkeep").text


def remade(backup: bytes, made_on: str) -> bytes:
    """Return this backup as if it had been made at another time."""
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(backup)) as packed, zipfile.ZipFile(changed, "w") as other:
        for name in packed.namelist():
            content = packed.read(name)
            if name == MANIFEST:
                content = msgspec.json.encode(msgspec.json.decode(content) | {"made": made_on})
            other.writestr(name, content)
    return changed.getvalue()


def test_what_would_change_is_shown_before_anything_does(home: Home) -> None:
    home.live.begin("stop-it", PEOPLE, {})
    home.live.pause(Why.ENDED)
    old = home.backup()
    home.live.begin("stop-it", PEOPLE, {})
    home.live.pause(Why.ENDED)
    (home.settings.parent / "tags.toml").write_text("")
    page = home.send(old)
    assert "The backup holds one match." in page
    assert "One match of this table is not in it" in page
    assert "Stickers are on cards as they were then" in page
    assert "settings" not in page.partition('id="changes"')[2].partition("</ul")[0]
    assert not home.restore.is_set()


def test_the_table_stops_for_the_backup_that_was_looked_at_and_no_other(home: Home) -> None:
    page = home.send(home.backup())
    assert post(home.host, "/host/restore/now", mark="0" * 64)[0] == 409
    assert not home.restore.is_set()
    assert post(home.host, "/host/restore/now", **marks(page))[0] == 200
    assert home.restore.is_set()
    assert "being brought back" in home.host.get("/host/restore").text


def test_what_is_no_backup_is_told_and_forgotten(home: Home) -> None:
    assert "this backup is damaged, or not a backup" in home.send(b"holiday pictures")
    assert home.backups.chosen is None
    assert not [*home.settings.parent.glob(".to-restore*")]


def test_people_may_leave_everything_as_it_is(home: Home) -> None:
    page = home.send(home.backup())
    assert post(home.host, "/host/restore/drop")[0] == 200
    assert post(home.host, "/host/restore/now", **marks(page))[0] == 409
    assert not [*home.settings.parent.glob(".to-restore*")]


def test_a_virtual_table_without_a_file_has_no_such_page(home: Home) -> None:
    app: Flask = app_with(home.live, phones_of(home.live, {0: ANAS}))
    assert client_of(app, ANAS).get("/host/upkeep").status_code == 404
    assert post(client_of(app, ANAS), "/host/backup.zip")[0] == 404


def test_an_earlier_match_that_was_left_unfinished_does_not_come_back_either(home: Home) -> None:
    for _ in range(2):
        home.live.begin("stop-it", PEOPLE, {})
    home.live.pause(Why.ENDED)
    home.backup()
    with pytest.raises(Paused):
        home.live.take_up(1, ["Ana"])


@pytest.mark.parametrize(("language", "sentence"), [("en", "The stick is full"), ("fr", "La clé est pleine")])
def test_what_became_of_the_last_stick_is_told_in_the_readers_language(
    home: Home, language: str, sentence: str
) -> None:
    note = StickNote("2026-11-28T19:00:00+01:00", code=StickFault.FULL, why="can't write it: No space left on device")
    note_stick(home.settings, note)
    page = home.host.get("/host/upkeep", query_string={"lang": language}).text
    assert sentence in page
    assert '<p lang="en">can&#39;t write it: No space left on device</p>' in page
