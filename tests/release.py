"""`make release`: everything that a release needs, made from what is committed, tried, and laid into build/release.

RELEASING.md says what to do before and after. What is made of the tree alone is made twice, and must be the same bytes.

What is not as it should be is told, and the rest is tried all the same; only where all is well may it be handed out.
"""

import hashlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
from collections.abc import Callable
from pathlib import Path

from companion import __version__
from companion.versions.packed import order
from hardware import paper
from hardware.pcb import kicad
from hardware.prints import PRINTS
from hardware.sd_card import firstboot, wheels
from tests.hardware.printing import drawn
from tests.same_bytes import differing, pack_folder

ROOT = Path(__file__).parent.parent
HERE = ROOT / "build/release"
TOOLS = HERE / "tools"
DIST = HERE / "dist"
INSTALLED = HERE / "installed"
NEEDED = ("build==1.6.1", "twine==7.0.0", "cyclonedx-bom==7.5.0", "pipx==1.18.4", "uv==0.13.9")
PI_EXTRAS = "pn532,gpiod,firmware"
SHOWN = ("/", "/big", "/host", "/how/stop-it", "/overlay")
STARTS_S = 60
MKDOCS = ROOT / "build/docs/bin/mkdocs"
NO_ADVERTISEMENT = {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
RELEASE = "table-companion-release"
"""What a signature of checksums is for, as `ssh-keygen -Y verify -n` asks."""
PACK = """
import sys
from pathlib import Path
from companion.versions.packed import pack, unpack
wheels, version, key, to, unpacked = sys.argv[1:]
pack(Path(wheels), version, Path(key), Path(to))
unpack(Path(to), Path(unpacked))
"""


_LINK = re.compile(r"\[(?P<name>[^\]]*)\]\((?P<path>(?!\w+:|#)[^)#\s]+)(?:#[^)\s]*)?\)")
"""A link of a document to another file."""


class Amiss(Exception):
    """Why this may not be handed out."""


def version() -> str:
    """See that the version is higher than every one that was released."""
    if ".dev" in __version__:
        raise Amiss(f"{__version__} is under way: take the suffix off __version__ in companion/__init__.py")
    released = [tag.removeprefix("v") for tag in output_of("git", "tag", "--list", "v*").split()]
    newest = max(released, key=order, default="0")
    if order(__version__) <= order(newest):
        raise Amiss(f"{newest} was released: raise __version__ in companion/__init__.py")
    return __version__


def changelog() -> str:
    """See that the changelog tells of this version, with its day."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = re.search(rf"^## \[{re.escape(__version__)}\] - (\d{{4}}-\d\d-\d\d)$", text, re.MULTILINE)
    if not heading:
        raise Amiss(f'CHANGELOG.md has no "## [{__version__}] - year-month-day"')
    if re.search(r"^## \[Unreleased\]\n+(?!## |\n)", text, re.MULTILINE):
        raise Amiss("CHANGELOG.md tells of what is unreleased: put it under the new version")
    return heading[1]


def clean() -> str:
    """See that nothing is changed that is not committed."""
    if changed := output_of("git", "status", "--porcelain"):
        raise Amiss(f"not committed: {', '.join(line[3:] for line in changed.splitlines())}")
    return output_of("git", "rev-parse", "--short", "HEAD").strip()


def build() -> str:
    """Make all that the tree alone is made into, from an empty clone."""
    _make_files(HERE / "clone", DIST)
    return ", ".join(f"{path.name} ({path.stat().st_size // 1000} kB)" for path in sorted(DIST.iterdir()))


def again() -> str:
    """Make it once more, in another folder, and see that each file is the same bytes."""
    twice = HERE / "twice"
    _make_files(HERE / "elsewhere/clone", twice)
    files = [path.name for path in twice.iterdir()]
    if differ := [name for name in differing(DIST, twice) if name in files]:
        raise Amiss(f"made twice, these are not the same bytes: {', '.join(differ)}")
    return f"{len(files)} files are the same bytes"


def described() -> str:
    """See that the package index would take and show them."""
    return _tool("twine", "check", "--strict", *map(str, _packages())).count("PASSED") * "✓"


def play() -> str:
    """Install the wheel with what a Pi needs, at the locked versions, where nothing else is, and play."""
    venv.create(INSTALLED, clear=True)
    into = ["--python", str(INSTALLED / "bin/python"), "install", "--quiet", "--disable-pip-version-check"]
    _tool("pip", *into, "--constraint", str(ROOT / "constraints.txt"), f"{_wheel()}[{PI_EXTRAS}]")
    return _played(INSTALLED / "bin/companion")


def pipx() -> str:
    """Install it as `pipx install` does, and play."""
    home = _emptied("pipx")
    _tool("pipx", "install", str(_wheel()), PIPX_HOME=str(home), PIPX_BIN_DIR=str(home / "bin"))
    return _played(home / "bin/companion")


def uv() -> str:
    """Install it as `uv tool install` does, and play."""
    home = _emptied("uv")
    # The very wheel, not one of the same name that was kept.
    environment = {"UV_TOOL_DIR": str(home), "UV_TOOL_BIN_DIR": str(home / "bin"), "UV_PYTHON_DOWNLOADS": "never"}
    _tool("uv", "tool", "install", "--reinstall-package", "table-companion", str(_wheel()), **environment)
    return _played(home / "bin/companion")


def bill() -> str:
    """Write the software bill of materials: what is in that installation, as CycloneDX."""
    to = DIST / f"table-companion-{__version__}.cdx.json"
    arguments = ["environment", "--pyproject", str(ROOT / "pyproject.toml"), "--output-reproducible", "--of", "JSON"]
    _tool("cyclonedx-py", *arguments, "-o", str(to), str(INSTALLED / "bin/python"))
    document = json.loads(to.read_text(encoding="utf-8"))
    document["metadata"]["component"]["version"] = __version__  # pyproject.toml does not say it
    to.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    return f"{len(document['components'])} packages"


def signed() -> str:
    """Write an update for tables that keep themselves, signed, if a key was given; see that a table would take it."""
    key = os.environ.get("KEY", "")
    if not key:
        raise Amiss("no update without a key: make release KEY=file (RELEASING.md)")
    folder = _emptied("wheels")
    folder.mkdir()
    shutil.copy(_wheel(), folder)
    for machine in wheels.MACHINES:
        for python in wheels.PYTHONS:
            if wrong := wheels.download(python, machine, folder):
                raise Amiss(f"Python {python}, {machine}: {wrong}")
    to = DIST / f"table-companion-{__version__}.update"
    unpacked = _emptied("unpacked")
    unpacked.mkdir()
    words = (str(folder), __version__, str(Path(key).absolute()), str(to), str(unpacked))
    output_of(str(INSTALLED / "bin/python"), "-I", "-c", PACK, *words)
    return to.name


def hardware() -> str:
    """Have KiCad check the boards and make what a board house takes; pack that, and the printed parts as 3MF.

    KiCad and OpenSCAD write times and identities of their own: these are not the same bytes each time.
    """
    if kicad.found() is None:
        raise Amiss("no files for a board house: `make kicad` as root, then again")
    if not shutil.which("openscad"):
        raise Amiss("no printed parts: OpenSCAD is missing")
    output_of("make", "boards")
    at = int(output_of("git", "log", "-1", "--format=%ct"))
    with tempfile.TemporaryDirectory(dir=HERE) as work:
        folder = Path(work) / f"table-companion-{__version__}-to-make"
        shutil.copytree(ROOT / "build/boards", folder / "boards")
        (folder / "print").mkdir()
        for name, part in PRINTS.items():
            shutil.copyfile(drawn(part.model, *part.sizes, suffix=".3mf"), folder / f"print/{name}.3mf")
            paper.write(drawn(part.model, *part.sizes), folder / f"print/{name}-1-to-1.pdf")
        shutil.copytree(ROOT / "hardware/LICENSES", folder / "LICENSES")
        pack_folder(folder, DIST / f"{folder.name}.tar.gz", at)
    for board in sorted((ROOT / "build/boards").iterdir()):
        packed = board / f"{board.name}-gerbers.zip"
        shutil.copyfile(packed, DIST / f"table-companion-{__version__}-{packed.name}")
    return f"{folder.name}.tar.gz"


def card() -> str:
    """Pack what turns a fresh card into a table, wheels included, for whoever has no terminal."""
    output_of(sys.executable, "-m", "hardware.sd_card.firstboot")
    to = DIST / f"table-companion-{__version__}-card"
    return Path(shutil.make_archive(str(to), "zip", firstboot.HERE)).name


def box() -> str:
    """Make the image that is the buzzer box, of the two of MicroPython's that were given."""
    images = [os.environ.get(name, "") for name in ("PICO", "PICO2")]
    if not all(images):
        raise Amiss("no .uf2 for the box without MicroPython's two: make release PICO=file PICO2=file (RELEASING.md)")
    to = DIST / f"table-companion-{__version__}-box.uf2"
    sums = output_of(sys.executable, "-m", "hardware.pico", *images, str(to))
    made_of = "".join(f"{line.split()[0]}  {Path(line.split()[1]).name}\n" for line in sums.splitlines()[:2])
    notices = (ROOT / "hardware/pico/notices.txt").read_text(encoding="utf-8")
    to.with_name(f"{to.stem}-notices.txt").write_text(f"Made of\n\n{made_of}\n{notices}", encoding="utf-8")
    return to.name


def hashes() -> str:
    """Write a checksum of each file that is handed out; `sha256sum --check SHA256SUMS` looks at them."""
    sums = DIST / "SHA256SUMS"
    files = sorted(path for path in DIST.iterdir() if path.stem != sums.name)
    sums.write_text("".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files))
    return f"{len(files)} files"


