"""A backup is brought back at a running table by its host's phone alone: the table starts again by itself."""

import http.cookiejar
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.error import HTTPError

import pytest

from companion.access.rights_file import load
from companion.access.seat_rights import HOST, phone_of
from companion.storage.files import phones_of
from companion.storage.log import Log
from tests.bench.rig import free_port
from tests.cli.kept import TABLE, Kept
from tests.cli.program import Running
from tests.waiting import until


class Phone:
    """A phone with a browser that keeps cookies."""

    def __init__(self, port: int) -> None:
        self.at = f"http://127.0.0.1:{port}"
        self.jar = http.cookiejar.CookieJar()
        self._browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def get(self, path: str, **form: str) -> str:
        body = urllib.parse.urlencode(form).encode() if form else None
        return self._asked(urllib.request.Request(f"{self.at}{path}", body))

    def send(self, path: str, backup: bytes) -> str:
        kind = 'Content-Disposition: form-data; name="backup"; filename="table.zip"'
        body = b"--part\r\n" + kind.encode() + b"\r\n\r\n" + backup + b"\r\n--part--\r\n"
        kinds = {"Content-Type": "multipart/form-data; boundary=part"}
        return self._asked(urllib.request.Request(f"{self.at}{path}", body, kinds))

    def _asked(self, request: urllib.request.Request) -> str:
        try:
            with self._browser.open(request) as answer:
                return str(answer.read().decode())
        except HTTPError as refusal:
            with refusal:
                return refusal.read().decode()

    @property
    def token(self) -> str:
        return next(cookie.value or "" for cookie in self.jar if cookie.name == "phone")


@pytest.fixture
def backed_up(tmp_path: Path) -> Kept:
    return Kept(tmp_path)


@pytest.fixture
def phone(backed_up: Kept) -> Iterator[Phone]:
    port = free_port()
    backed_up.settings.write_text(f'{TABLE}[page]\nhost = "127.0.0.1"\nport = {port}\n')
    backed_up.file.unlink()
    backed_up.backup(backed_up.file)
    with Running("run", backed_up.settings) as table:
        table.wait_for("Stop with Ctrl-C")
        phone = Phone(port)
        code = load(phones_of(backed_up.log)).codes[HOST]
        phone.get("/join", code=code)
        yield phone


def test_the_host_sees_it_through(backed_up: Kept, phone: Phone) -> None:
    phone.get("/start", **{"page": "host", "game": "stop-it", "seat-1": "Ana", "seat-2": "Bo"})
    phone.get("/end", page="host")
    page = phone.send("/host/restore", backed_up.file.read_bytes())
    assert "One match of this table is not in it" in page
    mark = page.partition('name="mark" value="')[2].partition('"')[0]
    phone.get("/host/restore/now", mark=mark)
    until(lambda: 'id="restored"' in phone.get("/host/upkeep"))
    assert "The table is as it was on" in phone.get("/host/upkeep")
    with closing(Log(backed_up.log, writes=False)) as log:
        assert log.numbers() == (1,)
    assert load(phones_of(backed_up.log)).holders[HOST] == phone_of(phone.token)  # although the backup knows no host


def test_what_was_there_before_can_be_brought_back_in_turn(backed_up: Kept, phone: Phone) -> None:
    phone.get("/start", **{"page": "host", "game": "stop-it", "seat-1": "Ana", "seat-2": "Bo"})
    phone.get("/end", page="host")
    page = phone.send("/host/restore", backed_up.file.read_bytes())
    phone.get("/host/restore/now", mark=page.partition('name="mark" value="')[2].partition('"')[0])
    until(lambda: 'id="restored"' in phone.get("/host/upkeep"))
    phone.get("/end", page="host")  # what was in play when the backup was made
    key = phone.get("/host/upkeep").partition('name="backup" value="')[2].partition('"')[0]
    page = phone.get("/host/restore", backup=key)
    assert "One match would come back" in page
    phone.get("/host/restore/now", mark=page.partition('name="mark" value="')[2].partition('"')[0])

    def is_back() -> bool:
        with closing(Log(backed_up.log, writes=False)) as log:
            return log.numbers() == (1, 2)

    until(is_back)


def test_a_backup_that_has_become_useless_meanwhile_changes_nothing_and_is_told(backed_up: Kept, phone: Phone) -> None:
    phone.get("/end", page="host")
    page = phone.send("/host/restore", backed_up.file.read_bytes())
    (backed_up.folder / ".to-restore.zip").write_bytes(b"scribbled")
    events_before = backed_up.events()
    phone.get("/host/restore/now", mark=page.partition('name="mark" value="')[2].partition('"')[0])
    until(lambda: 'id="restored"' in phone.get("/host/upkeep"))
    assert "The backup was not brought back" in phone.get("/host/upkeep")
    assert backed_up.events() == events_before
