"""What units a version wants for the table of this machine, for the update that brings it.

    python -m companion.cli.renewed_units TABLE.toml

An older version calls it so, and reads each file's text by its path, as JSON: the words may not change.
"""

import json
import sys
from pathlib import Path

from companion.cli.service import units
from companion.config import begun
from companion.machine.upkeep_units import LAUNCHER

if __name__ == "__main__":
    settings = Path(sys.argv[1])
    wanted = units(begun(settings), settings)
    wanted.pop(LAUNCHER, None)  # it judges the new version, and so is the one that was there before
    print(json.dumps({str(path): text for path, text in wanted.items()}))