def sums_signed() -> str:
    """Sign the checksums, if a key was given."""
    key = os.environ.get("KEY", "")
    signature = DIST / "SHA256SUMS.sig"
    signature.unlink(missing_ok=True)
    if not key:
        raise Amiss("the checksums are not signed: make release KEY=file (RELEASING.md)")
    output_of("ssh-keygen", "-Y", "sign", "-f", str(Path(key).absolute()), "-n", RELEASE, str(DIST / "SHA256SUMS"))
    return signature.name


STEPS: tuple[Callable[[], str], ...] = (
    version,
    changelog,
    clean,
    build,
    again,
    described,
    play,
    pipx,
    uv,
    bill,
    signed,
    hardware,
    card,
    box,
    hashes,
    sums_signed,
)


def _make_files(clone: Path, to: Path) -> None:
    """Clone what is committed, and make of it sdist, wheel, the documents' site and the hardware's files."""
    for stale in (clone, to):
        shutil.rmtree(stale, ignore_errors=True)
    output_of("git", "clone", "--quiet", "--depth=1", f"file://{ROOT}", str(clone))
    to.mkdir(parents=True)
    at = int(output_of("git", "log", "-1", "--format=%ct"))
    with tempfile.TemporaryDirectory(dir=clone.parent) as work:
        folder = Path(work)
        _build_packages(clone, folder, to, at)
        site = folder / f"table-companion-{__version__}-documents"
        words = ("--quiet", "--config-file", str(clone / "mkdocs.yml"), "--site-dir", str(site))
        output_of(str(MKDOCS), "build", *words, SOURCE_DATE_EPOCH=str(at), **NO_ADVERTISEMENT)
        if not [*site.glob("assets/stylesheets/*.css")]:
            raise Amiss("the documents' site has no style sheet: see exclude_docs in mkdocs.yml")
        pack_folder(site, to / f"{site.name}.tar.gz", at)
        hardware = folder / f"table-companion-{__version__}-hardware"
        shutil.copytree(clone / "hardware", hardware)
        unlink_what_is_not_packed(hardware)
        if shutil.which("openscad"):
            for name, part in PRINTS.items():
                shutil.copyfile(drawn(part.model, *part.sizes), hardware / f"print/{name}.stl")
        pack_folder(hardware, to / f"{hardware.name}.tar.gz", at)


