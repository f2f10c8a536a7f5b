"""Registers, of either chip that a Pico may have, for which MicroPython has no name. The bits there are the same."""

from os import uname

from machine import mem32

_BASES = {
    # chip: watchdog, controls of the pins (IO_BANK0)
    "RP2040": (0x40058000, 0x40014000),
    "RP2350": (0x400D8000, 0x40028000),
}


def bases(board: str) -> tuple[int, int]:
    """Return where the watchdog and the pins' controls begin. Raises RuntimeError for a board with neither chip."""
    for chip, found in _BASES.items():
        if chip in board:
            return found
    raise RuntimeError(f"this firmware is for a Raspberry Pi Pico or Pico 2, not for {board}")


WATCHDOG, PIN_CONTROLS = bases(uname().machine)


def stop_watchdog() -> None:
    """Let nothing reset the Pico: an installation takes its time."""
    mem32[WATCHDOG + 0x3000] = 1 << 30


if __name__ == "__main__":  # run on installing: a firmware that has failed has left its watchdog on
    stop_watchdog()
