"""The host's choice of what the table's own loudspeaker plays."""

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta


class VoiceKind(StrEnum):
    """What is heard."""

    SILENT = "silent"
    SOUNDS = "sounds"
    SPEECH = "speech"
    """Sounds, and what the big screen says."""


class Loudness(StrEnum):
    """How loud it is."""

    QUIET = "quiet"
    MIDDLE = "middle"
    LOUD = "loud"


class TableVoice(msgspec.Struct, frozen=True):
    """The table's own voice; silence is the default."""

    kind: VoiceKind = VoiceKind.SILENT
    loudness: Loudness = Loudness.MIDDLE
    chosen: Annotated[int, Meta(ge=0)] = 0
    """Counts the host's choices: each is answered by a sample, even if it is the same again."""