def unlink_what_is_not_packed(folder: Path) -> None:
    """In the folder's documents say of links that lead out of it where what they name is: in the program's archive."""
    for document in folder.rglob("*.md"):

        def said(link: re.Match[str], beside: Path = document.parent) -> str:
            target = (beside / link["path"]).resolve()
            if target.is_relative_to(folder.resolve()):
                return link[0]
            return f"{link['name']} (`{target.relative_to(folder.resolve().parent)}` in the program's archive)"

        text = document.read_text(encoding="utf-8")
        document.write_text(_LINK.sub(said, text), encoding="utf-8")


def _build_packages(clone: Path, folder: Path, to: Path, at: int) -> None:
    """Build the sdist, whose frame setuptools makes with times and owners of its own, anew; and the wheel from that."""
    at_commit = {"SOURCE_DATE_EPOCH": str(at)}
    _tool("python", "-m", "build", "--sdist", "--outdir", str(folder), str(clone), **at_commit)
    (sdist,) = folder.glob("*.tar.gz")
    shutil.unpack_archive(sdist, folder / "unpacked")
    (source,) = (folder / "unpacked").iterdir()
    pack_folder(source, to / sdist.name, at)
    _tool("python", "-m", "build", "--wheel", "--outdir", str(to), str(source), **at_commit)


