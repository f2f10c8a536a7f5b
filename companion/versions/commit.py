"""The commit of this companion, which tells apart two builds of one version.

A wheel and an sdist contain it in a file; of a checkout, git is asked.
"""

import subprocess
from functools import cache
from pathlib import Path

from companion import __version__

FILE = "commit.txt"
"""The file beside the package's modules in a build."""
_PACKAGE = Path(__file__).parent.parent


@cache
def full_version() -> str:
    """Return the version, with the commit as its local label if known: `0.2.0+1a2b3c4d`; `.dirty` after changes."""
    commit = _commit_of(_PACKAGE)
    return f"{__version__}+{commit}" if commit else __version__


def _commit_of(package: Path) -> str:
    try:
        return (package / FILE).read_text(encoding="utf-8").strip()
    except OSError:
        return commit_of_checkout(package.parent)


def commit_of_checkout(folder: Path) -> str:
    """Return a checkout's commit as a version label; "" if the folder is none, or there is no git."""
    if not (folder / ".git").exists():  # git itself would search the parents too, and may find another project
        return ""
    words = ["git", "-C", str(folder), "describe", "--always", "--abbrev=8", "--exclude=*", "--dirty=.dirty"]
    try:
        described = subprocess.run(words, capture_output=True, text=True, check=True, timeout=5)
    except (OSError, subprocess.SubprocessError):
        return ""
    return described.stdout.strip()
