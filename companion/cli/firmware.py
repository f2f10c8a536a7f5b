"""`companion firmware`: put the buzzer box's program on a Raspberry Pi Pico, and test the box."""

import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec

import click

from companion.cli.options import PORT
from companion.cli.output import print_lines
from companion.devices.buzzer_box import programs
from companion.devices.buzzer_box.faults import Lost
from companion.devices.buzzer_box.inquiry import Asking
from companion.devices.buzzer_box.programs import Program
from companion.devices.buzzer_box.protocol import Show, ShowCounted
from companion.devices.faults import FaultCode
from companion.devices.lamp_cues import Cue
from companion.devices.serial_ports import picos
from companion.errors import PIP, NotNow

BACK_S = 20.0
PRESSED_S = 15.0
_LOOK_S = 1.0
_NUMBER_LOOKS = 4  # a pause and the number; a box that hears nothing for two seconds shows that
_COPY_S = 120.0
_SPEAKS_NOT = (FaultCode.NO_BOX, FaultCode.SILENT)
_CHANNELS = {
    "+": "stamps",
    "c": "is closed: held down, or its wires touch",
    "t": "stamps at a wrong time: change the Pico",
    "-": "does not stamp: change the Pico",
}
LOOKS = {
    Cue.WAITING: "blue, slowly blinking",
    Cue.READING: "amber, fast blinking",
    Cue.READ: "green",
    Cue.REFUSED: "red, bright, blinking with short gaps",
    Cue.ERROR: "red, blinking",
    Cue.FIRST: "white, bright",
    Cue.PLAYING: "blue, dim",
    Cue.BREAK: "amber, dim, very slowly blinking",
    Cue.OVER: "white, dim",
    Cue.OFF: "dark",
}
"""How the lamps show each cue, in words, so that people notice a lamp with swapped colours."""
_NUMBER = 7
NUMBER_LOOK = "blue, blinking a number: long for each five, short for each one"
_BEGUN = {
    "power": "power-up",
    "reset": "a reset",
    "watchdog": "its watchdog, after the program hung",
}
_BLANK = """\
If MicroPython is not on the Pico yet: hold its BOOTSEL button while you plug it in, and copy the release's file
-box.uf2, which makes it the box at once, onto the drive RPI-RP2 (RP2350) that appears; or the newest .uf2 file from
https://micropython.org/download/RPI_PICO/ (a Pico 2: RPI_PICO2), and then try again. If the box does not listen: hold
its first two buttons while you plug it in. Then try again."""
_NOT_FOR = re.compile(r"RuntimeError: (this firmware is for .*)")


@click.group(epilog="COMMAND --help says more, including the exit status.")
def firmware() -> None:
    """The buzzer box's program, on a Raspberry Pi Pico."""


@firmware.command(epilog="Exit status: 0 installed and answering; 1 it can't be done, for the reason given.")
@PORT
@click.option(
    "--as",
    "program",
    type=click.Choice(list(Program)),
    default=Program.BOX,
    show_default=True,
    help="The buzzer box, or the finger that `companion check --zero` tests it with.",
)
def install(port: str | None, program: Program) -> None:
    """Copy the firmware to a Pico that runs MicroPython, start it, and check that it answers.

    Needs mpremote (the extra `firmware`); without it, says what to do by hand. A running box is asked to make room.
    """
    print_lines(put_on(find(port), program))


@firmware.command(epilog="Exit status: 0 a box answers; 1 none does.")
@PORT
def version(port: str | None) -> None:
    """Ask which firmware a box runs, and whether this companion brings another."""
    print_lines(identify(find(port)))


@firmware.command(epilog="Exit status: 0 all is well; 1 something is not, or no box answers.")
@PORT
def test(port: str | None) -> None:
    """Have a box test its buttons' stamps, and show every cue on its lamps. Not while people play."""
    print_lines(test_itself(find(port)))


@firmware.command(epilog="Exit status: 0 every button was pressed; 1 some were not, or no box answers.")
@PORT
def bounces(port: str | None) -> None:
    """Have each button pressed in turn, and report how its contact bounces. Not while people play."""
    print_lines(measure_bounces(find(port)))


def find(port: str | None) -> str:
    """Return the given port, or that of the only Pico. Raises `NotNow`."""
    if port:
        return port
    ports = picos()
    if not ports:
        raise NotNow(f"no Pico is on USB. Use a cable that carries data, not only power.\n{_BLANK}")
    if len(ports) > 1:
        raise NotNow(f"more than one Pico is on USB: choose one with --port: {', '.join(ports)}")
    return ports[0]


def identify(port: str) -> Iterator[str]:
    """Yield lines on the firmware of the box at a port. Raises `Lost` and `NotNow`."""
    with Asking(port) as box:
        hello = box.hello()
    brought = _own_version()
    yield f"firmware {hello.firmware} with {hello.buttons} buttons at {port}"
    if hello.firmware != brought:
        yield f"this companion brings {brought}: companion firmware install --port {port}"


