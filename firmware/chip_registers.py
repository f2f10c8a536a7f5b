"""Registers of a Pico's two possible chips that MicroPython does not name; their bits are the same on both."""

from os import uname

from machine import mem32

_BASES = {
    # chip: watchdog, controls of the pins (IO_BANK0)
    "RP2040": (0x40058000, 0x40014000),
    "RP2350": (0x400D8000, 0x40028000),
}


def bases(board: str) -> tuple[int, int]:
    """Return the base addresses of watchdog and pin controls. Raises RuntimeError for a board with neither chip."""
    for chip, found in _BASES.items():
        if chip in board:
            return found
    raise RuntimeError(f"this firmware is for a Raspberry Pi Pico or Pico 2, not for {board}")


WATCHDOG, PIN_CONTROLS = bases(uname().machine)


def stop_watchdog() -> None:
    """Stop the watchdog, which would reset the Pico during an installation."""
    mem32[WATCHDOG + 0x3000] = 1 << 30  # the register's alias in which writing a one clears the bit: here ENABLE


if __name__ == "__main__":  # the installation runs this: a firmware that has failed leaves its watchdog on
    stop_watchdog()
