"""The buzzer box: what a Raspberry Pi Pico does as long as it has power. protocol.md says what it says."""

from micropython import kbd_intr

kbd_intr(-1)  # a line is a line: byte 03 stops nothing, from the first moment; MicroPython's prompt takes it back

from os import urandom
from time import sleep_ms

from chip_registers import WATCHDOG, stop_watchdog  # before the rest: on another board it says so
from machine import WDT, Pin, freq, idle, mem32
from pins import BUTTONS, LAMPS, PAD, START

_MHZ = 125
_WATCHDOG_MS = 8000
_REASON = WATCHDOG + 0x08


def held(*pins: int) -> bool:
    """Return whether all these buttons are held down."""
    contacts = [Pin(pin, Pin.IN, Pin.PULL_UP) for pin in pins]
    sleep_ms(5)  # the pull-ups have long wires to charge
    return not any([contact.value() for contact in contacts])


def begun() -> str:
    """Return why the Pico has started."""
    reason = mem32[_REASON]
    return "watchdog" if reason & 1 else "reset" if reason & 2 else "power"


def run() -> None:
    """Be the box until the Pi asks for the port."""
    from bounce_recorder import Recorder
    from buttons import Buttons
    from lamps import Lamps
    from port import Port
    from talk import Talk

    freq(_MHZ * 1000000)
    boot = "".join([f"{byte:02X}" for byte in urandom(6)])
    buttons = Buttons(BUTTONS, START)
    talk = Talk(Port(), boot, begun(), buttons, Recorder(buttons), Lamps(LAMPS, len(BUTTONS), PAD))
    watchdog = WDT(timeout=_WATCHDOG_MS)
    while talk.step():
        watchdog.feed()
        idle()
    stop_watchdog()


# A way in past a firmware that hears nobody any more: hold the first two buttons while the cable is plugged in.
if not held(*BUTTONS[:2]):
    run()
