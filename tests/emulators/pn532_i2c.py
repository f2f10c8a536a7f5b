"""PN532s on an I2C bus that does not exist, alone or behind TCA9548A multiplexers (`EmulatedI2c`)."""

import errno
import os
import time
from collections.abc import Mapping

from tests.emulators.pn532 import AskedChip, Chip

CHIP = 0x24


class I2cPN532(AskedChip):
    """The chip at its only address."""

    _spoken_to_at = 0.0
    shy = False
    """While True it does not acknowledge its address instead of saying that it is not ready."""

    def write(self, data: bytes) -> None:
        """Takes a command. Raises OSError where nothing acknowledges."""
        self._answer_to_address()
        if data:
            self.obey(data)

    def read(self, count: int) -> bytes:
        """Gives the state, and with more than one byte what there is to fetch. Raises OSError as `write`."""
        self._answer_to_address()
        if not self.ready():
            if self.shy:
                raise _error(errno.EREMOTEIO)
            return bytes(count)
        return (b"\x01" + (self.fetch() if count > 1 else b"")).ljust(count, b"\x00")[:count]

    def _answer_to_address(self) -> None:
        since = time.monotonic() - self._spoken_to_at
        self._spoken_to_at = time.monotonic()
        if since < self.quirks.bus_free or self.chance.random() < self.quirks.unacknowledged:
            raise _error(errno.EREMOTEIO)
        if self.silent or self._locked == "hard":
            raise _error(errno.EREMOTEIO)
        if not self._awake:
            self.wake()  # it acknowledges the next time
            raise _error(errno.EREMOTEIO)


class Multiplexer:
    """A TCA9548A: a register with a bit for each channel that is let through."""

    def __init__(self, chips: Mapping[int, I2cPN532]) -> None:
        """Takes the chips by channel."""
        self.chips = chips
        self.hung = False
        """While True it holds the whole bus."""
        self.stuck = False
        """While True it takes its register without doing anything."""
        self.silent = False
        """While True it has no power."""
        self.register = 0

    def reset(self) -> None:
        """Pulses its reset pin."""
        self.hung = self.stuck = False
        self.register = 0

    def let_through(self) -> list[I2cPN532]:
        """Gives the chips that can be reached."""
        return [chip for channel, chip in self.chips.items() if self.register >> channel & 1 and not self.silent]


class EmulatedI2c:
    """One bus: multiplexers by address, and perhaps a chip on the bus itself. Stands in the place of `buses.I2cdev`."""

    def __init__(
        self,
        multiplexers: Mapping[int, Multiplexer] | None = None,
        *,
        alone: I2cPN532 | None = None,
        speed: int = 400_000,
        resets: Mapping[int, Chip | Multiplexer] | None = None,
    ) -> None:
        """Takes also the bits a second, and by GPIO number what it resets."""
        self.multiplexers = multiplexers or {}
        self.alone = alone
        self.resets = resets or {}
        self.collisions = 0
        """Times so far that more than one chip was spoken to."""
        self.files = 0
        """How often the bus is open."""
        self._speed = speed
        self._locked = False
        self.broken = 0
        """How many transfers are still to fail."""
        chips = [chip for multiplexer in self.multiplexers.values() for chip in multiplexer.chips.values()]
        for chip in chips:
            chip.neighbours = [other for other in chips if other is not chip]

    def i2cdev(self, path: str) -> "EmulatedI2c":
        """Opens the bus's file."""
        self.files += 1
        return self

    def output(self, number: int | None) -> "EmulatedReset | None":
        """Gives a pin, in the place of `pins.output`."""
        return None if number is None else EmulatedReset(self.resets[number])

    # The interface of CircuitPython's I2C buses, as far as it is used

    def try_lock(self) -> bool:
        is_locked = self._locked
        self._locked = True
        return not is_locked

    def unlock(self) -> None:
        assert self._locked
        self._locked = False

    def writeto(self, address: int, buffer: bytes, *, start: int = 0, end: int | None = None) -> None:
        data = bytes(buffer[start:end])
        self._carry(len(data))
        if address in self.multiplexers:
            multiplexer = self._multiplexer(address)
            if not multiplexer.stuck:
                multiplexer.register = data[-1]
        else:
            for chip in self._reached(address):
                chip.write(data)

    def readfrom_into(self, address: int, buffer: bytearray, *, start: int = 0, end: int | None = None) -> None:
        count = len(buffer[start:end])
        self._carry(count)
        if address in self.multiplexers:
            answers = [bytes((self._multiplexer(address).register,)) * count]
        else:
            answers = [chip.read(count) for chip in self._reached(address)]
        together = bytearray(b"\xff" * count)
        for answer in answers:  # whoever pulls the wire low, wins
            together = bytearray(map(int.__and__, together, answer))
        buffer[start:end] = together

    def writeto_then_readfrom(self, address: int, out: bytes, into: bytearray) -> None:
        self.writeto(address, out)
        self.readfrom_into(address, into)

    def close(self) -> None:
        self.files -= 1

    def _carry(self, count: int) -> None:
        assert self._locked
        time.sleep(9 * (count + 1) / self._speed)
        if self.broken:
            self.broken -= 1
            raise _error(errno.EIO)
        if any(multiplexer.hung for multiplexer in self.multiplexers.values()):
            time.sleep(0.1)
            raise _error(errno.ETIMEDOUT)

    def _multiplexer(self, address: int) -> Multiplexer:
        if self.multiplexers[address].silent:
            raise _error(errno.EREMOTEIO)
        return self.multiplexers[address]

    def _reached(self, address: int) -> list[I2cPN532]:
        reached = [chip for multiplexer in self.multiplexers.values() for chip in multiplexer.let_through()]
        reached += [self.alone] if self.alone else []
        if address != CHIP or not reached:
            raise _error(errno.EREMOTEIO)
        self.collisions += len(reached) > 1
        return reached


class EmulatedReset:
    """A GPIO that resets a chip or a multiplexer when it goes high again."""

    def __init__(self, resets: Chip | Multiplexer) -> None:
        self._resets = resets
        self._value = False

    @property
    def value(self) -> bool:
        return self._value

    @value.setter
    def value(self, high: bool) -> None:
        if high and not self._value:
            self._resets.reset()
        self._value = high

    def release(self) -> None:
        pass


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))
