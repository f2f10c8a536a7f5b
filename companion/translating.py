"""Translators' files kept in step with the English ones, and what is still to be translated.

New messages of `words.pot` come into every other file without a translation; a message whose English has changed keeps
its translation, marked as doubtful ("fuzzy"), and is said in English until a translator has looked at it.
"""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from companion import act_cards, games
from companion.catalogue import TEMPLATE, read_po, translation

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog, Message

_HEADER = """\
msgid ""
msgstr ""
"Language: {code}\\n"
"Plural-Forms: {plural_forms}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"""


def folders() -> tuple[Path, ...]:
    """Return every folder that has words: the companion's, the pages', and each game's."""
    companion = Path(__file__).parent
    return (
        companion,
        companion / "web",
        companion / "game_to_copy",
        act_cards.ACT_CARDS.folder,
        *(game.folder for game in games.known().values()),
    )


def update(folder: Path) -> None:
    """Bring all translations of a folder in step with its English. Raises ValueError for a file that can't be read."""
    template = read_po(folder / "locale" / TEMPLATE)
    for file in sorted((folder / "locale").glob("*.po")):
        _write(file, template, read_po(file), _header_of(file))


def add(folder: Path, code: str) -> None:
    """Begin the file of a new language. Raises ValueError for a language that Unicode doesn't know."""
    from babel.core import UnknownLocaleError
    from babel.messages.catalog import Catalog

    file = folder / "locale" / f"{code}.po"
    if file.exists():
        return
    try:
        empty = Catalog(code)
        header = _HEADER.format(code=code, plural_forms=empty.plural_forms)
    except (UnknownLocaleError, ValueError):
        raise ValueError(f"{code!r} is no code of a language: write one like it, as in it.po") from None
    _write(file, read_po(folder / "locale" / TEMPLATE), empty, header)


def untranslated(folder: Path, code: str) -> Iterator[str]:
    """Yield the contexts of what is said in English though this language is asked for."""
    file = folder / "locale" / f"{code}.po"
    translated = read_po(file) if file.is_file() else None
    for message in _messages(read_po(folder / "locale" / TEMPLATE)):
        counterpart = translated and translated.get(message.id, message.context)
        if not counterpart or not translation(counterpart):
            yield str(message.context)


def _messages(catalog: "Catalog") -> Iterator["Message"]:
    """Yield the messages of a file, without its header."""
    return (message for message in catalog if message.id)


def _header_of(file: Path) -> str:
    """Return the lines of a file's header, as whoever wrote it last left them."""
    return file.read_text(encoding="utf-8").lstrip().partition("\n\n")[0] + "\n"


def _write(file: Path, template: "Catalog", old: "Catalog", header: str) -> None:
    """Write the template's messages with the translations there are."""
    from babel.messages import pofile
    from babel.messages.catalog import Catalog

    old_messages = {message.context: message for message in _messages(old)}
    new = Catalog(old.locale)
    new.mime_headers = old.mime_headers  # whose plural classes need not be Babel's
    for message in _messages(template):
        translated = old_messages.get(message.context)
        new[message.id] = _counterpart(message, translated, old.num_plurals)
    text = io.BytesIO()
    pofile.write_po(text, new, width=0, omit_header=True)
    file.write_text(header + "\n" + text.getvalue().decode().strip("\n") + "\n", encoding="utf-8")


def _counterpart(message: "Message", translated: "Message | None", plural_classes: int) -> "Message":
    """Return a message with the translation that it had, marked as doubtful if its English has changed since."""
    from babel.messages.catalog import Message

    string: str | tuple[str, ...] | list[str] = ("",) * plural_classes if message.pluralizable else ""
    flags: set[str] = set()
    remarks: list[str] = []
    if translated is not None and translated.pluralizable == message.pluralizable:
        string = translated.string or string
        remarks = translated.user_comments
        is_translated = bool("".join(string))
        if is_translated and (translated.fuzzy or translated.id != message.id):
            flags.add("fuzzy")
    counterpart = Message(
        message.id,
        string,
        flags=flags,
        auto_comments=message.auto_comments,
        user_comments=remarks,
        context=message.context,
    )
    counterpart.flags.discard("python-format")  # "100 % of" is none
    return counterpart
