"""A card makes a table of its machine: from whatever step the power failed at, the next boot goes on."""

import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from companion.versions import first_boot, launcher
from companion.versions.installing import CantInstall
from companion.versions.launcher import WHOLE
from hardware.sd_card import firstboot

WIFI = 'psk="eight letters"\n'


class PowerCut(Exception):
    """Nothing more is done."""


@pytest.fixture
def card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    def install(_: Path, root: Path) -> str:
        (root / "versions/1.0").mkdir(parents=True, exist_ok=True)
        (root / "versions/1.0" / WHOLE).touch()
        return "1.0"

    monkeypatch.setattr(first_boot, "install", install)
    folder = tmp_path / "card"
    folder.mkdir()
    (folder / "card.toml").write_text('hostname = "window"\nlanguage = "fr"\n')
    (folder / "wifi.nmconnection").write_text(WIFI)
    (tmp_path / "etc").mkdir()
    (tmp_path / "usr/local/bin").mkdir(parents=True)
    return folder


def run(*command: str) -> None:
    """Nothing here needs to be done."""


def is_made(system: Path) -> Iterator[bool]:
    root = system / "opt/table-companion"
    connection = system / "etc/NetworkManager/system-connections/table.nmconnection"
    yield launcher.current(root) == "1.0"
    yield (root / first_boot.MADE).exists()
    yield (system / "etc/hostname").read_text() == "window\n"
    yield (system / "etc/hosts").read_text().count("window") == 1
    yield 'language = "fr"' in (system / "var/lib/table-companion/table.toml").read_text()
    yield connection.read_text() == WIFI
    yield connection.stat().st_mode & 0o777 == 0o600
    yield not (system / "card/wifi.nmconnection").exists()  # anybody could have read its password there


def test_whatever_was_interrupted_is_gone_on_with(card: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = first_boot.sync
    left = 0

    def sync(path: Path) -> None:
        nonlocal left
        left -= 1
        if not left:
            raise PowerCut
        whole(path)

    monkeypatch.setattr(first_boot, "sync", sync)
    for steps in range(1, 12):
        left = steps
        with suppress(PowerCut):
            list(first_boot.make_table(card, tmp_path, run))
    left = 0
    list(first_boot.make_table(card, tmp_path, run))
    assert all(is_made(tmp_path))


class Pi:
    """A Pi that refuses what raspi-config asks, and notes it."""

    def __init__(self, system: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("shutil.which", lambda name: name if name == "raspi-config" else None)
        self.config = system / "boot/firmware/config.txt"
        self.config.parent.mkdir(parents=True)
        self.config.write_text("dtparam=audio=on\n")
        self.asked: list[tuple[str, ...]] = []
        self.restarts = 0

    def run(self, *command: str) -> None:
        self.restarts += command[-1] == "reboot"
        if command[0] == "raspi-config":
            self.asked.append(command[2:])
            raise CantInstall("not a Pi")


@pytest.fixture
def pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pi:
    return Pi(tmp_path, monkeypatch)


def test_a_pi_has_its_buses_switched_on_and_its_radio_where_the_country_is_known(
    card: Path, tmp_path: Path, pi: Pi
) -> None:
    (card / "card.toml").write_text('country = "FR"\n')
    list(first_boot.make_table(card, tmp_path, pi.run))
    assert pi.asked == [("do_spi", "0"), ("do_i2c", "0"), ("do_wifi_country", "FR")]
    assert (tmp_path / "opt/table-companion" / first_boot.MADE).exists()  # what it refuses costs no table


def test_the_guides_chip_selects_are_freed_by_one_line_and_one_restart(card: Path, tmp_path: Path, pi: Pi) -> None:
    for _ in range(2):
        list(first_boot.make_table(card, tmp_path, pi.run))
    assert pi.config.read_text() == "dtparam=audio=on\n\n[all]\ndtoverlay=spi0-0cs\n"
    assert pi.restarts == 1


def test_a_reader_that_the_kernel_selects_keeps_its_chip_select(card: Path, tmp_path: Path, pi: Pi) -> None:
    (card / "table.toml").write_text('[[reader]]\nplace = "centre"\ndriver = "pn532-spi"\n')
    list(first_boot.make_table(card, tmp_path, pi.run))
    assert "spi0-0cs" not in pi.config.read_text()
    assert not pi.restarts


@pytest.mark.parametrize(
    ("reader", "on"),
    [
        ("", False),
        ('[[reader]]\ndriver = "pn532-spi"\nchip_select = 7', False),
        ('[[reader]]\ndriver = "pn532-i2c"', True),
        ('[[reader]]\ndriver = "pn532-i2c"\nbus = "/dev/i2c-3"', False),  # it would take that bus's pins
        ("no toml", True),  # the search of the setup looks there
    ],
)
def test_i2c_is_switched_on_only_for_readers_on_it(card: Path, tmp_path: Path, pi: Pi, reader: str, on: bool) -> None:
    (card / "table.toml").write_text(reader)
    list(first_boot.make_table(card, tmp_path, pi.run))
    assert (("do_i2c", "0") in pi.asked) == on


def test_a_card_says_what_it_was_written_with(card: Path) -> None:
    (card / "card.toml").write_text(firstboot.card("window", "fr", "FR"), encoding="utf-8")
    assert first_boot.read_card(card) == first_boot.FreshCard("window", "fr", "FR")


def test_what_an_editor_of_windows_puts_before_a_text_and_at_its_lines_ends_changes_nothing(card: Path) -> None:
    written = firstboot.card("table", "de").replace('country = ""', 'country = "DE"').replace("\n", "\r\n")
    (card / "card.toml").write_text(written, encoding="utf-8-sig", newline="")
    assert first_boot.read_card(card) == first_boot.FreshCard("table", "de", "DE")


@pytest.mark.parametrize("text", ['hostname = "a b; reboot"', "hostname = 7", "no toml", 'language = "tlh"'])
def test_what_is_wrong_on_the_card_counts_as_not_said(card: Path, text: str) -> None:
    (card / "card.toml").write_text(text)
    assert first_boot.read_card(card) == first_boot.FreshCard()


@pytest.mark.parametrize("script", [firstboot.BEGIN, firstboot.firstrun()])
def test_the_scripts_for_a_card_are_such(script: str) -> None:
    subprocess.run(["sh", "-n"], input=script, text=True, check=True)
