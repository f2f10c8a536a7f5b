"""A table that can't start is brought back from a backup, of a phone or on a stick: by its host alone."""

import io
import os
import zipfile
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST, first, free, phone_of
from companion.backups.finding import FOLDER
from companion.backups.writing import write_backup
from companion.config import load
from companion.storage.last_copy import keep_copy
from companion.storage.log import Log
from companion.web.http.app import LARGEST_FORM
from tests.first_aid.bed import Bed, choose, host, spoil
from tests.waiting import PATIENCE
from tests.web.table import ANAS, BOS, client_of, post, serving


def test_a_backup_is_brought_back_from_the_hosts_phone(spoilt: Bed) -> None:
    phone = host(spoilt.app())
    form = {"backup": (io.BytesIO(spoilt.backup.read_bytes()), "table.zip")}
    assert phone.post("/first-aid/backup", data=form, content_type="multipart/form-data").status_code == 303
    assert spoilt.aid.is_over
    with closing(Log(spoilt.log, writes=False)) as log:
        assert len(log.events(1)) == 2
    assert [*spoilt.settings.parent.glob("before-restore-*/log.sqlite")]


def test_a_long_backup_comes_over_the_network_and_nobody_elses_is_read(spoilt: Bed, tmp_path: Path) -> None:
    """Through the server itself, which refuses any other request of this length."""
    long = tmp_path / "long.zip"
    long.write_bytes(spoilt.backup.read_bytes())
    with zipfile.ZipFile(long, "a") as packed:
        packed.writestr("padding", os.urandom(20 * LARGEST_FORM))  # what the manifest does not name is left in the zip
    disposition = b'Content-Disposition: form-data; name="backup"; filename="long.zip"'
    body = b"--part\r\n" + disposition + b"\r\n\r\n" + long.read_bytes() + b"\r\n--part--\r\n"
    kind = "multipart/form-data; boundary=part"
    with serving(spoilt.app()) as port:
        for token, status in ((BOS, 413), (ANAS, 303)):
            with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as line:
                headers = {"Content-Type": kind, "Cookie": f"phone={token}"}
                line.request("POST", "/first-aid/backup", body, headers)
                with line.getresponse() as answer:
                    assert answer.status == status
                    answer.read()
    assert spoilt.aid.is_over


@pytest.fixture
def stick(bed: Bed) -> Path:
    """A stick that is mounted, with the backup in its folder."""
    folder = bed.settings.parent.with_name("stick") / FOLDER
    folder.mkdir(parents=True)
    (folder / "table.zip").write_bytes(bed.backup.read_bytes())
    bed.mounts.write_text(f"36 25 8:1 / {folder.parent} rw - vfat /dev/sda1 rw\n")
    return folder


def test_backups_on_a_stick_are_listed_and_brought_back(spoilt: Bed, stick: Path) -> None:
    app = spoilt.app()
    assert "From the stick" in host(app).get("/").text
    assert "From the stick" not in client_of(app, BOS).get("/").text
    (backup,) = spoilt.aid.backups
    assert post(client_of(app, BOS), "/first-aid/backup", backup=backup.key)[0] == 403
    assert post(host(app), "/first-aid/backup", backup=backup.key)[0] == 200
    assert spoilt.aid.is_over


def test_a_backup_on_a_stick_that_is_gone_changes_nothing(spoilt: Bed, stick: Path) -> None:
    app = spoilt.app()
    (backup,) = spoilt.aid.backups
    (stick / "table.zip").unlink()
    assert post(host(app), "/first-aid/backup", backup=backup.key)[0] in (409, 503)
    assert not spoilt.aid.is_over


def test_whoever_is_host_stays_host_whatever_the_backup_says(bed: Bed) -> None:
    Phones(bed.phones).change(lambda rights: free(rights, {HOST}))
    Phones(bed.phones).change(lambda rights: first(rights, phone_of(BOS)))
    code = Phones(bed.phones).rights.codes[HOST]
    keep_copy(bed.phones)
    spoil(bed.log)
    form = {"backup": (io.BytesIO(bed.backup.read_bytes()), "table.zip")}
    answer = client_of(bed.app(), BOS).post("/first-aid/backup", data=form, content_type="multipart/form-data")
    assert answer.status_code == 303
    assert Phones(bed.phones).rights.holders[HOST] == phone_of(BOS)
    assert Phones(bed.phones).rights.codes[HOST] == code


def test_what_is_no_backup_changes_nothing_and_is_told(spoilt: Bed) -> None:
    damaged = spoilt.log.read_bytes()
    phone = host(spoilt.app())
    form = {"backup": (io.BytesIO(b"holiday pictures"), "table.zip")}
    answer = phone.post("/first-aid/backup", data=form, content_type="multipart/form-data")
    assert answer.status_code == 409
    assert "this backup is damaged, or not a backup" in answer.text
    assert ".to-restore" not in answer.text
    assert spoilt.log.read_bytes() == damaged


def test_a_stranger_brings_no_backup(spoilt: Bed) -> None:
    form = {"backup": (io.BytesIO(spoilt.backup.read_bytes()), "table.zip")}
    stranger = client_of(spoilt.app(), BOS)
    assert stranger.post("/first-aid/backup", data=form, content_type="multipart/form-data").status_code == 403


def test_a_backup_of_a_table_that_was_cured_can_be_restored(spoilt: Bed, tmp_path: Path) -> None:
    choose(host(spoilt.app()), "log-damaged", "anew")
    write_backup(load(spoilt.settings), spoilt.settings, tmp_path / "after.zip")
