"""Whether the table's card wears out, as far as the kernel knows. An SD card tells its age, and nothing of its wear."""

import re
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

NEARLY_ALL = 0x09
"""80 to 90 % of an eMMC's lifetime used, by its own account (JESD84-B51, EXT_CSD 268 and 269)."""
_FIRST_YEAR = 2005
"""Nothing that a Pi starts from was made earlier: a card that says so has no date."""


class CardWear(StrEnum):
    """What shows it."""

    ERRORS = "errors"
    """Its file system was found damaged, or could not be read or written somewhere."""
    USED = "used"
    """It reports that it is near the end of its lifetime."""


class CardYears(NamedTuple):
    """How long a card has lasted, and how long it will, in whole years."""

    age: int
    """Since it was made."""
    left: int | None
    """If it goes on wearing as it has since; None for one that does not tell its wear, or is younger than a year."""


def wear(sys: Path = Path("/sys")) -> CardWear | None:
    """Return why a new card is needed; None if it is not."""
    if any(_numbers(path) > [0] for path in sys.glob("fs/ext4/*/errors_count")):
        return CardWear.ERRORS
    if any(max(_numbers(path)) >= NEARLY_ALL for path in sys.glob("block/mmcblk*/device/life_time")):
        return CardWear.USED
    return None


def years(today: date, sys: Path = Path("/sys")) -> CardYears | None:
    """Return the age of the oldest card, and what it has left; None if there is none, or it has no date."""
    years_of_cards = [card for device in sys.glob("block/mmcblk*/device") if (card := _years_of(device, today))]
    return max(years_of_cards, key=lambda card: card.age, default=None)


def _years_of(device: Path, today: date) -> CardYears | None:
    date_made = re.fullmatch(r"(\d\d)/(\d{4})", _text(device / "date"))
    if date_made is None or not 1 <= int(date_made[1]) <= 12 or int(date_made[2]) < _FIRST_YEAR:
        return None
    months = 12 * (today.year - int(date_made[2])) + today.month - int(date_made[1])
    if months < 0:
        return None
    tenths = max(_numbers(device / "life_time"))  # it has used so many at most
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
