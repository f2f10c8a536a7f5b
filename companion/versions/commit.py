"""Which commit this companion is: two that call themselves by one version can be told apart.

A wheel and an sdist bring a file that says so; a checkout is asked through git.
"""

import subprocess
from functools import cache
from pathlib import Path

from companion import __version__

FILE = "commit.txt"
"""Beside the package's modules, once it has been built."""
_PACKAGE = Path(__file__).parent.parent


@cache
def full_version() -> str:
    """Return the version, and the commit as its local label where it is known: `0.2.0+1a2b3c4d`, with `.dirty` if
    files have been changed since.
    """
    commit = _commit_of(_PACKAGE)
    return f"{__version__}+{commit}" if commit else __version__


def _commit_of(package: Path) -> str:
    try:
        return (package / FILE).read_text(encoding="utf-8").strip()
    except OSError:
        return commit_of_checkout(package.parent)


def commit_of_checkout(folder: Path) -> str:
    """Return the commit of a checkout, as a label of a version; "" if the folder is none, or there is no git."""
    if not (folder / ".git").exists():  # git itself would look further up, and find a project of somebody else's
        return ""
    words = ["git", "-C", str(folder), "describe", "--always", "--abbrev=8", "--exclude=*", "--dirty=.dirty"]
    try:
        described = subprocess.run(words, capture_output=True, text=True, check=True, timeout=5)
    except (OSError, subprocess.SubprocessError):
        return ""
    return described.stdout.strip()
