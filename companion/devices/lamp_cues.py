"""What a lamp at a seat, or at the centre pad, can show.

Everybody sees every lamp, so a cue may reveal only public knowledge.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Protocol, runtime_checkable

import msgspec


class Cue(StrEnum):
    """The meaning of a light; colour and rhythm are up to the device."""

    OFF = "off"
    WAITING = "waiting"
    """The table waits for this seat."""
    READING = "reading"
    """The reader of this seat takes cards that get their stickers."""
    READ = "read"
    """The card that lies here counts."""
    REFUSED = "refused"
    """The card, or the press, does not count."""
    ERROR = "error"
    """Something is wrong at this seat: the page says what."""
    FIRST = "first"
    """This seat was first."""
    PLAYING = "playing"
    """Everybody plays; the table waits for nobody in particular."""
    BREAK = "break"
    """People take a break: nothing counts."""
    OVER = "over"
    """The match is over."""


class Counted(msgspec.Struct, frozen=True):
    """The table waits for this seat, of whose cards so many have counted."""

    cards: int
    """How many have counted, from 1."""


Light = Cue | Counted
"""What one lamp says."""

CENTRE = 0
"""Stands in for a seat: the shared pad."""


@runtime_checkable
class Lamps(Protocol):
    """A source that has a lamp at every seat it hears, and at the centre pad."""

    def show(self, lights: Mapping[int, Light]) -> None:
        """Show these from now on, by seat or `CENTRE`, and darken all other lamps. The centre's never shows a count.

        Returns at once; may be called from any thread.
        """
