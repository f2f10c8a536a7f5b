"""Sentences in every language, from the PO files of a game, of the pages and of the companion itself.

A folder's `locale/words.pot` holds its sentences in English, and `locale/CODE.po` beside it the same in another
language; Poedit and Weblate read and write both. A message's context is the code of a sentence, alone or followed by

- `, rule`: the rule on which this ruling stands;
- `, by FACT`: the sentence has a singular and plurals, and this fact is counted;
- `, FACT = VALUE`: what is said instead where this fact is just that, where it names so many, or where it is None.

A sentence that is not translated, or was translated before its English changed, is said in English.
"""

import functools
import gettext
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from companion.languages import SOURCE

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog, Message

TEMPLATE = "words.pot"


@dataclass(frozen=True, slots=True)
class Forms:
    """One message in one language."""

    forms: tuple[str, ...]
    """By plural class; only one if nothing is counted."""
    plural_class: Callable[[int], int]
    """The class of a number, as the file's header has it."""


@dataclass(frozen=True, slots=True)
class Wording:
    """All that is said under one code, in one language."""

    text: str
    """What is said where no other form fits."""
    by: str = ""
    """The fact by which there are other forms; "" if there are none."""
    counted: Forms | None = None
    """The forms by number; None if the fact is not counted."""
    instead: Mapping[str, str] = field(default_factory=dict)
    """The forms by a value of the fact, which come first."""
    rule: str = ""
    """The rule on which a ruling stands; "" for what is none."""

    def form(self, value: int | str | None) -> str:
        """Return the form for this value of the fact."""
        if str(value) in self.instead:
            return self.instead[str(value)]
        if self.counted is not None and isinstance(value, int):
            return self.counted.forms[self.counted.plural_class(abs(value))]
        return self.text

    @property
    def texts(self) -> tuple[str, ...]:
        """Every form, without the rule."""
        plurals = self.counted.forms if self.counted is not None else ()
        return (self.text, *plurals, *self.instead.values())


def read_po(file: Path) -> "Catalog":
    """Read a PO file. Raises ValueError, with the place, for what can't be read; OSError for what is missing."""
    # Imported only where words are read: it would cost each command 20 ms.
    from babel.messages import pofile

    with file.open("rb") as lines:
        try:
            return pofile.read_po(lines, abort_invalid=True)
        except (pofile.PoFileError, ValueError) as wrong:
            raise ValueError(f"{file} can't be read: {wrong}") from None


def translation(message: "Message") -> tuple[str, ...]:
    """Return the forms of a message's translation; () if it has none, or one that is marked as doubtful."""
    strings = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
    return strings if all(strings) and not message.fuzzy else ()


def english(message: "Message") -> tuple[str, ...]:
    """Return the forms of a message in English."""
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


@functools.cache
def entries_of(folder: Path, language: str) -> Mapping[str, Wording]:
    """Return the entries of this folder. Raises ValueError if a file can't be read, OSError if there is no template."""
    template = read_po(folder / "locale" / TEMPLATE)
    translations = folder / "locale" / f"{language}.po"
    translated = read_po(translations) if language != SOURCE and translations.is_file() else template
    english_class = gettext.c2py(template.plural_expr)
    own_class = gettext.c2py(translated.plural_expr)
    grouped: dict[str, dict[str, Forms]] = defaultdict(dict)
    for message in template:
        if not message.id:
            continue
        sentence = Forms(english(message), english_class)
        counterpart = translated.get(message.id, message.context) if translated is not template else None
        if counterpart is not None and translation(counterpart):
            sentence = Forms(translation(counterpart), own_class)
        code, _, which = str(message.context).partition(", ")
        grouped[code][which] = sentence
    return {code: _entry(sentences) for code, sentences in grouped.items()}


def _entry(sentences: Mapping[str, Forms]) -> Wording:
    """Make an entry of the messages of one code, by what follows the code in their contexts."""
    fact = ""
    text = ""
    rule = ""
    counted = None
    instead = {}
    for which, sentence in sentences.items():
        if not which:
            text = sentence.forms[0]
        elif which == "rule":
            rule = sentence.forms[0]
        elif which.startswith("by "):
            fact = which.removeprefix("by ")
            counted = sentence
            text = sentence.forms[-1]
        else:
            fact, _, value = which.partition(" = ")
            instead[value] = sentence.forms[0]
    return Wording(text, fact, counted, instead, rule)
