"""Sets the machine's clock from the host's page, where no network provides the time. Started by systemd, as root.

python -m companion.cli.clock_setting /run/table-companion/clock
"""

import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path

from companion.versions.host_wishes import knows_the_time, wished_time
from companion.versions.launcher import as_owner_of

LONGEST = 100
"""Characters of a time that are read, at most."""


def to_set(wish: Path, is_known: bool) -> datetime | None:
    """Remove the wish; return the time that it names, if any, unless the right time `is_known` already."""
    with as_owner_of(wish.parent):  # not as root: the page may have put anything into its folder, even a link
        try:
            with open(os.open(wish, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), encoding="ascii") as file:
                text = file.read(LONGEST)
        except (OSError, ValueError):
            text = ""
        wish.unlink(missing_ok=True)
    return None if is_known else wished_time(text)


if __name__ == "__main__":
    if time := to_set(Path(sys.argv[1]), knows_the_time()):
        subprocess.run(["date", "--set", time.isoformat(sep=" ")], check=True)
