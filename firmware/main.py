"""The buzzer box: the main program of its Raspberry Pi Pico. protocol.md defines what it says."""

from micropython import kbd_intr

kbd_intr(-1)  # before all else: byte 03 on the line must not interrupt the program; MicroPython's prompt undoes this

from os import urandom
from time import sleep_ms

from chip_registers import WATCHDOG, stop_watchdog  # before the rest, because it reports a board of another kind
from machine import WDT, Pin, freq, idle, mem32
from pins import BUTTONS, LAMPS, PAD, START

_MHZ = 125
_WATCHDOG_MS = 8000
_REASON = WATCHDOG + 0x08


def held(*pins: int) -> bool:
    """Return whether all these buttons are held down."""
    contacts = [Pin(pin, Pin.IN, Pin.PULL_UP) for pin in pins]
    sleep_ms(5)  # until the pull-ups have charged the long wires
    return not any([contact.value() for contact in contacts])


def begun() -> str:
    """Return why the Pico has started: "watchdog", "reset" or "power"."""
    reason = mem32[_REASON]
    return "watchdog" if reason & 1 else "reset" if reason & 2 else "power"


def run() -> None:
    """Run the box until the Pi asks for the port."""
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


# To get past a firmware that no longer responds, hold the first two buttons while plugging the cable in.
if not held(*BUTTONS[:2]):
    run()
