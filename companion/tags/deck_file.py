"""A table's decks and the file they are kept in: read at the start, written after every card.

What people wrote in the file stays, comments too; what they write while it is in use is never overwritten.
"""

import io
import json
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from companion import games
from companion.storage import files, last_copy
from companion.storage.ailments import Ailment, AilmentCode
from companion.tags.deck import BOX, Deck, TagsFault, TagsLost, cards_of, decks_in

_HEADER = re.compile(r"\s*\[\s*[\"']?([\w-]+)[\"']?\s*\]\s*(#.*)?$")
_ENTRY = re.compile(r"""\s*["']?([\w-]+)["']?\s*=\s*(?:"[^"]*"|'[^']*'|\{[^#]*\})\s*(#.*)?$""")


LARGEST = 200_000
"""Bytes: about ten times what the cards of all games need."""


class Decks:
    """A table's decks. Use it from one thread at a time."""

    def __init__(self, path: Path | None, *, goes_on_without: bool = False) -> None:
        """`path` is the tags file; None: the table has none, and so no decks.

        Raises `TagsFault`, unless the table goes on without it: then `unusable` says why.
        """
        self.path = path
        self.by_game: Mapping[str, Deck] = {}
        self.cards: Mapping[str, tuple[str, str]] = {}
        """uid → (game, card)."""
        self.unusable: TagsFault | None = None
        """Why the file can't be used, as long as it can't: then no card is known, and nothing is written."""
        self.strange: tuple[str, ...] = ()
        """Games in the file that are not installed; their parts of the file stay as they are."""
        self._text = ""
        if not goes_on_without:
            self.read()
            return
        with suppress(TagsFault):
            self.read()

    def read(self) -> None:
        """Read the file again, because somebody may have edited it. No file means no decks. Raises `TagsFault`."""
        if self.path is None:
            return
        try:
            if last_copy.is_lost(self.path):
                raise TagsLost(_how_to_find_again(self.path))
            text = _text_at(self.path)
            own, strange = _apart(text)
            self._adopt(decks_in(own, str(self.path)), text)
        except TagsFault as wrong:
            self.unusable = wrong
            raise
        self.unusable = None
        self.strange = tuple(strange)

    def ailment(self) -> Ailment | None:
        """Return why the file can't be used, with what may be done about it; None: it can."""
        if self.path is None or self.unusable is None:
            return None
        is_lost = isinstance(self.unusable, TagsLost)
        code = AilmentCode.STICKERS_LOST if is_lost else AilmentCode.STICKERS_WRONG
        return Ailment(code, str(self.unusable), remedies=last_copy.remedies_for(self.path))

    def bring_back(self) -> None:
        """Go on with the copy of the file; what was there is moved aside. Raises `TagsFault`."""
        self._mend(last_copy.bring_back)

    def begin_anew(self) -> None:
        """Go on without stickers; file and copy are moved aside. Raises `TagsFault`."""
        self._mend(last_copy.give_up)

    def deck(self, game: str) -> Deck:
        """Return the deck of a game, empty if the file has none. Raises KeyError for an unknown game."""
        return self.by_game.get(game) or Deck(game, games.known()[game].box())

    def keep(self, deck: Deck) -> None:
        """Replace its game's deck; on return it is on disk. Raises `TagsFault`."""
        if self.path is None:
            raise TagsFault('this table keeps no tags: add tags = "tags.toml" to its table.toml and start it again')
        if self.unusable is not None:
            raise self.unusable
        if _text_at(self.path) != self._text:
            raise TagsFault(f"{self.path} has been changed in the meantime: nothing was written. Start again")
        decks = {**self.by_game, deck.game: deck}
        cards_of(decks.values(), str(self.path))
        text = written(decks.values(), self._text)
        put(self.path, text)
        last_copy.keep_copy(self.path)
        self._adopt(decks, text)

    def _mend(self, mend: Callable[[Path], None]) -> None:
        if self.path is None:
            return
        try:
            mend(self.path)
        except OSError as wrong:
            raise TagsFault(
                f"can't write {self.path}: {wrong.strerror}. Nothing is lost: make room, and try again"
            ) from wrong
        self.read()

    def _adopt(self, decks: Mapping[str, Deck], text: str) -> None:
        self.cards = cards_of(decks.values(), str(self.path))
        self.by_game, self._text = decks, text


