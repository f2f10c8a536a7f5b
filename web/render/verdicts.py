"""What an observer was told, as sentences: among them what to put right, and what may be taken back."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec

from companion.acts.told import mark
from companion.judge.returned import LastSaid
from companion.web.render.words import PageWords

MANY = 10
"""From this many sentences of one code in a row, only the first is shown until the others are asked for."""
OPEN = 20
"""How many lines of a story are shown unfolded; the others are folded, this many at a time."""


class Sentence(msgspec.Struct, frozen=True):
    """One verdict in words."""

    text: str
    tells: str
    """What it tells, without the part on what to do now."""
    tells_doer: str
    """The same as it is said on its player's own page: "You …"."""
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
        """What a form that takes it back sends along, to check that the entry still says the same."""
        return mark(self.code, self.facts)


class Sentences:
    """The story's sentences, oldest first."""

    def __init__(
        self,
        entries: Sequence[Mapping[str, Any]],
        words: PageWords,
        seat: int | None = None,
        last_said: LastSaid | None = None,
    ):
        """`seat` is whose page it is; `last_said` what is left of the last messages, or None for all of them."""
        self.all = [sentence(entry, words, seat) for entry in entries]
        self._seat = seat
        self._last_said = last_said

    @property
    def hint(self) -> Sentence | None:
        """What has to be put right, if that was the last thing said."""
        if self._last_said is not None and self._last_said.slip is None:
            return None
        public = self.public
        return public[-1] if public and public[-1].misplay else None

    @property
    def private(self) -> Sentence | None:
        """The latest message for this seat alone, until anything is said of the seat after it."""
        if self._last_said is not None and self._last_said.message is None:
            return None
        for sentence in reversed(self.all):
            if sentence.entry is None:
                return sentence
            if self._seat is None or sentence.facts.get("seat") == self._seat:
                return None
        return None

    @property
    def public(self) -> list[Sentence]:
        """What everybody was told."""
        return [sentence for sentence in self.all if sentence.entry is not None]

    def latest(self, code: str, **facts: Any) -> Sentence | None:
        """Return the latest public sentence of this code about these facts."""
        for sentence in reversed(self.public):
            if sentence.code == code and facts.items() <= sentence.facts.items():
                return sentence
        return None


def in_runs(sentences: Sequence[Sentence]) -> Iterator[tuple[Sentence, Sequence[Sentence]]]:
    """Yield each sentence to show, with those to unfold below it: of many with one code in a row, as for cards read one
    by one, only the first is shown.
    """
    for _, same_code in groupby(sentences, lambda sentence: sentence.code):
        run = [*same_code]
        if len(run) >= MANY:
            yield run[0], run[1:]
        else:
            yield from ((sentence, ()) for sentence in run)


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


def sentence(entry: Mapping[str, Any], words: PageWords, seat: int | None = None) -> Sentence:
    """Put an entry into words, for this seat's page. Raises KeyError if these lack a word, or the entry a fact."""
    code = entry["code"]
    facts = entry["facts"]
    is_theirs = seat is not None and (facts.get("seat") == seat or [*facts.get("seats", ())] == [seat])
    codes_for_doer = (f"{code}-me", f"news-{code}-me") if is_theirs else ()
    code_for_doer = next(filter(words.has, codes_for_doer), code)
    text = words.say(code, facts)
    tells = words.past(code, facts) if words.says_what_to_do(code) else text
    return Sentence(
        text=text,
        tells=tells,
        tells_doer=tells if code_for_doer == code else words.past(code_for_doer, facts),
        rule=words.rule(code),
        code=code,
        facts=facts,
        misplay=entry["misplay"],
        entry=entry["entry"],
    )
