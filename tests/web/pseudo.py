"""A language that nobody speaks: every sentence in accented letters and longer, so that what is English on its pages is
no sentence of a catalogue, and what is cut off in it will be cut off in some language.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

import companion.web.http.language
import companion.web.render.words
import companion.words
from companion.catalogue import Forms, Wording, entries_of
from companion.languages import LANGUAGES, SOURCE

PSEUDO = "xx"
LONGER = 0.4
"""As much longer as a language may be than English."""
_ACCENTED = str.maketrans("aeiouycnsAEIOUYCNS", "àéîöůÿçñšÀÉÎÖŮŸÇÑŠ")
_LEFT_ALONE = re.compile(r"(\{[^}]*\}|`[^`]*`|[/\w.-]*[/_=][/\w.=-]*|[*|])")
"""Facts, marks, and what is typed as it stands."""


def pseudo(text: str) -> str:
    """Return a sentence in this language, its words lengthened where they end."""
    parts = _LEFT_ALONE.split(text)
    letters = sum(len(part) for part in parts[::2])
    owed = round(letters * LONGER)
    words = []
    for number, part in enumerate(parts):
        if number % 2:
            words.append(part)
            continue
        for word in re.split(r"(\w+)", part):
            longer = min(owed, 1 + len(word) // 2) if word[-1:].isalpha() else 0
            owed -= longer
            words.append(word.translate(_ACCENTED) + "é" * longer)
    return "".join(words)


def in_pseudo(entry: Wording) -> Wording:
    """Return what is said under one code in this language."""
    counted = entry.counted and Forms(tuple(map(pseudo, entry.counted.forms)), entry.counted.plural_class)
    instead = {value: pseudo(text) for value, text in entry.instead.items()}
    return replace(entry, text=pseudo(entry.text), counted=counted, instead=instead, rule=pseudo(entry.rule))


@contextmanager
def spoken(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Have the pages speak it."""

    def entries(folder: Path, language: str) -> Mapping[str, Wording]:
        if language != PSEUDO:
            return entries_of(folder, language)
        return {code: in_pseudo(entry) for code, entry in entries_of(folder, SOURCE).items()}

    with monkeypatch.context() as patch:
        patch.setattr(companion.words, "entries_of", entries)
        patch.setattr(companion.web.render.words, "entries_of", entries)
        patch.setattr(companion.web.http.language, "LANGUAGES", (*LANGUAGES, PSEUDO))
        yield PSEUDO
