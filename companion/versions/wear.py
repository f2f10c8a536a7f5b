"""Whether the table's card is wearing out, as far as the kernel knows: an SD card says nothing itself."""

from enum import StrEnum
from pathlib import Path

NEARLY_ALL = 0x09
"""80 to 90 % of an eMMC's lifetime used, by its own account (JESD84-B51, EXT_CSD 268 and 269)."""


class CardWear(StrEnum):
    """What shows it."""

    ERRORS = "errors"
    """Its file system was found damaged, or could not be read or written somewhere."""
    USED = "used"
    """It reports that it is near the end of its lifetime."""


def wear(sys: Path = Path("/sys")) -> CardWear | None:
    """Return why a new card is needed; None if it is not."""
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
