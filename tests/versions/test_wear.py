"""A card that wears out is told before it dies, where the kernel knows."""

from datetime import date
from pathlib import Path

import pytest

from companion.versions.wear import CardWear, CardYears, wear, years


@pytest.mark.parametrize(
    ("file", "says", "expected"),
    [
        ("fs/ext4/mmcblk0p2/errors_count", "0", None),
        ("fs/ext4/mmcblk0p2/errors_count", "3", CardWear.ERRORS),
        ("block/mmcblk0/device/life_time", "0x01 0x02", None),
        ("block/mmcblk0/device/life_time", "0x01 0x0a", CardWear.USED),
        ("block/mmcblk0/device/life_time", "?", None),
    ],
)
def test_what_the_kernel_knows_of_a_card_is_told(
    tmp_path: Path, file: str, says: str, expected: CardWear | None
) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(f"{says}\n")
    assert wear(tmp_path) is expected


@pytest.mark.parametrize(
    ("made_in", "life_time", "card"),
    [
        ("03/2021", None, CardYears(5, None)),
        ("12/2021", None, CardYears(4, None)),
        ("11/2024", "0x02 0x01", CardYears(2, 8)),
        ("11/2024", "0x0a 0x01", CardYears(2, 0)),
        ("11/2024", "0x00 0x00", CardYears(2, None)),
        ("03/2026", "0x01 0x01", CardYears(0, None)),
        ("12/2026", None, None),
        ("00/2000", None, None),
        ("13/2021", None, None),
        ("?", None, None),
    ],
)
def test_a_card_is_told_in_years_as_far_as_it_tells_them(
    tmp_path: Path, made_in: str, life_time: str | None, card: CardYears | None
) -> None:
    device = tmp_path / "block/mmcblk0/device"
    device.mkdir(parents=True)
    (device / "date").write_text(f"{made_in}\n")
    if life_time is not None:
        (device / "life_time").write_text(f"{life_time}\n")
    assert years(date(2026, 11, 28), tmp_path) == card


def test_of_a_machine_without_a_card_nothing_is_told(tmp_path: Path) -> None:
    assert years(date(2026, 11, 28), tmp_path) is None
