"""`make appliance ARCH=arm64`: the wheels of `make firstboot`, installed and played by a Debian for a 64-bit Pi.

Its own packages, unpacked; each of its programs is run by QEMU, as this kernel is told to inside a namespace of its
own. There is no network in there, and no Pi: no kernel, no systemd and no pin of one.
"""

import argparse
import os
import resource
import subprocess
import sys
from pathlib import Path

from hardware.sd_card import firstboot
from tests.appliance import BUILD, PYTHON, TABLE

ENTER = """
mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
printf '%s' "$2" > /proc/sys/fs/binfmt_misc/register
ip link set lo up
mount --rbind /dev "$1/dev"
mount -t proc proc "$1/proc"
mount -t sysfs sysfs "$1/sys"
exec chroot "$1" /usr/bin/env -i QEMU_CPU=cortex-a72 PATH=/usr/bin:/bin HOME=/root LANG=C.UTF-8 /usr/bin/python3 -c "$3"
"""  # a Pi 4's processor: newer ones sign their pointers, which QEMU does ten times more slowly
# The head of an aarch64 program, as the kernel compares it; F: the emulator is opened now, for it is not in there.
KIND = (
    r":qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
    r":\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
    r":/usr/bin/qemu-aarch64-static:F"
)
INSIDE = """
import os, platform, subprocess, sys, time, urllib.request
from pathlib import Path
card = Path("/card/table-companion")
sys.path.insert(0, str(next((card / "wheels").glob("table_companion-*.whl"))))
from companion.versions import launcher
from companion.versions.installing import install

def told(what):
    spent = os.times()
    print(f"{what} ({spent.children_user + spent.children_system:.0f} s of a processor so far)", flush=True)

root = launcher.ROOT
version = install(card / "wheels", root)
told(f"{platform.machine()}, Python {platform.python_version()}: {version} is installed")
companion = str(root / "versions" / version / "bin/companion")
subprocess.run([companion, "--version"], check=True)
subprocess.run([companion, "check", card / "table.toml"], check=True)
told("checked")
playing = subprocess.Popen([companion, "play", "--port=8000", "--log=/root/log.sqlite"], stdout=subprocess.DEVNULL)
while playing.poll() is None:
    try:
        size = len(urllib.request.urlopen("http://127.0.0.1:8000/", timeout=60).read())
        break
    except OSError:
        time.sleep(0.5)
playing.terminate()
told(f"played: its first page has {size} bytes, and it ended with {playing.wait()}")
"""


def unpacked(debian: str) -> Path:
    """Unpack a Debian for arm64: nothing of it is run for that."""
    root = BUILD / f"{debian}-arm64"
    subprocess.run(["rm", "-rf", "--one-file-system", root], check=True)
    arguments = ["--arch=arm64", "--foreign", "--variant=minbase", "--include=python3,python3-venv"]
    with (BUILD / f"{debian}-arm64.log").open("w") as journal:
        subprocess.run(["debootstrap", *arguments, debian, root], stdout=journal, stderr=journal, check=True)
    for package in (root / "var/cache/apt/archives").glob("*.deb"):
        files = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE)
        subprocess.run(["tar", "-x", "--keep-directory-symlink", "-C", root], stdin=files.stdout, check=True)
    return root


def main(args: list[str]) -> int:
    """Say how the wheels did in each Debian; give the exit status."""
    parser = argparse.ArgumentParser(prog="tests.arm64", description="Install and play in a Debian for arm64.")
    parser.add_argument("--debians", nargs="+", default=[*PYTHON])
    wrong = 0
    BUILD.mkdir(parents=True, exist_ok=True)
    (table := BUILD / "table.toml").write_text(TABLE)
    for debian in parser.parse_args(args).debians:
        if firstboot.main(["--pythons", PYTHON[debian], "--table", str(table)]):
            return 1
        root = unpacked(debian)
        subprocess.run(["cp", "-r", firstboot.HERE, root / "card"], check=True)
        alone = ["unshare", "--user", "--map-root-user", "--net", "--mount", "--pid", "--fork", "--kill-child"]
        usage_before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([*alone, "sh", "-ec", ENTER, "sh", root, KIND, INSIDE], check=False)
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        cost = spent.ru_utime + spent.ru_stime - usage_before.ru_utime - usage_before.ru_stime
        print(f"{debian}, arm64: ended with {done.returncode} after {cost:.0f} s of a processor", flush=True)
        wrong += bool(done.returncode)
    return 1 if wrong else 0


if __name__ == "__main__":
    os.umask(0o022)
    sys.exit(main(sys.argv[1:]))
