"""Every fault that the emulated readers can have, and how it ends. What comes of it is no matter of this module's."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from tests.emulators.pn532 import ACK, ERROR, NACK, Chip, unspoilt
from tests.trust.cables.trouble import Happening

Act = Callable[[Chip, random.Random], object]
Spoil = Callable[[bytes, random.Random], bytes]


@dataclass(frozen=True)
class Fault:
    """Something that goes wrong with one chip."""

    name: str
    begin: Act
    end: Act
    silent: bool = False
    """Whether nothing works while it lasts: then the page must say so."""


def _noise(length: int, chance: random.Random) -> bytes:
    return chance.randbytes(chance.randint(1, length))


def _garbage_before(data: bytes, chance: random.Random) -> bytes:
    return _noise(8, chance) + data


def _garbage_within(data: bytes, chance: random.Random) -> bytes:
    noise = _noise(len(data), chance)
    at = chance.randrange(len(data) - len(noise) + 1)
    return data[:at] + noise + data[at + len(noise) :]


def _garbage_in_the_uid(data: bytes, chance: random.Random) -> bytes:
    """Hit where only the checksum shows it, which once in 256 times does not."""
    noise = _noise(6, chance)
    return data[: -2 - len(noise)] + noise + data[-2:] if len(data) > 20 else data


def _bit(data: bytes, chance: random.Random) -> bytes:
    flipped = bytearray(data)
    flipped[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(flipped)


def _half(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data))]


def _wrong_sum(data: bytes, chance: random.Random) -> bytes:
    return data if data == ACK else data[:-2] + bytes((data[-2] ^ chance.randint(1, 255), data[-1]))


def _nack(data: bytes, chance: random.Random) -> bytes:
    return NACK if data == ACK else data


def _twice(data: bytes, chance: random.Random) -> bytes:
    return data + data


def _error(data: bytes, chance: random.Random) -> bytes:
    return data if data == ACK else ERROR


def _lost(data: bytes, chance: random.Random) -> bytes:
    return b""


def _wire(name: str, spoil: Spoil) -> Fault:
    """Spoil one reply in three, or all of them."""

    def begin(chip: Chip, chance: random.Random) -> None:
        share = chance.choice((0.1, 0.3, 1.0))
        chip.to_host = lambda data: spoil(data, chance) if chance.random() < share else data

    return Fault(name, begin, _mend_wire)


def _mend_wire(chip: Chip, chance: random.Random) -> None:
    chip.to_host = chip.to_chip = unspoilt


def _spoil_commands(chip: Chip, chance: random.Random) -> None:
    chip.to_chip = lambda data: _garbage_within(data, chance) if data else data


def _silence(chip: Chip, silent: bool) -> None:
    chip.silent = silent


def _late(chip: Chip, chance: random.Random) -> None:
    chip.delay(chance.choice((0.05, 0.3, 0.49, 0.6, 1.1)), 10**9)


def _nothing(chip: Chip, chance: random.Random) -> None:
    pass


def _lock_softly(chip: Chip, chance: random.Random) -> None:
    chip.lock_up()


def _lock_hard(chip: Chip, chance: random.Random) -> None:
    chip.lock_up(hard=True)


def _reset(chip: Chip, chance: random.Random) -> None:
    chip.reset()


OF_A_CHIP = (
    Fault("power cut", lambda chip, _: chip.cut_power(), lambda chip, _: chip.restore_power(), silent=True),
    Fault("wire cut", lambda chip, _: _silence(chip, True), lambda chip, _: _silence(chip, False), silent=True),
    Fault("brown-out", _reset, _nothing),
    Fault("locked up, until it is woken", _lock_softly, _reset),
    Fault("locked up, until it is reset", _lock_hard, _reset),
    Fault("late answers", _late, lambda chip, _: chip.delay(0.0, 0)),
    Fault("missed at the edge of the field", lambda chip, chance: chip.miss(chance.randint(1, 2)), _nothing),
    _wire("garbage before an answer", _garbage_before),
    _wire("garbage within an answer", _garbage_within),
    _wire("garbage in the uid", _garbage_in_the_uid),
    _wire("flipped bits", _bit),
    _wire("half frames", _half),
    _wire("wrong checksums", _wrong_sum),
    _wire("NACKs", _nack),
    _wire("answers twice", _twice),
    _wire("RF errors", _error),
    _wire("lost answers", _lost),
    Fault("garbled commands", _spoil_commands, _mend_wire),
)


def met(place: str, chip: Chip, chance: random.Random) -> Happening:
    """Choose one for the chip at a place."""
    fault = chance.choice(OF_A_CHIP)
    return Happening(
        fault.name, (place,), lambda: fault.begin(chip, chance), lambda: fault.end(chip, chance), fault.silent
    )
