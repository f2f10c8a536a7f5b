"""QR codes as SVG: on white even in dark mode, with the border that cameras need."""

from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from markupsafe import Markup

if TYPE_CHECKING:
    from segno import QRCode

_LOOK: dict[str, Any] = {"border": 4, "dark": "#000", "light": "#fff", "omitsize": True}


def typed(url: str) -> str:
    """Return an address as people type it: browsers assume plain http."""
    return url.removeprefix("http://").rstrip("/")


def qr_file(url: str) -> str:
    """Return the path of the code for an address: a file of its own, so that no page keeps the code for another."""
    return f"/qr.svg?{quote(typed(url), safe=':')}"


def svg(text: str) -> bytes:
    """Draw the code for this text as an SVG file."""
    out = BytesIO()
    _code(text).save(out, kind="svg", **_LOOK)
    return out.getvalue()


def inline(text: str) -> Markup:
    """Draw the code for this text as SVG within a page."""
    return Markup(_code(text).svg_inline(**_LOOK))


@lru_cache(maxsize=32)
def _code(text: str) -> "QRCode":
    """Compute the code; cached, because that takes longer than a whole page, and pages repeat the same code."""
    import segno  # only when needed: the first page shows no code, and need not wait for XML and HTTP

    return segno.make(text, error="m", micro=False)
