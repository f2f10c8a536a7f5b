"""The machine's clock, set as the host's page wishes, where no network tells the time. Started by systemd, as root.

python -m companion.cli.clock_setting /run/table-companion/clock
"""

import subprocess
import sys
from datetime import datetime
from pathlib import Path

from companion.versions.host_wishes import knows_the_time, wished_time


def to_set(wish: Path, known: bool) -> datetime | None:
    """Remove the wish; return the time that it names, or None if a network knows better or it names none."""
    try:
        text = wish.read_text(encoding="ascii")
    except (OSError, ValueError):
        text = ""
    wish.unlink(missing_ok=True)
    return None if known else wished_time(text)


if __name__ == "__main__":
    if time := to_set(Path(sys.argv[1]), knows_the_time()):
        subprocess.run(["date", "--set", time.isoformat(sep=" ")], check=True)
