"""A supply that is too weak is told by whoever knows: the firmware, or the kernel."""

from pathlib import Path

import pytest

from companion.devices import supply
from companion.devices.supply import Supply, finding_of, look, of_throttled
from companion.words import Words


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine of which nothing knows anything."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(supply, "_HWMON", tmp_path / "hwmon")
    (tmp_path / "bin").mkdir()
    return tmp_path


def firmware(machine: Path, script: str) -> None:
    program = machine / "bin/vcgencmd"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)


def sensor(machine: Path, name: str, alarm: str) -> None:
    folder = machine / "hwmon/hwmon1"
    folder.mkdir(parents=True)
    (folder / "name").write_text(f"{name}\n")
    (folder / "in0_lcrit_alarm").write_text(f"{alarm}\n")


@pytest.mark.parametrize(
    ("answer", "means"),
    [
        ("throttled=0x0\n", Supply.GOOD),
        ("throttled=0x50005", Supply.WEAK),
        ("throttled=0x1", Supply.WEAK),
        ("throttled=0x50000", Supply.WAS_WEAK),
        ("throttled=0x80008", Supply.GOOD),
        ("VCHI initialization failed", Supply.UNKNOWN),
        ("", Supply.UNKNOWN),
    ],
)
def test_what_the_firmware_answers_is_read_by_its_bits(answer: str, means: Supply) -> None:
    assert of_throttled(answer) is means


def test_the_firmware_is_asked_first(machine: Path) -> None:
    firmware(machine, "[ $1 = get_throttled ] && echo throttled=0x50005")
    sensor(machine, "rpi_volt", "0")
    assert look() is Supply.WEAK


def test_where_the_firmware_may_not_be_asked_the_kernel_is(machine: Path) -> None:
    firmware(machine, "echo 'Can not open /dev/vcio' >&2; exit 1")
    sensor(machine, "rpi_volt", "1")
    assert look() is Supply.WAS_WEAK


def test_another_machine_knows_nothing_of_its_supply(machine: Path) -> None:
    sensor(machine, "coretemp", "1")
    assert look() is Supply.UNKNOWN


@pytest.mark.parametrize("weak", Supply)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_only_a_weak_supply_has_a_sentence(weak: Supply, language: str) -> None:
    code = finding_of(weak)
    assert bool(code) == (weak in (Supply.WEAK, Supply.WAS_WEAK))
    assert not code or "Raspberry Pi" in Words(None, language).say(code, {})
