"""GPIO chips that exist in the kernel alone (gpio-sim): all that it does with pins is real, only the pins are not."""

import os
from pathlib import Path
from typing import Self

CONFIG = Path("/sys/kernel/config/gpio-sim")


class Pins:
    """A chip whose lines are pulled low and high as by buttons to ground. Use as a context manager."""

    def __init__(self, label: str = "pinctrl-bcm2711", lines: int = 28) -> None:
        self._device = CONFIG / label
        bank = self._device / "bank0"
        bank.mkdir(parents=True)
        (bank / "num_lines").write_text(f"{lines}")
        (bank / "label").write_text(label)
        self._bank = bank
        self._pulls: dict[int, int] = {}
        self.path = ""

    def __enter__(self) -> Self:
        self.plug_in()
        return self

    def __exit__(self, *_: object) -> None:
        self.unplug()
        self._bank.rmdir()
        self._device.rmdir()

    def plug_in(self) -> None:
        (self._device / "live").write_text("1")
        chip = (self._bank / "chip_name").read_text().strip()
        device = (self._device / "dev_name").read_text().strip()
        self.path = f"/dev/{chip}"
        self._lines = Path(f"/sys/devices/platform/{device}/{chip}")

    def unplug(self) -> None:
        for pull in self._pulls.values():
            os.close(pull)
        self._pulls.clear()
        (self._device / "live").write_text("0")

    def press(self, line: int) -> None:
        os.pwrite(self._pull(line), b"pull-down", 0)

    def release(self, line: int) -> None:
        os.pwrite(self._pull(line), b"pull-up", 0)

    def _pull(self, line: int) -> int:
        if line not in self._pulls:
            self._pulls[line] = os.open(self._lines / f"sim_gpio{line}/pull", os.O_WRONLY)
        return self._pulls[line]
