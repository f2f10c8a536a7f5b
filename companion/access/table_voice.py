"""What the host wants to be heard from the table's own loudspeaker."""

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta


class VoiceKind(StrEnum):
    """What of what happens is heard."""

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
    """How often the host has chosen: each choice is heard as a sample, the same one too."""
