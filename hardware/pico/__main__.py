"""`make uf2 PICO=RPI_PICO-….uf2 PICO2=RPI_PICO2-….uf2`: one image of the buzzer box from MicroPython's two."""

import argparse
import hashlib
import sys
from pathlib import Path

from companion.devices.buzzer_box import programs
from hardware.pico.files import with_files
from hardware.pico.uf2 import PICO, PICO_2, BootChip, Image, UnfitImage, read, write


def main(args: list[str]) -> int:
    """Write one image for both chips, and print each file's SHA-256; return the exit status."""
    parser = argparse.ArgumentParser(prog="hardware.pico", description="Make one image that is the buzzer box.")
    parser.add_argument("pico", type=Path, help="micropython.org's .uf2 for a Pico (RPI_PICO)")
    parser.add_argument("pico_2", type=Path, help="the one for a Pico 2 (RPI_PICO2), of the same version")
    parser.add_argument("to", type=Path, help="the file to write")
    options = parser.parse_args(args)
    try:
        images = [_box(options.pico, PICO), _box(options.pico_2, PICO_2)]
        write(options.to, images)
    except (OSError, UnfitImage) as error:
        print(error, file=sys.stderr)
        return 1
    for path in (options.pico, options.pico_2, options.to):
        print(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path}")
    return 0


def _box(path: Path, chip: BootChip) -> Image:
    """Return an image with the firmware on it. Raises OSError, and `UnfitImage`, which names the file."""
    image = read(path, chip)
    try:
        return with_files(image, programs.files())
    except UnfitImage as error:
        raise UnfitImage(f"{path}: {error}") from error


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
