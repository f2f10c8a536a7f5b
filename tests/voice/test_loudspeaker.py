"""What is heard at a table without a television: by the real aplay and espeak-ng, into files."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from companion.access.table_voice import Loudness, TableVoice, VoiceKind
from companion.config import LoudspeakerSettings
from companion.house.happenings import Happening
from companion.languages import LANGUAGES
from companion.voice import strokes
from companion.voice.loudspeaker import OLD_S, SOUND_OF, Loudspeaker, ToBeHeard
from companion.voice.speech import speak
from companion.voice.strokes import SAMPLES_A_SECOND
from tests.voice.test_strokes import power
from tests.waiting import until

pytestmark = pytest.mark.skipif(
    not (shutil.which("aplay") and shutil.which("espeak-ng")), reason="needs alsa-utils and espeak-ng"
)
SHOUT = Happening("shouted", 7, "stop-it", "Ana shouted first.", seat=1, name="Ana")
WON = replace(SHOUT, event_type="winner", text="")
SILENT = Happening("break", 7, "stop-it")
SOUNDS = TableVoice(VoiceKind.SOUNDS)
SPEECH = TableVoice(VoiceKind.SPEECH)


class Playing(NamedTuple):
    seconds: float
    loudest: int


@dataclass
class Room:
    """A table's loudspeaker, whose every playing becomes a file."""

    folder: Path
    device: str = "room"
    wanted: TableVoice = SOUNDS
    at: float = 0.0
    asked: int = 0
    """How often the loudspeaker has asked what the host wants."""
    loudspeaker: Loudspeaker = field(init=False)

    def played(self) -> list[Playing]:
        """Return what was played, in order."""
        return [measured(self.folder / str(number)) for number in range(len([*self.folder.iterdir()]))]

    def want(self) -> TableVoice:
        self.asked += 1
        return self.wanted

    def choose(self, kind: VoiceKind, loudness: Loudness = Loudness.MIDDLE) -> None:
        self.wanted = TableVoice(kind, loudness, self.wanted.chosen + 1)
        self.loudspeaker.look()


