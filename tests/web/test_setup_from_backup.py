"""A new table becomes what a backup holds: whoever puts in a new card need set nothing up again."""

import io
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from companion.access import rights_file
from companion.access.seat_rights import HOST, phone_of
from companion.backups.finding import FOLDER
from companion.backups.writing import write_backup
from companion.config import load
from companion.setup.table_plan import Stage
from companion.web.setup import Work, create_setup
from tests.cli.kept import TABLE, TAGS
from tests.web.setting_up import unconfigured
from tests.web.table import ANAS, PEOPLE, client_of, living, phones_of


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A backup on a stick, of a table at which a match was begun."""
    folder = tmp_path / "lost"
    folder.mkdir()
    (folder / "table.toml").write_text(TABLE)
    (folder / "tags.toml").write_text(TAGS)
    stick = tmp_path / "stick" / FOLDER
    stick.mkdir(parents=True)
    with living(folder, tags=folder / "tags.toml") as live:
        phones_of(live, {})
        live.begin("stop-it", PEOPLE, {})
    return write_backup(load(folder / "table.toml"), folder / "table.toml", stick)


@pytest.fixture
def work(tmp_path: Path, backup: Path) -> Iterator[Work]:
    """A table on a blank card; the stick is plugged in."""
    folder = tmp_path / "blank"
    folder.mkdir()
    mounts = tmp_path / "mounts"
    mounts.write_text(f"36 25 8:1 / {backup.parent.parent} rw - vfat /dev/sda1 rw\n")
    work = replace(unconfigured(folder), mounts=mounts)
    with closing(work.setup):
        yield work


@pytest.fixture
def phone(work: Work) -> FlaskClient:
    return FlaskClient(create_setup(work))


def send(phone: FlaskClient, sent: bytes) -> tuple[int, str]:
    form = {"backup": (io.BytesIO(sent), "table.zip")}
    answer = phone.post("/setup/backup", data=form, content_type="multipart/form-data")
    return answer.status_code, answer.text


def is_back(work: Work) -> bool:
    folder = work.setup.path.parent
    return load(work.setup.path).sensors != () and (folder / "log.sqlite").exists() and work.done.is_set()


def test_the_first_page_of_a_new_table_asks_for_a_backup(phone: FlaskClient) -> None:
    page = phone.get("/setup").text
    assert "Bring a backup back" in page
    assert "From the stick, of" in page


def test_a_backup_that_a_phone_sends_is_the_table_and_that_phone_its_host(
    work: Work, phone: FlaskClient, backup: Path
) -> None:
    assert send(phone, backup.read_bytes())[0] == 303
    assert is_back(work)
    assert HOST in rights_file.load(work.setup.path.with_name("log.sqlite.phones")).holders


def test_so_is_one_on_a_stick(work: Work, phone: FlaskClient) -> None:
    key = phone.get("/setup").text.partition('name="backup" value="')[2].partition('"')[0]
    assert phone.post("/setup/backup", data={"backup": key}).status_code == 303
    assert is_back(work)


@pytest.mark.parametrize("sent", [b"no backup", b""])
def test_what_is_no_backup_is_told_and_anybody_may_begin_as_before(work: Work, phone: FlaskClient, sent: bytes) -> None:
    status, page = send(phone, sent)
    assert status == 400
    assert 'role="alert"' in page
    assert HOST not in work.phones.rights.holders
    assert not work.done.is_set()
    assert not [*work.setup.path.parent.glob("*.zip")]


def test_whoever_does_not_set_the_table_up_brings_nothing_back(work: Work, phone: FlaskClient, backup: Path) -> None:
    phone.post("/setup/begin", data={"language": "en"})
    assert send(FlaskClient(phone.application), backup.read_bytes())[0] == 403
    assert FlaskClient(phone.application).post("/setup/backup", data={"backup": "x"}).status_code == 403
    assert not work.done.is_set()


def test_a_table_that_is_set_up_again_brings_its_backups_back_on_its_own_page(work: Work, backup: Path) -> None:
    """There it is compared with what would be lost."""
    work.setup.path.write_text(TABLE)
    work.setup.table = load(work.setup.path)
    work.phones.change(lambda rights: replace(rights, holders={HOST: phone_of(ANAS)}))
    host = client_of(create_setup(work), ANAS)
    work.setup.change(lambda plan: replace(plan, stage=Stage.NAME))
    assert "Bring a backup back" not in host.get("/setup").text
    assert send(host, backup.read_bytes())[0] == 409
