"""A buzzer box whose cable lies in emulated time: `CabledBox.port` stands in the place of the companion's `BoxPort`."""

import errno
from collections.abc import Iterator
from typing import Any

from companion.devices.buzzer_box.faults import not_opened, unplugged
from tests.emulators.box import Box, _line
from tests.emulators.time import Time

READ_S = 0.05
"""As long as `BoxPort.read` waits."""
LATENCY_S = 0.0003
"""What USB takes one way, about."""
STEP_S = 0.005


class Cable:
    """What is on its way to the Pi."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.pulled = False


class CabledBox(Box):
    """The box, living while time passes."""

    path = "/dev/ttyBox"

    def __init__(self, time: Time, **box: Any) -> None:
        """Takes also what `Box` takes."""
        self.time = time
        self._cable = Cable()
        super().__init__(**box)
        time.go(self._live())

    @property
    def plugged(self) -> bool:
        return not self._cable.pulled

    def port(self, path: str) -> "EmulatedPort":
        """Opens the port."""
        if path != self.path or not self.plugged:
            raise not_opened(path, OSError(errno.ENOENT, "not there"))
        return EmulatedPort(self, self._cable)

    def unplug(self, *, mid_line: bool = False) -> None:
        """Pulls the cable; the box keeps its power."""
        if self.plugged:
            self._cable.data.clear()
            if mid_line:
                self._cable.data += _line(f"P {self.boot} {self.last + 1} 1 {self.now()}")[:17]
            self._cable.pulled = True
            self._held = None

    def replug(self) -> None:
        """Puts the cable in, if it is out."""
        if not self.plugged:
            self._cable = Cable()
            self._received = b""
            self._write(b"\n")
            self._hello()
            self._repeat_at = 0.0

    def reboot(self) -> None:
        """Loses the power and gets it back: cable, memory and counters begin anew."""
        self.unplug()
        self._power_up()
        self.replug()

    def _live(self) -> Iterator[float]:
        while True:
            self._send_what_is_due()
            yield STEP_S

    def _write(self, data: bytes) -> None:
        self._cable.data += data


class EmulatedPort:
    """The port that the companion has open."""

    def __init__(self, box: CabledBox, cable: Cable) -> None:
        self._box = box
        self._cable = cable

    def read(self) -> bytes:
        time = self._box.time
        cable = self._cable
        end = time.now + READ_S
        time.sleep(LATENCY_S)
        while not cable.data and not cable.pulled and time.now < end:
            time.sleep(STEP_S)
        if cable.pulled and not cable.data:
            raise unplugged(self._box.path)
        data = bytes(cable.data)
        cable.data.clear()
        return data

    def write(self, line: bytes) -> None:
        self._box.time.sleep(LATENCY_S)
        if self._cable.pulled:
            raise unplugged(self._box.path)
        self._box._receive(line)

    def close(self) -> None:
        pass
