"""What the box can find out about itself without a finger: every button's way from its pin to its stamp."""

from time import sleep_us

from buttons import Buttons
from chip_registers import PIN_CONTROLS
from machine import mem32
from stamp import CONTACT_US

# Input override of a pin, in its control register: whoever looks at the pin, PIO included, sees it low.
_CONTROL = PIN_CONTROLS + 4
_SET, _CLEAR = 0x2000, 0x3000
_LOW, _OVERRIDE = 2 << 16, 3 << 16


def try_buttons(buttons: Buttons) -> tuple[str, list[tuple[int, int]]]:
    """Press every button by the Pico's own means; return a letter for each, and the real presses met in between.

    "+" stamped in time, "t" stamped at another time, "-" not stamped, "c" the contact is closed. A button that was
    tried is deaf until its release time is over, so this is for when nobody plays.
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
