"""Whatever its settings name, and whatever has become of its files: a table starts, or a page says what ails it."""

import os
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from companion.first_aid.examination import described, examine
from companion.live import simulated_world_file
from companion.live.simulated_world_file import WorldFault
from companion.storage.files import world_of
from companion.storage.last_copy import keep_copy, set_aside
from companion.tags.deck_file import Decks, TagsFault
from tests.cli.kept import TABLE, Kept

NAMED = {
    "a folder": "afolder",
    "a folder's inside": "afolder/",
    "a file in no folder": "no/such/folder/file",
    "a file in a file": "tags.toml/file",
    "a NUL": r"a\u0000b",
    "a long name": "x" * 300,
    "a long path": "/".join(["y" * 200] * 30),
    "a device": "/dev/null",
    "a full device": "/dev/full",
    "a pipe": "apipe",
    "a socket": "asocket",
    "a link to itself": "aloop",
    "a link's inside": "aloop/file",
    "a link to nothing": "adangling",
    "nothing": "",
    "its own folder": ".",
    "another's home": "~nobodysuch/file",
    "a line end": r"a\nb",
    "the settings": "table.toml",
}
SETTINGS: dict[str, Callable[[str], str]] = {
    "log": lambda name: TABLE.replace('"log.sqlite"', f'"{name}"'),
    "tags": lambda name: TABLE.replace('"tags.toml"', f'"{name}"'),
    "certificate": lambda name: f'{TABLE}[page]\ncertificate = "{name}"\nkey = "{name}"\n',
    "password": lambda name: f"{TABLE}{_club('password_file', name)}",
    "authority": lambda name: f"{TABLE}{_club('ca', name)}",
}


def _club(key: str, name: str) -> str:
    return f'[club]\nbroker = "mqtts://127.0.0.1:1"\nclub = "c"\nname = "W"\nuser = "u"\n{key} = "{name}"\n'


def as_folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()


def as_pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def as_socket(path: Path) -> None:
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(path))


def as_loop(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(path.name)


HARMS: dict[str, Callable[[Path], object]] = {
    "a folder": as_folder,
    "a pipe": as_pipe,
    "a socket": as_socket,
    "a link to itself": as_loop,
    "empty": lambda path: path.write_bytes(b""),
    "NUL bytes": lambda path: path.write_bytes(bytes(5000)),
    "other bytes": lambda path: path.write_bytes(b"\xff\xfeZ" * 2000),
    "brackets without end": lambda path: path.write_bytes(b"[[" * 200_000),
}
FILES = (
    *(
        "table.toml",
        "table.toml.last",
        "tags.toml",
        "tags.toml.last",
        "log.sqlite",
        "log.sqlite-wal",
        "log.sqlite.lock",
    ),
    *("log.sqlite.phones", "log.sqlite.phones.last", "log.sqlite.world", "log.sqlite.questions", "log.sqlite.results"),
)


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    kept = Kept(tmp_path)
    for path in (kept.settings, kept.tags):
        keep_copy(path)
    (kept.folder / "afolder").mkdir()
    as_pipe(kept.folder / "apipe")
    as_socket(kept.folder / "asocket")
    as_loop(kept.folder / "aloop")
    (kept.folder / "adangling").symlink_to("no/where")
    return kept


def look(settings: Path) -> None:
    """Look at all that a start looks at; raise what no page tells."""
    described(settings)
    patient = examine(settings)
    try:
        Decks(patient.table.tags)
    except TagsFault:
        assert Decks(patient.table.tags, goes_on_without=True).ailment()
    with suppress(WorldFault):
        simulated_world_file.read(world_of(patient.table.log))


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("name", NAMED.values(), ids=NAMED)
def test_whatever_a_setting_names_is_told(kept: Kept, setting: str, name: str) -> None:
    kept.settings.write_text(SETTINGS[setting](name))
    look(kept.settings)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
def test_whatever_became_of_a_file_is_told(kept: Kept, name: str, harm: Callable[[Path], object]) -> None:
    harm(kept.folder / name)
    look(kept.settings)


@pytest.mark.parametrize("harm", [as_folder, as_pipe, as_socket, as_loop])
def test_whatever_stands_in_a_files_place_is_moved_aside(kept: Kept, harm: Callable[[Path], object]) -> None:
    harm(kept.log)
    assert set_aside(kept.log)
    assert not os.path.lexists(kept.log)