def test_itself(port: str) -> Iterator[str]:
    """Have a box test itself and show every cue on its lamps; yield the result. Raises `Lost` and `NotNow`."""
    with Asking(port) as box:
        tested = box.test()
        yield f"MicroPython {tested.python}, {tested.free} bytes free, started by {_BEGUN[tested.begun]}"
        for button, channel in enumerate(tested.channels, 1):
            yield f"button {button} {_CHANNELS[channel]}"
        yield f"the buttons' lamps show: waiting, {_NUMBER} counted: {NUMBER_LOOK}"
        for _ in range(_NUMBER_LOOKS):
            for button in range(1, len(tested.channels) + 1):
                box.show(ShowCounted(button, _NUMBER))
            time.sleep(_LOOK_S)
        for cue, look in LOOKS.items():
            for button in range(len(tested.channels) + 1):
                box.show(Show(button, cue))
            yield f"all lamps show: {cue}: {look}"
            time.sleep(_LOOK_S)
    if tested.channels.strip("+"):
        raise NotNow("not every button is as it should be")


def measure_bounces(port: str) -> Iterator[str]:
    """Have every button pressed in turn; yield how its contact bounced. Raises `Lost` and `NotNow`."""
    missed = []
    with Asking(port) as box:
        for button in range(1, box.hello().buttons + 1):
            yield f"press button {button} …"
            bounces = box.bounces(button, PRESSED_S)
            if bounces is None:
                missed.append(str(button))
                yield f"button {button} was not pressed"
                continue
            outcome = (
                f"bounces for {bounces.settled / 1000:.2f} ms ({bounces.edges} edges)"
                if bounces.settled
                else "does not bounce"
            )
            yield f"button {button} {outcome}" + (
                "" if bounces.contact == "closed" else "; it was open again after 30 ms"
            )
    if missed:
        raise NotNow(f"not every button was pressed, or its wires are loose: {', '.join(missed)}")


def put_on(port: str, program: Program = Program.BOX) -> Iterator[str]:
    """Copy the firmware to the Pico at a port, start it, and check that it answers. Raises `Lost` and `NotNow`."""
    brought = _own_version(program)
    if not find_spec("mpremote"):
        raise NotNow(
            "mpremote is needed to copy the files. Install it with\n"
            f"    {PIP} install mpremote\n"
            "and try again; or, with mpremote from elsewhere, while no firmware runs on the Pico,\n"
            f"    {shlex.join(['mpremote', *_mpremote_arguments(port, program)])}"
        )
    yield _free_port(port)
    _copy(port, program)
    yield f"copied {len(programs.files(program))} files; starting"
    due = time.monotonic() + BACK_S
    last = "nothing answers"
    while time.monotonic() < due:
        try:
            with Asking(port) as box:
                firmware = box.hello().firmware
        except Lost as lost:
            last = str(lost)
            time.sleep(0.2)
            continue
        if firmware != brought:
            raise NotNow(
                f"the box at {port} still says firmware {firmware}, not {brought}: unplug it and plug it in again"
            )
        yield f"firmware {firmware} runs at {port}"
        return
    raise NotNow(f"the files are on the Pico, but it does not come back as a box: {last}")


def _own_version(program: Program = Program.BOX) -> str:
    if version := programs.version(program):
        return version
    raise NotNow(f"the firmware's files are not in {programs.FOLDER}: install the companion again")


def _free_port(port: str) -> str:
    """Have a running box give up its port for MicroPython's prompt; return what was done. Raises `Lost`."""
    with Asking(port) as box:
        try:
            hello = box.hello()
        except Lost as lost:
            if lost.fault.code not in _SPEAKS_NOT:
                raise
            return f"no firmware runs at {port} yet"
        box.give_way(hello.boot)
    return f"firmware {hello.firmware} at {port} has made room"


def _mpremote_arguments(port: str, program: Program) -> list[str]:
    """Return mpremote's arguments: to check that the files are for this Pico, copy them, and restart it."""
    run = ["run", str(programs.FOLDER / "chip_registers.py")]
    copy = ["fs", "cp", *map(str, programs.files(program)), ":"]
    return ["connect", port, *run, "+", *copy, "+", "reset"]


def _copy(port: str, program: Program) -> None:
    command = [sys.executable, "-m", "mpremote", *_mpremote_arguments(port, program)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_COPY_S)
    except subprocess.TimeoutExpired:
        raise NotNow(f"the Pico at {port} does not answer mpremote.\n{_BLANK}") from None
    if done.returncode:
        if unfit := _NOT_FOR.search(done.stderr + done.stdout):
            raise NotNow(f"{unfit[1]}: nothing was copied")
        why = (done.stderr.strip() or done.stdout.strip() or "no reason given").splitlines()[-1]
        raise NotNow(f"mpremote could not copy to {port}: {why}\n{_BLANK}")
