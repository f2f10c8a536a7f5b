"""One tap's way to the pixel: where its milliseconds go, as a table and as a picture, `way.svg`."""

import html
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

from playwright.sync_api import sync_playwright

from tests.bench.figures import Figure
from tests.bench.phones import Phones
from tests.bench.pixels import SEEN, WATCH, taps
from tests.bench.rig import folder, rig
from tests.chromium import CHROMIUM

PICTURE = Path(__file__).parent / "way.svg"
PHONES = 1, 50
LEGS = {
    "read": "the reader is polled, the card read",
    "taken": "to the judge’s thread",
    "kept": "recorded, synchronised",
    "judged": "judged, views made",
    "woken": "to the page’s thread",
    "rendered": "the first page rendered",
    "changed": "packed, sent, morphed in Chromium",
    "frame": "to Chromium’s next frame",
}
"""Where a tap comes by, and what it does until then."""
COLOURS = "#8a5a2b", "#c98b4a", "#5b6c8f", "#3f7f5f", "#7fae8d", "#b8453c", "#d98a5f", "#6b5b95"
SCALE, LEFT = 12, 90
"""Points a millisecond, and where the bars begin."""

Times = Mapping[str, Sequence[float]]


def way(quick: bool) -> Iterator[Figure]:
    drawn = {}
    for count in PHONES:
        times = _times(count, 4 if quick else 40)
        drawn[count] = {leg: median(milliseconds) for leg, milliseconds in times.items() if milliseconds}
        for leg, milliseconds in times.items():
            yield Figure(f"a tap's way, {count} phones beside it: {LEGS[leg]}", "ms", milliseconds, emulated=True)
    if not quick:
        PICTURE.write_text(picture(drawn), encoding="utf-8")


def _times(count: int, samples: int) -> Times:
    """Return the milliseconds of each leg, tap by tap."""
    times: dict[str, list[float]] = {leg: [] for leg in LEGS}
    with sync_playwright() as playwright, playwright.chromium.launch(**CHROMIUM) as browser, folder() as directory:
        notes = directory / "notes"
        page = browser.new_page()
        traced = sys.executable, "-m", "tests.bench.tracing", str(notes)
        with rig() as table, table.running(traced) as program:
            program.first_page()
            program.start_match()
            with Phones(program.port, count):
                page.goto(f"http://127.0.0.1:{program.port}/")
                page.evaluate(WATCH)
                time.sleep(1.5)
                for act in taps(program, table, samples):
                    page.evaluate("seen.length = 0")
                    began = time.time()
                    size_before = notes.stat().st_size
                    act()
                    time.sleep(2 * SEEN)
                    frames_seen = page.evaluate("seen")
                    for leg, took in _legs(
                        began, notes.read_text()[size_before:], frames_seen[0] if frames_seen else ()
                    ):
                        times[leg].append(1000 * took)
    return times


def _legs(began: float, notes: str, frames_seen: Sequence[float]) -> Iterator[tuple[str, float]]:
    """Return how long each leg took: from where the one before ended, to the first note of its own after that."""
    lines = [line.split() for line in notes.splitlines()]
    came = [(place, float(at)) for place, at in lines]
    came += [(place, at / 1000) for place, at in zip(("changed", "frame"), frames_seen, strict=False)]
    for leg in LEGS:
        moment = min((at for place, at in came if place == leg and at >= began), default=None)
        if moment is None:
            return
        yield leg, moment - began
        began = moment


def picture(drawn: Mapping[int, Mapping[str, float]]) -> str:
    """Draw a bar for so many phones each, a part of it a leg, and what the legs are."""
    width = LEFT + 40 + SCALE * max(sum(legs.values()) for legs in drawn.values())
    parts = []
    for row, (count, legs) in enumerate(drawn.items()):
        at = float(LEFT)
        top = 14 + 40 * row
        parts.append(f'<text x="0" y="{top + 19}">{count} phone{"s" if count > 1 else ""}</text>')
        for colour, took in zip(COLOURS, legs.values(), strict=True):
            parts.append(f'<rect x="{at:.1f}" y="{top}" width="{SCALE * took:.1f}" height="28" fill="{colour}"/>')
            at += SCALE * took
        parts.append(f'<text x="{at + 6:.1f}" y="{top + 19}">{sum(legs.values()):.0f}</text>')
    below = 14 + 40 * len(drawn) + 10
    for row, (leg, colour) in enumerate(zip(LEGS, COLOURS, strict=True)):
        y = below + 20 * row
        legs_drawn = " · ".join(f"{legs[leg]:.1f} ms" for legs in drawn.values())
        parts.append(f'<rect x="0" y="{y}" width="14" height="14" fill="{colour}"/>')
        parts.append(f'<text x="22" y="{y + 12}">{html.escape(LEGS[leg])}: {legs_drawn}</text>')
    size = f"{max(width, 460) + 10:.0f} {below + 20 * len(LEGS)}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 0 {size}" font-family="sans-serif" font-size="13">'
    return "\n".join((head, f'<rect x="-10" width="100%" height="100%" fill="#fff"/>{"".join(parts)}', "</svg>\n"))
