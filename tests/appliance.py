"""`make appliance`: from a blank system and the files of `make firstboot` to a table that answers, emulated.

Each Debian is made anew with cloud-init, as a disk with a first partition beside it, and boots in QEMU without network
anywhere. In some of its lives it is pulled from power at a random moment; in the last it has to answer with its page.
"""

import argparse
import random
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from hardware.card import firstboot
from tests.fresh import entered, handed_on, made

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build/appliance"
PACKAGES = ("systemd", "systemd-sysv", "dbus", "udev", "python3", "iproute2", "ca-certificates")
LATER = ("libpam-systemd", "cloud-init", "openssh-client", "linux-image-cloud-amd64", "initramfs-tools")
PYTHON = {"bookworm": "3.11", "trixie": "3.13"}
PORT = 18480
ANSWERS_S = 1500
TABLE = """\
[page]
port = 80

[[reader]]
driver = "virtual"
place = "centre"

[[buzzers]]
driver = "virtual"
seats = [1, 2, 3, 4]
"""
FSTAB = """\
/dev/vda / ext4 defaults 0 1
LABEL=CIDATA /boot/firmware vfat x-systemd.device-timeout=15min 0 2
"""  # a busy computer's emulated machine may take minutes to see its disks
NETWORK = "[Match]\nName=e*\n[Network]\nDHCP=ipv4\n"
APT = {"DEBIAN_FRONTEND": "noninteractive", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}


def blank(debian: str) -> None:
    """Make the disk of a blank system, its kernel beside it."""
    disk = BUILD / f"{debian}.ext4"
    if disk.exists():
        return
    there = made(debian, BUILD, PACKAGES)
    log = BUILD / f"{debian}.log"
    for command in (["update"], ["install", "-y", "--no-install-recommends", *LATER]):
        entered(there, "apt-get", *command, environment=APT | handed_on(), log=log)
    (there / "boot/firmware").mkdir(exist_ok=True)
    (there / "etc/fstab").write_text(FSTAB)
    (there / "etc/systemd/network/wired.network").write_text(NETWORK)
    entered(there, "systemctl", "enable", "systemd-networkd", environment=APT, log=log)
    for file in ("vmlinuz", "initrd.img"):
        shutil.copy((there / file).resolve(), BUILD / f"{debian}-{file}")
    shutil.rmtree(there / "var/cache/apt/archives")
    part = disk.with_suffix(".part")
    subprocess.run(["mkfs.ext4", "-q", "-F", "-d", there, part, "3G"], check=True)
    part.rename(disk)
    subprocess.run(["rm", "-rf", "--one-file-system", there], check=True)


def card(debian: str) -> Path:
    """Write the card: the blank disk, and the first partition with what `make firstboot` writes."""
    table = BUILD / "table.toml"
    table.write_text(TABLE)
    if firstboot.main(["--machines", "x86_64", "--pythons", PYTHON[debian], "--table", str(table)]):
        raise SystemExit(1)
    system = BUILD / f"{debian}-card.ext4"
    subprocess.run(["cp", "--sparse=always", BUILD / f"{debian}.ext4", system], check=True)
    first = BUILD / f"{debian}-card.vfat"
    first.unlink(missing_ok=True)
    subprocess.run(["mkfs.vfat", "-C", "-n", "CIDATA", first, "131072"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["mcopy", "-s", "-i", first, *firstboot.HERE.iterdir(), "::"], check=True)
    return system


def boot(debian: str, system: Path) -> subprocess.Popen[bytes]:
    """Plug the machine in."""
    options = "root=/dev/vda rw console=ttyS0 no_timer_check quiet systemd.show_status=no panic=-1"
    machine = [
        # A plain processor: what QEMU 7 emulates of the newest ones makes Debian 13's kernel fail.
        *(
            "qemu-system-x86_64",
            "-accel",
            "tcg",
            "-cpu",
            "Nehalem",
            "-m",
            "1024",
            "-display",
            "none",
            "-monitor",
            "none",
        ),
        *("-kernel", BUILD / f"{debian}-vmlinuz", "-initrd", BUILD / f"{debian}-initrd.img", "-append", options),
        *("-drive", f"file={system},format=raw,if=virtio"),
        *("-drive", f"file={system.with_suffix('.vfat')},format=raw,if=virtio"),
        *("-nic", f"user,restrict=on,model=virtio-net-pci,hostfwd=tcp:127.0.0.1:{PORT}-:80"),
        *("-serial", f"file:{BUILD / f'{debian}-console.log'}"),
    ]
    return subprocess.Popen(machine, stdin=subprocess.DEVNULL)


def answers(machine: subprocess.Popen[bytes]) -> float:
    """Wait until the table answers; give the seconds that took. Raises `TimeoutError`."""
    began = time.monotonic()
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while time.monotonic() - began < ANSWERS_S and machine.poll() is None:
        try:
            if direct.open(f"http://127.0.0.1:{PORT}/", timeout=20).status == 200:
                return time.monotonic() - began
        except OSError:
            time.sleep(1)
    raise TimeoutError(f"it did not answer in {time.monotonic() - began:.0f} s")


def main(args: list[str]) -> int:
    """Say how each Debian became a table; give the exit status."""
    parser = argparse.ArgumentParser(prog="tests.appliance", description="Make tables of blank systems.")
    parser.add_argument("--debians", nargs="+", default=[*PYTHON])
    parser.add_argument("--cuts", type=int, default=0, help="pulled from power so often meanwhile")
    parser.add_argument("--within", type=float, default=300, help="seconds after its start, at the latest")
    parser.add_argument("--seed", type=int, default=20261122)
    asked = parser.parse_args(args)
    chance = random.Random(asked.seed)
    wrong = 0
    for debian in asked.debians:
        BUILD.mkdir(parents=True, exist_ok=True)
        blank(debian)
        system = card(debian)
        for cut in range(asked.cuts):
            machine = boot(debian, system)
            lived = chance.uniform(0, asked.within)
            time.sleep(lived)
            machine.kill()
            machine.wait()
            print(f"{debian}: pulled from power ({cut + 1}) after {lived:.0f} s", flush=True)
        machine = boot(debian, system)
        try:
            print(f"{debian}: a table that answers after {answers(machine):.0f} s", flush=True)
        except TimeoutError as why:
            wrong += 1
            print(f"{debian}: {why}; its console: {BUILD}/{debian}-console.log", flush=True)
        finally:
            machine.kill()
            machine.wait()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
