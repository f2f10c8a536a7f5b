"""Installs a version from a folder of wheels beside the others. Needs only Python, and runs from a wheel."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from companion.errors import NotNow
from companion.versions.launcher import WHOLE, is_whole, sync

EXTRAS = "pn532,gpiod,firmware"
"""The extras for any kind of table, whose devices are known only later."""


class CantInstall(NotNow):
    """A version can't be installed from these wheels."""


def version_of(wheels: Path) -> str:
    """Return the companion's version in a folder of wheels. Raises `CantInstall`."""
    names = [re.fullmatch(r"table_companion-([^-]+)-.*\.whl", path.name) for path in wheels.glob("*.whl")]
    versions = [match[1] for match in names if match]
    if len(versions) != 1:
        raise CantInstall(f"{wheels} holds {len(versions)} companions, and should hold one")
    return versions[0]


def install(wheels: Path, root: Path, python: str = sys.executable) -> str:
    """Install the version in a folder of wheels, unless it is installed already; return it.

    Can be repeated after an interruption, and does not touch the running version. Needs no network: pip is among the
    wheels. Raises `CantInstall`.
    """
    version = version_of(wheels)
    if is_whole(root, version):
        return version
    folder = root / "versions" / version
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    pip = next(wheels.glob("pip-*.whl"), None)
    if pip is None:
        raise CantInstall(f"there is no pip in {wheels}")
    try:
        _done(python, "-m", "venv", "--without-pip", str(folder))
        venv_python = folder / "bin/python"
        words = ("install", "--quiet", "--no-index", "--no-cache-dir", "--disable-pip-version-check", "--find-links")
        _done(str(venv_python), f"{pip}/pip", *words, str(wheels), f"table-companion[{EXTRAS}]=={version}")
        _done(str(venv_python), "-I", "-m", "companion", "--version")
    except (CantInstall, OSError):
        shutil.rmtree(folder, ignore_errors=True)  # half a version could fill the card on which the table records
        raise
    # The mark is set only once the whole version is on disk.
    subprocess.run(["sync", "--file-system", str(folder)], check=True)
    (folder / WHOLE).touch()
    for path in (folder / WHOLE, folder, folder.parent, root):
        sync(path)
    return version


def _done(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-3:]
        raise CantInstall(f"{Path(command[0]).name} ended with {done.returncode}: {' '.join(last)}")
