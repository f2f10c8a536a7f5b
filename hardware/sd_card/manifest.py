"""`make manifest`: the list from which the Raspberry Pi Imager offers an image of the table, made from the image.

`rpi-imager --repo os_list.json` shows what the list names and nothing else, so it names the boards to choose from too:
without them its first page can't be left.
"""

import argparse
import hashlib
import json
import lzma
import shutil
import sys
from datetime import date
from pathlib import Path
from typing import BinaryIO

from companion import __version__

ROOT = Path(__file__).parents[2]
ICON = ROOT / "web/static/icon.svg"
# The tags are those of the Imager's own list, so that the table's entry can go in there. A Zero 2 has the chip of a 3.
BOARDS = {
    "Raspberry Pi 5": "pi5-64bit",
    "Raspberry Pi 4": "pi4-64bit",
    "Raspberry Pi 3": "pi3-64bit",
    "Raspberry Pi Zero 2 W": "pi3-64bit",
}


def manifest(image: Path, at: str) -> dict[str, object]:
    """Describe an image (.img.xz) that is to be at an address. Raises OSError and `lzma.LZMAError`."""
    with image.open("rb") as packed, lzma.open(image) as whole:
        packed_size, packed_sum = _measured(packed)
        size, written = _measured(whole)
    entry = {
        "name": f"The table companion {__version__}",
        "description": "A game table that knows its game: cards, buzzers, the score on every phone",
        "icon": f"{at}/{ICON.name}",
        "url": f"{at}/{image.name}",
        "release_date": date.fromtimestamp(image.stat().st_mtime).isoformat(),
        "extract_size": size,
        "extract_sha256": written,
        "image_download_size": packed_size,
        "image_download_sha256": packed_sum,
        "devices": sorted(set(BOARDS.values())),
        "architecture": "armv8",
        "init_format": "none",  # the table asks by itself for what the Imager would
    }
    boards = [
        {"name": name, "description": "64-bit", "tags": [tag], "matching_type": "exclusive", "architecture": "armv8"}
        for name, tag in BOARDS.items()
    ]
    return {"imager": {"devices": boards}, "os_list": [entry]}


def _measured(file: BinaryIO | lzma.LZMAFile) -> tuple[int, str]:
    """Return a file's size and SHA-256."""
    size = 0
    digest = hashlib.sha256()
    while part := file.read(1 << 20):
        size += len(part)
        digest.update(part)
    return size, digest.hexdigest()


def main(args: list[str]) -> int:
    """Write the list and its icon beside the image; return the exit status."""
    parser = argparse.ArgumentParser(prog="hardware.sd_card.manifest", description="Offer an image in the Imager.")
    parser.add_argument("image", type=Path, help="the image that rpi-image-gen made, packed: xz -k table-companion.img")
    parser.add_argument("at", help="the folder on the web where image, icon and list will be")
    options = parser.parse_args(args)
    try:
        listed = manifest(options.image, options.at.rstrip("/"))
    except (OSError, lzma.LZMAError, EOFError) as error:
        print(f"{options.image}: {error}", file=sys.stderr)
        return 1
    to = options.image.with_name("os_list.json")
    to.write_text(json.dumps(listed, indent=2) + "\n", encoding="utf-8")
    shutil.copy(ICON, to.parent)
    print(f"{to}: rpi-imager --repo {options.at.rstrip('/')}/{to.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
