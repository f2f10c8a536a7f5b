"""The wear of the table's card, as far as the kernel knows: an SD card reports its age only, eMMC also its wear."""

import re
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

NEARLY_ALL = 0x09
"""The value for 80 to 90 % of an eMMC's lifetime used (JESD84-B51, EXT_CSD 268 and 269)."""
_FIRST_YEAR = 2005
"""No card for a Pi was made earlier, so an earlier date means that the card has none."""


class CardWear(StrEnum):
    """The sign that a card is worn."""

    ERRORS = "errors"
    """The kernel has found errors in its file system."""
    USED = "used"
    """It reports that its lifetime is nearly used up."""


class CardYears(NamedTuple):
    """A card's age and remaining life, in whole years."""

    age: int
    """Years since it was made."""
    left: int | None
    """Years left at the rate of wear so far; None if it does not report its wear, or is younger than a year."""


def wear(sys: Path = Path("/sys")) -> CardWear | None:
    """Return why a new card is needed; None if it is not."""
    if any(_numbers(path) > [0] for path in sys.glob("fs/ext4/*/errors_count")):
        return CardWear.ERRORS
    if any(max(_numbers(path)) >= NEARLY_ALL for path in sys.glob("block/mmcblk*/device/life_time")):
        return CardWear.USED
    return None


def years(today: date, sys: Path = Path("/sys")) -> CardYears | None:
    """Return the years of the oldest card; None if there is none with a date."""
    years_of_cards = [card for device in sys.glob("block/mmcblk*/device") if (card := _years_of(device, today))]
    return max(years_of_cards, key=lambda card: card.age, default=None)


def _years_of(device: Path, today: date) -> CardYears | None:
    date_made = re.fullmatch(r"(\d\d)/(\d{4})", _text(device / "date"))
    if date_made is None or not 1 <= int(date_made[1]) <= 12 or int(date_made[2]) < _FIRST_YEAR:
        return None
    months = 12 * (today.year - int(date_made[2])) + today.month - int(date_made[1])
    if months < 0:
        return None
    tenths = max(_numbers(device / "life_time"))  # of its lifetime used, rounded up; one for each of two memory types
    is_plausible = 1 <= tenths <= 10 and months >= 12
    return CardYears(months // 12, months * (10 - tenths) // tenths // 12 if is_plausible else None)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""


def _numbers(path: Path) -> list[int]:
    try:
        return [int(word, 0) for word in _text(path).split()] or [0]
    except ValueError:
        return [0]
