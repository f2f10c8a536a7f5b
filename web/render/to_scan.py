"""Codes for a phone's camera, as drawings: on white even in the dark, with the border that cameras need."""

from functools import lru_cache
from io import BytesIO
from typing import Any

import segno
from markupsafe import Markup

_LOOK: dict[str, Any] = {"border": 4, "dark": "#000", "light": "#fff", "omitsize": True}


def svg(text: str) -> bytes:
    """Draw the code for this text, as a file of its own."""
    out = BytesIO()
    _code(text).save(out, kind="svg", **_LOOK)
    return out.getvalue()


def inline(text: str) -> Markup:
    """Draw the code for this text within a page."""
    return Markup(_code(text).svg_inline(**_LOOK))


@lru_cache(maxsize=32)
def _code(text: str) -> segno.QRCode:
    """Compute the code; cached, because that takes longer than a whole page, and pages repeat the same code."""
    return segno.make(text, error="m", micro=False)
