"""Records how one button's contact bounces at its next press, while all buttons are stamped as usual."""

from bounce_watch import BEGIN, CYCLES_A_TURN, bounce, measured
from buttons import Buttons
from machine import Pin, freq
from rp2 import StateMachine
from stamp import RELEASE_US

WINDOW_US = 30000
"""How long it records, from the first closing."""

_SPARE = 6  # state machines 0 to 5 stamp the buttons


class Recorder:
    """One recording, under way or done. Nothing here blocks."""

    def __init__(self, buttons: Buttons) -> None:
        """Look at these buttons."""
        self._buttons = buttons
        self._mhz = freq() // 1000000
        self._turns = WINDOW_US * self._mhz // CYCLES_A_TURN
        self._asked = -1, 0
        self._machine: StateMachine | None = None
        self._open_since: int | None = None
        self._pressed = False
        self._found: tuple[str, int, int] | None = None

    def ask(self, nonce: int, button: int) -> tuple[str, int, int]:
        """Return the state of the recording with this nonce, as protocol.md defines it; a new nonce begins one."""
        if self._asked != (nonce, button):
            self._asked = nonce, button
            self._found = None
            self._again()
        return self._found or ("waits", 0, 0)

    def step(self, now: int, presses: list[tuple[int, int]]) -> None:
        """Continue the recording, if there is one; `presses` are those stamped since the last step."""
        button = self._asked[1]
        if not button or self._found:
            return
        if not self._machine:
            # Armed only after the release time, as `stamp` is, so that both begin at the same closing.
            if self._buttons.closed(button):
                self._open_since = None
            elif self._open_since is None:
                self._open_since = now
            elif now - self._open_since >= RELEASE_US:
                self._machine = self._armed(button)
            return
        self._pressed = self._pressed or button in [which for _, which in presses]
        if not self._machine.rx_fifo():
            return
        edges, cycles = measured(self._turns, self._machine.get())
        if self._pressed:
            self._found = "open" if edges & 1 else "closed", edges, cycles // self._mhz
        self._again()  # begins anew after a spike, which made no press; else it only stops the machine

    def _again(self) -> None:
        if self._machine:
            self._machine.active(0)
        self._machine, self._pressed, self._open_since = None, False, None

    def _armed(self, button: int) -> StateMachine:
        contact = Pin(self._buttons.pins[button - 1])
        machine = StateMachine(_SPARE, bounce, in_base=contact, jmp_pin=contact)
        machine.put(self._turns)
        for instruction in BEGIN:
            machine.exec(instruction)
        machine.active(1)
        return machine
