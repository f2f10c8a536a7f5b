"""The buzzer box's program that comes with this companion."""

import re
from pathlib import Path

FOLDER = Path(__file__).parents[3] / "firmware"
"""Beside the package, in a checkout and where it is installed."""


def files() -> list[Path]:
    """Return the files that belong on the Pico."""
    return sorted(FOLDER.glob("*.py"))


def version() -> str:
    """Return the version of that program, "" where its files are missing."""
    try:
        found = re.search(r'^FIRMWARE = "(.+)"$', (FOLDER / "talk.py").read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        return ""
    return found[1] if found else ""