def _packages() -> list[Path]:
    return [_wheel(), DIST / f"table_companion-{__version__}.tar.gz"]


def _wheel() -> Path:
    (wheel,) = DIST.glob("*.whl")
    return wheel


def _emptied(name: str) -> Path:
    shutil.rmtree(HERE / name, ignore_errors=True)
    return HERE / name


def _played(companion: Path) -> str:
    """See that this companion is the one that was built, and that its table opens."""
    version = output_of(str(companion), "--version").split()[-1]
    if version != f"{__version__}+{output_of('git', 'describe', '--always', '--abbrev=8', '--exclude=*').strip()}":
        raise Amiss(f"{companion} is {version}")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words: list[str | Path] = [
        companion,
        "play",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--log",
        HERE / "play.sqlite",
    ]
    # Elsewhere, and as if it had no tree: what it needs is in the package.
    playing = subprocess.Popen(
        words, cwd="/", env=clean_environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    try:
        sizes = [_opened(f"http://127.0.0.1:{port}{page}", playing) for page in SHOWN]
    finally:
        playing.send_signal(signal.SIGINT)
        playing.communicate()
    return f"{version}, {len(SHOWN)} pages with {sum(sizes) // 1000} kB"


def _opened(address: str, playing: subprocess.Popen[bytes]) -> int:
    until = time.monotonic() + STARTS_S
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while True:
        try:
            return len(direct.open(address, timeout=STARTS_S).read())
        except OSError as wrong:
            if playing.poll() is not None or time.monotonic() > until:
                raise Amiss(f"{address}: {wrong}") from wrong
            time.sleep(0.1)


def clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}


def output_of(*command: str, **variables: str) -> str:
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=clean_environment() | variables,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode:
        words = (done.stderr.strip() or done.stdout.strip()).splitlines()[-3:]
        raise Amiss(f"{Path(command[0]).name} ended with {done.returncode}: {' / '.join(words)}")
    return done.stdout


def _tool(name: str, *words: str, **variables: str) -> str:
    return output_of(str(TOOLS / "bin" / name), *words, **variables)


def main() -> int:
    """Take every step; give the exit status."""
    HERE.mkdir(parents=True, exist_ok=True)
    if not TOOLS.exists():
        venv.create(TOOLS, with_pip=True)
    _tool("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *NEEDED)
    amiss = 0
    for step in STEPS:
        try:
            print(f"✓ {step.__name__}: {step()}", flush=True)
        except Amiss as why:
            amiss += 1
            print(f"✗ {step.__name__}: {why}", flush=True)
    print(f"{amiss} to be mended before it is handed out" if amiss else f"Hand out what is in {DIST}")
    return 1 if amiss else 0


if __name__ == "__main__":
    sys.exit(main())
