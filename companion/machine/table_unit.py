"""The systemd unit of a table: with a user of its own, and access to its own devices and folder only."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import companion
from companion.config import Table
from companion.devices.permissions import EVERYTHING, Access
from companion.versions import launcher

NAME = "table-companion"
"""The name of the unit, its user and its folder."""
STATE = Path("/var/lib") / NAME
"""The service's folder with table.toml, tags and log, which only it may write."""
SETTINGS = STATE / "table.toml"

_HOMES = (Path("/home"), Path("/root"), Path("/run/user"))

_CONFINED = """\
UMask=0077
NoNewPrivileges=yes
ProtectSystem=strict
PrivateTmp=yes
ProtectProc=invisible
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectControlGroups=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
RemoveIPC=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM
"""


def needs(table: Table) -> list[Access]:
    """Return the kinds of access that the table's devices need, each once."""
    if not table.sensors or is_one_of_many():
        return list(EVERYTHING)  # the setup may find any kind of device, now or later
    return list(dict.fromkeys(access for sensor in table.sensors for access in getattr(sensor, "needs", ())))


def program() -> tuple[Path, ...]:
    """Return the interpreter, its library and the companion, which the service's user must be able to read."""
    python = launcher.ROOT / "current/bin/python" if is_one_of_many() else Path(sys.executable)
    return python, python.resolve(), Path(os.__file__), Path(companion.__file__)


def is_one_of_many() -> bool:
    """Return whether this companion is one of several installed versions among which the launcher chooses."""
    return any(Path(sys.executable).is_relative_to(launcher.ROOT / where) for where in ("versions", "current"))


def unit(table: Table, settings: Path, groups: frozenset[str]) -> str:
    """Return the unit's text for a table with the file `settings`; `groups` are those that exist on this machine."""
    return "\n".join(_lines(table, settings, groups)) + "\n" + _CONFINED + _WANTED


_WANTED = """
[Install]
WantedBy=multi-user.target
"""


def _lines(table: Table, settings: Path, groups: frozenset[str]) -> Iterator[str]:
    access = needs(table)
    modules = [f"modprobe@{module}.service" for module in _once(*(kind.modules for kind in access))]
    python = program()[0]
    yield "# Written by `companion service install`, for the devices in table.toml: do it again when they change."
    yield "[Unit]"
    yield "Description=The table companion: a game table that knows its game"
    yield f"After={' '.join(['network.target', *modules])}"
    if modules:
        # DeviceAllow names kinds of devices, which systemd resolves at the start: their modules must be loaded by then.
        yield f"Wants={' '.join(modules)}"
    yield "StartLimitIntervalSec=0"
    yield ""
    yield "[Service]"
    yield "Type=notify"
    if is_one_of_many():
        yield f"RuntimeDirectory={NAME}"
        yield f"ExecStartPre=+/usr/bin/python3 -I {launcher.ROOT}/launcher.py start"
    yield f"ExecStart={_quoted(python)} -I -m companion run {_quoted(settings)}"
    yield f"User={NAME}"
    yield f"StateDirectory={NAME}"
    yield "StateDirectoryMode=0700"
    yield f"CacheDirectory={NAME}"
    yield "CacheDirectoryMode=0700"
    yield f"WorkingDirectory={STATE}"
    if member := [group for group in _once(*((kind.group,) for kind in access)) if group in groups]:
        yield f"SupplementaryGroups={' '.join(member)}"
    yield "Restart=on-failure"
    yield "RestartSec=3"
    yield "RestartPreventExitStatus=2"
    yield "TimeoutStartSec=300"  # on a slow card, checking a long log takes a while
    yield "WatchdogSec=60"
    yield "TimeoutStopSec=20"
    yield "LimitNOFILE=8192"
    yield "MemoryMax=256M"
    yield ""
    yield "DevicePolicy=closed"
    yield from (f"DeviceAllow={device} rw" for device in _once(*(kind.devices for kind in access)))
    low = "CAP_NET_BIND_SERVICE" if table.page.port < 1024 else ""
    yield f"CapabilityBoundingSet={low}"
    yield f"AmbientCapabilities={low}"
    at_home = any(path.is_relative_to(home) for path in program() for home in _HOMES)
    yield f"ProtectHome={'read-only' if at_home else 'yes'}"
    yield f"ProtectKernelTunables={'no' if any(kind.tunes for kind in access) else 'yes'}"


def _once(*groups: tuple[str, ...]) -> list[str]:
    return list(dict.fromkeys(word for group in groups for word in group))


def _quoted(path: Path) -> str:
    """Quote a path so that systemd takes it literally, as one word."""
    text = str(path)
    for special, written in (("\\", "\\\\"), ('"', '\\"'), ("%", "%%"), ("$", "$$")):
        text = text.replace(special, written)
    return f'"{text}"'
