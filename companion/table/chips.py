"""The kernel's GPIO chips through libgpiod 2: the one behind the Pi's header, or any other, and why it can't be had."""

import errno
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.table import access
from companion.table.sensing import NotThere

if TYPE_CHECKING:
    import gpiod

HEADERS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""What the kernel calls the chip behind the header: Pi 5, Pi 4, and those before. Its number changes."""


def library() -> Any:
    """Import the bindings. Raises `NotThere`: a table without GPIO needs no such package."""
    try:
        import gpiod
    except ImportError as error:
        raise NotThere(
            f"The software for GPIO is not installed ({error}). Install it with: pip install 'table-companion[gpiod]'"
        ) from error
    if not hasattr(gpiod, "LineSettings"):
        raise NotThere(
            f"The module gpiod at {gpiod.__file__} is not version 2 of libgpiod's bindings. "
            "Install that with: pip install 'table-companion[gpiod]'"
        )
    return gpiod


def opened(wanted: str) -> "gpiod.Chip":
    """Open a chip by its device ("/dev/gpiochip0") or by what the kernel calls it; "" for the header's.

    Raises `NotThere`.
    """
    if wanted.startswith("/"):
        return _opened(wanted)
    labels = (wanted,) if wanted else HEADERS
    there = {}
    for path in _devices():
        with _opened(path) as chip:
            there[path] = chip.get_info().label
    for path, label in there.items():
        if label in labels:
            return _opened(path)
    chips = ", ".join(f"{path} ({label})" for path, label in there.items())
    raise NotThere(
        f"There is no GPIO chip called {' or '.join(labels)}: set `chip` to the one that is meant. "
        f"Here: {chips or 'no GPIO chip at all'}."
    )


def _devices() -> list[str]:
    return sorted(str(path) for path in Path("/dev").glob("gpiochip*") if not path.is_symlink())


def _opened(path: str) -> "gpiod.Chip":
    try:
        chip: gpiod.Chip = library().Chip(path)
    except OSError as error:
        raise NotThere(_why_not(path, error)) from error
    return chip


def _why_not(path: str, error: OSError) -> str:
    match error.errno:
        case errno.ENOENT | errno.ENXIO:
            return f"There is no {path}: correct `chip`. Here: {', '.join(_devices()) or 'no GPIO chip at all'}."
        case errno.EACCES | errno.EPERM:
            return access.GPIO.refusal(path, error)
        case _:
            return f"{path} is not a GPIO chip ({error.strerror}): correct `chip`."
