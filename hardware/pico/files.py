"""The files on a Pico with MicroPython: where it keeps them, and a flash that already holds some.

Source: pico-sdk's `pico/binary_info/structure.h`; MicroPython's `ports/rp2/modules/_boot.py`.
"""

import struct
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from littlefs import LittleFS, LittleFSError

from hardware.pico.uf2 import FLASH_START, PAGE, SECTOR, Image, UnfitImage

_NOTES = struct.Struct("<5I")
_NOTES_BEGIN = 0x7188EBF2
_NOTES_END = 0xE71AA390
_DEVICE = struct.Struct("<2H4IH")
_BLOCK_DEVICE = 7
_NAME = b"MicroPython\0"
_DISK_VERSION = 0x20000
"""littlefs 2.0: a MicroPython of before 2023 takes no newer one, and formats what it does not take."""


def with_files(image: Image, paths: Iterable[Path]) -> Image:
    """Return a blank MicroPython's image with files on it. Raises OSError; `UnfitImage` does not name the image."""
    address, size = _storage(image)
    if max(image.flash) >= address:
        raise UnfitImage("its MicroPython overlaps the place of its files")
    files = LittleFS(
        block_size=SECTOR,
        block_count=size // SECTOR,
        prog_size=PAGE,
        disk_version=_DISK_VERSION,
    )
    try:
        for path in paths:
            with files.open(path.name, "wb") as file:
                file.write(path.read_bytes())
    except LittleFSError as error:
        raise UnfitImage(f"the firmware's files do not fit into its {size // 1024} KiB") from error
    files.unmount()
    stored = bytes(files.context.buffer)
    flash = dict(image.flash)
    for at in range(0, size, SECTOR):
        sector = stored[at : at + SECTOR]
        # An empty sector is not written: whatever an older file system left in it, to this one it is free. That old
        # one is gone, as the first two sectors, which say what file system this is, are never empty.
        if sector.strip(b"\xff"):
            flash |= {address + at + page: sector[page : page + PAGE] for page in range(0, SECTOR, PAGE)}
    return replace(image, flash=flash)


def _storage(image: Image) -> tuple[int, int]:
    """Return address and size of MicroPython's file system, as its own binary info says. Raises `UnfitImage`."""
    flash = b"".join(
        image.flash.get(address, b"\xff" * PAGE) for address in range(FLASH_START, max(image.flash) + PAGE, PAGE)
    )
    try:
        for entry in _notes(flash):
            kind, _, name, address, size, _, _ = _DEVICE.unpack_from(flash, entry - FLASH_START)
            if kind == _BLOCK_DEVICE and flash[name - FLASH_START :].startswith(_NAME):
                return address, size
    except struct.error:  # a note that points out of the image
        pass
    raise UnfitImage("no MicroPython, or one that does not say where it keeps its files")


def _notes(flash: bytes) -> tuple[int, ...]:
    """Return the addresses of a program's binary info, its notes for tools; () if it has none. Raises struct.error."""
    at = flash.find(struct.pack("<I", _NOTES_BEGIN))
    if at < 0:
        return ()
    _, begin, end, _, end_mark = _NOTES.unpack_from(flash, at)
    if end_mark != _NOTES_END:
        return ()
    return struct.unpack_from(f"<{(end - begin) // 4}I", flash, begin - FLASH_START)