def samples_in(file: Path) -> tuple[int, Sequence[int]]:
    """Return how many samples a second ALSA has written, and all of them."""
    content = file.read_bytes()
    rate = int.from_bytes(content[24:28], "little")
    content = content[44:]
    return rate, memoryview(content[: len(content) // 2 * 2]).cast("h")


def measured(file: Path) -> Playing:
    rate, samples = samples_in(file)
    return Playing(len(samples) / rate, max(map(abs, samples), default=0))


@contextmanager
def listening(room: Room) -> Iterator[Room]:
    room.loudspeaker = Loudspeaker(
        LoudspeakerSettings(room.device), room.want, "en", "This is how I sound.", clock=lambda: room.at
    )
    room.loudspeaker.start()
    try:
        yield room
    finally:
        room.loudspeaker.stop()


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    folder = tmp_path / "played"
    folder.mkdir()
    keep = tmp_path / "keep"
    keep.write_text(f"cat > {tmp_path}/now && mv {tmp_path}/now {folder}/$(ls {folder} | wc -l)")
    settings = tmp_path / "asound.conf"
    settings.write_text(f'pcm.room {{ type file slave.pcm {{ type null }} file "| sh {keep}" format wav }}')
    monkeypatch.setenv("ALSA_CONFIG_PATH", f"/usr/share/alsa/alsa.conf:{settings}")
    return Room(folder)


def lasts(name: str) -> float:
    recording = strokes.recording(name)
    return len(recording.samples) / recording.rate


def test_a_shout_is_heard_as_on_the_television(room: Room) -> None:
    with listening(room):
        room.loudspeaker.tell(SHOUT)
        until(room.played)
    assert room.played()[0].seconds == pytest.approx(lasts("first"), abs=0.1)
    assert room.loudspeaker.trouble == ""


@pytest.mark.parametrize("happening", [SHOUT, WON], ids=["a shout", "the end"])
def test_the_tones_of_a_sound_are_found_in_what_alsa_plays(room: Room, happening: Happening) -> None:
    with listening(room):
        room.loudspeaker.tell(happening)
        until(room.played)
    rate, samples = samples_in(room.folder / "0")
    assert rate == SAMPLES_A_SECOND
    for hertz, delay, lasts, _ in strokes.strokes().struck[SOUND_OF.get(happening.event_type, "first")]:
        begins = round(delay * rate)
        loud = samples[begins : begins + round(lasts * rate / 2)]
        assert power(loud, hertz * 0.99) > 5 * power(loud, hertz * 1.7)


def test_what_the_big_screen_says_is_said_after_its_sound(room: Room) -> None:
    room.wanted = SPEECH
    with listening(room):
        room.loudspeaker.tell(SHOUT)
        until(lambda: len(room.played()) == 2)
    sound, sentence = room.played()
    assert sound.seconds < 1 < sentence.seconds < 4


def test_nothing_is_heard_unless_the_host_wants_it(room: Room) -> None:
    room.wanted = TableVoice()
    with listening(room):
        times_asked = room.asked
        room.loudspeaker.tell(SHOUT)
        until(lambda: room.asked > times_asked)
        room.wanted = SOUNDS
        room.loudspeaker.tell(WON)
        until(room.played)
    assert room.played()[-1].seconds == pytest.approx(lasts("end"), abs=0.1)


def test_what_happens_without_a_sound_is_only_said(room: Room) -> None:
    with listening(room):
        room.loudspeaker.tell(SILENT)
        room.loudspeaker.tell(SHOUT)
        until(room.played)
    assert len(room.played()) == 1


def test_what_is_over_is_not_heard_any_more(room: Room) -> None:
    with listening(room):
        room.loudspeaker._backlog.add(ToBeHeard(room.at - OLD_S - 1, "end", ""))
        room.loudspeaker.tell(SHOUT)
        until(room.played)
    assert [playing.seconds for playing in room.played()] == [pytest.approx(lasts("first"), abs=0.1)]


def test_each_choice_is_heard_at_once_also_the_same_again(room: Room) -> None:
    with listening(room):
        room.choose(VoiceKind.SOUNDS)
        until(lambda: len(room.played()) == 1)
        room.choose(VoiceKind.SOUNDS)
        until(lambda: len(room.played()) == 2)


def test_louder_is_louder(room: Room) -> None:
    with listening(room):
        for number, loudness in enumerate(Loudness):
            room.choose(VoiceKind.SOUNDS, loudness)
            until(lambda heard=number + 1: len(room.played()) == heard)
    quiet, middle, loud = (playing.loudest for playing in room.played())
    assert 3 * quiet < 2 * middle < 1.5 * loud


def test_a_loudspeaker_that_is_not_there_is_told_with_what_to_do(room: Room) -> None:
    room.device = "no-such-thing"
    with listening(room):
        room.loudspeaker.tell(SHOUT)
        until(lambda: room.loudspeaker.trouble)
        assert room.loudspeaker.trouble.startswith("no-such-thing can't be played on: ")
        assert room.loudspeaker.trouble.endswith("`aplay -L` lists what can")
        room.wanted = TableVoice()
        room.loudspeaker.tell(SHOUT)
        until(lambda: not room.loudspeaker.trouble)


@pytest.mark.parametrize("program", ["aplay", "espeak-ng"])
def test_a_program_that_is_not_installed_is_named(room: Room, monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    bin_folder = room.folder.parent / "bin"
    bin_folder.mkdir()
    for name in {"aplay", "espeak-ng", "sh", "cat", "mv", "ls", "wc"} - {program}:
        (bin_folder / name).symlink_to(shutil.which(name) or name)
    monkeypatch.setenv("PATH", str(bin_folder))
    room.wanted = SPEECH
    with listening(room):
        room.loudspeaker.tell(SHOUT)
        until(lambda: room.loudspeaker.trouble)
    assert "sudo apt install" in room.loudspeaker.trouble


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_of_the_table_can_be_said(language: str) -> None:
    recording = speak("1, 2, 3.", language)
    assert len(recording.samples) / recording.rate > 0.5


def test_a_sentence_is_never_an_option_of_the_program() -> None:
    assert len(speak("--version", "en").samples) > 1000
