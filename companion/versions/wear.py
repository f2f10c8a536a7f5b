"""Whether the card that the table lives on wears out, as far as the kernel knows: an SD card says nothing itself."""

from enum import StrEnum
from pathlib import Path

NEARLY_ALL = 0x09
"""Of what an eMMC may be written, by its own account (JESD84-B51, EXT_CSD 268 and 269): 80 to 90 of 100 parts."""


class CardWear(StrEnum):
    """What betrays it."""

    ERRORS = "errors"
    """Its file system was found damaged, or could not be read or written somewhere."""
    USED = "used"
    """It says itself that it has been written nearly as often as it may."""


def wear(sys: Path = Path("/sys")) -> CardWear | None:
    """Return what speaks for a new card; None: nothing does."""
    if any(_numbers(path) > [0] for path in sys.glob("fs/ext4/*/errors_count")):
        return CardWear.ERRORS
    if any(max(_numbers(path)) >= NEARLY_ALL for path in sys.glob("block/mmcblk*/device/life_time")):
        return CardWear.USED
    return None


def _numbers(path: Path) -> list[int]:
    try:
        return [int(word, 0) for word in path.read_text(encoding="ascii").split()] or [0]
    except (OSError, ValueError):
        return [0]
