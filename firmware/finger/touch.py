"""The PIO program that presses two ports, the second some cycles after the first, then releases both.

A port is pressed as by a button, by pulling it to ground: the pins drive 0 V or nothing, never 3.3 V.
"""

from rp2 import PIO, asm_pio

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rp2.asm_pio import *

LEAST_CYCLES = 2
"""The fewest cycles between the two presses, unless they come in the same cycle."""


@asm_pio(out_init=[PIO.IN_LOW, PIO.IN_LOW], out_shiftdir=PIO.SHIFT_RIGHT)
def touch() -> None:
    """Press as three words from `words` say, and hand over a word when done; its pins are `out_base` and the next."""
    pull()
    mov(y, osr)
    pull()
    mov(x, osr)
    pull()
    out(pindirs, 2)
    label("between")
    jmp(y_dec, "between")
    out(pindirs, 2)
    label("held")
    jmp(x_dec, "held")
    mov(osr, null)
    out(pindirs, 2)
    push()


def words(first: int, cycles: int, held: int) -> tuple[int, int, int]:
    """Return the words that press the port `first` (1 or 2), the other this many cycles later, and hold both.

    With no cycles between them both are pressed in the same one.
    """
    begin = first if cycles else 0b11
    return max(0, cycles - LEAST_CYCLES), held, begin | 0b11 << 2
