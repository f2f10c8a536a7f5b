"""`make appliance`: from a blank system and the files of `make firstboot` to a table that answers, emulated.

Each Debian is made anew with cloud-init, as a disk with a first partition beside it, and boots in QEMU without network
anywhere, until its page answers. With `CUTS` it is also pulled from power at random moments of that and of an update,
and has to be back after each.
"""

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from functools import partial
from pathlib import Path

from companion import __version__
from companion.versions.packed import pack
from hardware.sd_card import firstboot
from tests.fresh import entered, handed_on, make_debian
from tests.pulled import Boot, Disks, Machine, fresh, frozen, tried

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
KERNEL = "root=/dev/vda rw console=ttyS0 no_timer_check quiet systemd.show_status=no panic=-1"
NEWER = "99.0"
UNIT = Path("/etc/systemd/system/try-update.service")
UPDATE = """\
[Unit]
After=table-companion.service
RequiresMountsFor=/boot/firmware

[Service]
Type=oneshot
StandardOutput=journal+console
ExecStart=/bin/echo update: begins
ExecStart=/usr/local/bin/companion update /boot/firmware/new.update --signers /boot/firmware/signers
"""  # no Debian has it of its own: the kernel's words ask for it where an update is tried
STEPS = (
    ("install", "", "table: its name is", ""),
    ("update", f"systemd.wants={UNIT.name}", "update: begins", "is watched for a few minutes"),
)
"""What is tried, the kernel's words for it, and what the machine says when it begins and is over."""
APT = {"DEBIAN_FRONTEND": "noninteractive", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}


def blank(debian: str) -> None:
    """Make the disk of a blank system, its kernel beside it."""
    disk = BUILD / f"{debian}.ext4"
    if disk.exists():
        return
    root = make_debian(debian, BUILD, PACKAGES)
    log = BUILD / f"{debian}.log"
    for command in (["update"], ["install", "-y", "--no-install-recommends", *LATER]):
        entered(root, "apt-get", *command, environment=APT | handed_on(), log=log)
    (root / "boot/firmware").mkdir(exist_ok=True)
    (root / "etc/fstab").write_text(FSTAB)
    (root / "etc/systemd/network/wired.network").write_text(NETWORK)
    entered(root, "systemctl", "enable", "systemd-networkd", environment=APT, log=log)
    for file in ("vmlinuz", "initrd.img"):
        shutil.copy((root / file).resolve(), BUILD / f"{debian}-{file}")
    shutil.rmtree(root / "var/cache/apt/archives")
    part = disk.with_suffix(".part")
    subprocess.run(["mkfs.ext4", "-q", "-F", "-d", root, part, "3G"], check=True)
    part.rename(disk)
    subprocess.run(["rm", "-rf", "--one-file-system", root], check=True)


