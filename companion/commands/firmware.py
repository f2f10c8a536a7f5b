"""`companion firmware`: put the buzzer box's program on a Raspberry Pi Pico, and ask the box how it is."""

import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from serial.tools import list_ports

from companion.devices.box.asking import Asking
from companion.devices.box.faults import Lost, Trouble
from companion.devices.lamps import Cue
from companion.errors import NotNow as NotNow

FOLDER = Path(__file__).parents[2] / "firmware"
"""Beside the package, in a checkout and where it is installed."""
BY_ID = Path("/dev/serial/by-id")
RASPBERRY_PI = 0x2E8A
"""The vendor's number on USB."""

BACK_S = 20.0
PRESSED_S = 15.0
_LOOK_S = 1.0
_COPY_S = 120.0
_SPEAKS_NOT = (Trouble.NO_BOX, Trouble.SILENT)
_CHANNELS = {
    "+": "stamps",
    "c": "is closed: held down, or its wires touch",
    "t": "stamps at a wrong time: change the Pico",
    "-": "does not stamp: change the Pico",
}
_BEGUN = {
    "power": "power-up",
    "reset": "a reset",
    "watchdog": "its watchdog, after the program stood still",
}
_BLANK = """\
If MicroPython is not on the Pico yet: hold its BOOTSEL button while you plug it in, and copy the newest .uf2 file from
https://micropython.org/download/RPI_PICO/ (a Pico 2: RPI_PICO2) onto the drive RPI-RP2 (RP2350) that appears. If the
box does not listen: hold its first two buttons while you plug it in. Then try again."""
_NOT_FOR = re.compile(r"RuntimeError: (this firmware is for .*)")


def files() -> list[Path]:
    """Give the files that belong on the Pico."""
    return sorted(FOLDER.glob("*.py"))


def own_version() -> str:
    """Give the version of the firmware that is here. Raises `NotNow` where it is not here at all."""
    try:
        found = re.search(r'^FIRMWARE = "(.+)"$', (FOLDER / "talk.py").read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        found = None
    if not found:
        raise NotNow(f"the firmware's files are not in {FOLDER}: install the companion again")
    return found[1]


def find(port: str | None) -> str:
    """Give the port that is meant: the given one, or that of the only Pico there is. Raises `NotNow`."""
    if port:
        return port
    picos = sorted(found.device for found in list_ports.comports() if found.vid == RASPBERRY_PI)
    if not picos:
        raise NotNow(f"no Pico is on USB. Use a cable that carries data, not only power.\n{_BLANK}")
    if len(picos) > 1:
        names = ", ".join(lasting(pico, BY_ID) for pico in picos)
        raise NotNow(f"more than one Pico is on USB: choose with --port. There are {names}")
    return lasting(picos[0], BY_ID)


def lasting(device: str, folder: Path) -> str:
    """Give the name of a port that stays the same over resets and replugs, where it has one."""
    links = sorted(folder.glob("*")) if folder.is_dir() else []
    return next((str(link) for link in links if str(link.resolve()) == device), device)


def version(port: str) -> Iterator[str]:
    """Tell who the box at a port is. Raises `Lost` and `NotNow`."""
    with Asking(port) as box:
        hello = box.hello()
    here = own_version()
    yield f"firmware {hello.firmware} with {hello.buttons} buttons at {port}"
    if hello.firmware != here:
        yield f"this companion brings {here}: companion firmware install --port {port}"


def test(port: str) -> Iterator[str]:
    """Have the box test itself, and show every cue on its lamps. Raises `Lost`."""
    with Asking(port) as box:
        tested = box.test()
        yield f"MicroPython {tested.python}, {tested.free} bytes free, started by {_BEGUN[tested.begun]}"
        for button, channel in enumerate(tested.channels, 1):
            yield f"button {button} {_CHANNELS[channel]}"
        for cue in (*list(Cue)[1:], Cue.OFF):
            for button in range(1, len(tested.channels) + 1):
                box.show(button, cue)
            yield f"all lamps show: {cue}"
            time.sleep(_LOOK_S)
    if tested.channels.strip("+"):
        raise NotNow("not every button is as it should be")


def bounces(port: str) -> Iterator[str]:
    """Have every button pressed in turn, and tell how its contact bounced. Raises `Lost` and `NotNow`."""
    missed = []
    with Asking(port) as box:
        for button in range(1, box.hello().buttons + 1):
            yield f"press button {button} …"
            found = box.bounces(button, PRESSED_S)
            if found is None:
                missed.append(str(button))
                yield f"button {button} was not pressed"
                continue
            how = (
                f"bounces for {found.settled / 1000:.2f} ms ({found.edges} edges)"
                if found.settled
                else "does not bounce"
            )
            yield f"button {button} {how}" + ("" if found.contact == "closed" else "; it was open again after 30 ms")
    if missed:
        raise NotNow(f"not every button was pressed, or its wires are loose: {', '.join(missed)}")


def by_hand(port: str) -> str:
    """Tell the command that copies the files, if the Pico is one they are for."""
    return f"cd {shlex.quote(str(FOLDER))} && mpremote connect {shlex.quote(port)} run chip.py + fs cp *.py : + reset"


def install(port: str) -> Iterator[str]:
    """Copy the firmware to the Pico at a port, start it, and see that it answers. Raises `Lost` and `NotNow`."""
    here = own_version()
    if not find_spec("mpremote"):
        raise NotNow(
            "mpremote is needed to copy the files. Install it with\n"
            f"    {shlex.quote(sys.executable)} -m pip install mpremote\n"
            "and try again; or, with mpremote from elsewhere, while no firmware runs on the Pico,\n"
            f"    {by_hand(port)}"
        )
    yield _made_ready(port)
    _copy(port)
    yield f"copied {len(files())} files; starting"
    due, last = time.monotonic() + BACK_S, "nothing answers"
    while time.monotonic() < due:
        try:
            with Asking(port) as box:
                found = box.hello().firmware
        except Lost as lost:
            last = str(lost)
            time.sleep(0.2)
            continue
        if found != here:
            raise NotNow(f"the box at {port} still says firmware {found}, not {here}: unplug it, and plug it in again")
        yield f"firmware {found} runs at {port}"
        return
    raise NotNow(f"the files are on the Pico, but it does not come back as a box: {last}")


def _made_ready(port: str) -> str:
    """Have a box that runs give up its port; MicroPython's own prompt needs nothing. Raises `Lost`."""
    with Asking(port) as box:
        try:
            hello = box.hello()
        except Lost as lost:
            if lost.trouble not in _SPEAKS_NOT:
                raise
            return f"no firmware runs at {port} yet"
        box.give_way(hello.boot)
    return f"firmware {hello.firmware} at {port} has made room"


def _copy(port: str) -> None:
    command = [sys.executable, "-m", "mpremote", "connect", port]
    command += ["run", str(FOLDER / "chip.py"), "+", "fs", "cp", *map(str, files()), ":", "+", "reset"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_COPY_S)
    except subprocess.TimeoutExpired:
        raise NotNow(f"the Pico at {port} does not answer mpremote.\n{_BLANK}") from None
    if done.returncode:
        if unfit := _NOT_FOR.search(done.stderr + done.stdout):
            raise NotNow(f"{unfit[1]}: nothing was copied")
        why = (done.stderr.strip() or done.stdout.strip() or "no reason given").splitlines()[-1]
        raise NotNow(f"mpremote could not copy to {port}: {why}\n{_BLANK}")
