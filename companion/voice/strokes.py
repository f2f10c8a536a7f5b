"""Synthesises the table's sounds from the same data as the browser's script: struck tones and brushed noise."""

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
"""The largest 16-bit sample."""
RISE_S = 0.004
"""Attack time of a stroke, in seconds."""
FADED = 0.001
"""A stroke's relative amplitude at its end."""
GIVES = 0.97
"""Its relative pitch at its end, lower as with struck wood."""
FILE = Path(web.__file__).parent / "static" / "strokes.json"

Stroke = tuple[float, float, float, float]
"""Frequency in hertz, start and duration in seconds, amplitude up to 1."""


class Strokes(msgspec.Struct, frozen=True):
    """The strokes of every sound, by name."""

    struck: dict[str, tuple[Stroke, ...]]
    brushed: dict[str, tuple[Stroke, ...]]
    """Noise through a band-pass filter at the frequency."""


@functools.cache
def strokes() -> Strokes:
    """Read the strokes' file."""
    return msgspec.json.decode(FILE.read_bytes(), type=Strokes)


@functools.cache
def recording(name: str) -> SoundRecording:
    """Return a sound by name; an empty one for an unknown name."""
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
    """Return a stroke's relative amplitude `at` seconds after its start."""
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
    """Yield noise through a band-pass of Q = 1 (R. Bristow-Johnson's audio EQ cookbook), the same each time."""
    hertz = stroke[0]
    grains = random.Random(hertz)
    turn = math.tau * hertz / SAMPLES_A_SECOND
    alpha = math.sin(turn) / 2
    came = (0.0, 0.0)  # the last two samples in, and out, latest first
    went = (0.0, 0.0)
    while True:
        grain = grains.uniform(-1, 1)
        passed = (alpha * (grain - came[1]) + 2 * math.cos(turn) * went[0] - (1 - alpha) * went[1]) / (1 + alpha)
        came = (grain, came[0])
        went = (passed, went[0])
        yield passed
