"""A table's decks and their file: read at the start, written after every card.

Handwritten parts of the file, comments too, are preserved; changes made while it is in use are never overwritten.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from companion import games
from companion.storage import files, last_copy
from companion.storage.ailments import Ailment, AilmentCode, Remedy
from companion.tags.deck import BOX, Deck, TagsFault, TagsLost, cards_of, decks_of, tables_in

LARGEST = 200_000
"""Bytes: about ten times what the cards of all games need."""
NAMED = 5
"""Most cards named in a message on lost stickers."""


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
        """Why the file can't be used, if so: then no card is known, and nothing is written."""
        self.strange: tuple[str, ...] = ()
        """Games in the file that are not installed; their sections are left alone."""
        self.lacking: frozenset[tuple[str, str]] = frozenset()
        """(game, card) of cards with a sticker in the file's copy but not in the file. Until the host says whether that
        is meant, the copy is kept, and nothing is written."""
        self._text = ""
        if not goes_on_without:
            self.read()
            return
        with suppress(TagsFault):
            self.read()

    def read(self) -> None:
        """Read the file, which may have been edited. No file means no decks. Raises `TagsFault`."""
        if self.path is None:
            return
        self.lacking = _lacking(self.path)
        try:
            if last_copy.is_lost(self.path):
                raise TagsLost(_how_to_find_again(self.path))
            text = _text_at(self.path)
            tables = tables_in(text, str(self.path))
            strange = tuple(name for name, table in tables.items() if _is_strange(name, table))
            self._adopt(decks_of(_recognised(tables), str(self.path)), text)
        except TagsFault as wrong:
            self.unusable = wrong
            raise
        self.unusable = None
        self.strange = strange

    def ailment(self) -> Ailment | None:
        """Return why the file can't be used, with remedies; None: it can."""
        if self.path is None:
            return None
        if self.unusable is None:
            return self._ailment_of_lacking(self.path)
        is_lost = isinstance(self.unusable, TagsLost)
        code = AilmentCode.STICKERS_LOST if is_lost else AilmentCode.STICKERS_WRONG
        return Ailment(code, str(self.unusable), remedies=last_copy.remedies_for(self.path))

    def _ailment_of_lacking(self, path: Path) -> Ailment | None:
        if not self.lacking:
            return None
        remedies = (Remedy.LAST_COPY, Remedy.AS_IT_IS)
        return Ailment(AilmentCode.STICKERS_FEWER, _lacks(path, self.lacking), {"number": len(self.lacking)}, remedies)

    def bring_back(self) -> None:
        """Restore the file from its copy; the file is moved aside. Raises `TagsFault`."""
        self._mend(last_copy.bring_back)

    def begin_anew(self) -> None:
        """Start without stickers; file and copy are moved aside. Raises `TagsFault`."""
        self._mend(last_copy.give_up)

    def use_as_it_is(self) -> None:
        """Use the file as it is; its copy is moved aside. Raises `TagsFault`."""
        self._mend(last_copy.use_as_it_is)

    def keep_copy(self) -> None:
        """Copy the file after a start, unless it can't be used or lacks stickers that the copy has."""
        if self.path is not None and self.unusable is None and not self.lacking:
            last_copy.keep_copy(self.path)

    def deck(self, game: str) -> Deck:
        """Return the deck of a game, empty if the file has none. Raises KeyError for an unknown game."""
        return self.by_game.get(game) or Deck(game, games.with_tags()[game].box())

    def keep(self, deck: Deck) -> None:
        """Store a deck in place of its game's; on return it is on disk. Raises `TagsFault`."""
        if self.path is None:
            raise TagsFault('this table keeps no tags: add tags = "tags.toml" to its table.toml and start it again')
        if self.unusable is not None:
            raise self.unusable
        if self.lacking:
            raise TagsFault(_lacks(self.path, self.lacking))
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
        self.by_game = decks
        self._text = text


