"""Debian's kernel for the machine, never installed, and the module gpio-sim built for it.

The kernel has GPIO devices, but comes without the emulated chip; its sources are in Debian's own package of them.
"""

import lzma
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Self

BUILD = Path(__file__).parent.parent.parent / "build/kernel"
SERIES = "6.1"
"""What Debian 12 has, and what was tried."""
SOURCES = ("drivers/gpio/gpio-sim.c", "drivers/gpio/gpiolib.h", "kernel/irq/irq_sim.c")
MODULES = (
    *("virtio_pci", "9pnet_virtio", "9p", "overlay", "configfs"),
    *("gpio-sim", "dummy_hcd", "cdc-acm", "usb_f_acm", "g_serial"),
)
# A module may not use the first of these two; the second does the same for it.
FOR_A_MODULE = {"handle_simple_irq(irq_to_desc(irqnum))": "generic_handle_irq(irqnum)"}
# This kernel gives up a chip's interrupts while its lines are still watched, and then uses their memory. So that a chip
# can be unplugged under a driver all the same, they are never given up.
KEPT_FOR_EVER = {
    "devm_irq_domain_create_sim(dev, swnode, num_lines)": "irq_domain_create_sim(swnode, num_lines)",
    "irq_dispose_mapping(irq_find_mapping(chip->irq_sim, i));": ";",
}
NEEDED = ("qemu-system-x86_64", "gcc", "make", "apt-get", "dpkg-deb", "xz")


class NotHere(Exception):
    """Why it can't be done on this machine, and what would help."""


class Debian:
    """The kernel that the package linux-image-amd64 stands for now."""

    def __init__(self, release: str, version: str) -> None:
        self.release = release
        """"6.1.0-56-amd64"."""
        self._version = version
        self.files = BUILD / f"linux-{release}-{version}"
        """What the machine needs of it: `vmlinux`, `busybox`, and `modules` with their `order`."""

    @classmethod
    def here(cls) -> Self:
        """Find out what it is. Raises `NotHere`."""
        missing = [program for program in NEEDED if not shutil.which(program)]
        if missing:
            raise NotHere(f"They need {', '.join(missing)}, which `make test-gpio` installs on Debian 12.")
        description = _output("apt-cache", "show", "--no-all-versions", "linux-image-amd64")
        depends = re.search(r"^Depends: linux-image-(\S+) \(= (\S+)\)", description, re.MULTILINE)
        if not depends or not depends[1].startswith(f"{SERIES}."):
            release = depends[1] if depends else "none (try: apt-get update)"
            raise NotHere(f"They need Debian 12's kernel, {SERIES}; the one that apt knows here is {release}.")
        return cls(depends[1], depends[2])

    def prepare(self) -> None:
        """Download the packages, build gpio-sim, keep what the machine needs."""
        if self.files.exists():
            return
        BUILD.mkdir(parents=True, exist_ok=True)
        for older in BUILD.glob("linux-*"):
            shutil.rmtree(older)
        with tempfile.TemporaryDirectory(dir=BUILD) as folder:
            unpacked = Path(folder)
            self._download(unpacked)
            self._build(unpacked)
            files_to_keep = unpacked / "kept"
            (files_to_keep / "modules").mkdir(parents=True)
            (files_to_keep / "vmlinux").write_bytes(_without_loader(unpacked / f"boot/vmlinuz-{self.release}"))
            shutil.copy(unpacked / "bin/busybox", files_to_keep)
            modules = _in_order(MODULES, unpacked)
            for module in modules:
                shutil.copy(module, files_to_keep / "modules")
            (files_to_keep / "modules/order").write_text("".join(f"{module.name}\n" for module in modules))
            files_to_keep.rename(self.files)

    def _download(self, folder: Path) -> None:
        headers = f"linux-headers-{self.release}"
        depends = _output("apt-cache", "depends", f"{headers}={self._version}")
        own_packages = re.findall(r"Depends: (linux-(?:headers|kbuild)-\S+)", depends)
        names = (headers, *own_packages, f"linux-image-{self.release}", f"linux-source-{SERIES}")
        packages = [*(f"{name}={self._version}" for name in names), "busybox-static"]
        # Root would else be warned that nobody else may write here.
        download = ["apt-get", "-qq", "-o", "APT::Sandbox::User=root", "download", *packages]
        if subprocess.run(download, cwd=folder, check=False).returncode:
            raise NotHere("apt can't download the kernel: is this machine online, are its lists new (apt-get update)?")
        for package in folder.glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", package, folder], check=True)

    def _build(self, unpacked: Path) -> None:
        """Build the emulated chip, and the emulated interrupts it needs, as one module."""
        archive = unpacked / f"usr/src/linux-source-{SERIES}.tar.xz"
        sources = [f"linux-source-{SERIES}/{source}" for source in SOURCES]
        subprocess.run(["tar", "-xJf", archive, "--occurrence=1", "-C", unpacked, *sources], check=True)
        sim, library, interrupts = (unpacked / source for source in sources)
        module = unpacked / "gpio-sim"
        module.mkdir()
        (module / "sim.c").write_text(_changed(sim, KEPT_FOR_EVER), encoding="utf-8")
        (module / "interrupts.c").write_text(_changed(interrupts, FOR_A_MODULE), encoding="utf-8")
        shutil.copy(library, module)
        (module / "Kbuild").write_text("obj-m := gpio-sim.o\ngpio-sim-y := sim.o interrupts.o\n")
        headers = unpacked / f"usr/src/linux-headers-{self.release}"
        makefile = headers / "Makefile"
        makefile.write_text(makefile.read_text().replace("/usr/src", f"{unpacked}/usr/src"))
        subprocess.run(
            ["make", "--silent", "-C", headers, f"M={module}", "CC=gcc", "modules"],
            stdout=subprocess.DEVNULL, stderr=(BUILD / "make.log").open("w"), check=True,
        )  # fmt: skip


def _without_loader(vmlinuz: Path) -> bytes:
    """Return the kernel unpacked: QEMU starts it as it is (PVH), and the machine would take seconds to unpack it."""
    packed = vmlinuz.read_bytes()
    begins = packed.find(b"\xfd7zXZ\0")
    if begins < 0:
        raise NotHere(f"{vmlinuz.name} is not packed by xz, as it was so far.")
    return lzma.LZMADecompressor().decompress(packed[begins:])


def _changed(source: Path, changes: Mapping[str, str]) -> str:
    text = source.read_text(encoding="utf-8")
    for old, new in changes.items():
        if old not in text:
            raise NotHere(f"{source.name} of this kernel is not what was changed for the tests so far: no {old!r}.")
        text = text.replace(old, new)
    return text


def _in_order(names: Iterable[str], unpacked: Path) -> list[Path]:
    """Return the files of these modules, each after those it depends on."""
    modules = {path.stem.replace("-", "_"): path for path in unpacked.rglob("*.ko")}
    order: dict[Path, None] = {}

    def add(name: str) -> None:
        path = modules[name.replace("-", "_")]
        depends = re.search(rb"\0depends=([\w,-]+)\0", path.read_bytes())
        for other in depends[1].decode().split(",") if depends else ():
            add(other)
        order[path] = None

    for name in names:
        add(name)
    return list(order)


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout
