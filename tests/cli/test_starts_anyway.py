"""What would end a start before there is a page: it is told on one, or the table goes on without."""

import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bench.rig import free_port
from tests.cli.kept import TABLE, Kept
from tests.cli.program import Running

CLUB = """[club]
broker = "mqtts://127.0.0.1:1"
club = "c"
name = "Window table"
user = "u"
password_file = "club-password"
ca = "ca.crt"
"""


def page_of(backed_up: Kept, more: str, says: str) -> str:
    port = free_port()
    backed_up.settings.write_text(f'{TABLE}[page]\nhost = "127.0.0.1"\nport = {port}\n{more}')
    with Running("run", backed_up.settings) as table:
        table.wait_for(says)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as answer:
            return str(answer.read().decode())


HARM: dict[str, Callable[[Path], object]] = {
    "a password that is gone": lambda folder: (folder / "club-password").unlink(),
    "a password that others may read": lambda folder: (folder / "club-password").chmod(0o644),
    "a password of other bytes": lambda folder: (folder / "club-password").write_bytes(b"\xff\xfe"),
    "an authority that is none": lambda folder: (folder / "ca.crt").write_text("holiday pictures"),
    "a membership that is damaged": lambda folder: (folder / "log.sqlite.club").write_bytes(b"\x5a" * 5000),
}


@pytest.mark.parametrize("harm", HARM.values(), ids=HARM)
def test_a_table_whose_club_cannot_be_told_plays_all_the_same(tmp_path: Path, harm: Callable[[Path], object]) -> None:
    backed_up = Kept(tmp_path)
    (backed_up.folder / "club-password").write_text("secret")
    (backed_up.folder / "club-password").chmod(0o600)
    (backed_up.folder / "ca.crt").write_text("")
    harm(backed_up.folder)
    assert 'id="live"' in page_of(backed_up, CLUB, "Stop with Ctrl-C")


def test_a_certificate_that_is_none_is_told_on_a_page_without_one(tmp_path: Path) -> None:
    page = page_of(Kept(tmp_path), 'certificate = "tags.toml"\nkey = "tags.toml"\n', "types")
    assert 'id="ails-settings-wrong"' in page
    assert "can’t use certificate" in page.replace("&#39;", "’").replace("'", "’")


def test_a_fault_of_the_program_is_told_on_a_page(tmp_path: Path) -> None:
    backed_up = Kept(tmp_path)
    port = free_port()
    backed_up.settings.write_text(f'{TABLE}[page]\nhost = "127.0.0.1"\nport = {port}\n')
    haste = "from companion.cli import table_in_play; table_in_play._started = lambda *_: 1 / 0"
    with Running("run", backed_up.settings, haste=haste) as table:
        table.wait_for("types")
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as answer:
            assert "a fault of the program: ZeroDivisionError" in answer.read().decode()
