"""Plays sounds and sentences on the machine's loudspeaker with ALSA's `aplay`, in a thread of its own.

Happenings that could not be played within `OLD_S` are dropped.
"""

import io
import logging
import subprocess
import time
import wave
from array import array
from collections.abc import Callable, Mapping

import msgspec

from companion import games
from companion.access.table_voice import Loudness, TableVoice, VoiceKind
from companion.config import LoudspeakerSettings
from companion.errors import NotNow
from companion.house.happenings import Happening
from companion.house_settings import HouseEvent
from companion.live.snapshot import Snapshot
from companion.threads import Backlog, Rounds
from companion.voice import PLAYER, strokes
from companion.voice.speech import NoSpeech, SoundRecording, speak

OLD_S = 6.0
"""Seconds after which a happening is too old to be heard."""
MOST = 3
"""Most happenings in the queue."""
PATIENCE_S = 15.0
"""Seconds that playing may take beyond a sound's length: a Bluetooth loudspeaker has to wake up."""
LOUDNESS: Mapping[Loudness, float] = {Loudness.QUIET: 0.25, Loudness.MIDDLE: 0.5, Loudness.LOUD: 1.0}
SAMPLE_SOUND = "first"
SOUND_OF: Mapping[str, str] = {HouseEvent.WINNER: "end", HouseEvent.NOT_RECORDING: "wrong"}
"""The sounds of the table's own events; those of rulings are declared by games."""

_journal = logging.getLogger(__name__)


class NoLoudspeaker(NotNow):
    """No sound can be played; the message says why, and what to do."""


class ToBeHeard(msgspec.Struct, frozen=True):
    """A sound, followed by a sentence; "" for none."""

    since: float
    sound: str
    sentence: str


class Loudspeaker:
    """The machine's loudspeaker. `tell`, `show`, `look` and `trouble` may be used from any thread."""

    def __init__(
        self,
        settings: LoudspeakerSettings,
        table_voice: Callable[[], TableVoice],
        language: str,
        sample: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`table_voice` returns the host's choice; `sample` is spoken after a new choice; `clock` counts seconds."""
        self.name = f"loudspeaker {settings.device}"
        self.trouble = ""
        """Why no sound can be played; "" if it can, or silence is chosen."""
        self._settings = settings
        self._wanted = table_voice
        self._language = language
        self._sample = sample
        self._clock = clock
        self._chosen = table_voice().chosen
        self._backlog: Backlog[ToBeHeard] = Backlog("loudspeaker", MOST, self._play_in_turn)

    def start(self) -> None:
        """Start the thread."""
        self._backlog.start()

    def stop(self) -> None:
        """Stop; waits only briefly for the sound being played."""
        self._backlog.stop(1.0)

    def tell(self, happening: Happening) -> None:
        """Queue a happening's sound and sentence."""
        self._add(_sound_of(happening), happening.text)

    def show(self, snapshot: Snapshot) -> None:
        """Do nothing: only happenings are heard."""

    def look(self) -> None:
        """Play a sample if the host has made a new choice."""
        chosen = self._wanted().chosen
        if chosen != self._chosen:
            self._chosen = chosen
            self._backlog.clear()
            self._add(SAMPLE_SOUND, self._sample)

    def _add(self, sound: str, sentence: str) -> None:
        self._backlog.add(ToBeHeard(self._clock(), sound, sentence))

    def _play_in_turn(self, heard: ToBeHeard, _: Rounds) -> None:
        voice = self._wanted()
        if voice.kind is VoiceKind.SILENT:
            self.trouble = ""
            return
        if self._clock() - heard.since > OLD_S:
            return
        trouble = ""
        try:
            loudness = LOUDNESS[voice.loudness]
            if heard.sound:
                _play(strokes.recording(heard.sound), loudness, self._settings.device)
            if voice.kind is VoiceKind.SPEECH and heard.sentence:
                _play(speak(heard.sentence, self._language), loudness, self._settings.device)
        except (NoLoudspeaker, NoSpeech) as wrong:
            trouble = str(wrong)
        if trouble and trouble != self.trouble:
            _journal.warning("the table is not heard: %s", trouble)
        self.trouble = trouble


def _sound_of(happening: Happening) -> str:
    event = happening.event_type
    if event in SOUND_OF:
        return SOUND_OF[event]
    game = games.known().get(happening.game)
    ruling = game.rulings.get(event) if game else None
    return (ruling.sound if ruling else None) or ""


def _play(recording: SoundRecording, loudness: float, device: str) -> None:
    """Play a recording to its end. Raises `NoLoudspeaker`."""
    command = [PLAYER, "--quiet", "--device", device]
    patience = len(recording.samples) / recording.rate + PATIENCE_S
    try:
        subprocess.run(command, input=_wav(recording, loudness), capture_output=True, timeout=patience, check=True)
    except FileNotFoundError:
        raise NoLoudspeaker(f"{PLAYER} is not there: sudo apt install alsa-utils") from None
    except subprocess.CalledProcessError as wrong:
        complaint = wrong.stderr.decode(errors="replace").strip().splitlines() or ["it does not say why"]
        raise NoLoudspeaker(f"{device} can't be played on: {complaint[-1]}. `aplay -L` lists what can") from wrong
    except (OSError, subprocess.TimeoutExpired) as wrong:
        raise NoLoudspeaker(f"{device} can't be played on: {wrong}") from wrong


def _wav(recording: SoundRecording, loudness: float) -> bytes:
    written = io.BytesIO()
    samples = array("h", (round(loudness * sample) for sample in recording.samples))
    with wave.open(written, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(samples.itemsize)
        file.setframerate(recording.rate)
        file.writeframes(samples.tobytes())
    return written.getvalue()
