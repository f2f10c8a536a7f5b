"""Whose a file is: what root makes in the folder of another belongs to that one, or it could not use it."""

import os
from contextlib import suppress
from pathlib import Path


def give_to_the_folders_owner(path: Path) -> None:
    """Hand over a file that root has just made; for anybody else, or on a disk without owners, nothing is to be done.

    Raises OSError where it is not there.
    """
    if os.geteuid() == 0:
        folder = path.parent.stat()
        with suppress(PermissionError):
            os.chown(path, folder.st_uid, folder.st_gid, follow_symlinks=False)
