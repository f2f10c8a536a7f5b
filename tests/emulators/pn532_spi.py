"""PN532s on an SPI bus that does not exist: what the driver opens (`EmulatedSpi.spidev`) and its pins (`.output`).

The bus carries bytes with the highest bit first, as the computer sends them; the chip takes the lowest first.
"""

import errno
import os
import time
from collections.abc import Mapping

from tests.emulators.pn532 import AskedChip
from tests.emulators.quirks import Quirks

STATUS, WRITE, READ = 2, 1, 3
"""What the first byte after selecting a chip asks for (§6.2.5)."""
WAKING = 0.002
"""Seconds that a chip must be selected to wake up."""
TURNED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
"""Each byte with its bits in reverse."""


class SpiPN532(AskedChip):
    """The chip behind a chip select."""

    def __init__(self, *, radio: float = 0.005, floats: int = 0xFF, quirks: Quirks | None = None) -> None:
        """Takes the radio's time in seconds, and the byte that is read where no chip drives the wire."""
        super().__init__(radio=radio, quirks=quirks)
        self.selected = False
        self.selected_for = 0.0
        """Seconds of the bus's own time: a busy machine makes no selection longer."""
        self._floats = floats
        self._asked = 0
        self._written = bytearray()
        self._fetched: list[int] = []

    def select(self) -> None:
        """Its chip select goes low."""
        if not self.selected:
            self.selected = True
            self.selected_for = 0.0
            self._asked = 0
            self._written.clear()
            self._fetched.clear()

    def deselect(self) -> None:
        """Its chip select goes high."""
        if self.selected:
            self.selected = False
            if self._asked == WRITE:
                self.obey(bytes(self._written))
            if not self.silent and self.selected_for >= WAKING and not self._asked:
                self.wake()

    def exchange(self, byte: int) -> int:
        """Takes a byte and gives one at the same time."""
        if self.silent or not self.selected:
            return self._floats
        match self._asked:
            case 0:
                self._asked = byte
                if byte == READ:
                    self._fetched = [*self.fetch()]
                return 0xAA
            case 2:
                return 0x01 if self.ready() else 0x00
            case 1:
                self._written.append(byte)
                return 0xFF
            case 3 if self._fetched:
                return self._fetched.pop(0)
            case _:
                return 0x00


class EmulatedSpi:
    """One bus with its readers, selected by the kernel (the path of its file) or by a GPIO (its number)."""

    def __init__(self, chips: Mapping[str | int, SpiPN532], resets: Mapping[int, SpiPN532] | None = None) -> None:
        """Takes the chips by what selects them, and by the GPIO at their reset."""
        self.chips = chips
        self.resets = resets or {}
        self.speeds: set[int] = set()
        """Bits a second at which anything was ever sent."""
        self.files = 0
        """How many are open."""
        self.collisions = 0
        """Bytes so far that more than one chip took."""
        self._broken = self._hung = 0
        self._hang = 0.0
        for chip in chips.values():
            chip.neighbours = [other for other in chips.values() if other is not chip]
        for select, chip in chips.items():
            if isinstance(select, int):  # a pin not driven is low
                chip.select()

    def fail(self, transfers: int = 1) -> None:
        """The next transfers fail."""
        self._broken = transfers

    def hang(self, seconds: float, transfers: int = 1) -> None:
        """The next transfers take this long."""
        self._hang = seconds
        self._hung = transfers

    def spidev(self, path: str) -> "EmulatedSpidev":
        """Opens the bus's file, in the place of `buses.Spidev`."""
        return EmulatedSpidev(self, path)

    def output(self, number: int | None) -> "EmulatedPin | None":
        """Gives a pin, in the place of `pins.output`."""
        return None if number is None else EmulatedPin(self, number)

    def exchange(self, data: bytes, speed: int) -> bytes:
        """Carries bytes to and from all that are selected."""
        if self._hung:
            self._hung -= 1
            time.sleep(self._hang)
        if self._broken:
            self._broken -= 1
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        self.speeds.add(speed)
        time.sleep(8 * len(data) / speed)
        listening = [chip for chip in self.chips.values() if chip.selected]
        self.collisions += len(listening) > 1
        for chip in listening:
            chip.selected_for += 8 * len(data) / speed
        answers = []
        for byte in data.translate(TURNED):
            answer = 0xFF
            for chip in self.chips.values():
                answer &= chip.exchange(byte)
            answers.append(answer)
        return bytes(answers).translate(TURNED)


class EmulatedSpidev:
    """The interface of CircuitPython's SPI buses, as far as the library uses it."""

    def __init__(self, bus: EmulatedSpi, path: str) -> None:
        self._bus = bus
        self._chip = bus.chips.get(path)
        self._speed = 0
        self._locked = False
        bus.files += 1

    def try_lock(self) -> bool:
        is_locked = self._locked
        self._locked = True
        return not is_locked

    def unlock(self) -> None:
        assert self._locked
        self._locked = False

    def configure(self, *, baudrate: int) -> None:
        assert self._locked
        self._speed = baudrate

    def write(self, data: bytes) -> None:
        self._transfer(data)

    def write_readinto(self, out: bytes | bytearray, into: bytearray) -> None:
        assert len(out) == len(into)
        into[:] = self._transfer(bytes(out))

    def close(self) -> None:
        self._bus.files -= 1

    def _transfer(self, data: bytes) -> bytes:
        assert self._locked
        if self._chip is None:
            return self._bus.exchange(data, self._speed)
        self._chip.select()
        try:
            return self._bus.exchange(data, self._speed)
        finally:
            self._chip.deselect()


class EmulatedPin:
    """A GPIO that selects or resets a chip."""

    def __init__(self, bus: EmulatedSpi, number: int) -> None:
        self._selects = bus.chips.get(number)
        self._resets = bus.resets.get(number)
        self._value = False

    @property
    def value(self) -> bool:
        return self._value

    @value.setter
    def value(self, high: bool) -> None:
        if self._selects:
            self._selects.deselect() if high else self._selects.select()
        if self._resets:
            self._resets.reset() if high else self._resets.lock_up(hard=True)
        self._value = high

    def switch_to_output(self, value: bool = False) -> None:
        self.value = value

    def release(self) -> None:
        pass
