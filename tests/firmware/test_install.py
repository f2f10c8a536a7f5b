"""`companion firmware`, with the real mpremote, on an emulated Pico."""

import shlex
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from companion.cli import firmware, main
from companion.devices.buzzer_box import programs
from companion.devices.buzzer_box.inquiry import Asking
from companion.devices.buzzer_box.programs import Program
from companion.devices.serial_ports import RASPBERRY_PI
from tests.devices.hearing import cabled
from tests.emulators.box import EmulatedBox
from tests.firmware.pico import ROOT, Pico
from tests.waiting import until


@pytest.fixture(autouse=True)
def hurry(monkeypatch):
    monkeypatch.setattr(firmware, "_LOOK_S", 0.05)


def run(*args):
    return CliRunner().invoke(main, ["firmware", *args])


@pytest.fixture
def blank(monkeypatch):
    """No patience: nothing on it ever answers the box's question."""
    monkeypatch.setattr("companion.devices.buzzer_box.inquiry.ANSWER_S", 0.1)


def port(device, vid=RASPBERRY_PI):
    return SimpleNamespace(device=device, vid=vid, description="x")


def test_it_is_installed_over_an_older_one_that_runs():
    pico = Pico()
    old = pico.flash / "talk.py"
    old.write_text(old.read_text().replace('FIRMWARE = "1.4"', 'FIRMWARE = "0.9"'))
    with pico:
        assert f"install --port {pico.path}" in run("version", "--port", pico.path).output
        done = run("install", "--port", pico.path)
        assert done.exit_code == 0, done.output
        assert f"firmware 0.9 at {pico.path} has made room" in done.output
        assert f"firmware 1.4 runs at {pico.path}" in done.output
        assert (pico.boots, len(pico.started["pins"])) == (["power", "reset"], 6)
        assert run("version", "--port", pico.path).output == f"firmware 1.4 with 6 buttons at {pico.path}\n"
        tested = run("test", "--port", pico.path)
        assert tested.exit_code == 0, tested.output
        assert "started by a reset" in tested.output
        assert tested.output.count("stamps\n") == 6
        assert "all lamps show: first: white, bright\n" in tested.output
        assert "the buttons' lamps show: waiting, 7 counted: blue, blinking a number" in tested.output


def test_what_an_install_runs_first_stops_the_watchdog_that_a_failed_firmware_left_on(tmp_path):
    main = tmp_path / "main.py"
    main.write_text("""from machine import WDT
WDT(timeout=8000)
exec(open("/chip_registers.py").read(), {"__name__": "__main__"})""")
    with Pico(main=main) as pico:
        until(lambda: pico.prompt)
        pico.order("wait", 60_000_000)
        assert pico.boots == ["power"]


def test_a_self_test_tells_what_is_wrong_with_a_button():
    with EmulatedBox() as box:
        box.tested = "+ct-++ watchdog 9000 1.29.0"
        done = run("test", "--port", box.path)
        assert done.exit_code == 1
        results = dict(line.split(" ", 2)[1:] for line in done.output.splitlines() if line.startswith("button"))
        assert [results[n].split(":")[0] for n in "1234"] == [
            "stamps",
            "is closed",
            "stamps at a wrong time",
            "does not stamp",
        ]
        assert "its watchdog" in done.output
        until(lambda: set(box.lamps.values()) == {"off"})


def test_how_the_contacts_bounce_is_told_button_by_button(monkeypatch):
    with cabled(buttons=4) as box:
        monkeypatch.setattr(firmware, "Asking", lambda port: Asking(port, box.time.monotonic, box.time.sleep))
        box.contacts = {1: "closed 6 1480", 3: "open 1 0"}

        def finger():
            for button in (1, 2, 3):
                while box.recording != button:
                    yield 0.01
                box.press(button)

        box.time.go(finger())
        done = run("bounces", "--port", box.path)
    assert done.exit_code == 1
    assert done.output.splitlines()[1::2] == [
        "button 1 bounces for 1.48 ms (6 edges)",
        "button 2 does not bounce",
        "button 3 does not bounce; it was open again after 30 ms",
        "button 4 was not pressed",
    ]
    assert "wires are loose: 4" in done.output


@pytest.mark.usefixtures("blank")
def test_a_pico_that_the_firmware_is_not_for_is_told_and_left_alone():
    with Pico(blank=True, board="Some Board with ESP32") as pico:
        done = run("install", "--port", pico.path)
        assert done.exit_code == 1
        assert "is for a Raspberry Pi Pico or Pico 2, not for Some Board with ESP32: nothing was copied" in done.output
        listed = subprocess.run(
            [sys.executable, "-m", "mpremote", "connect", pico.path, "fs", "ls", ":"], capture_output=True, text=True
        )
    assert listed.returncode == 0
    assert "talk.py" not in listed.stdout


