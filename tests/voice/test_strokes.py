"""The table's sounds are those of the pages: their tones are found in the samples, at their time."""

import math
from collections.abc import Sequence

import pytest

from companion.voice import strokes
from companion.voice.strokes import SAMPLES_A_SECOND, Stroke

SOUNDS = strokes.strokes()
TONES = [(name, stroke) for name, struck in SOUNDS.struck.items() for stroke in struck]


def power(samples: Sequence[int], hertz: float) -> float:
    """Return how much of a tone is in samples, by Goertzel's algorithm."""
    turn = math.tau * hertz / SAMPLES_A_SECOND
    newer = older = 0.0
    for sample in samples:
        newer, older = sample + 2 * math.cos(turn) * newer - older, newer
    return newer**2 + older**2 - 2 * math.cos(turn) * newer * older


def samples_of(name: str, stroke: Stroke) -> Sequence[int]:
    """Return the samples while a stroke is loud."""
    _, delay, lasts, _ = stroke
    begins = round(delay * SAMPLES_A_SECOND)
    return strokes.recording(name).samples[begins : begins + round(lasts * SAMPLES_A_SECOND / 2)]


@pytest.mark.parametrize(("name", "stroke"), TONES)
def test_each_tone_is_heard_when_it_is_struck(name: str, stroke: Stroke) -> None:
    hertz = stroke[0]
    samples = samples_of(name, stroke)
    assert power(samples, hertz * 0.99) > 5 * power(samples, hertz * 1.7)


@pytest.mark.parametrize("name", SOUNDS.brushed)
def test_what_is_brushed_is_noise(name: str) -> None:
    samples = strokes.recording(name).samples
    assert len({*samples}) > len(samples) / 8


def test_no_sound_is_too_loud_for_its_samples() -> None:
    for name in {*SOUNDS.struck, *SOUNDS.brushed}:
        assert max(map(abs, strokes.recording(name).samples)) < strokes.LOUDEST, name


def test_a_sound_that_nobody_knows_is_silence() -> None:
    assert len(strokes.recording("").samples) == 0
