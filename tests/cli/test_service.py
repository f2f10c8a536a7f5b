"""The systemd unit: what it allows is what the table's devices need, and systemd itself finds nothing wrong with it.

That the companion runs in it was tried on a real systemd; what needs no root and no systemd is tried here.
"""

import errno
import grp
import os
import re
import shutil
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from companion.cli import service
from companion.config import load
from companion.devices import permissions
from companion.devices.drivers import find
from companion.machine import network_files
from companion.machine.table_unit import STATE, unit
from tests.bench.rig import free_port
from tests.cli.program import companion
from tests.cli.test_start_messages import VIRTUAL
from tests.needs import needs

SERIAL = '[[reader]]\ndriver = "pn532-uart"\nplace = "centre"\nport = "{}"\n'
SPI = '[[reader]]\ndriver = "pn532-spi"\nplace = "seat-1"\nchip_select = 5\n'
I2C = '[[reader]]\ndriver = "pn532-i2c"\nplace = "seat-2"\n'
GPIO = '[[buzzers]]\ndriver = "{}"\nseats = [1]\nlines = [17]\n'
GROUPS = frozenset(("dialout", "spi", "i2c", "gpio"))


def table(folder: Path, *sections: str) -> Path:
    settings = folder / "table.toml"
    settings.write_text("".join(sections))
    return settings


def written(folder: Path, *sections: str, groups: frozenset[str] = GROUPS) -> str:
    settings = table(folder, *sections)
    return unit(load(settings), settings, groups)


def allowed(text: str) -> set[str]:
    return set(re.findall(r"^DeviceAllow=(\S+) rw$", text, re.MULTILINE))


def value(text: str, key: str) -> str:
    return "".join(re.findall(rf"^{key}=(.*)$", text, re.MULTILINE))


@pytest.mark.parametrize(
    ("section", "group", "devices"),
    [
        (VIRTUAL, "", set()),
        (SERIAL.format("/dev/ttyUSB0"), "dialout", {"char-ttyUSB"}),
        (SERIAL.format("/dev/ttyACM0"), "dialout", {"char-ttyACM"}),
        (SERIAL.format("/dev/serial/by-id/usb-x"), "dialout", {"char-ttyUSB", "char-ttyACM"}),
        (SERIAL.format("/dev/serial0"), "dialout", {"char-ttyAMA", "char-ttyS"}),
        (SERIAL.format("/dev/odd"), "dialout", {"/dev/odd"}),
        (SPI, "spi gpio", {"char-spi", "char-gpiochip"}),
        (I2C, "i2c", {"char-i2c"}),
        (I2C + "reset = 4\n", "i2c gpio", {"char-i2c", "char-gpiochip"}),
        (GPIO.format("gpiod"), "gpio", {"char-gpiochip"}),
        (GPIO.format("rpi-gpio"), "gpio", {"char-gpiochip", "char-*gpiomem*"}),
    ],
)
def test_it_gets_the_groups_and_devices_of_its_drivers_and_no_more(
    tmp_path: Path, section: str, group: str, devices: set[str]
) -> None:
    text = written(tmp_path, section)
    assert value(text, "SupplementaryGroups") == group
    assert allowed(text) == devices
    assert value(text, "DevicePolicy") == "closed"


def test_every_driver_says_what_it_needs() -> None:
    for section in ("reader", "buzzers"):
        for name, module in find(section).items():
            if name != "virtual":
                assert hasattr(getattr(module, section.capitalize()), "needs"), name


def test_what_is_plugged_in_later_is_known_to_the_kernel_by_then(tmp_path: Path) -> None:
    text = written(tmp_path, SERIAL.format("/dev/serial/by-id/usb-x"), SPI)
    for module in ("usbserial", "cdc_acm", "spidev"):
        assert f"modprobe@{module}.service" in value(text, "Wants")
        assert f"modprobe@{module}.service" in value(text, "After")


def test_a_group_that_this_machine_has_not_is_left_out(tmp_path: Path) -> None:
    text = written(tmp_path, SPI, I2C, groups=frozenset(("i2c",)))
    assert value(text, "SupplementaryGroups") == "i2c"


def test_a_page_at_a_low_port_may_be_opened_and_nothing_else_is_granted(tmp_path: Path) -> None:
    assert value(written(tmp_path, VIRTUAL), "CapabilityBoundingSet") == ""
    low = written(tmp_path, VIRTUAL, "[page]\nport = 80\n")
    assert value(low, "CapabilityBoundingSet") == value(low, "AmbientCapabilities") == "CAP_NET_BIND_SERVICE"


def test_a_path_is_one_word_whatever_is_in_it(tmp_path: Path) -> None:
    odd = tmp_path / 'a 50% "$HOME"'
    odd.mkdir()
    assert r'50%% \"$$HOME\"/table.toml"' in value(written(odd, VIRTUAL), "ExecStart")


def printed(folder: Path, *sections: str) -> Path:
    """What `--print` prints, as a file."""
    unit_file = folder / "table-companion.service"
    unit_file.write_text(companion("service", "install", "--print", table(folder, *sections)).stdout)
    return unit_file


