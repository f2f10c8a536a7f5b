"""The machine's speech program, `espeak-ng` of Debian: it makes a sentence into samples."""

import io
import subprocess
import wave
from array import array
from typing import NamedTuple

from companion.errors import NotNow

PATIENCE_S = 10.0
"""Seconds that the program has for a sentence."""
WORDS_A_MINUTE = 155


class NoSpeech(NotNow):
    """A sentence can't be made into speech: why, and what to do now."""


class SoundRecording(NamedTuple):
    """What can be heard, in samples of 16 bits."""

    samples: "array[int]"
    rate: int
    """Samples a second."""


def speak(sentence: str, language: str) -> SoundRecording:
    """Make a sentence of this language into samples. Raises `NoSpeech`."""
    # The sentence is told on its input: as an argument it could be taken for an option.
    command = ["espeak-ng", "-v", language, "-s", str(WORDS_A_MINUTE), "--stdin", "--stdout"]
    try:
        ran = subprocess.run(command, input=sentence.encode(), capture_output=True, timeout=PATIENCE_S, check=True)
    except FileNotFoundError:
        raise NoSpeech("no speech program is there: sudo apt install espeak-ng") from None
    except (OSError, subprocess.SubprocessError) as wrong:
        raise NoSpeech(f"espeak-ng does not speak: {wrong}") from wrong
    return _unpacked(ran.stdout)


def _unpacked(written: bytes) -> SoundRecording:
    """Read a WAV file that was written to a pipe, whose header therefore can't say how long it is."""
    try:
        with wave.open(io.BytesIO(written)) as file:
            content = file.readframes(len(written))
            samples = array("h")
            samples.frombytes(content[: len(content) // samples.itemsize * samples.itemsize])
            return SoundRecording(samples, file.getframerate())
    except (wave.Error, EOFError) as wrong:
        raise NoSpeech(f"espeak-ng writes no sound: {wrong}") from wrong
