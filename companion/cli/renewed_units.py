"""Prints the systemd units that this version wants for a table, for the update that installs it.

    python -m companion.cli.renewed_units TABLE.toml

An older version calls it like this, and reads a JSON object of texts by path: neither may change.
"""

import json
import sys
from pathlib import Path

from companion.cli.service import units
from companion.config import begun
from companion.machine.upkeep_units import LAUNCHER
from companion.versions.launcher import as_owner_of

if __name__ == "__main__":
    settings = Path(sys.argv[1])
    with as_owner_of(settings.parent):
        table = begun(settings)
    unit_files = units(table, settings)
    unit_files.pop(LAUNCHER, None)  # the launcher judges the new version, so the old one is kept
    print(json.dumps({str(path): text for path, text in unit_files.items()}))
