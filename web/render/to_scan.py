"""Codes that a phone's camera reads."""

from functools import lru_cache

import segno


@lru_cache(maxsize=32)
def to_scan(text: str) -> segno.QRCode:
    """Return the code that says this. To work one out takes longer than a whole page, and pages show the same anew."""
    return segno.make(text, error="m", micro=False)
