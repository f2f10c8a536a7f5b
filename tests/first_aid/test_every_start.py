"""Whatever its settings name, and whatever has become of its files: every start of a table ends in a page."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.access.rights_file import Phones
from companion.cli import first_aid, run, setting_up, table_in_play
from companion.storage.files import phones_of
from companion.storage.last_copy import keep_copy, set_aside
from tests.bench.rig import free_port
from tests.cli.kept import TABLE, Kept
from tests.owned import reachable_folder
from tests.unusable import (
    ADDRESSES,
    FILE_NAMES,
    HARMS,
    PORTS,
    PageIsServed,
    as_folder,
    as_folders_owner,
    as_loop,
    as_pipe,
    as_socket,
    put_strange_files,
    served,
    toml,
)


def _device(section: str, **settings: object) -> Callable[[str], str]:
    key = next(key for key, value in settings.items() if value is None)
    lines = "".join(f"{name} = {value}\n" for name, value in settings.items() if name != key)
    return lambda written: f'log = "log.sqlite"\n[[{section}]]\n{lines}{key} = {written}\n'


def _page(key: str) -> Callable[[str], str]:
    return lambda written: f"{TABLE}[page]\n{key} = {written}\n"


def _club(key: str) -> Callable[[str], str]:
    broker = "" if key == "broker" else 'broker = "mqtts://127.0.0.1:1"\n'
    return lambda written: f'{TABLE}[club]\nclub = "c"\nname = "W"\nuser = "u"\n{broker}{key} = {written}\n'


FILE_SETTINGS: dict[str, Callable[[str], str]] = {
    "log": lambda written: TABLE.replace('"log.sqlite"', written),
    "tags": lambda written: TABLE.replace('"tags.toml"', written),
    "certificate": lambda written: f"{TABLE}[page]\ncertificate = {written}\nkey = {written}\n",
    "password": _club("password_file"),
    "authority": _club("ca"),
}
ADDRESS_SETTINGS: dict[str, Callable[[str], str]] = {
    "host": _page("host"),
    "address": _page("address"),
    "proxies": lambda written: f"{TABLE}[page]\nproxies = [{written}]\n",
    "origins": lambda written: f"{TABLE}[page]\norigins = [{written}]\n",
    "broker": _club("broker"),
}
DEVICE_SETTINGS: dict[str, Callable[[str], str]] = {
    "the port of a reader": _device("reader", driver='"pn532-uart"', place='"seat-1"', port=None),
    "the I²C bus of a reader": _device("reader", driver='"pn532-i2c"', place='"seat-1"', bus=None),
    "the SPI bus of a reader": _device("reader", driver='"pn532-spi"', place='"seat-1"', bus=None),
    "the port of a box": _device("buzzers", driver='"pico"', seats="[1, 2]", port=None),
    "the chip of buttons": _device("buzzers", driver='"gpiod"', pins="{1 = 17}", chip=None),
}
FILES = (
    *("table.toml", "table.toml.last", "tags.toml", "log.sqlite", "log.sqlite-wal", "log.sqlite.lock"),
    *("log.sqlite.phones", "log.sqlite.phones.last", "log.sqlite.world", "log.sqlite.questions"),
    *("log.sqlite.results", "log.sqlite.club", "log.sqlite.messages", "log.sqlite.asked"),
)
IN_A_CLUB = '[club]\nbroker = "mqtt://127.0.0.1:1"\nclub = "c"\nname = "W"\n'


@pytest.fixture
def backed_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[Kept]:
    """A table in a folder that any user enters."""
    for module in (table_in_play, first_aid, setting_up):
        monkeypatch.setattr(module, "serve", served)
    monkeypatch.setattr(run, "log_to_stderr", lambda: None)
    with reachable_folder() as folder:
        backed_up = Kept(folder)
        Phones(phones_of(backed_up.log))
        for path in (backed_up.settings, backed_up.tags, phones_of(backed_up.log)):
            keep_copy(path)
        put_strange_files(backed_up.folder)
        yield backed_up


def page_of(settings: Path) -> str:
    """Start a table as `companion run` does; return the page that phones then find."""
    command = run.run.callback
    assert command
    with pytest.raises(PageIsServed) as page:
        command(settings, False)
    return str(page.value)


def with_port(settings: str) -> str:
    """Return settings with a free port of this machine alone, unless they name another."""
    if "[page]" not in settings:
        return f'{settings}[page]\nhost = "127.0.0.1"\nport = {free_port()}\n'
    return settings.replace("[page]\n", f"[page]\nport = {free_port()}\n")


@pytest.mark.parametrize("setting", FILE_SETTINGS)
@pytest.mark.parametrize("name", FILE_NAMES.values(), ids=FILE_NAMES)
def test_whatever_file_a_setting_names_there_is_a_page(backed_up: Kept, setting: str, name: object) -> None:
    backed_up.settings.write_text(with_port(FILE_SETTINGS[setting](toml(name))))
    page_of(backed_up.settings)


@pytest.mark.parametrize("setting", ADDRESS_SETTINGS)
@pytest.mark.parametrize("address", ADDRESSES.values(), ids=ADDRESSES)
def test_whatever_address_a_setting_names_there_is_a_page(backed_up: Kept, setting: str, address: object) -> None:
    backed_up.settings.write_text(with_port(ADDRESS_SETTINGS[setting](toml(address))))
    page_of(backed_up.settings)


@pytest.mark.parametrize("setting", DEVICE_SETTINGS)
@pytest.mark.parametrize("name", ["", "a NUL", "/dev/null", "/dev/full", "apipe", "afolder", "/proc/self/mem", "aloop"])
def test_whatever_device_a_setting_names_there_is_a_page(backed_up: Kept, setting: str, name: str) -> None:
    beside = name if name.startswith("/") or not name else str(backed_up.folder / name)
    backed_up.settings.write_text(with_port(DEVICE_SETTINGS[setting](toml(beside.replace("a NUL", r"a\u0000b")))))
    page_of(backed_up.settings)


@pytest.mark.parametrize("port", PORTS, ids=lambda port: port[:20])
def test_whatever_port_is_named_there_is_a_page(backed_up: Kept, port: str) -> None:
    backed_up.settings.write_text(f'{TABLE}[page]\nhost = "127.0.0.1"\nport = {port}\n')
    with as_folders_owner(backed_up.folder):
        page_of(backed_up.settings)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
def test_whatever_became_of_a_file_there_is_a_page(backed_up: Kept, name: str, harm: Callable[[Path], object]) -> None:
    backed_up.settings.write_text(with_port(TABLE) + IN_A_CLUB)
    keep_copy(backed_up.settings)
    harm(backed_up.folder / name)
    with as_folders_owner(backed_up.folder):
        page_of(backed_up.settings)


@pytest.mark.parametrize("harm", [as_folder, as_pipe, as_socket, as_loop])
def test_whatever_stands_in_a_files_place_is_moved_aside(backed_up: Kept, harm: Callable[[Path], object]) -> None:
    harm(backed_up.log)
    assert set_aside(backed_up.log)
    assert not os.path.lexists(backed_up.log)
