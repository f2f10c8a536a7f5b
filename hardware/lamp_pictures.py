"""The guide's picture of the lamps: what each cue looks like for four seconds, as the firmware shows it."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
Look = tuple[tuple[int, int, int], int, int]
"""Red, green and blue from 0 to 255; milliseconds on; milliseconds off."""
ORDER = ("waiting", "playing", "first", "read", "refused", "error", "reading", "break", "over", "off", "")
"""The rows; "" is what all lamps show while no companion hears the box."""
SPAN_MS = 4000
_WIDTH, _LABEL, _ROW, _LAMP, _MARGIN = 640, 96, 30, 16, 8
_BRIGHTEST = 110


def looks() -> dict[str, Look]:
    """Return the firmware's cues, and as "" what a box shows that nobody hears, without what only a Pico can import."""
    tree = ast.parse((ROOT / "firmware/lamps.py").read_text(encoding="utf-8"))
    values = {ast.unparse(node.targets[0]): node.value for node in tree.body if isinstance(node, ast.Assign)}
    return {**ast.literal_eval(values["CUES"]), "": ast.literal_eval(values["_ALONE"])}


def drawn() -> str:
    """Return the picture as an SVG: a row a cue, from left to right in time; a dark lamp is a thin line."""
    shown = looks()
    height = len(ORDER) * _ROW
    box = f'viewBox="0 0 {_WIDTH} {height}"'
    rows = [_row(cue, shown[cue], number * _ROW + _ROW // 2) for number, cue in enumerate(ORDER)]
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {box} font-family="monospace" font-size="14">',
            f'<rect width="{_WIDTH}" height="{height}" fill="#222"/>',
            *rows,
            "</svg>\n",
        )
    )


def _row(cue: str, look: Look, middle: int) -> str:
    colour, on, off = look
    scale = (_WIDTH - _LABEL - _MARGIN) / SPAN_MS
    parts = [
        f'<text x="{_MARGIN}" y="{middle + 5}" fill="#eee">{cue or "–"}</text>',
        f'<path d="M{_LABEL} {middle}H{_WIDTH - _MARGIN}" stroke="#666"/>',
    ]
    lit = [] if not any(colour) else range(0, SPAN_MS, on + off) if off else [0]
    for begins in lit:
        x = _LABEL + begins * scale
        width = min(on if off else SPAN_MS, SPAN_MS - begins) * scale
        size = f'x="{x:.1f}" y="{middle - _LAMP // 2}" width="{width:.1f}" height="{_LAMP}"'
        parts.append(f'<rect {size} fill="{_on_screen(colour)}"/>')
    return "".join(parts)


def _on_screen(colour: tuple[int, int, int]) -> str:
    """Return the colour for a screen; a lamp looks brighter than the share of its current (estimated)."""
    red, green, blue = (round(255 * (min(part, _BRIGHTEST) / _BRIGHTEST) ** 0.45) for part in colour)
    return f"#{red:02x}{green:02x}{blue:02x}"
