"""What the figures were taken on."""

import os
import platform
import re
import subprocess
from pathlib import Path

from tests.chromium import CHROMIUM


def machine() -> str:
    """Say it in one line."""
    memory = re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text())
    return ", ".join(
        (
            _processor(),
            f"{os.cpu_count()} cores",
            f"{int(memory[1]) / 2**20:.0f} GiB" if memory else "memory unknown",
            f"Linux {platform.release()}",
            f"Python {platform.python_version()}",
            _chromium(),
            f"load {os.getloadavg()[0]:.1f} before",
        )
    )


def _processor() -> str:
    """A Raspberry Pi says "Model", others "model name" for each core."""
    text = Path("/proc/cpuinfo").read_text()
    model = re.search(r"^Model\s*: (.+)$", text, re.M) or re.search(r"^model name\s*: (.+)$", text, re.M)
    return model[1] if model else platform.machine()


def _chromium() -> str:
    try:
        version = subprocess.run([CHROMIUM["executable_path"], "--version"], capture_output=True, text=True).stdout
    except OSError:
        return "no Chromium"
    return " ".join(version.split()[:2])
