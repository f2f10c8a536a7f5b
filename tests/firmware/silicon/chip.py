"""A Pico in rp2040py with a real image: six contacts, a cable, and the PIO of this folder in place of its own.

rp2040py's PIO stands still while the processor sleeps (1.0.0b1); everything else is its own: processor, flash, USB,
timer, watchdog. Time is the chip's: it runs when it is asked to, and waits for nobody.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from rp2040py.boards import BoardSpec
from rp2040py.device.base_device import BaseDevice
from rp2040py.memory_map import FLASH_START_ADDRESS
from rp2040py.reset_cause import ResetCause

from companion.devices.buzzer_box import protocol
from tests.firmware.pio import module
from tests.firmware.silicon.bits import Bits
from tests.firmware.silicon.block import Block
from tests.firmware.silicon.machine import Pins

MHZ = 125
TICKS_A_CYCLE = 128
"""Of the emulator's clock, of 1/16 ns."""
FLASH = 2 * 1024 * 1024
_BLOCKS = (0x50200, 0x50300)
_CONTROLS = 0x40014
_AT_ONCE = 256
Message = TypeVar("Message")


class _Told:
    """The registers of the pins' controls: passes all on, and tells when something was set there."""

    def __init__(self, inner: Any, tell: Callable[[], None]) -> None:
        self._inner = inner
        self._tell = tell

    def read_uint32(self, offset: int) -> int:
        return self._inner.read_uint32(offset)

    def write_uint32(self, offset: int, value: int) -> None:
        self._inner.write_uint32(offset, value)
        self._tell()

    def write_uint32_atomic(self, offset: int, value: int, atomic_type: int) -> None:
        self._inner.write_uint32_atomic(offset, value, atomic_type)
        self._tell()

    def reset(self) -> None:
        self._inner.reset()


class Chip:
    """A Pico under power, from its first cycle on."""

    def __init__(self, image: Path, flash: bytes | None = None) -> None:
        """`flash` is what another has left; without it there is the image alone."""
        self.device = BaseDevice(board=BoardSpec(image=image))
        self.mcu = self.device.mcu
        self.clock = self.mcu.clock
        if flash:
            self.mcu.flash[:FLASH] = flash
        self.heard = bytearray()
        """All that has come from it, and was not taken."""
        self.resets = 0
        self.listed_at: float | None = None
        """When the host has come to know it, since its last reset."""
        self._pins = Pins()
        self._blocks = [Block(self._pins, self.cycle) for _ in _BLOCKS]
        for at, block in zip(_BLOCKS, self._blocks, strict=True):
            self.mcu.peripherals[at] = block
        self.mcu.peripherals[_CONTROLS] = _Told(self.mcu.peripherals[_CONTROLS], self._look)
        pins = module("pins")
        self._buttons = pins.BUTTONS
        self._start = pins.START
        self._bits = Bits(self.mcu.gpio[pins.LAMPS], lambda: self.clock.ticks / TICKS_A_CYCLE / MHZ)
        self.mcu.gpio[self._start].add_listener(lambda *_: self._look())
        self.mcu.watchdog.on_watchdog_trigger = self._reset
        self.device.cdc.on_serial_data = self.heard.extend
        self.device.cdc.on_device_connected = self._listed
        self._stop = self.clock.create_alarm(self.device.simulator.stop)
        self._alarms: list[Any] = []
        self._unsaid = bytearray()
        self._cutter = protocol.LineCutter()
        self._messages = []
        self.mcu.core.pc = FLASH_START_ADDRESS

    @property
    def now(self) -> float:
        """Seconds since there is power."""
        return self.clock.ticks / TICKS_A_CYCLE / MHZ / 1e6

    def cycle(self) -> int:
        """Return the cycle that it is in, at its full speed."""
        return self.clock.ticks // TICKS_A_CYCLE

    def flash(self) -> bytes:
        """Return what a power cut leaves."""
        return bytes(self.mcu.flash[:FLASH])

    def run(self, seconds: float) -> None:
        """Let it go on for so long."""
        self._stop.schedule_ticks(round(seconds * 1e6 * MHZ * TICKS_A_CYCLE))
        self.device.simulator.stopped = False
        while not self.device.simulator.stopped:
            self._push()
            self.device.simulator._execute_batch()
        self._push()

    def open(self) -> None:
        """Open the port, as a program does: it is told so."""
        self.device.cdc.set_control_lines(dtr=True, rts=True)

    def close(self) -> None:
        """Close it."""
        self.device.cdc.set_control_lines(dtr=False, rts=False)

    def send(self, data: bytes) -> None:
        """Send bytes, as fast as USB takes them."""
        self._unsaid += data

    def say(self, message: protocol.FromPi) -> None:
        """Send a line of the protocol."""
        self.send(protocol.encode(message))

    def told(self, kind: type[Message] | tuple[type, ...]) -> list[Message]:
        """Take what has come of this kind, or these; other kinds stay, and what is not understood is nothing."""
        self._messages += filter(None, map(protocol.from_box, self._cutter.feed(bytes(self.heard))))
        self.heard.clear()
        messages = [message for message in self._messages if isinstance(message, kind)]
        self._messages = [message for message in self._messages if not isinstance(message, kind)]
        return messages

    def lamps(self) -> list[tuple[int, int, int]]:
        """Return what the row of lamps was last told, as red, green and blue."""
        return self._bits.colours()

    def contact(self, button: int, edges: list[int]) -> None:
        """Let a button's contact close, open, close … after so many cycles from now."""
        for n, edge in enumerate(edges):
            self._after(edge, button, n % 2 == 0)

    def press(self, button: int, after: int = 0, held_ms: int = 50) -> None:
        """Press a button for so long, after so many cycles."""
        self.contact(button, [after, after + held_ms * 1000 * MHZ])

    def _after(self, cycles: int, button: int, closed: bool) -> None:
        at = self.cycle() + cycles
        pin = self._buttons[button - 1]

        def change() -> None:
            gpio = self.mcu.gpio[pin]
            if closed:
                gpio.set_input_value(False)
            else:
                gpio.release_input()
            self._look(at)
            self._alarms.remove(alarm)

        alarm = self.clock.create_alarm(change)
        self._alarms.append(alarm)
        alarm.schedule_ticks(cycles * TICKS_A_CYCLE or 1)

    def _look(self, at: int | None = None) -> None:
        """Hand on to the PIO what has changed at the pins."""
        cycle = self.cycle() if at is None else at
        for pin in (*self._buttons, self._start):
            gpio = self.mcu.gpio[pin]
            level = gpio.output_value if pin == self._start else gpio.input_value
            if level != self._pins.high(pin):
                for block in self._blocks:
                    block.pin_changes(pin, cycle)
                self._pins.levels ^= 1 << pin

    def _push(self) -> None:
        """Hand on what is to be sent as far as there is room, and never much at once."""
        room = _AT_ONCE - self.device.cdc.tx_fifo.item_count
        for byte in self._unsaid[:room] if room > 0 else b"":
            self.device.cdc.send_serial_byte(byte)
        del self._unsaid[: max(0, room)]

    def _listed(self) -> None:
        self.listed_at = self.now

    def _reset(self) -> None:
        self.resets += 1
        self.listed_at = None
        for block in self._blocks:
            block.reset()
        self.device.hard_reset(cause=ResetCause.WATCHDOG)
