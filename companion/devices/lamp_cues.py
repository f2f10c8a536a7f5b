"""What a lamp at a seat, or at the centre pad, can show.

Everybody sees every lamp: a cue may tell only what everybody may know.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Protocol, runtime_checkable


class Cue(StrEnum):
    """What a lamp says; how it says that is the device's business."""

    OFF = "off"
    WAITING = "waiting"
    """The table waits for this seat."""
    READING = "reading"
    """The reader of this seat takes cards that get their stickers."""
    READ = "read"
    ERROR = "error"
    """Something is wrong at this seat: the page says what."""
    FIRST = "first"
    """This seat was first."""


CENTRE = 0
"""Stands in for a seat: the shared pad."""


@runtime_checkable
class Lamps(Protocol):
    """A source that has a lamp at every seat it hears, and at the centre pad."""

    def show(self, cues: Mapping[int, Cue]) -> None:
        """Show these cues, by seat and `CENTRE`, and nothing at the others, from now on.

        Returns at once, from any thread.
        """
