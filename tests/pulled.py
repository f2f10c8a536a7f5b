"""Pulls of a machine's plug in the middle of a step, each at a random moment, and each followed by a boot of its own.

One run of the step has its disks frozen again and again by QEMU, both at once: that is what a pull at that moment
leaves. What the machine has not written to them is lost; what it has, is there, for the card's own cache is not
emulated. From each that is chosen by lot a machine boots, and has to come back by itself.
"""

import json
import random
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TextIO

from msgspec import Struct

Disks = tuple[Path, ...]
AT_ONCE = 2
"""Machines that boot at once."""
APART_S = 5.0
"""Seconds between two freezings, on the mean: whatever is read afterwards is looked for in as many files."""


class Machine(Struct, frozen=True):
    """A machine that runs, with what it says."""

    running: subprocess.Popen[bytes]
    console: Path
    control: Path

    def has_said(self, words: str) -> bool:
        """Whether its console says this."""
        return self.console.exists() and words in self.console.read_text(errors="replace")

    def pull(self) -> None:
        """Pull its plug."""
        self.running.kill()
        self.running.wait()


Boot = Callable[[Disks, int, str], Machine]
"""Boots a machine from disks, with a port at which its page is, and words for its kernel."""


def fresh(disks: Disks, name: str) -> Disks:
    """Return disks that are as these are, which themselves stay so."""
    overlays = tuple(disk.with_name(f"{name}-{n}.qcow2") for n, disk in enumerate(disks))
    for over, under in zip(overlays, disks, strict=True):
        kind = "qcow2" if under.suffix == ".qcow2" else "raw"
        subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-F", kind, "-b", under, over], check=True)
    return overlays


def frozen(
    machine: Machine, disks: Disks, begun: Callable[[], bool], over: Callable[[], bool], chance: random.Random
) -> list[Disks]:
    """Freeze a machine's disks at random moments from when a step has begun until it is over; return all."""
    while not begun():
        _wait(machine, 0.5)
    left = [disks]
    with socket.socket(socket.AF_UNIX) as control:
        control.connect(str(machine.control))
        qmp = control.makefile("rw")
        _ask(qmp, "qmp_capabilities", {})
        while not over():
            _wait(machine, chance.expovariate(1 / APART_S))
            overlays = tuple(disk.with_name(f"{disk.stem}-{len(left)}.qcow2") for disk in disks)
            acts = [_snapshot(n, path) for n, path in enumerate(overlays)]
            _ask(qmp, "transaction", {"actions": acts})
            left.append(overlays)
    return left[:-1]  # the last is written on


def tried(left: list[Disks], boot: Boot, back: Callable[[Machine, int], float], ports: Sequence[int]) -> list[str]:
    """Boot from each; tell of those that are not back by themselves what is wrong."""

    def comes_back(number: int) -> str:
        port = free.pop()
        began = time.monotonic()
        # By then cloud-init has done its part, and would take a third of the time.
        machine = boot(fresh(left[number], f"back-{port}"), port, "cloud-init=disabled")
        try:
            back(machine, port)
        except TimeoutError as why:
            return f"pull {number + 1}: {why}"
        finally:
            machine.pull()
            free.append(port)
        print(f"pull {number + 1} of {len(left)}: back after {time.monotonic() - began:.0f} s", flush=True)
        return ""

    free = list(ports[:AT_ONCE])
    with ThreadPoolExecutor(AT_ONCE) as together:
        return [wrong for wrong in together.map(comes_back, range(len(left))) if wrong]


def _wait(machine: Machine, seconds: float) -> None:
    if machine.running.poll() is not None:
        raise TimeoutError("the machine ended by itself")
    time.sleep(seconds)


def _snapshot(number: int, path: Path) -> dict[str, object]:
    data = {"device": f"disk-{number}", "snapshot-file": str(path), "format": "qcow2"}
    return {"type": "blockdev-snapshot-sync", "data": data}


def _ask(qmp: TextIO, command: str, words: dict[str, object]) -> None:
    qmp.write(json.dumps({"execute": command, "arguments": words}) + "\n")
    qmp.flush()
    while "return" not in (answer := json.loads(qmp.readline())):
        if "error" in answer:
            raise OSError(answer["error"]["desc"])
