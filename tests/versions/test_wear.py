"""A card that wears out is told before it dies, where the kernel knows."""

from pathlib import Path

import pytest

from companion.versions.wear import CardWear, wear


@pytest.mark.parametrize(
    ("file", "says", "told"),
    [
        ("fs/ext4/mmcblk0p2/errors_count", "0", None),
        ("fs/ext4/mmcblk0p2/errors_count", "3", CardWear.ERRORS),
        ("block/mmcblk0/device/life_time", "0x01 0x02", None),
        ("block/mmcblk0/device/life_time", "0x01 0x0a", CardWear.USED),
        ("block/mmcblk0/device/life_time", "?", None),
    ],
)
def test_what_the_kernel_knows_of_a_card_is_told(tmp_path: Path, file: str, says: str, told: CardWear | None) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(f"{says}\n")
    assert wear(tmp_path) is told
