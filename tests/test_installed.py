"""What an installation outside of this folder needs is in the package: a Pi has no other."""

import shutil
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

from companion.versions.commit import commit_of_checkout

ROOT = Path(__file__).parent.parent
SHIPPED = {"companion": "companion", "web": "companion/web", "firmware": "companion/firmware"}
"""Where each folder lies in the package: `companion/web` and `companion/firmware` are links."""
FILES = (
    "pyproject.toml",
    "setup.py",
    "MANIFEST.in",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    "constraints.txt",
    "Makefile",
)
FOR_TYPES = ("globals.d.ts", "tsconfig.json")
BUILD = """
import sys, setuptools.build_meta as build
print(getattr(build, sys.argv[1])(sys.argv[2]))
"""


def built(kind: str, source: Path, to: Path) -> Path:
    words = [sys.executable, "-W", "ignore", "-c", BUILD, kind, str(to)]
    done = subprocess.run(words, cwd=source, capture_output=True, text=True, check=True)
    return to / done.stdout.splitlines()[-1]


def committed(clone: Path) -> None:
    identity = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org"]
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "Begin"]):
        subprocess.run(["git", *identity, *words], cwd=clone, check=True)


def test_the_wheel_built_from_the_sdist_holds_every_file_once(tmp_path: Path) -> None:
    """Only the README's pictures, and what the scripts' types are checked by, stay out: nobody needs them who plays."""
    clone = tmp_path / "clone"
    for folder in SHIPPED:
        shutil.copytree(ROOT / folder, clone / folder, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for file in FILES:
        shutil.copy(ROOT / file, clone)
    committed(clone)
    files_expected = {  # before a build compiles what it imports
        f"{place}/{path.relative_to(clone / folder)}"
        for folder, place in SHIPPED.items()
        for path in (clone / folder).rglob("*")
        if path.is_file() and not path.is_symlink() and "pictures" not in path.parts and path.name not in FOR_TYPES
    }
    unpacked = tmp_path / "unpacked"
    unpacked.mkdir()
    # Python 3.11.2, which Debian 12 has, does not know the argument that 3.12 warns without.
    subprocess.run(["tar", "-xf", built("build_sdist", clone, tmp_path), "-C", unpacked], check=True)
    (source,) = unpacked.iterdir()
    assert (source / "Makefile").is_file(), "the guide has `make play` and `sudo make pi` in it"
    with zipfile.ZipFile(built("build_wheel", source, tmp_path)) as wheel:
        held = Counter(name for name in wheel.namelist() if ".dist-info/" not in name)
        assert wheel.read("companion/commit.txt").decode().strip() == commit_of_checkout(clone)
    assert held == Counter({*files_expected, "companion/commit.txt"})