def card(debian: str) -> Disks:
    """Write the card: the blank disk, and the first partition with what `make firstboot` writes, and an update."""
    table = BUILD / "table.toml"
    table.write_text(TABLE)
    if firstboot.main(["--machines", "x86_64", "--pythons", PYTHON[debian], "--table", str(table)]):
        raise SystemExit(1)
    newer()
    system = BUILD / f"{debian}-card.ext4"
    subprocess.run(["cp", "--sparse=always", BUILD / f"{debian}.ext4", system], check=True)
    (unit := BUILD / UNIT.name).write_text(UPDATE)
    subprocess.run(["debugfs", "-w", "-R", f"write {unit} {UNIT}", system], check=True, capture_output=True)
    first = BUILD / f"{debian}-card.vfat"
    first.unlink(missing_ok=True)
    subprocess.run(["mkfs.vfat", "-C", "-n", "CIDATA", first, "131072"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["mcopy", "-s", "-i", first, *firstboot.HERE.iterdir(), "::"], check=True)
    return system, first


def newer() -> None:
    """Write an update of the table beside what makes it, and who has signed that."""
    with tempfile.TemporaryDirectory() as scratch:
        clone = Path(scratch) / "clone"
        folder = Path(scratch) / "wheels"
        shutil.copytree(firstboot.HERE / "table-companion/wheels", folder)
        next(folder.glob("table_companion-*.whl")).unlink()
        subprocess.run(["git", "clone", "--quiet", "--depth=1", f"file://{ROOT}", clone], check=True)
        version = clone / "companion/__init__.py"
        version.write_text(version.read_text().replace(f'"{__version__}"', f'"{NEWER}"'))
        pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"]
        subprocess.run([*pip, folder, clone], check=True)
        key = Path(scratch) / "key"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
        pack(folder, NEWER, key, firstboot.HERE / "new.update")
        (firstboot.HERE / "signers").write_text(f"makers {key.with_suffix('.pub').read_text()}")


def boot(debian: str) -> Boot:
    """Return what plugs in a machine of this Debian."""

    def plug_in(disks: Disks, port: int, words: str) -> Machine:
        console = BUILD / f"{debian}-{port}.log"
        control = BUILD / f"{debian}-{port}.sock"
        console.unlink(missing_ok=True)
        drives = [
            option
            for n, disk in enumerate(disks)
            for option in (
                *("-drive", f"file={disk},format={'qcow2' if disk.suffix == '.qcow2' else 'raw'},if=none,id=disk-{n}"),
                *("-device", f"virtio-blk-pci,drive=disk-{n}"),
            )
        ]
        machine: list[str | Path] = [
            # A plain processor: what QEMU 7 emulates of the newest ones makes Debian 13's kernel fail.
            *("qemu-system-x86_64", "-accel", "tcg,tb-size=256", "-cpu", "Nehalem", "-m", "768", "-display", "none"),
            *("-kernel", BUILD / f"{debian}-vmlinuz", "-initrd", BUILD / f"{debian}-initrd.img"),
            *("-append", f"{KERNEL} {words}", *drives),
            *("-nic", f"user,restrict=on,model=virtio-net-pci,hostfwd=tcp:127.0.0.1:{port}-:80"),
            *("-serial", f"file:{console}", "-monitor", "none", "-qmp", f"unix:{control},server=on,wait=off"),
        ]
        running = subprocess.Popen(
            machine, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )  # it tells each freezing
        return Machine(running, console, control)

    return plug_in


def is_there(port: int) -> bool:
    """Whether the table's page is there."""
    try:
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        return bool(direct.open(f"http://127.0.0.1:{port}/", timeout=20).status == 200)
    except OSError:
        return False


def answers(machine: Machine, port: int) -> float:
    """Wait until the table answers; give the seconds that took. Raises `TimeoutError`."""
    began = time.monotonic()
    while time.monotonic() - began < ANSWERS_S and machine.running.poll() is None:
        if is_there(port):
            return time.monotonic() - began
        time.sleep(1)
    raise TimeoutError(f"it did not answer in {time.monotonic() - began:.0f} s; its console: {machine.console}")


def pulled(debian: str, disks: Disks, cuts: int, chance: random.Random) -> list[str]:
    """Pull the machine from power so often while it is made, and while it is updated; tell what did not come back."""
    wrong = []
    for step, words, begins, ends in STEPS:
        disks = fresh(disks, f"{debian}-{step}")
        machine = boot(debian)(disks, PORT, words)
        left = frozen(machine, disks, partial(machine.has_said, begins), partial(_is_over, machine, ends), chance)
        answers(machine, PORT)
        machine.pull()
        chosen = chance.sample(left, min(cuts, len(left)))
        print(f"{debian}, {step}: {len(chosen)} of {len(left)} moments", flush=True)
        wrong += [f"{step}, {why}" for why in tried(chosen, boot(debian), answers, (PORT, PORT + 1))]
        disks = tuple(disk.with_name(f"{disk.stem}-{len(left)}.qcow2") for disk in disks)
    return wrong


def _is_over(machine: Machine, ends: str) -> bool:
    return machine.has_said(ends) if ends else is_there(PORT)


def main(args: list[str]) -> int:
    """Say how each Debian became a table; give the exit status."""
    parser = argparse.ArgumentParser(prog="tests.appliance", description="Make tables of blank systems.")
    parser.add_argument("--debians", nargs="+", default=[*PYTHON])
    parser.add_argument("--cuts", type=int, default=0, help="pulled from power so often in each step")
    parser.add_argument("--seed", type=int, default=20261122)
    options = parser.parse_args(args)
    wrong = []
    for debian in options.debians:
        BUILD.mkdir(parents=True, exist_ok=True)
        blank(debian)
        disks = card(debian)
        if options.cuts:
            wrong += pulled(debian, disks, options.cuts, random.Random(options.seed))
            continue
        machine = boot(debian)(disks, PORT, "")
        try:
            print(f"{debian}: a table that answers after {answers(machine, PORT):.0f} s", flush=True)
        except TimeoutError as why:
            wrong.append(f"{debian}: {why}")
        finally:
            machine.pull()
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
