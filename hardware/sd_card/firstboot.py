"""`make firstboot`: the files that turn a fresh card with Raspberry Pi OS Lite into a table, into build/firstboot.

They go onto the card's first partition, the one that every computer shows. `user-data` is for systems with cloud-init,
`firstrun.sh` for those before; either has systemd start `companion.versions.first_boot` until it has done its work.
"""

import argparse
import re
import shutil
import sys
import uuid
from pathlib import Path
from textwrap import indent

from companion import __version__
from companion.languages import LANGUAGES, SOURCE
from hardware.sd_card.wheels import MACHINES, PYTHONS, build, download

ROOT = Path(__file__).parents[2]
HERE = ROOT / "build/firstboot"
FOLDER = "/boot/firmware/table-companion"

# A service that runs at every boot until the table is made: cloud-init would not repeat what a power cut interrupted.
BEGIN = f"""\
[ ! -e /opt/table-companion/made ] || exit 0
unit=/etc/systemd/system/table-companion-first-boot.service
cat >"$unit.new" <<'UNIT'
[Unit]
Description=Make a table of this machine, once
ConditionPathExists=!/opt/table-companion/made
RequiresMountsFor=/boot/firmware
After=dbus.service

[Service]
Type=oneshot
Environment=PYTHONPATH={FOLDER}/wheels/table_companion-{__version__}-py3-none-any.whl
ExecStart=/usr/bin/python3 -B -m companion.versions.first_boot {FOLDER}
Restart=on-failure
RestartSec=20
StandardOutput=journal+console

[Install]
WantedBy=multi-user.target
UNIT
sync "$unit.new"
mv "$unit.new" "$unit"
systemctl enable table-companion-first-boot.service
sync
"""

USER_DATA = """\
#cloud-config
# Makes a table of this machine at its first boot: https://cloudinit.readthedocs.io says what else may be in here.
{preserved}bootcmd:
  - |
{begin}
    systemctl daemon-reload
    systemctl start --no-block table-companion-first-boot.service
"""

FIRSTRUN = """\
#!/bin/sh
# Makes a table of this machine, where there is no cloud-init. Append to the one line of cmdline.txt beside this file:
# systemd.run=/boot/firmware/firstrun.sh systemd.run_success_action=reboot systemd.unit=kernel-command-line.target
set -eu
{begin}
[ ! -e /boot/firmware/cmdline.txt ] || sed -i 's| systemd\\.[a-z_.]*=[^ ]*||g' /boot/firmware/cmdline.txt
sync
"""

CARD = """\
# Any text editor may change this, until the card's first boot.
hostname = "{hostname}"  # the table is then at http://, this name, .local
language = "{language}"  # of the big screen: {languages}
country = "{country}"  # where the table stands, in two capital letters: without, a Pi keeps its radio off
"""

WIFI = """\
[connection]
id=table
uuid={uuid}
type=wifi

[wifi]
mode=infrastructure
ssid={network}

[wifi-security]
key-mgmt=wpa-psk
psk={password}

[ipv4]
method=auto

[ipv6]
method=auto
"""


def user_data(key: str = "") -> str:
    """Return cloud-init's file; with a public key, its owner can log in as `keeper` by ssh."""
    keeper = ["users:", "  - name: keeper", '    sudo: "ALL=(ALL) NOPASSWD:ALL"', "    shell: /bin/bash"]
    keeper += ["    ssh_authorized_keys:", f'      - "{key}"']
    preserved = "\n".join(["preserve_hostname: true", *(keeper if key else ()), ""])
    return USER_DATA.format(preserved=preserved, begin=indent(BEGIN, "    ").rstrip())


def firstrun() -> str:
    """Return the script for systems without cloud-init. It can run any number of times."""
    return FIRSTRUN.format(begin=BEGIN)


def wifi(network: str, password: str) -> str:
    """Return NetworkManager's file for a Wi-Fi."""
    # In its file a backslash begins an escape, and a line break would begin another setting.
    escaped: dict[str, str | int | None] = {"\\": "\\\\", "\n": "", "\r": ""}
    clean = [text.translate(str.maketrans(escaped)) for text in (network, password)]
    return WIFI.format(uuid=uuid.uuid4(), network=clean[0], password=clean[1])


def card(hostname: str, language: str, country: str = "") -> str:
    """Return the card's description of its table, for people to edit."""
    return CARD.format(hostname=hostname, language=language, country=country, languages=", ".join(LANGUAGES))


def main(args: list[str]) -> int:
    """Write the files; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="hardware.sd_card.firstboot", description="Write what turns a fresh card into a table."
    )
    parser.add_argument("--hostname", default="table", help="the table is then found at http://NAME.local")
    parser.add_argument("--language", choices=LANGUAGES, default=SOURCE)
    parser.add_argument("--wifi", metavar="NETWORK", default="", help="a Wi-Fi to join; without, the table needs none")
    parser.add_argument("--password", default="", help="of the Wi-Fi")
    parser.add_argument("--country", default="", help="where it stands, as in FR: whose radio law applies")
    parser.add_argument("--key", metavar="FILE", type=Path, help="a public key that may log in by ssh, as keeper")
    parser.add_argument("--table", metavar="TABLE.toml", type=Path, help="a table that is already described")
    parser.add_argument("--machines", nargs="+", choices=MACHINES, default=["aarch64"])
    parser.add_argument("--pythons", nargs="+", choices=PYTHONS, default=[*PYTHONS])
    options = parser.parse_args(args)
    if not re.fullmatch("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", options.hostname):
        parser.error("a hostname has lower-case letters, digits and dashes")
    if not re.fullmatch("([A-Z]{2})?", options.country):
        parser.error("a country has two capital letters, as in FR")
    if options.wifi and not 8 <= len(options.password) <= 63:
        parser.error("a Wi-Fi's password has 8 to 63 characters: --password")
    shutil.rmtree(HERE, ignore_errors=True)
    wheels = HERE / "table-companion/wheels"
    wheels.mkdir(parents=True)
    build(wheels)
    for machine in options.machines:
        for python in options.pythons:
            if error := download(python, machine, wheels):
                print(f"Python {python}, {machine}: {error}", file=sys.stderr)
                return 1
    folder = wheels.parent
    (folder / "card.toml").write_text(card(options.hostname, options.language, options.country), encoding="utf-8")
    if options.wifi:
        (folder / "wifi.nmconnection").write_text(wifi(options.wifi, options.password), encoding="utf-8")
    if options.table:
        shutil.copy(options.table, folder / "table.toml")
    (HERE / "user-data").write_text(user_data(options.key.read_text().strip() if options.key else ""))
    (HERE / "meta-data").write_text(f"instance-id: table-companion-{__version__}\n")
    (HERE / "firstrun.sh").write_text(firstrun())
    size = sum(path.stat().st_size for path in HERE.rglob("*") if path.is_file())
    print(f"Copy what is in {HERE} ({size / 1e6:.0f} MB) onto the card's first partition, plug it in, and after a few")
    print(f"minutes open http://{options.hostname}.local")
    if not options.country:
        print("Without --country a Raspberry Pi keeps its radio off: it needs a cable, and opens no Wi-Fi.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
