"""The programs that come with this companion for a Pico: the buzzer box's, and the finger's that tests it."""

import re
from enum import StrEnum
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "firmware"
"""In a checkout this is a link to the folder beside the package."""

_SHARED = ("lines.py", "port.py")


class Program(StrEnum):
    """What a Pico can be."""

    BOX = "box"
    FINGER = "finger"


def files(program: Program = Program.BOX) -> list[Path]:
    """Return the files that belong on the Pico."""
    if program is Program.FINGER:
        return [*sorted(FOLDER.glob("finger/*.py")), *(FOLDER / name for name in _SHARED)]
    return sorted(FOLDER.glob("*.py"))


def version(program: Program = Program.BOX) -> str:
    """Return the version of a program; "" if its files are missing."""
    file = FOLDER / ("finger/main.py" if program is Program.FINGER else "talk.py")
    try:
        line = re.search(r'^FIRMWARE = "(.+)"$', file.read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        return ""
    return line[1] if line else ""
