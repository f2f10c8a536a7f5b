"""A printed part at its true size on paper, cut level by level: hold what you bought against it before you print it.

The PDF is written here: lines and a few words are all that is in it.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import trimesh

A4 = (210.0, 297.0)
"""Millimetres."""
LEVELS = (0.1, 0.5, 0.9)
"""Where a part is cut, as shares of its height."""
RULER = 100
"""Millimetres that a ruler on each page shows: what comes out of a printer shorter was scaled."""
_POINTS = 72 / 25.4
"""To the millimetre."""
_MARGIN = 20.0
Line = Sequence[tuple[float, float]]


def write(model: Path, to: Path) -> None:
    """Write a PDF of a model (STL), a page for each cut. Raises OSError, and ValueError for too large a part."""
    mesh = trimesh.load_mesh(model)
    low, high = mesh.bounds
    width, depth, height = high - low
    if max(width, depth) > A4[1] - 2 * _MARGIN or min(width, depth) > A4[0] - 2 * _MARGIN:
        raise ValueError(f"{model.name}: {width:.0f} × {depth:.0f} mm do not fit on a sheet of A4")
    lies_across = bool(width > A4[0] - 2 * _MARGIN)
    pages = []
    for level in LEVELS:
        at = low[2] + level * height
        cut = trimesh.intersections.mesh_plane(mesh, plane_normal=(0, 0, 1), plane_origin=(0, 0, at))
        lines = [[(float(x - low[0]), float(y - low[1])) for x, y, _ in line] for line in cut]
        if lies_across:
            lines = [[(y, width - x) for x, y in line] for line in lines]
        pages.append(_page(f"{to.stem}: cut {at - low[2]:.1f} mm above its lowest point, {height:.1f} mm high", lines))
    to.write_bytes(_pdf(pages))


def _page(title: str, lines: Iterable[Line]) -> str:
    """Return a page's drawing as PDF operators; `lines` are in millimetres."""
    ruler = [[(0.0, -8.0), (float(RULER), -8.0)], *([(x, -10.0), (x, -6.0)] for x in range(0, RULER + 1, 10))]
    drawn = [_path(line) for line in lines] + [_path(line) for line in ruler]
    words = (
        (A4[1] - 40, title),
        (A4[1] - 46, f"Print at 100 %, not fitted to the page: the ruler is {RULER} mm long."),
    )
    texts = [f"BT /F 10 Tf {_MARGIN * _POINTS:.2f} {y * _POINTS:.2f} Td ({text}) Tj ET" for y, text in words]
    return "\n".join(["0.5 w", *drawn, *texts])


def _path(line: Line) -> str:
    points = [f"{(_MARGIN + x) * _POINTS:.3f} {(_MARGIN + 10 + y) * _POINTS:.3f}" for x, y in line]
    return f"{points[0]} m {' '.join(f'{point} l' for point in points[1:])} S"


def _pdf(pages: Sequence[str]) -> bytes:
    """Return a PDF of these drawings, uncompressed (PDF 32000-1, 7.5)."""
    # Objects 1 to 3 are catalogue, list of pages and font; then each page takes two: itself, and its drawing.
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    box = f"[0 0 {A4[0] * _POINTS:.2f} {A4[1] * _POINTS:.2f}]"
    for number, drawing in enumerate(pages):
        contents = f"/Contents {5 + 2 * number} 0 R /Resources << /Font << /F 3 0 R >> >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox {box} {contents} >>")
        objects.append(f"<< /Length {len(drawing)} >>\nstream\n{drawing}\nendstream")
    whole = "%PDF-1.4\n"
    places = []
    for number, text in enumerate(objects, 1):
        places.append(len(whole))
        whole += f"{number} 0 obj\n{text}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1  # with object 0, which heads the list of free ones
    end = f"trailer << /Size {size} /Root 1 0 R >>\nstartxref\n{len(whole)}\n%%EOF\n"
    return f"{whole}xref\n0 {size}\n0000000000 65535 f \n{table}{end}".encode("ascii")