def test_an_older_firmware_is_told_with_the_command_that_replaces_it():
    with EmulatedBox(firmware="0.9") as box:
        done = run("version", "--port", box.path)
        assert done.exit_code == 0
        assert f"companion firmware install --port {box.path}" in done.output


def test_a_firmware_of_another_protocol_is_told(monkeypatch):
    with EmulatedBox(version=0) as box:
        for command in ("version", "install"):
            done = run(command, "--port", box.path)
            assert done.exit_code == 1
            assert "version 0 of the protocol" in done.output


@pytest.mark.parametrize("program", Program)
def test_without_mpremote_it_tells_how_to_copy_the_files_of_that_program(monkeypatch, program):
    monkeypatch.setattr(firmware, "find_spec", lambda name: None)
    done = run("install", "--as", program, "--port", "/dev/ttyACM0")
    assert done.exit_code == 1
    assert "-m pip install mpremote" in done.output
    words = shlex.split(done.output.splitlines()[-1])
    assert words[:3] == ["mpremote", "connect", "/dev/ttyACM0"]
    assert words[words.index("cp") + 1 : words.index(":")] == [str(file) for file in programs.files(program)]


@pytest.mark.usefixtures("blank")
@pytest.mark.parametrize("how", ["fails", "hangs"])
def test_a_pico_that_mpremote_can_not_reach_is_told_with_what_to_do(monkeypatch, how):
    def mpremote(command, **_):
        if how == "hangs":
            raise subprocess.TimeoutExpired(command, 1)
        return subprocess.CompletedProcess(command, 1, "", "Traceback\ncould not enter raw repl\n")

    monkeypatch.setattr(firmware.subprocess, "run", mpremote)
    with Pico(blank=True) as pico:
        done = run("install", "--port", pico.path)
    assert done.exit_code == 1
    assert "BOOTSEL" in done.output
    assert how == "hangs" or "could not enter raw repl" in done.output


@pytest.mark.usefixtures("blank")
def test_a_pico_that_does_not_come_back_is_told(monkeypatch):
    monkeypatch.setattr(firmware.subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0))
    monkeypatch.setattr(firmware, "BACK_S", 0.3)
    with Pico(blank=True) as pico:
        done = run("install", "--port", pico.path)
    assert done.exit_code == 1
    assert "no firmware runs" in done.output
    assert "does not come back" in done.output


def test_a_box_that_still_runs_the_old_one_is_told(monkeypatch):
    monkeypatch.setattr(firmware.subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0))
    with EmulatedBox() as box:
        monkeypatch.setattr(firmware, "_free_port", lambda port: "made room")
        done = run("install", "--port", box.path)
    assert done.exit_code == 1
    assert "still says firmware 1.4-emulated, not 1.4" in done.output


def test_the_only_pico_is_found_by_the_name_that_lasts(monkeypatch, tmp_path):
    device = tmp_path / "ttyACM7"
    device.touch()
    by_id = tmp_path / "by-id"
    by_id.mkdir()
    (by_id / "usb-pico").symlink_to(device)
    monkeypatch.setattr("companion.devices.serial_ports.BY_ID", by_id)
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: [port("/dev/ttyUSB0", 0x1A86), port(str(device))])
    assert firmware.find(None) == str(by_id / "usb-pico")
    assert firmware.find("/dev/ttyX") == "/dev/ttyX"


@pytest.mark.parametrize(
    ("ports", "words"),
    [([], "no Pico is on USB"), ([port("/dev/a", 1)], "no Pico"), ([port("/dev/a"), port("/dev/b")], "/dev/a, /dev/b")],
)
def test_no_pico_or_too_many_are_told(monkeypatch, ports, words):
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: ports)
    done = run("version")
    assert done.exit_code == 1
    assert words in done.output


def test_the_files_are_found_where_the_companion_is_installed(tmp_path):
    """As a wheel has them: a copy of what setuptools would put there, away from the checkout."""
    shutil.copytree(ROOT / "companion", tmp_path / "companion", ignore=shutil.ignore_patterns("__pycache__"))
    program = "from companion.devices.buzzer_box import programs as f; print(f.FOLDER, f.version(), len(f.files()))"
    printed = subprocess.run(
        [sys.executable, "-P", "-c", program], cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, capture_output=True
    )
    assert printed.stdout.decode() == f"{tmp_path / 'companion/firmware'} 1.4 {len(programs.files())}\n"


def test_files_that_are_not_there_are_told(monkeypatch, tmp_path):
    monkeypatch.setattr(programs, "FOLDER", tmp_path)
    done = run("install", "--port", "/dev/x")
    assert done.exit_code == 1
    assert "install the companion again" in done.output