EVERYTHING = (SERIAL.format("/dev/serial/by-id/usb-x"), SPI, I2C, GPIO.format("gpiod"))


def test_it_runs_the_table_in_its_own_folder(tmp_path: Path) -> None:
    text = printed(tmp_path, *EVERYTHING).read_text()
    assert value(text, "ExecStart").endswith(f'run "{STATE}/table.toml"')
    groups = {group.gr_name for group in grp.getgrall()}
    assert set(value(text, "SupplementaryGroups").split()) <= groups


@pytest.fixture
def systemd_analyze() -> str:
    needs("systemd-analyze", shutil.which("systemd-analyze"))
    return "systemd-analyze"


@pytest.mark.parametrize("sections", [EVERYTHING, (VIRTUAL, "[page]\nport = 80\n"), (GPIO.format("rpi-gpio"),)])
def test_systemd_finds_nothing_wrong_with_it(tmp_path: Path, systemd_analyze: str, sections: tuple[str, ...]) -> None:
    words = [systemd_analyze, "verify", printed(tmp_path, *sections)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_systemd_rates_it_as_well_confined(tmp_path: Path, systemd_analyze: str) -> None:
    words = [systemd_analyze, "security", "--offline=true", "--threshold=20", printed(tmp_path, *EVERYTHING)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


# What it writes beside the unit


@pytest.fixture
def network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The network's files, in folders of this test; the program that reads the last is not installed."""
    paths = [tmp_path / name / "file" for name in ("avahi", "polkit", "dnsmasq")]
    monkeypatch.setattr(network_files, "PATHS", paths)
    for path in paths[:2]:
        path.parent.mkdir()
    return paths


@pytest.mark.parametrize("wifi", [True, False])
def test_an_update_too_renews_the_networks_files_where_they_are_read(
    tmp_path: Path, network: list[Path], wifi: bool
) -> None:
    settings = table(tmp_path, VIRTUAL, f"[page]\nport = 81\n[network]\nwifi = {str(wifi).lower()}\n")
    units = service.units(load(settings), settings)
    assert [path for path in network if path in units] == (network[:2] if wifi else [])
    assert not wifi or "<port>81</port>" in units[network[0]]


def test_uninstalled_it_leaves_nothing_of_what_was_written_for_it(
    tmp_path: Path, network: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    unit_file = tmp_path / "table-companion.service"
    rules = tmp_path / "70-table-companion.rules"
    for path, text in ((unit_file, "[Install]"), (rules, "udev"), *((path, "network") for path in network[:2])):
        path.write_text(text)
    commands: list[tuple[str, ...]] = []
    monkeypatch.setattr(service, "UNIT", unit_file)
    monkeypatch.setattr(service, "BESIDE", {rules: "udev"})
    monkeypatch.setattr(service, "UDEV", tmp_path)
    monkeypatch.setattr(service, "see_that_it_can_be_installed", lambda: None)
    monkeypatch.setattr(service, "_done", lambda *words: commands.append(words))
    assert len([*service.uninstall()]) == 1
    assert not any(path.exists() for path in (unit_file, rules, *network))
    assert commands == [
        ("systemctl", "disable", "--now", "--quiet", unit_file.name),
        ("systemctl", "daemon-reload"),
        ("udevadm", "control", "--reload"),
    ]


# What the service tells systemd


def test_it_says_that_it_is_ready_when_its_page_answers_and_says_so_again(tmp_path: Path) -> None:
    port = free_port()
    settings = table(tmp_path, f'{VIRTUAL}[page]\nhost = "127.0.0.1"\nport = {port}\n')
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(60)
        environment = os.environ | {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "300000"}
        words = [sys.executable, "-m", "companion", "run", str(settings)]
        running = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL)
        try:
            assert systemd.recv(100) == b"READY=1"
            assert urllib.request.urlopen(f"http://127.0.0.1:{port}/").status == 200
            assert [systemd.recv(100) for _ in range(3)] == [b"WATCHDOG=1"] * 3
        finally:
            running.terminate()
            assert running.wait(60) == 0
        message = systemd.recv(100)
        while message == b"WATCHDOG=1":
            message = systemd.recv(100)
        assert message == b"STOPPING=1"


# By hand


def test_installing_needs_root_and_says_so(tmp_path: Path) -> None:
    done = companion("service", "install", table(tmp_path, VIRTUAL))
    assert done.exit_code == 1
    why = "systemd does not run this machine" if os.geteuid() == 0 else "put sudo before the same command"
    assert why in done.stderr


def test_a_device_that_the_service_may_not_use_is_not_a_matter_of_groups() -> None:
    assert "sudo companion service install" in str(
        permissions.SPI.refusal("/dev/spidev0.0", OSError(errno.EPERM, "no"))
    )
    assert "usermod -aG spi $USER" in str(permissions.SPI.refusal("/dev/spidev0.0", OSError(errno.EACCES, "no")))
