"""`make test-gpio`: boot Debian's kernel in QEMU with emulated GPIO pins and USB, and run this folder's tests there.

All it fetches and builds stays in build/kernel. Nothing of the host is changed: its files are seen by the machine, but
what is written there stays in the machine's memory.
"""

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.kernel.debian import BUILD, Debian, NotHere

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
MACHINE_S = 3600
"""A machine that has not ended by then hangs, however busy its host is: it needs some 70 s on an idle one."""
PACKAGES = {"rpi-lgpio": ("rpi-lgpio",), "original": ("RPi.GPIO",), "both": ("RPi.GPIO", "rpi-lgpio")}
"""Each in a folder of its own: in the environment of the project neither may be."""


def main(options: list[str]) -> int:
    """Say what is done, and how long it took; give the exit status. Other options are pytest's ("-k unplugged")."""
    if_possible = "--if-possible" in options
    print("The drivers on a real kernel's GPIO and USB:")
    try:
        debian = Debian.here()
        with step_shown(f"Debian's kernel {debian.release}, and gpio-sim built for it"):
            debian.prepare()
    except NotHere as why:
        print(f"\n{'SKIPPED' if if_possible else 'FAILED'}: they were not run. {why}")
        return 0 if if_possible else 1
    with step_shown("the packages that offer RPi.GPIO, apart from each other"):
        _install()
    _pack(debian, [option for option in options if option != "--if-possible"])
    print("  … the machine, whose tests speak now:", flush=True)
    return _boot(debian)


@contextmanager
def step_shown(step: str) -> Iterator[None]:
    print(f"  … {step}", end="", flush=True)
    began = time.monotonic()
    yield
    print(f": {time.monotonic() - began:.0f} s", flush=True)


def _install() -> None:
    for folder, packages in PACKAGES.items():
        where = BUILD / folder
        new = BUILD / f"{folder}.new"
        if where.exists():
            continue
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        done = subprocess.run([*pip, "--upgrade", "--target", new, *packages], capture_output=True, text=True)
        if done.returncode == 0:
            new.rename(where)
        else:
            shutil.rmtree(new, ignore_errors=True)
            print(
                f"\n    {' and '.join(packages)} can't be had here; what needs it is skipped. See {BUILD}/{folder}.log"
            )
            (BUILD / f"{folder}.log").write_text(done.stderr)


def _pack(debian: Debian, options: list[str]) -> None:
    """Make the machine's first files: busybox, the modules, and what to run."""
    files = BUILD / "first"
    shutil.rmtree(files, ignore_errors=True)
    shutil.copytree(debian.files / "modules", files / "modules")
    (files / "bin").mkdir()
    shutil.copy(debian.files / "busybox", files / "bin/busybox")
    shutil.copy(HERE / "init", files / "init")
    (files / "init").chmod(0o755)
    (files / "command").write_text(_command(options))
    names = "".join(f"{path.relative_to(files)}\n" for path in (files, *files.rglob("*")))
    with (BUILD / "initrd").open("wb") as packed:
        subprocess.run(
            [files / "bin/busybox", "cpio", "-o", "-H", "newc"],
            cwd=files, input=names.encode(), stdout=packed, stderr=subprocess.DEVNULL, check=True,
        )  # fmt: skip


def _command(options: list[str]) -> str:
    """Return what the machine runs: pytest in this environment, with `rpi-lgpio` beside it."""
    environment = {
        "COMPANION_KERNEL": str(BUILD),
        "HOME": "/tmp",
        "PATH": os.environ["PATH"],
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(BUILD / "rpi-lgpio"),
    }
    exports = "".join(f"export {name}={shlex.quote(value)}; " for name, value in environment.items())
    pytest = [sys.executable, "-m", "pytest", "tests/kernel", "--confcutdir=tests/kernel", "-p", "no:cacheprovider"]
    return f"cd {shlex.quote(str(ROOT))} && {exports}{shlex.join([*pytest, '-vv', '-rsfE', '--color=no', *options])}"


def _boot(debian: Debian) -> int:
    """Run the machine until it ends, and hear from it how its tests ended."""
    status = BUILD / "status"
    log = BUILD / "kernel.log"
    status.unlink(missing_ok=True)
    machine = [
        *("qemu-system-x86_64", "-accel", "tcg", "-cpu", "max", "-m", "1024"),
        # Its time counts instructions, 4 ns each, and leaps to what comes next where all wait: a busy host's pauses are
        # none to the kernel in it, and nobody waits for its sleeps.
        *("-icount", "shift=2,sleep=off"),
        *("-display", "none", "-monitor", "none", "-no-reboot", "-nic", "none"),
        *("-serial", "stdio", "-serial", f"file:{status}", "-serial", f"file:{log}"),
        *("-kernel", debian.files / "vmlinux", "-initrd", BUILD / "initrd"),
        # Its cryptography is not what is tested here, and emulated it would take seconds to test itself.
        *("-append", "console=ttyS2 panic=-1 cryptomgr.notests"),
        *("-virtfs", "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap"),
    ]
    began = time.monotonic()
    try:
        subprocess.run(machine, stdin=subprocess.DEVNULL, timeout=MACHINE_S, check=False)
    except subprocess.TimeoutExpired:
        print(f"The machine hangs: it has not ended after {MACHINE_S} s.")
    ended = status.read_text().strip() if status.exists() else ""
    took = f"{time.monotonic() - began:.0f} s in the machine"
    if ended == "ended 0":
        print(f"PASSED: the drivers on a real kernel's GPIO and USB, with emulated pins and plugs ({took}).")
        return 0
    print(f"FAILED: {ended or 'the machine did not come to its end'} ({took}). The kernel's own words: {log}")
    if not ended and log.exists():
        print("\n".join(log.read_text(errors="replace").splitlines()[-30:]))
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
