"""One .uf2 makes a Pico, or a Pico 2, the buzzer box: MicroPython and the firmware's files."""

import struct

import pytest
from littlefs import LittleFS

from companion.devices.buzzer_box import programs
from hardware.pico import __main__ as make_image
from hardware.pico.uf2 import PICO, PICO_2, SECTOR

KILOBYTE = 1024
IGNORED_FAMILY = 0xE48BFF57
"""Of the block that every image for a Pico 2 begins with (RP2350's erratum E10)."""
STORAGE = {
    # where MicroPython keeps files, and how much of them, on either Pico
    PICO: (0x100A0000, 1408 * KILOBYTE),
    PICO_2: (0x10100000, 3072 * KILOBYTE),
}
MICROPYTHON_BLOCKS = 70  # ends in the middle of a sector
FLASH = 4 * KILOBYTE * KILOBYTE


def micropython(chip, storage=None):
    """Return the flash of a blank MicroPython: nothing but its note of where it keeps files."""
    address, size = STORAGE[chip] if storage is None else storage
    start = 0x10000000
    name = start + 0x400
    entry = start + 0x300
    pointers = start + 0x200
    flash = bytearray(bytes([0xA5]) * MICROPYTHON_BLOCKS * 256)
    header = struct.pack("<5I", 0x7188EBF2, pointers, pointers + 4, 0, 0xE71AA390)
    flash[0x100 : 0x100 + len(header)] = header
    flash[0x200:0x204] = struct.pack("<I", entry)
    flash[0x300 : 0x300 + 22] = struct.pack("<2H4IH", 7, 0x504D, name, address, size, 0, 3)
    flash[0x400:0x40C] = b"MicroPython\0"
    return bytes(flash)


def block(family, address, data, number, count):
    head = struct.pack("<8I", 0x0A324655, 0x9E5D5157, 0x2000, address, 256, number, count, family)
    return head + data + bytes(220) + struct.pack("<I", 0x0AB16F30)


def stock_image(chip, flash):
    """Return an image as micropython.org has it."""
    pages = [flash[at : at + 256] for at in range(0, len(flash), 256)]
    blocks = [block(chip.family, 0x10000000 + n * 256, page, n, len(pages)) for n, page in enumerate(pages)]
    first = [block(IGNORED_FAMILY, 0x10FFFF00, bytes([0xEF]) * 256, 0, 2)] if chip is PICO_2 else []
    return b"".join(first + blocks)


