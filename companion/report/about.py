"""The report's part on the machine: versions, disk, the last update."""

import json
import os
import platform
import shutil
from contextlib import suppress

from companion.config import Table
from companion.storage import disk_speed
from companion.versions import launcher
from companion.versions.commit import full_version


def about(table: Table) -> str:
    """Describe the machine: versions, disk, the last update's outcome."""
    lines = [f"companion {full_version()}, Python {platform.python_version()}, {platform.platform()}"]
    with suppress(OSError):
        lines.append(f"system: {platform.freedesktop_os_release().get('PRETTY_NAME', '')}")
    folder = table.log.parent
    with suppress(OSError):
        lines.append(f"free: {shutil.disk_usage(folder).free / 1e6:.0f} MB")
        lines.append(f"read-only: {bool(os.statvfs(folder).f_flag & os.ST_RDONLY)}")
        syncs = disk_speed.measure(table.log)
        lines.append(f"keeping a page: {syncs.median * 1000:.1f} ms as a rule, {syncs.worst * 1000:.1f} ms at worst")
    lines.append(f"last update: {json.dumps(launcher.last_outcome(launcher.ROOT))}")
    return "\n".join([*lines, ""])
