"""Finds other programs that use a serial port: one that reads from it takes answers away without a trace.

ModemManager opens each new port for half a minute, brltty takes CP2102 adapters over. Only root can see which files
root's processes have open, so a program known for this is named if it runs at all.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

PROCESSES = Path("/proc")
KNOWN = {
    "ModemManager": "sudo systemctl disable --now ModemManager",
    "brltty": "sudo apt-get remove brltty",
}
"""Programs that take serial ports unasked, by their process names, and the command that stops each."""


class Users(Struct, frozen=True):
    """The programs that use a port, or may."""

    port: str = ""
    names: tuple[str, ...] = ()
    """Their process names."""
    have_it_open: bool = False
    """Whether they were seen to have the port open; else they are only known for taking ports."""

    def __str__(self) -> str:
        """Return a sentence on them; "" if there are none."""
        if not self.names:
            return ""
        if self.have_it_open:
            return f"Another program has {self.port} open too: {', '.join(map(_with_cure, self.names))}."
        return f"A program runs here that takes serial ports: {', '.join(map(_with_cure, self.names))}."

    @property
    def programs(self) -> str:
        """Their names, each with the command that stops it if one is known."""
        return ", ".join(f"{name} ({KNOWN[name]})" if name in KNOWN else name for name in self.names)


NOBODY = Users()


def users_of(port: str) -> Users:
    """Return the programs that have a port open or, if none is seen to, those known for taking ports."""
    users = sorted({name for process, name in _running() if _has_open(process, port)})
    if users:
        return Users(port, tuple(users), have_it_open=True)
    suspects = sorted({name for _, name in _running() if name in KNOWN})
    return Users(port, tuple(suspects)) if suspects else NOBODY


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
