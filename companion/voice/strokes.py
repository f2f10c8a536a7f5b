"""The sounds of a table as the browser's script has them, made into samples: what is struck, and what is brushed."""

import functools
import math
import random
from array import array
from collections.abc import Iterator
from pathlib import Path

import msgspec

from companion import web
from companion.voice.speech import SoundRecording

SAMPLES_A_SECOND = 22_050
LOUDEST = 32_767
"""Of a sample of 16 bits."""
RISE_S = 0.004
"""Seconds in which a stroke swells."""
FADED = 0.001
"""What is left of its loudness at its end."""
GIVES = 0.97
"""By how much its pitch sinks until then, as wood gives."""
FILE = Path(web.__file__).parent / "static" / "strokes.json"

Stroke = tuple[float, float, float, float]
"""Hertz, begins after s, lasts s, how loud (at most 1)."""


class Strokes(msgspec.Struct, frozen=True):
    """Of every sound, by name."""

    struck: dict[str, tuple[Stroke, ...]]
    brushed: dict[str, tuple[Stroke, ...]]
    """Noise through a filter that lets through about so many hertz."""


@functools.cache
def strokes() -> Strokes:
    """Read them."""
    return msgspec.json.decode(FILE.read_bytes(), type=Strokes)


@functools.cache
def recording(name: str) -> SoundRecording:
    """Return a sound; of a name that has none, nothing is heard."""
    struck = strokes().struck.get(name, ())
    brushed = strokes().brushed.get(name, ())
    seconds = max((begins + lasts for _, begins, lasts, _ in (*struck, *brushed)), default=0.0)
    mixed = [0.0] * math.ceil(seconds * SAMPLES_A_SECOND)
    for stroke in struck:
        _mix(mixed, stroke, _tone(stroke))
    for stroke in brushed:
        _mix(mixed, stroke, _brush(stroke))
    samples = array("h", (round(LOUDEST * max(-1.0, min(1.0, sample))) for sample in mixed))
    return SoundRecording(samples, SAMPLES_A_SECOND)


def _mix(mixed: list[float], stroke: Stroke, wave: Iterator[float]) -> None:
    _, begins_after, lasts, loud = stroke
    begins = round(begins_after * SAMPLES_A_SECOND)
    for number in range(min(round(lasts * SAMPLES_A_SECOND), len(mixed) - begins)):
        mixed[begins + number] += loud * _swell(number / SAMPLES_A_SECOND, lasts) * next(wave)


def _swell(at: float, lasts: float) -> float:
    """Return how loud a stroke is `at` seconds after it began."""
    if at < RISE_S:
        return at / RISE_S
    return math.pow(FADED, (at - RISE_S) / (lasts - RISE_S))


def _tone(stroke: Stroke) -> Iterator[float]:
    hertz, _, lasts, _ = stroke
    phase = 0.0
    sinks = GIVES ** (1 / (lasts * SAMPLES_A_SECOND))
    while True:
        yield math.sin(phase)
        phase += math.tau * hertz / SAMPLES_A_SECOND
        hertz *= sinks


def _brush(stroke: Stroke) -> Iterator[float]:
    """Yield noise through a band-pass of quality 1 (R. Bristow-Johnson's cookbook): the same each time."""
    hertz = stroke[0]
    grains = random.Random(hertz)
    turn = math.tau * hertz / SAMPLES_A_SECOND
    alpha = math.sin(turn) / 2
    came = went = (0.0, 0.0)
    while True:
        grain = grains.uniform(-1, 1)
        passed = (alpha * (grain - came[1]) + 2 * math.cos(turn) * went[0] - (1 - alpha) * went[1]) / (1 + alpha)
        came = (grain, came[0])
        went = (passed, went[0])
        yield passed
