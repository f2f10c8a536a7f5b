"""The box's self-test: checks every button's way from its pin to its stamp without a finger."""

from time import sleep_us

from buttons import Buttons
from chip_registers import PIN_CONTROLS
from machine import mem32
from stamp import CONTACT_US

# The input override in a pin's control register makes the pin read low for everything on the chip, PIO included.
_CONTROL = PIN_CONTROLS + 4
_SET, _CLEAR = 0x2000, 0x3000
_LOW, _OVERRIDE = 2 << 16, 3 << 16


def try_buttons(buttons: Buttons) -> tuple[str, list[tuple[int, int]]]:
    """Press every button electrically; return a letter for each, and the real presses that came in between.

    "+" stamped in time, "t" stamped at another time, "-" not stamped, "c" the contact is closed. A button that was
    tried ignores presses until its release time is over, so this must not run while people play.
    """
    letters, presses, clock = "", buttons.fetch(), buttons.clock
    for button, pin in enumerate(buttons.pins, 1):
        if buttons.closed(button):
            letters += "c"
            continue
        control = _CONTROL + 8 * pin
        earliest = clock.now() - clock.doubt
        mem32[control + _SET] = _LOW
        latest = clock.now() + 1
        sleep_us(CONTACT_US + 100)
        mem32[control + _CLEAR] = _OVERRIDE
        letter = "-"
        for at, which in buttons.fetch():
            if which == button:
                letter = "+" if earliest <= at <= latest else "t"
            else:
                presses.append((at, which))
        letters += letter
    return letters, presses
