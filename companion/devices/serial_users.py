"""Who else uses a serial port: what reads along eats answers, and nothing in the answers shows it.

ModemManager opens each new port for half a minute, brltty takes CP2102 adapters away. What root has open only root can
see, so a program that is known for that is named if it runs at all.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PROCESSES = Path("/proc")
KNOWN = {
    "ModemManager": "sudo systemctl disable --now ModemManager",
    "brltty": "sudo apt-get remove brltty",
}
"""Programs that take serial ports unasked, by the name that the kernel shows, and what stops each."""


def told(port: str) -> str:
    """Return a sentence on other programs that use a port, or are known to; "" if there is none."""
    users = sorted({name for process, name in _running() if _has_open(process, port)})
    if users:
        return f"Another program has {port} open too: {', '.join(map(_with_cure, users))}."
    suspects = sorted({name for _, name in _running() if name in KNOWN})
    if suspects:
        return f"A program runs here that takes serial ports: {', '.join(map(_with_cure, suspects))}."
    return ""


def _with_cure(name: str) -> str:
    return f"{name} (stop it: {KNOWN[name]})" if name in KNOWN else f"{name} (stop it)"


def _running() -> Iterator[tuple[Path, str]]:
    """Yield every other process, and its name."""
    for process in PROCESSES.glob("[0-9]*"):
        if process.name != str(os.getpid()):
            with suppress(OSError):
                yield process, (process / "comm").read_text(errors="replace").strip()


def _has_open(process: Path, port: str) -> bool:
    try:
        opened = [*(process / "fd").iterdir()]
    except OSError:  # it is another user's, or has ended
        return False
    return any(_leads_to(link, os.path.realpath(port)) for link in opened)


def _leads_to(link: Path, device: str) -> bool:
    try:
        return os.readlink(link) == device
    except OSError:
        return False
