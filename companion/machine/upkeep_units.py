"""The units beside the table's own, where several versions are installed: for a version on trial, the host's wishes,
and USB sticks.
"""

from pathlib import Path

from companion.machine.table_unit import NAME
from companion.versions import launcher
from companion.versions.host_wishes import HostWish, updates
from companion.versions.launcher import ROOT

UDEV = Path("/etc/udev/rules.d")
UNITS = Path("/etc/systemd/system")
_WRITTEN = "# Written by `companion service install`."

_WATCH = f"""\
{_WRITTEN}
[Unit]
Description=Watch the table's new version, and go back to the previous one if it fails
ConditionPathExists={ROOT}/trial.json
After={NAME}.service

[Service]
ExecStart=/usr/bin/python3 -I {ROOT}/launcher.py watch

[Install]
WantedBy=multi-user.target
"""


def _heard(wish: HostWish) -> str:
    return f"""\
{_WRITTEN}
[Unit]
Description=Hear the host's page wish: {wish.value}

[Path]
PathExists=/run/{NAME}/{wish.value}

[Install]
WantedBy=multi-user.target
"""


def _fulfilled(wish: HostWish, does: str, within_s: int) -> str:
    return f"""\
{_WRITTEN}
[Unit]
Description=Do what the host's page wishes: {wish.value}

[Service]
Type=oneshot
TimeoutStartSec={within_s}
ExecStart={does}
ExecStopPost=/bin/rm -f /run/{NAME}/{wish.value}
"""


_WITHIN_S = {HostWish.UPDATE: 7200, HostWish.OFF: 60, HostWish.CLOCK: 60}
"""Timeout for each wish, in seconds."""

# The page has checked that no match is on: one abandoned before its end is resumed afterwards.
_DOES = {
    HostWish.UPDATE: f"{ROOT}/current/bin/companion update --anyway {updates(ROOT)}",
    HostWish.OFF: "/bin/systemctl poweroff",
    HostWish.CLOCK: f"{ROOT}/current/bin/python -I -m companion.cli.clock_setting /run/{NAME}/{HostWish.CLOCK.value}",
}

_STICK = f"""\
{_WRITTEN}
[Unit]
Description=Back up to the stick that is plugged in, and take an update from it

[Service]
Type=oneshot
TimeoutStartSec=900
PrivateMounts=yes
ExecStart={ROOT}/current/bin/python -I -m companion.cli.usb_stick /dev/%I
"""

_PLUGGED = f"""\
{_WRITTEN}
ACTION=="add", SUBSYSTEM=="block", ENV{{ID_BUS}}=="usb", ENV{{ID_FS_USAGE}}=="filesystem", TAG+="systemd", \\
  ENV{{SYSTEMD_WANTS}}+="{NAME}-stick@%k.service"
"""

LAUNCHER = ROOT / "launcher.py"
"""A copy outside any version, from the version that was trusted when the service was last installed."""

BESIDE = {
    LAUNCHER: Path(launcher.__file__).read_text(encoding="utf-8"),
    UDEV / f"70-{NAME}.rules": _PLUGGED,
    UNITS / f"{NAME}-stick@.service": _STICK,
    UNITS / f"{NAME}-watch.service": _WATCH,
    **{UNITS / f"{NAME}-{wish.value}.path": _heard(wish) for wish in HostWish},
    **{UNITS / f"{NAME}-{wish.value}.service": _fulfilled(wish, does, _WITHIN_S[wish]) for wish, does in _DOES.items()},
}
"""The text of each file, by path."""
