"""The guide's picture of the lamps: what each cue looks like for four seconds, as the firmware shows it."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
Look = tuple[tuple[int, int, int], int, int]
"""Red, green and blue from 0 to 255; milliseconds on; milliseconds off."""
Span = tuple[int, int]
"""When a lamp is lit: milliseconds from the left, and for how long."""
ORDER = ("waiting", "playing", "first", "read", "refused", "error", "reading", "break", "over", "off", "")
"""The rows; "" is what all lamps show while no companion hears the box."""
NUMBER = 7
"""The cards that have counted in the row below `waiting`."""
SPAN_MS = 4000
_WIDTH, _LABEL, _ROW, _LAMP, _MARGIN = 640, 96, 30, 16, 8
_BRIGHTEST = 110


def looks() -> dict[str, Look]:
    """Return how the firmware shows each cue, and under "" what it shows without a companion.

    They are parsed from its source: it imports modules that only a Pico has.
    """
    values = _assigned()
    return {**ast.literal_eval(values["CUES"]), "": ast.literal_eval(values["_ALONE"])}


def _assigned() -> dict[str, ast.expr]:
    """Return the expressions that `firmware/lamps.py` assigns at its top level, by name."""
    tree = ast.parse((ROOT / "firmware/lamps.py").read_text(encoding="utf-8"))
    return {ast.unparse(node.targets[0]): node.value for node in tree.body if isinstance(node, ast.Assign)}


def number_spans(cards: int) -> list[Span]:
    """Return when a lamp that blinks this number is lit, from its pause to the last blink."""
    values = _assigned()
    (five_on, five_off), (one_on, one_off) = (ast.literal_eval(values[name]) for name in ("_FIVE", "_ONE"))
    fives, ones = divmod(cards, 5)
    at = ast.literal_eval(values["_PAUSE"])
    spans = []
    for on, off in [(five_on, five_off)] * fives + [(one_on, one_off)] * ones:
        spans.append((at, on))
        at += on + off
    return spans


def drawn() -> str:
    """Return the picture as an SVG: a row a cue, from left to right in time; a dark lamp is a thin line."""
    shown = looks()
    rows = [(cue or "–", shown[cue][0], _spans(shown[cue])) for cue in ORDER]
    rows.insert(1, (f"waiting {NUMBER}", shown["waiting"][0], number_spans(NUMBER)))
    height = len(rows) * _ROW
    box = f'viewBox="0 0 {_WIDTH} {height}"'
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {box} font-family="monospace" font-size="14">',
            f'<rect width="{_WIDTH}" height="{height}" fill="#222"/>',
            *(_row(*row, number * _ROW + _ROW // 2) for number, row in enumerate(rows)),
            "</svg>\n",
        )
    )


def _spans(look: Look) -> list[Span]:
    colour, on, off = look
    if not any(colour):
        return []
    return [(begins, on) for begins in range(0, SPAN_MS, on + off)] if off else [(0, SPAN_MS)]


def _row(label: str, colour: tuple[int, int, int], spans: list[Span], middle: int) -> str:
    scale = (_WIDTH - _LABEL - _MARGIN) / SPAN_MS
    parts = [
        f'<text x="{_MARGIN}" y="{middle + 5}" fill="#eee">{label}</text>',
        f'<path d="M{_LABEL} {middle}H{_WIDTH - _MARGIN}" stroke="#666"/>',
    ]
    for begins, lasts in spans:
        x = _LABEL + begins * scale
        width = min(lasts, SPAN_MS - begins) * scale
        size = f'x="{x:.1f}" y="{middle - _LAMP // 2}" width="{width:.1f}" height="{_LAMP}"'
        parts.append(f'<rect {size} fill="{_on_screen(colour)}"/>')
    return "".join(parts)


def _on_screen(colour: tuple[int, int, int]) -> str:
    """Return the colour for a screen; a lamp looks brighter than the share of its current (estimated)."""
    red, green, blue = (round(255 * (min(part, _BRIGHTEST) / _BRIGHTEST) ** 0.45) for part in colour)
    return f"#{red:02x}{green:02x}{blue:02x}"
