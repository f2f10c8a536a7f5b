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
import zlib
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from companion import __version__, compiled
from companion.languages import SOURCE

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog, Message

TEMPLATE = "words.pot"
_NOTHING_INSTEAD: Mapping[str, str] = {}
"""One for all: an empty one for each of ten thousand wordings would take a megabyte."""


class Forms(msgspec.Struct, frozen=True, gc=False):
    """One message in one language."""

    forms: tuple[str, ...]
    """By plural class; only one if nothing is counted."""
    plural_class: Callable[[int], int]
    """The class of a number, as the file's header has it."""


class Wording(msgspec.Struct, frozen=True, gc=False):
    """All that is said under one code, in one language."""

    text: str
    """What is said where no other form fits."""
    by: str = ""
    """The fact by which there are other forms; "" if there are none."""
    counted: Forms | None = None
    """The forms by number; None if the fact is not counted."""
    instead: Mapping[str, str] = {}
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


class _Sentence(msgspec.Struct, frozen=True, array_like=True):
    """One message of a PO file."""

    context: str
    english: tuple[str, ...]
    """The singular, and the plural where something is counted."""
    translation: tuple[str, ...]
    """See `translation`."""


class _Sentences(msgspec.Struct, frozen=True, array_like=True):
    """What a table needs of a PO file."""

    checksum: int
    """Of the file that they were read from, and of the version that read it."""
    plural_rule: str
    """The class of a number `n`, as the file's header has it."""
    sentences: tuple[_Sentence, ...]


_DECODER = msgspec.msgpack.Decoder(_Sentences)


def _sentences_of(file: Path) -> _Sentences:
    """Return what is in a PO file. Raises as `read_po`."""
    # Reading PO costs a start 70 ms of a processor, so what was read is kept.
    checksum = zlib.crc32(file.read_bytes() + __version__.encode())
    kept_file = compiled.folder_of(file.parents[1]) / f"{compiled.name_of(file)}.sentences"
    try:
        sentences = _DECODER.decode(kept_file.read_bytes())
    except (OSError, msgspec.MsgspecError):  # a power cut may have left anything in it
        pass
    else:
        if sentences.checksum == checksum:
            return sentences
    catalog = read_po(file)
    messages = [message for message in catalog if message.id]
    sentences = _Sentences(
        checksum,
        catalog.plural_expr,
        tuple(_Sentence(str(message.context), english(message), translation(message)) for message in messages),
    )
    compiled.keep(kept_file, msgspec.msgpack.encode(sentences))
    return sentences


def prepare_entries(folder: Path, language: str) -> None:
    """Have a folder's entries read fast when they are first said. What is kept in a file takes no memory until then.

    Raises as `entries_of`.
    """
    if not compiled.can_keep(compiled.folder_of(folder)):
        entries_of(folder, language)
        return
    _sentences_of(folder / "locale" / TEMPLATE)
    _translated(folder, language)


@functools.cache
def entries_of(folder: Path, language: str) -> Mapping[str, Wording]:
    """Return the entries of this folder. Raises ValueError if a file can't be read, OSError if there is no template."""
    template = _sentences_of(folder / "locale" / TEMPLATE)
    english_class = gettext.c2py(template.plural_rule)
    translations = {}
    own_class = english_class
    translated = _translated(folder, language)
    if translated is not None:
        own_class = gettext.c2py(translated.plural_rule)
        translations = {(entry.context, entry.english[0]): entry.translation for entry in translated.sentences}
    grouped: dict[str, dict[str, Forms]] = defaultdict(dict)
    for sentence in template.sentences:
        code, _, which = sentence.context.partition(", ")
        translation_of_it = translations.get((sentence.context, sentence.english[0]))
        if translation_of_it:
            grouped[code][which] = Forms(translation_of_it, own_class)
        else:
            grouped[code][which] = Forms(sentence.english, english_class)
    return {code: _entry(sentences) for code, sentences in grouped.items()}


def _translated(folder: Path, language: str) -> _Sentences | None:
    """Return what is in a language's file of this folder; None: it has none. Raises as `read_po`."""
    file = folder / "locale" / f"{language}.po"
    return _sentences_of(file) if language != SOURCE and file.is_file() else None


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
    return Wording(text, fact, counted, instead or _NOTHING_INSTEAD, rule)
