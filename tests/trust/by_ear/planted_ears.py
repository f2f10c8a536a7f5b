"""Ears that hear less than the page says, so that the trial can be seen to find it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.trust.by_ear.page import Ears


@dataclass(slots=True)
class LeavingOut(Ears):
    """Some sentences are never said."""

    pattern: re.Pattern[str] = field(kw_only=True)

    def listen(self, page: str) -> Sequence[str]:
        sentences = Ears.listen(self, page)
        self.standing = self._without(self.standing)
        return self._without(sentences)

    def _without(self, sentences: Sequence[str]) -> list[str]:
        return [sentence for sentence in sentences if not self.pattern.search(sentence)]


@dataclass(slots=True)
class SayingLate(Ears):
    """Some sentences are said only together with what comes next."""

    pattern: re.Pattern[str] = field(kw_only=True)
    held_back: Sequence[str] = ()

    def listen(self, page: str) -> Sequence[str]:
        sentences = Ears.listen(self, page)
        due = [*self.held_back, *(sentence for sentence in sentences if not self.pattern.search(sentence))]
        self.held_back = [sentence for sentence in sentences if self.pattern.search(sentence)]
        return due
