"""Whatever a hub's settings name, and whatever has become of its files: it opens its page, or says what to do now."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from companion.cli import hub
from companion.errors import CompanionError
from tests.bench.rig import free_port
from tests.cli.program import refused
from tests.owned import reachable_folder
from tests.unusable import (
    ADDRESSES,
    FILE_NAMES,
    HARMS,
    PORTS,
    PageIsServed,
    as_folders_owner,
    put_strange_files,
    served,
    toml,
)

CLUB = '[club]\nbroker = "mqtt://127.0.0.1:1"\nclub = "c"\n'
BY_TLS = '[club]\nbroker = "mqtts://127.0.0.1:1"\nclub = "c"\nuser = "u"\n'
FILE_SETTINGS: dict[str, Callable[[str], str]] = {
    "certificate": lambda written: f"{CLUB}[page]\ncertificate = {written}\nkey = {written}\n",
    "password": lambda written: f"{BY_TLS}password_file = {written}\n",
    "authority": lambda written: f"{BY_TLS}ca = {written}\n",
}
ADDRESS_SETTINGS: dict[str, Callable[[str], str]] = {
    "host": lambda written: f"{CLUB}[page]\nhost = {written}\n",
    "address": lambda written: f"{CLUB}[page]\naddress = {written}\n",
    "proxies": lambda written: f"{CLUB}[page]\nproxies = [{written}]\n",
    "broker": lambda written: f'[club]\nclub = "c"\nbroker = {written}\n',
    "club": lambda written: f'[club]\nbroker = "mqtt://127.0.0.1:1"\nclub = {written}\n',
}


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where a hub's file will be, in a folder that any user enters."""
    monkeypatch.setattr(hub, "serve", served)
    monkeypatch.setattr(hub, "log_to_stderr", lambda: None)
    with reachable_folder() as folder:
        put_strange_files(folder)
        yield folder / "club.toml"


def see_that_it_starts_or_says_why(file: Path) -> None:
    """Start a hub as `companion hub` does; anything but its page, or an error that people read, is raised."""
    command = hub.hub.callback
    assert command
    with suppress(PageIsServed, CompanionError):
        command(file, free_port(), None)


@pytest.mark.parametrize("setting", FILE_SETTINGS)
@pytest.mark.parametrize("name", FILE_NAMES.values(), ids=FILE_NAMES)
def test_whatever_file_a_setting_names(file: Path, setting: str, name: object) -> None:
    file.write_text(FILE_SETTINGS[setting](toml(name)))
    see_that_it_starts_or_says_why(file)


@pytest.mark.parametrize("setting", ADDRESS_SETTINGS)
@pytest.mark.parametrize("address", ADDRESSES.values(), ids=ADDRESSES)
def test_whatever_address_a_setting_names(file: Path, setting: str, address: object) -> None:
    file.write_text(ADDRESS_SETTINGS[setting](toml(address)))
    see_that_it_starts_or_says_why(file)


@pytest.mark.parametrize("port", PORTS, ids=lambda port: port[:20])
def test_whatever_port_is_named(file: Path, port: str) -> None:
    file.write_text(f"{CLUB}[page]\nport = {port}\n")
    see_that_it_starts_or_says_why(file)


@pytest.mark.parametrize("name", ["club.toml", "club.sqlite", "club.sqlite-wal", "club.sqlite.lock"])
@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
def test_whatever_became_of_a_file(file: Path, name: str, harm: Callable[[Path], object]) -> None:
    file.write_text(CLUB)
    see_that_it_starts_or_says_why(file)
    harm(file.with_name(name))
    with as_folders_owner(file.parent):
        see_that_it_starts_or_says_why(file)


@pytest.mark.parametrize(("setting", "name"), [("password_file", "adangling"), ("ca", "adangling")])
def test_of_a_file_of_the_club_it_says_what_to_do_now(file: Path, setting: str, name: str) -> None:
    file.write_text(f'{BY_TLS}{setting} = "{name}"\n')
    assert re.search(rf"(Write|Put) .*correct `{setting}`", refused(2, "hub", file))
