"""Packs a report: texts in a zip file."""

import io
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path


def settings_text(settings: Path | None) -> Mapping[str, str]:
    """Return the settings file as a part of a report; {} if it can't be read."""
    if settings is None or not settings.is_file():  # reading a pipe would block
        return {}
    with suppress(OSError):
        return {"table.toml": settings.read_text(encoding="utf-8-sig", errors="replace")}
    return {}


def packed(parts: Mapping[str, str]) -> bytes:
    """Pack texts into a zip."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, text in parts.items():
            # Not by `writestr`, which takes the clock's time: a zip can't hold one before 1980.
            with zipped.open(name, "w") as part:
                part.write(text.encode())
    return file.getvalue()
