"""The PIO program that watches one contact bounce, on a state machine that stamps nothing.

It waits until the contact closes and then looks every two cycles. X counts down the turns in which nothing changed,
Y the edges, and ISR keeps X as it was at the last closing. When X is used up it hands over ISR and, in the word's last
`EDGE_BITS`, Y. The cycles of an edge are not turns: `measured` adds them back.

The end of `still` runs into the wrap, so that both loops hand over in the same place. The state machine runs on after
that, but its results mean nothing; the reader of the word switches it off. Beside the stamps' program there is room for
nine instructions in each PIO block.
"""

from rp2 import asm_pio

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rp2.asm_pio import *

BEGIN = ("pull()", "mov(x, osr)", "set(y, 0)")
"""Instructions to execute before it is switched on: X becomes the number of turns, the word it is given."""
EDGE_BITS = 11
"""The other 21 bits of the word hold turns: more than 30 ms of them."""
CYCLES_A_TURN = 2
_CYCLES_OPENING = 2
_CYCLES_CLOSING = 3


@asm_pio(autopush=True, push_thresh=EDGE_BITS)
def bounce() -> None:
    """Watch a contact; its pin is `in_base` and `jmp_pin`."""
    wait(0, pin, 0)
    label("closed")
    jmp(pin, "opens")
    jmp(x_dec, "closed")
    wrap_target()
    in_(y, 11)  # EDGE_BITS: MicroPython's assembler hides the module's names from a program
    label("opens")
    jmp(y_dec, "open")
    label("open")
    jmp(pin, "still")
    mov(isr, x)
    jmp(y_dec, "closed")
    label("still")
    jmp(x_dec, "open")
    wrap()


def measured(turns: int, word: int) -> tuple[int, int]:
    """Decode the word handed over after `turns`.

    Return how many edges followed the first closing, modulo 2048, and how many cycles lie between the first and the
    last closing.
    """
    edges = -word & (1 << EDGE_BITS) - 1
    if edges < 2:
        return edges, 0
    closings = edges // 2
    still = turns - (word >> EDGE_BITS)
    cycles = still * CYCLES_A_TURN + closings * _CYCLES_OPENING + (closings - 1) * _CYCLES_CLOSING
    return edges, cycles
