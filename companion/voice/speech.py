"""Speech synthesis with the program `espeak-ng`."""

import io
import subprocess
import wave
from array import array
from typing import NamedTuple

from companion.errors import NotNow

PATIENCE_S = 10.0
"""Timeout for a sentence, in seconds."""
WORDS_A_MINUTE = 155


class NoSpeech(NotNow):
    """A sentence can't be synthesised; the message says why, and what to do."""


class SoundRecording(NamedTuple):
    """A mono recording of 16-bit samples."""

    samples: "array[int]"
    rate: int
    """Samples a second."""


def speak(sentence: str, language: str) -> SoundRecording:
    """Synthesise a sentence in a language. Raises `NoSpeech`."""
    # The sentence goes to standard input: as an argument it could be taken for an option.
    command = ["espeak-ng", "-v", language, "-s", str(WORDS_A_MINUTE), "--stdin", "--stdout"]
    try:
        ran = subprocess.run(command, input=sentence.encode(), capture_output=True, timeout=PATIENCE_S, check=True)
    except FileNotFoundError:
        raise NoSpeech("no speech program is there: sudo apt install espeak-ng") from None
    except (OSError, subprocess.SubprocessError) as wrong:
        raise NoSpeech(f"espeak-ng does not speak: {wrong}") from wrong
    return _unpacked(ran.stdout)


def _unpacked(written: bytes) -> SoundRecording:
    """Read a WAV file that was written to a pipe, so that its header does not contain the right length."""
    try:
        with wave.open(io.BytesIO(written)) as file:
            content = file.readframes(len(written))
            samples = array("h")
            samples.frombytes(content[: len(content) // samples.itemsize * samples.itemsize])
            return SoundRecording(samples, file.getframerate())
    except (wave.Error, EOFError) as wrong:
        raise NoSpeech(f"espeak-ng writes no sound: {wrong}") from wrong
