"""The shares drawn: for every kind of buttons, what was told of two presses, by the gap between them.

`make trust` draws what it has found and keeps it as a file, which is the drawing's text; from that file `make pictures`
draws it again.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from pathlib import Path

from tests.trust.fairness.shares import Share

DRAWN = Path(__file__).parents[3] / "web/pictures/fairness.svg"

_WIDTH = 800
_LEFT = 216
_RIGHT = 786
_TOP = 40
_HEIGHT = 62
_APART = 30
_NONE_TO = _LEFT + 26
"""Where the column of no gap ends."""
_LEAST, _MOST = 0.02, 50_000.0
"""Microseconds: the ends of the axis."""
_TICKS = ((0.1, "0.1 µs"), (1, "1 µs"), (10, "10 µs"), (100, "0.1 ms"), (1000, "1 ms"), (10_000, "10 ms"))
_NAMED_FROM = 100
"""An area so wide bears its name."""
_SEEN = 7
"""A wrong verdict is drawn so large at the least."""
_KEY = (("right", "who was first"), ("heat", "dead heat"), ("wrong", "somebody else"))
_STYLE = """
svg { --paper: #fff; --ink: #1f2328; --faint: #59636e; --right: #a6dcc4; --heat: #d5dae1; --line: #818b98;
  --wrong: #c4271b; }
@media (prefers-color-scheme: dark) { svg { --paper: #0d1117; --ink: #f0f6fc; --faint: #9198a1; --right: #1f5d45;
  --heat: #2f3742; --line: #6e7681; --wrong: #ff7b72; } }
text { font: 13px system-ui, sans-serif; fill: var(--ink); }
.name { font-weight: 600; } .faint { fill: var(--faint); font-size: 12px; }
rect { shape-rendering: crispEdges; }
.right { fill: var(--right); } .heat { fill: url(#heat); } .wrong { fill: url(#wrong); }
.edge { stroke: var(--line); fill: none; } .window { stroke: var(--ink); stroke-dasharray: 4 3; }
.in { paint-order: stroke; stroke: var(--paper); stroke-width: 3px; stroke-opacity: .55; }
"""
_PATTERNS = (
    '<pattern id="heat" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect width="7" height="7" style="fill:var(--heat)"/><path d="M0 0V7" style="stroke:var(--line)"/></pattern>'
    '<pattern id="wrong" width="5" height="5" patternUnits="userSpaceOnUse">'
    '<rect width="5" height="5" style="fill:var(--wrong)"/>'
    '<path d="M0 0L5 5M5 0L0 5" style="stroke:var(--paper)"/></pattern>'
)


def drawing(shares: Sequence[Share]) -> str:
    """Draw them; one panel a kind, in their order."""
    kinds = [(kind, list(rows)) for kind, rows in groupby(shares, key=lambda share: share.kind)]
    height = _TOP + len(kinds) * (_HEIGHT + _APART) + 40
    panels = "\n".join(
        line
        for number, (kind, rows) in enumerate(kinds)
        for line in _panel(kind, rows, _TOP + number * (_HEIGHT + _APART))
    )
    says = "Who is told first, by the gap between two presses, for each kind of buttons (emulated)"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" '
        f'role="img" aria-label="{says}">\n<style>{_STYLE}</style>\n<defs>{_PATTERNS}</defs>\n'
        f'<rect width="{_WIDTH}" height="{height}" style="fill:var(--paper)"/>\n'
        f"{''.join(_key())}\n{panels}\n{''.join(_axis(height - 40))}\n</svg>\n"
    )


def _key() -> Iterator[str]:
    yield '<text x="14" y="23">told first:</text>'
    for number, (look, says) in enumerate(_KEY):
        x = 92 + 150 * number
        yield f'<rect class="{look}" x="{x}" y="11" width="22" height="15"/><text x="{x + 29}" y="23">{says}</text>'
    yield f'<path class="window" d="M{92 + 450} 9V28"/><text x="{92 + 458}" y="23">the table\'s tie window</text>'


def _panel(kind: str, rows: Sequence[Share], top: float) -> Iterator[str]:
    name, _, what = kind.partition(", ")
    rounds = sum(row.rounds for row in rows)
    wrong = sum(row.wrong for row in rows)
    yield f'<text class="name" x="14" y="{top + 16}">{name}</text>'
    yield f'<text class="faint" x="14" y="{top + 34}">{what}</text>'
    yield f'<text class="faint" x="14" y="{top + 52}">somebody else: {wrong or "never"}, of {rounds:,}</text>'
    edges = _edges(rows)
    for look, part in (("right", _right), ("heat", _heat), ("wrong", _wrong)):
        for (left, right), row in zip(edges, rows, strict=True):
            below, share = part(row)
            if share and (right > left or look == "wrong"):
                y = top + _HEIGHT * (1 - below - share)
                high = _HEIGHT * share
                wide = right - left
                if look == "wrong":  # however seldom, it must be seen
                    wide = max(wide, _SEEN)
                    high = max(high, _SEEN)
                yield f'<rect class="{look}" x="{left}" y="{y:.1f}" width="{wide}" height="{high:.1f}"/>'
    for says, part in (("dead heat", _heat), ("who was first", _right)):
        yield from _named(says, [edge for edge, row in zip(edges, rows, strict=True) if part(row)[1] == 1], top)
    yield f'<path class="edge" d="M{_LEFT} {top}H{_RIGHT}V{top + _HEIGHT}H{_LEFT}ZM{_NONE_TO} {top}V{top + _HEIGHT}"/>'
    window = max(_x(rows[0].window * 1e6), _NONE_TO)
    yield f'<path class="window" d="M{window:.1f} {top - 5}V{top + _HEIGHT + 5}"/>'


def _edges(rows: Sequence[Share]) -> list[tuple[int, int]]:
    """Return where the area of each gap begins and ends: in the middle between it and its neighbours."""
    places = [_x(row.gap) for row in rows if row.gap]
    between = [_NONE_TO, *(round((one + other) / 2) for one, other in pairwise(places)), _RIGHT]
    return [(_LEFT, _NONE_TO)] * (rows[0].gap == 0) + list(pairwise(between))


def _named(says: str, edges: Sequence[tuple[int, int]], top: float) -> Iterator[str]:
    """Write into an area what it is, if it is wide enough."""
    wide = [edge for edge in edges if edge[0] >= _NONE_TO]
    if wide and wide[-1][1] - wide[0][0] > _NAMED_FROM:
        middle = (wide[0][0] + wide[-1][1]) / 2
        yield f'<text class="in" x="{middle:.1f}" y="{top + _HEIGHT / 2 + 5}" text-anchor="middle">{says}</text>'


def _right(row: Share) -> tuple[float, float]:
    return 0.0, row.right / row.rounds


def _heat(row: Share) -> tuple[float, float]:
    return row.right / row.rounds, row.dead_heat / row.rounds


def _wrong(row: Share) -> tuple[float, float]:
    return 1 - row.wrong / row.rounds, row.wrong / row.rounds


def _x(gap: float) -> float:
    gap = min(max(gap, _LEAST), _MOST)
    return _NONE_TO + (_RIGHT - _NONE_TO) * math.log(gap / _LEAST) / math.log(_MOST / _LEAST)


def _axis(y: float) -> Iterator[str]:
    yield f'<text class="faint" x="{(_LEFT + _NONE_TO) / 2}" y="{y}" text-anchor="middle">0</text>'
    for gap, says in _TICKS:
        x = _x(gap)
        yield f'<path class="edge" d="M{x:.1f} {y - 30}v8"/>'
        yield f'<text class="faint" x="{x:.1f}" y="{y}" text-anchor="middle">{says}</text>'
    yield f'<text class="faint" x="14" y="{y + 24}">emulated; not measured on a board</text>'
    yield f'<text x="{_RIGHT}" y="{y + 24}" text-anchor="end">gap between the two presses</text>'


def drawn(shares: Sequence[Share]) -> None:
    """Draw them for the README."""
    DRAWN.write_text(drawing(shares), encoding="utf-8")