def written(decks: Iterable[Deck], old: str = "") -> str:
    """Write decks as a text, keeping the comments of the one it replaces."""
    own, strange = _apart(old)
    above, behind = _comments(own)
    lines: list[str] = []
    for deck in decks:
        lines += ["", *above.pop((deck.game, ""), ()), f"[{deck.game}]{behind.pop((deck.game, ''), '')}"]
        box = _box(deck)
        told = {BOX: box} if box else {}
        for name, value in (told | {card: f'"{uid}"' for card, uid in deck.tags.items()}).items():
            key = (deck.game, name)
            lines += [*above.pop(key, ()), f"{name} = {value}{behind.pop(key, '')}"]
    for notes in above.values():
        lines += notes
    lines += [note.strip() for note in behind.values()]  # of cards that no longer have a sticker
    text = "\n".join(lines).strip("\n") + "\n"
    return "\n".join([text, *strange.values()])


def _how_to_find_again(path: Path) -> str:
    state = "is empty" if path.exists() else "is gone"
    copy = last_copy.copy_of(path).name
    return (
        f"the stickers' file {path} {state}, and was not before: no card is known. What it said lies beside it, "
        f"in {copy}: bring that back on the host's page, or copy it there. To begin anew, move {copy} away"
    )


def put(path: Path, text: str) -> None:
    """Write a file atomically and durably: after a power cut it is the old or the new one. Raises `TagsFault`."""
    path = path.resolve()  # a link stays a link
    try:
        files.replace(path, text.encode())
    except OSError as wrong:
        raise TagsFault(
            f"can't write {path}: {wrong.strerror}. Is the disk full, or the folder read-only? Fix that and try again"
        ) from wrong


def _apart(text: str) -> tuple[str, dict[str, str]]:
    """Extract the parts of a file about games that are not installed, each with the comments above it."""
    known: list[str] = []
    strange: dict[str, list[str]] = {}
    here, pending = known, list[str]()
    for line in io.StringIO(text):
        pending.append(line)
        if line.strip() and not line.lstrip().startswith("#"):
            if header := _HEADER.match(line):
                here = known if header[1] in games.known() else strange.setdefault(header[1], [])
            here += pending
            pending = []
    return "".join([*known, *pending]), {slug: "".join(lines).lstrip("\n") for slug, lines in strange.items()}


def _text_at(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise TagsFault(f"the tags {path} are not readable: larger than {LARGEST:,} bytes")
        return content.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except FileNotFoundError:
        return ""
    except OSError as wrong:
        raise TagsFault(f"can't read the tags {path}: {wrong.strerror}") from wrong
    except UnicodeDecodeError as wrong:
        raise TagsFault(f"the tags {path} are not readable: {wrong}") from wrong


def _box(deck: Deck) -> str:
    """Write how a box differs from the default; "" if it does not."""
    usual = msgspec.to_builtins(type(deck.box)())
    told = {key: value for key, value in msgspec.to_builtins(deck.box).items() if value != usual[key]}
    return f"{{ {', '.join(f'{key} = {json.dumps(value)}' for key, value in told.items())} }}" if told else ""


Key = tuple[str, str]
"""What a line is about: a game, and one of its cards, `BOX`, or "" for its header."""


def _comments(text: str) -> tuple[dict[Key, list[str]], dict[Key, str]]:
    """Return the comments above a line, and those at its end."""
    above: dict[Key, list[str]] = {}
    behind: dict[Key, str] = {}
    game, pending = "", list[str]()
    for line in text.split("\n"):
        if line.lstrip().startswith("#"):
            pending.append(line.strip())
        elif found := _HEADER.match(line) or _ENTRY.match(line):
            if found.re is _HEADER:
                game = found[1]
            key = (game, "" if found.re is _HEADER else found[1])
            if pending:
                above[key], pending = pending, []
            if found[2]:
                behind[key] = f"  {found[2]}"
    if pending:
        above["", ""] = pending
    return above, behind
