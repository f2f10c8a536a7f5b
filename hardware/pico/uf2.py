"""Images in the format UF2, as the boot ROMs of a Pico and a Pico 2 take them.

Source: github.com/microsoft/uf2, and Raspberry Pi's own boot ROM (pico-bootrom-rp2040, virtual_disk.c).
"""

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

FLASH_START = 0x10000000
PAGE = 256
"""Bytes of flash that a block carries."""
SECTOR = 4096
"""Bytes of flash that are erased at once."""
_BLOCK = 512
_HEAD = struct.Struct("<8I")
_MAGIC = (0x0A324655, 0x9E5D5157)
_END = struct.pack("<I", 0x0AB16F30)
_HAS_FAMILY = 0x2000
_IGNORED_FAMILY = 0xE48BFF57
"""The family of the block that an image for a Pico 2 begins with (RP2350's erratum E10)."""


class UnfitImage(ValueError):
    """A file that cannot be made into a box; the message says why."""


@dataclass(frozen=True, slots=True)
class BootChip:
    """A chip, as the blocks for its boot ROM name it."""

    name: str
    family: int
    """The UF2 family of its blocks: a boot ROM ignores blocks of another family."""


PICO = BootChip("Pico", 0xE48BFF56)
PICO_2 = BootChip("Pico 2", 0xE48BFF59)
_NAMES = {chip.family: chip.name for chip in (PICO, PICO_2)} | {0xE48BFF5A: "Pico 2 with RISC-V"}


@dataclass(frozen=True, slots=True)
class Image:
    """The content for one chip's flash."""

    chip: BootChip
    first: tuple[bytes, ...]
    """Whole blocks that come before all others, unchanged."""
    flash: dict[int, bytes]
    """Pages by their address."""


def read(path: Path, chip: BootChip) -> Image:
    """Return the image in a file. Raises OSError, and `UnfitImage` if it is not one for this chip."""
    content = path.read_bytes()
    first: list[bytes] = []
    flash: dict[int, bytes] = {}
    announced = 0
    if not content or len(content) % _BLOCK:
        raise UnfitImage(f"{path} is no .uf2 file, or not all of one: download it again")
    for at in range(0, len(content), _BLOCK):
        block = content[at : at + _BLOCK]
        *magic, flags, address, size, _, count, family = _HEAD.unpack_from(block)
        if tuple(magic) != _MAGIC or block[-4:] != _END or size != PAGE or not flags & _HAS_FAMILY:
            raise UnfitImage(f"{path} is no .uf2 file, or not all of one: download it again")
        if family == _IGNORED_FAMILY:
            first.append(block)
            continue
        if family != chip.family:
            found = _NAMES.get(family, f"another chip ({family:08X})")
            raise UnfitImage(f"{path} is for a {found}, not for a {chip.name}")
        announced = count
        flash[address] = block[_HEAD.size : _HEAD.size + PAGE]
    if len(flash) != announced or not flash:
        raise UnfitImage(f"{path} is said to have {announced} blocks, but has {len(flash)}: download it again")
    return Image(chip, tuple(first), flash)


def write(path: Path, images: Iterable[Image]) -> None:
    """Write images of several chips into one file, of which each boot ROM takes its own. Raises OSError.

    A Pico restarts once it has the last of its blocks, and its drive disappears under the computer that still copies.
    So all chips' blocks take turns, and the last ones of each stand at the end.
    """
    first: list[bytes] = []
    places: list[tuple[float, bytes]] = []
    for image in images:
        first += image.first
        blocks = _blocks(image)
        # Sorted by the share of their image that is then written, all images end together.
        places += [((number + 1) / len(blocks), block) for number, block in enumerate(blocks)]
    places.sort(key=lambda place: place[0])
    path.write_bytes(b"".join([*first, *(block for _, block in places)]))


def _blocks(image: Image) -> list[bytes]:
    """Return an image's blocks: whole sectors.

    The boot ROM erases a sector for the first of each sixteen blocks by their number, not by their address. A sector
    that began in the middle of sixteen would be erased after its first pages were written.
    """
    sectors = sorted({address - address % SECTOR for address in image.flash})
    addresses = [sector + page for sector in sectors for page in range(0, SECTOR, PAGE)]
    blocks = []
    for number, address in enumerate(addresses):
        page = image.flash.get(address, b"\xff" * PAGE)
        head = _HEAD.pack(*_MAGIC, _HAS_FAMILY, address, PAGE, number, len(addresses), image.chip.family)
        blocks.append((head + page).ljust(_BLOCK - len(_END), b"\0") + _END)
    return blocks
