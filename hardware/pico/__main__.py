"""`make uf2 PICO=RPI_PICO-….uf2 PICO2=RPI_PICO2-….uf2`: of two images of MicroPython's, one that is the buzzer box."""

import argparse
import hashlib
import sys
from pathlib import Path

from companion.devices.buzzer_box import programs
from hardware.pico.files import with_files
from hardware.pico.uf2 import PICO, PICO_2, BootChip, Image, UnfitImage, read, write


def main(args: list[str]) -> int:
    """Write the image for both, and say the sum of each file; return the exit status."""
    parser = argparse.ArgumentParser(prog="hardware.pico", description="Make one image that is the buzzer box.")
    parser.add_argument("pico", type=Path, help="micropython.org's .uf2 for a Pico (RPI_PICO)")
    parser.add_argument("pico_2", type=Path, help="the one for a Pico 2 (RPI_PICO2), of the same version")
    parser.add_argument("to", type=Path, help="the file to write")
    asked = parser.parse_args(args)
    try:
        images = [_box(asked.pico, PICO), _box(asked.pico_2, PICO_2)]
        write(asked.to, images)
    except (OSError, UnfitImage) as wrong:
        print(wrong, file=sys.stderr)
        return 1
    for path in (asked.pico, asked.pico_2, asked.to):
        print(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path}")
    return 0


def _box(path: Path, chip: BootChip) -> Image:
    """Return an image with the firmware on it. Raises OSError, and `UnfitImage`, which names the file."""
    image = read(path, chip)
    try:
        return with_files(image, programs.files())
    except UnfitImage as wrong:
        raise UnfitImage(f"{path}: {wrong}") from wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
