"""A report as one file: texts in a zip."""

import io
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path


def settings_text(settings: Path | None) -> Mapping[str, str]:
    """Return the file of settings as a part of a report; none if it is no file, or can't be read."""
    if settings is None or not settings.is_file():  # a pipe would be waited for
        return {}
    with suppress(OSError):
        return {"table.toml": settings.read_text(encoding="utf-8-sig", errors="replace")}
    return {}


def packed(parts: Mapping[str, str]) -> bytes:
    """Return texts as a zip; without a time, by `open`: the clock may show one that zip does not know."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, text in parts.items():
            with zipped.open(name, "w") as part:
                part.write(text.encode())
    return file.getvalue()
