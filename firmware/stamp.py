"""The PIO program that stamps one button; six state machines run it, one a button.

X counts down through 32 bits, once every four cycles, for ever, on every path through the program. So all six, which
leave `wait` in the same cycle, keep the same clock.

    held     until the contact has been open for `RELEASE_US` without a break; bounces restart it
    armed    looks every four cycles; X as it was when the contact was first seen closed is the stamp
    closed   `CONTACT_US` without a break make it a press, whose stamp is handed over
    gap      `GAP_US` without a break make it none: spikes (a spark, a relay, a lamp's data line), which are forgotten

A contact that bounces changes between `closed` and `gap`; its stamp stays that of its first edge. Each press is handed
over once, and the queue holds four, however long the main loop is busy. A button that is held down at the start must be
released first.

A line `jmp(x_dec, …)` only counts: it goes to the next line whatever X is. A PIO block has 32 lines, of which 9 are
`bounce_watch`'s, so there is no room to load a second time constant. The shorter ones are `TIMES` with its bits
reversed.
"""

from rp2 import asm_pio

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rp2 import _PIO_ASM_Program
    from rp2.asm_pio import *

CYCLES_A_TURN = 4
LATEST_CYCLES = 4
"""A stamp of turn t means that the contact closed after cycle 4 t - 4, and no later than 4 t."""
BEGIN = ("pull()", "set(x, 0)")
"""Instructions that a state machine, given `TIMES`, executes before it is switched on."""
TIMES = 0b1111 << 16
"""The count of Y in `held`; with its bits reversed, the count in the two other loops."""
_REVERSED = 0b1111 << 12
RELEASE_CYCLES = 4
CONTACT_CYCLES = 2
GAP_CYCLES = 8
"""The cycles of one count of Y in `held`, `closed` and `gap`."""

_MHZ = 125
RELEASE_US = TIMES * RELEASE_CYCLES // _MHZ
"""How long a contact must stay open before its button can be pressed again."""
CONTACT_US = _REVERSED * CONTACT_CYCLES // _MHZ
"""How long a contact must stay closed once to make a press."""
GAP_US = _REVERSED * GAP_CYCLES // _MHZ
"""A contact that opens for longer than this before that made no press."""


def program(start: int) -> "_PIO_ASM_Program":
    """Return the program; `start` is the pin whose rising edge begins cycle 0."""

    @asm_pio()
    def stamp() -> None:
        wait(1, gpio, start)
        label("again")
        mov(y, osr)

        label("held")
        jmp(x_dec, "held 2")
        label("held 2")
        jmp(pin, "rests")
        jmp("again")
        label("rests")
        jmp(y_dec, "held")[1]

        wrap_target()
        label("armed")
        jmp(x_dec, "look")[2]
        label("look")
        jmp(pin, "armed")
        mov(isr, x)
        jmp(x_dec, "open")

        label("open")
        mov(y, reverse(osr))[1]
        label("gap")
        jmp(x_dec, "gap 2")[3]
        label("gap 2")
        jmp(x_dec, "gap 3")
        label("gap 3")
        jmp(pin, "gap 4")

        mov(y, reverse(osr))[1]
        label("closed")
        jmp(x_dec, "closed 2")
        label("closed 2")
        jmp(pin, "open")
        jmp(y_dec, "closed 3")  # where it ends: Y begins even, and the other line that counts it down sees odd ones
        push(noblock)
        jmp(x_dec, "pressed")[1]
        label("pressed")
        jmp("again")
        label("closed 3")
        jmp(y_dec, "closed")

        label("gap 4")
        jmp(y_dec, "gap")[1]
        wrap()

    return stamp