def written(decks: Iterable[Deck], old: str = "") -> str:
    """Write decks into the old text, changing only what differs."""
    from companion import toml_editing  # imported late: tomlkit would slow down every start

    old_decks = decks_of(_recognised(tables_in(old, "before")), "before")
    sections = toml_editing.sections(old)
    places = {toml_editing.values_of(section)[0]: place for place, section in enumerate(sections)}
    for deck in decks:
        old_deck = old_decks.get(deck.game)
        order = (BOX, *games.with_tags()[deck.game].deck)
        if old_deck is None:
            values = {key: value for key, value in _values_of(deck).items() if value is not None}
            blank = "\n" if "".join(sections).strip() else ""
            sections.append(f"{blank}{toml_editing.as_section(deck.game, values)}")
        elif deck != old_deck:
            place = places.get(deck.game, 0)
            table = "" if deck.game in places else deck.game
            old_values = _values_of(old_deck)
            values = {key: value for key, value in _values_of(deck).items() if value != old_values[key]}
            sections[place] = toml_editing.edited(sections[place], values, order, table=table)
    return "".join(section if section.endswith("\n") or not section else f"{section}\n" for section in sections)


def _values_of(deck: Deck) -> dict[str, Any]:
    """Return the values of a deck's section; None for those left out: the standard box, and cards without a sticker."""
    usual = msgspec.to_builtins(type(deck.box)())
    unusual = {key: value for key, value in msgspec.to_builtins(deck.box).items() if value != usual[key]}
    return {BOX: unusual or None} | {card: deck.tags.get(card) for card in games.with_tags()[deck.game].deck}


def _recognised(tables: Mapping[str, Any]) -> dict[str, Any]:
    return {name: table for name, table in tables.items() if not _is_strange(name, table)}


def _is_strange(name: str, table: Any) -> bool:
    """Return whether this is the deck of a game that is not installed."""
    return isinstance(table, dict) and name not in games.with_tags()


def _lacking(path: Path) -> frozenset[tuple[str, str]]:
    """Return the cards that have lost their sticker since the copy, unless another card that can be used has it."""
    stickers = _stickers_in(path)
    numbers = set(stickers.values())
    usable_numbers = {number for (game, _), number in stickers.items() if game in games.with_tags()}
    last_stickers = _stickers_in(last_copy.copy_of(path))
    return frozenset(
        (game, card)
        for (game, card), number in last_stickers.items()
        if (game, card) not in stickers and number not in (usable_numbers if game in games.with_tags() else numbers)
    )


def _stickers_in(path: Path) -> dict[tuple[str, str], str]:
    """Return (game, card) → the sticker as written, also of games that are not installed; {} if unreadable."""
    try:
        tables = tables_in(_text_at(path), str(path))
    except TagsFault:
        return {}
    return {
        (game, card): repr(number)
        for game, cards in tables.items()
        if isinstance(cards, dict)
        for card, number in cards.items()
        if card != BOX
    }


def _lacks(path: Path, lacking: Collection[tuple[str, str]]) -> str:
    named = ", ".join("/".join(card) for card in sorted(lacking)[:NAMED])
    more = f" and {len(lacking) - NAMED} more" if len(lacking) > NAMED else ""
    copy = last_copy.copy_of(path).name
    return (
        f"the stickers' file {path} lacks what it had when the table last started: {named}{more}. It lies beside it, "
        f"in {copy}: bring that back on the host's page, or copy it there. If it was taken out on purpose, say so "
        f"there, or move {copy} away"
    )


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


def _text_at(path: Path) -> str:
    try:
        content = files.contents(path, LARGEST + 1)
        if len(content) > LARGEST:
            raise TagsFault(f"the tags {path} are not readable: larger than {LARGEST:,} bytes")
        return re.sub(r"\r(?!\n)", "\n", content.decode("utf-8"))
    except FileNotFoundError:
        return ""
    except OSError as wrong:
        raise TagsFault(f"can't read the tags {path}: {wrong.strerror}") from wrong
    except UnicodeDecodeError as wrong:
        line = 1 + wrong.object.count(b"\n", 0, wrong.start)
        raise TagsFault(f"the tags {path}, line {line}: not UTF-8 text. Save it as UTF-8 in your editor") from wrong