class BootRom:
    """What the boot ROM does with a copied file, by the source of the RP2040's.

    It takes the blocks of its own family, erases a sector for the first block of each sixteen by *number*, wherever
    that block goes, and restarts once it has as many blocks as each of them says.
    """

    def __init__(self, chip, file, flash=bytes([0x5A]) * FLASH):
        self.flash = bytearray(flash)
        self.restarted_at = None
        self.first_family = struct.unpack_from("<I", file, 28)[0]
        erased = set()
        counts = set()
        written = set()
        for at in range(0, len(file), 512):
            _, _, _, address, _, number, count, family = struct.unpack_from("<8I", file, at)
            if family != chip.family:
                continue
            counts.add(count)
            offset = address - 0x10000000
            if number // 16 not in erased:
                erased.add(number // 16)
                sector = offset - offset % SECTOR
                self.flash[sector : sector + SECTOR] = bytes([0xFF]) * SECTOR
            written.add(number)
            for index, byte in enumerate(file[at + 32 : at + 32 + 256]):
                self.flash[offset + index] &= byte  # flash: bits only go down until they are erased
            if len(written) == count:
                self.restarted_at = at + 512
        assert len(counts) == 1


@pytest.fixture
def images(tmp_path):
    paths = {PICO: tmp_path / "RPI_PICO.uf2", PICO_2: tmp_path / "RPI_PICO2.uf2"}
    for chip, path in paths.items():
        path.write_bytes(stock_image(chip, micropython(chip)))
    return paths


@pytest.fixture
def one_file(images, tmp_path):
    path = tmp_path / "box.uf2"
    assert make_image.main([str(images[PICO]), str(images[PICO_2]), str(path)]) == 0
    return path.read_bytes()


def files_on(flash, chip):
    address, size = STORAGE[chip]
    offset = address - 0x10000000
    files = LittleFS(block_size=SECTOR, block_count=size // SECTOR, prog_size=256, mount=False)
    files.context.buffer[:] = flash[offset : offset + size]
    files.mount()
    contents = {}
    for name in files.listdir("/"):
        with files.open(name, "rb") as file:
            contents[name] = file.read()
    return contents


@pytest.mark.parametrize("chip", [PICO, PICO_2], ids=lambda chip: chip.name)
def test_either_boot_rom_makes_a_box_of_it_whatever_the_flash_held(chip, one_file):
    rom = BootRom(chip, one_file)
    assert bytes(rom.flash[: MICROPYTHON_BLOCKS * 256]) == micropython(chip)
    assert files_on(rom.flash, chip) == {path.name: path.read_bytes() for path in programs.files()}


@pytest.mark.parametrize("chip", [PICO, PICO_2], ids=lambda chip: chip.name)
def test_files_that_were_written_again_and_again_before_are_gone(chip, one_file):
    address, size = STORAGE[chip]
    older = LittleFS(block_size=SECTOR, block_count=size // SECTOR, prog_size=256)
    for turn in range(300):
        with older.open("main.py", "w") as file:
            file.write(f"{turn}")
    older.unmount()
    flash = bytearray(FLASH)
    flash[address - 0x10000000 : address - 0x10000000 + size] = older.context.buffer
    rom = BootRom(chip, one_file, flash)
    assert files_on(rom.flash, chip) == {path.name: path.read_bytes() for path in programs.files()}


@pytest.mark.parametrize("chip", [PICO, PICO_2], ids=lambda chip: chip.name)
def test_it_restarts_only_once_the_whole_file_is_copied(chip, one_file):
    assert BootRom(chip, one_file).restarted_at > len(one_file) - 2 * 512


def test_the_block_that_erratum_e10_of_the_rp2350_asks_for_stays_the_first(one_file):
    assert BootRom(PICO_2, one_file).first_family == IGNORED_FAMILY


def test_made_twice_it_is_the_same_bytes(images, one_file, tmp_path):
    twice = tmp_path / "twice.uf2"
    make_image.main([str(images[PICO]), str(images[PICO_2]), str(twice)])
    assert twice.read_bytes() == one_file


def test_the_sums_of_all_three_files_are_told(images, tmp_path, capsys):
    path = tmp_path / "box.uf2"
    make_image.main([str(images[PICO]), str(images[PICO_2]), str(path)])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in lines] == [*map(str, images.values()), str(path)]
    assert all(len(line.split()[0]) == 64 for line in lines)


WRONG = {
    "swapped": (stock_image(PICO_2, micropython(PICO_2)), "is for a Pico 2, not for a Pico"),
    "not a .uf2": (b"<html>" * 100, "is no .uf2 file"),
    "cut short": (stock_image(PICO, micropython(PICO))[:-512], "70 blocks, but has 69"),
    "cut within a block": (stock_image(PICO, micropython(PICO))[:-100], "is no .uf2 file"),
    "empty": (b"", "is no .uf2 file"),
    "another program": (stock_image(PICO, bytes(2048)), "no MicroPython"),
    "no room": (stock_image(PICO, micropython(PICO, (0x10001000, 8 * SECTOR))), "overlaps"),
    "too small": (stock_image(PICO, micropython(PICO, (0x100A0000, 2 * SECTOR))), "do not fit"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_an_image_that_will_not_do_is_refused_by_name_and_nothing_is_written(wrong, images, tmp_path, capsys):
    content, why = WRONG[wrong]
    images[PICO].write_bytes(content)
    path = tmp_path / "box.uf2"
    assert make_image.main([str(images[PICO]), str(images[PICO_2]), str(path)]) == 1
    message = capsys.readouterr().err
    assert why in message
    assert str(images[PICO]) in message
    assert not path.exists()
