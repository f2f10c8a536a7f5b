"""What an observer was told, as sentences: what to put right, what may be taken back."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.web.render.words import PageWords


class Sentence(msgspec.Struct, frozen=True):
    """One verdict in words."""

    text: str
    tells: str
    """What it tells, without what it says to do now."""
    rule: str
    code: str
    facts: Mapping[str, Any]
    misplay: bool
    entry: int | None
    """Numbers what everybody was told; None: only this seat knows of it."""

    @property
    def quote(self) -> str:
        """What it tells, as a part of another sentence."""
        return self.tells.removesuffix(".")

    @property
    def mark(self) -> str:
        """What a form that takes it back sends along: the same entry must still say the same."""
        return mark(self.code, self.facts)


class Sentences:
    """The story's sentences, oldest first."""

    def __init__(self, told: Sequence[Mapping[str, Any]], words: PageWords, seat: int | None = None):
        """`seat`: whose page it is."""
        self.all = [_sentence(one, words) for one in told]
        self._seat = seat

    @property
    def hint(self) -> Sentence | None:
        """What has to be put right, if that was said last of all."""
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


def mark(code: str, facts: Mapping[str, Any]) -> str:
    """Tell one verdict from another by what it says."""
    return hashlib.sha256(json.dumps([code, facts], sort_keys=True).encode()).hexdigest()[:8]


def _sentence(told: Mapping[str, Any], words: PageWords) -> Sentence:
    code, facts = told["code"], told["facts"]
    return Sentence(
        words.say(code, facts), words.past(code, facts), words.rule(code), code, facts, told["misplay"], told["entry"]
    )
