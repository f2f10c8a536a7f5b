"""What an observer was told, as sentences: what to put right, what may be taken back."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec

from companion.acts.told import mark
from companion.web.render.words import PageWords

OPEN = 20
"""Lines of a story that are unfolded; this many are folded at a time."""


class Sentence(msgspec.Struct, frozen=True):
    """One verdict in words."""

    text: str
    tells: str
    """What it tells, without the part on what to do now."""
    rule: str
    code: str
    facts: Mapping[str, Any]
    misplay: bool
    entry: int | None
    """Numbers what everybody was told; None: only this seat knows it."""

    @property
    def quote(self) -> str:
        """What it tells, as part of another sentence."""
        return self.tells.removesuffix(".")

    @property
    def mark(self) -> str:
        """What a form that takes it back sends along: the same entry must still say the same."""
        return mark(self.code, self.facts)


class Sentences:
    """The story's sentences, oldest first."""

    def __init__(self, told: Sequence[Mapping[str, Any]], words: PageWords, seat: int | None = None):
        """`seat`: whose page it is."""
        self.all = [sentence(one, words) for one in told]
        self._seat = seat

    @property
    def hint(self) -> Sentence | None:
        """What has to be put right, if that was the last thing said."""
        public = self.public
        return public[-1] if public and public[-1].misplay else None

    @property
    def private(self) -> Sentence | None:
        """The latest message for this seat alone, until anything is said of the seat after it."""
        for one in reversed(self.all):
            if one.entry is None:
                return one
            if self._seat is None or one.facts.get("seat") == self._seat:
                return None
        return None

    @property
    def public(self) -> list[Sentence]:
        """What everybody was told."""
        return [one for one in self.all if one.entry is not None]

    def latest(self, code: str, **facts: Any) -> Sentence | None:
        """Return the latest public sentence of this code about these facts."""
        wanted = facts.items()
        return next((one for one in reversed(self.public) if one.code == code and wanted <= one.facts.items()), None)


class Fold(msgspec.Struct, frozen=True):
    """A part of the story that is unfolded on demand."""

    first: int
    """Its minutes, from 1."""
    last: int
    lines: Sequence[tuple[Sentence, int]]


def folded(lines: Sequence[tuple[Sentence, int]]) -> tuple[Sequence[tuple[Sentence, int]], list[Fold]]:
    """Return the unfolded part of a story, and its folds; each line has its minute, from 0, and the newest come first.

    Lines that would have the same heading form one fold.
    """
    parts = [lines[at : at + OPEN] for at in range(OPEN, len(lines), OPEN)]
    minutes = groupby(parts, lambda part: (part[-1][1] + 1, part[0][1] + 1))
    return lines[:OPEN], [Fold(*span, [line for part in alike for line in part]) for span, alike in minutes]


def sentence(told: Mapping[str, Any], words: PageWords) -> Sentence:
    """Put an entry into words. Raises KeyError if these lack a word, or the entry a fact."""
    code, facts = told["code"], told["facts"]
    return Sentence(
        words.say(code, facts), words.past(code, facts), words.rule(code), code, facts, told["misplay"], told["entry"]
    )
