"""The PIO program that stamps one button; six state machines run it, one a button.

X counts down through 32 bits, one for every two cycles, for ever: on every path through the program there is one
`jmp(x_dec)` to the next line for each other instruction. So all six, which leave `wait` in the same cycle, keep the
same clock.

    held     until the contact has been open for the whole release time; bounces restart it
    armed    looks every two cycles; X as it was when the contact was first seen closed is the stamp
    closed   a contact of less than a microsecond is a spike (a spark, a lamp's data line), not a press

Only then is the stamp handed over, once a press: 200 bounces leave one stamp, and the queue of four holds four presses,
however long the main loop is busy. A button that is held down at the start has to be released first.
"""

from rp2 import asm_pio

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rp2 import _PIO_ASM_Program
    from rp2.asm_pio import *

CYCLES_A_TURN = 2
RELEASE_CYCLES = 4
"""The unit of the release time, the program's first word."""
LATEST_CYCLES = 3
"""A stamp of turn t means: closed after cycle 2 t - 3, and not after 2 t - 1."""


def program(start: int) -> "_PIO_ASM_Program":
    """Return the program; `start` is the pin whose rising edge begins cycle 0."""

    @asm_pio()
    def stamp() -> None:
        pull()
        mov(y, osr)
        set(x, 0)
        wait(1, gpio, start)

        wrap_target()
        label("held")
        jmp(x_dec, "held 2")
        label("held 2")
        jmp(x_dec, "held 3")
        label("held 3")
        jmp(pin, "open")
        jmp(x_dec, "held 4")
        label("held 4")
        mov(y, osr)
        label("open")
        jmp(y_dec, "held")

        label("armed")
        jmp(x_dec, "look")
        label("look")
        jmp(pin, "armed")
        mov(isr, x)
        jmp(x_dec, "seen")
        label("seen")
        set(y, 30)
        jmp(x_dec, "closed")

        label("closed")
        jmp(x_dec, "closed 2")
        label("closed 2")
        jmp(pin, "armed")
        jmp(x_dec, "closed 3")
        label("closed 3")
        jmp(y_dec, "closed")
        push(noblock)
        jmp(x_dec, "held")
        wrap()

    return stamp
