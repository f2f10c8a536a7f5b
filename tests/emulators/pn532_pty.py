"""An emulated PN532 at a serial port that any program can open.

with UartPN532() as reader:
    serial.Serial(reader.path, 115200)
    reader.put("04A1B2C3D4E5F6")
"""

import os
import pty
import select
import shutil
import tempfile
import threading
import tty
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.emulators.pn532 import Chip


class UartPN532(Chip):
    """The chip behind a serial port that exists while the `with` block runs, served by a thread of its own."""

    def __init__(self, *, radio: float = 0.005, baud: int | None = 115200) -> None:
        """Takes the radio's time in seconds, and the bits a second at which bytes travel (None: at once)."""
        super().__init__(radio=radio)
        self._byte = 10 / baud if baud else 0.0
        self._folder = Path(tempfile.mkdtemp(prefix="pn532-"))
        self.path = str(self._folder / "ttyPN532")
        """The port's name; the same after a replug."""

    def __enter__(self) -> Self:
        self.replug()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.unplug()
        shutil.rmtree(self._folder)

    def replug(self) -> None:
        """Plugs the reader in: the chip powers up asleep, the port comes back under the same name."""
        self._power_up()
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.symlink(os.ttyname(self._slave), self.path)
        self._unplugged = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="emulated PN532", daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        """Pulls the plug: the port vanishes, and whoever has it open finds it dead."""
        if os.path.islink(self.path):
            os.unlink(self.path)
            self._unplugged.set()
            self._thread.join()
            os.close(self._slave)
            os.close(self._master)

    def _serve(self) -> None:
        while not self._unplugged.is_set():
            replies = self.idle()
            if select.select([self._master], [], [], 0.02)[0]:
                data = os.read(self._master, 4096)
                self._unplugged.wait(len(data) * self._byte)
                replies += self.hear(data)
            for delay, data in replies:
                if self._unplugged.wait(delay + len(data) * self._byte):
                    return
                os.write(self._master, data)
