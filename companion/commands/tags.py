"""`companion tags`: put stickers on a deck at the terminal, and carry decks from table to table."""

import queue
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from companion import games
from companion.config import Table, own_files
from companion.devices.clock import TableClock
from companion.devices.listening import Listening, start_all
from companion.devices.sensing import Appeared, Crowded, Failed, Sensing, Tag
from companion.errors import NotNow
from companion.game import AnyGame
from companion.storage.log import InUse, lock
from companion.tags.deck import Deck, TagsFault, box_of, decks_in
from companion.tags.deck_file import Decks, put, written
from companion.tags.session import Enrolment
from companion.words import Words

KEYS = "Lay the cards one after the other. Or type and press Enter: s skip, u take back, a card's name for it, q end"

SETTLED = 0.5
"""Seconds after which every reader has looked once: what is laid from then on was laid because it was asked for."""


@contextmanager
def held(table: Table) -> Iterator[Decks]:
    """Give a table's decks while no companion runs on it. Raises `NotNow`, `TagsFault`, `LogFault`."""
    try:
        keeping = lock(table.log)
    except InUse:
        port = table.page.port
        raise NotNow(
            f"a companion runs on this table: put stickers on at its own page, http://localhost:{port}/tags, "
            "or stop it first"
        ) from None
    with keeping:
        yield decks_of(table)


def decks_of(table: Table) -> Decks:
    """Give a table's decks, to be read. Raises `TagsFault`."""
    decks = Decks(table.tags)
    if table.tags is None:
        raise TagsFault('this table keeps no tags: add tags = "tags.toml" to its table.toml')
    return decks


def listing(decks: Decks) -> Iterator[str]:
    """Give a line for each game."""
    for slug in games.known():
        deck = decks.deck(slug)
        yield f"{slug:12} {_count(deck)}{_without(deck)}"


def exported(decks: Decks, game: str) -> str:
    """Give one deck as a text. Raises `TagsFault` where it has no sticker."""
    deck = decks.deck(game)
    if not deck.tags:
        raise TagsFault(f"no card of {game} has a sticker at this table")
    return written([deck])


def save(text: str, to: Path, table: Table, settings: Path) -> None:
    """Write a deck to a file, but never over one of the table's own; `settings` describes it. Raises `TagsFault`."""
    if to.resolve() in {path.resolve() for path in own_files(table, settings)}:
        raise TagsFault(f"{to} is one of the table's own files: choose another file")
    put(to, text)


def bring_in(decks: Decks, file: Path, *, replace: bool) -> Deck:
    """Take over the one deck of a file; one that is there already only to `replace` it. Raises `TagsFault`."""
    try:
        found = decks_in(file.read_text(encoding="utf-8"), str(file))
    except (OSError, UnicodeDecodeError) as wrong:
        raise TagsFault(f"can't read {file}: {getattr(wrong, 'strerror', None) or 'it is not UTF-8 text'}") from wrong
    if len(found) != 1:
        raise TagsFault(f"{file} holds {len(found)} decks: give one with one deck")
    (deck,) = found.values()
    here = decks.deck(deck.game)
    if here.tags and here != deck and not replace:
        raise TagsFault(f"{deck.game} has stickers at this table already: nothing was changed. Take --replace")
    clashes = [
        f"{uid} is {game}/{card} here and {deck.game}/{mine} there"
        for mine, uid in deck.tags.items()
        for game, card in [decks.cards.get(uid, (deck.game, mine))]
        if game != deck.game
    ]
    if clashes:
        raise TagsFault(f"a sticker can't be two cards, so nothing was changed: {'; '.join(clashes)}")
    decks.keep(deck)
    return deck


def told_box(game: AnyGame, told: Sequence[str], here: Any) -> Any:
    """Read what was typed of a box, "colours=red,blue"; what is not told stays as it is. Raises `TagsFault`."""
    box = {name: getattr(here, name) for name in game.box.__struct_fields__}
    for one in told:
        name, _, text = one.partition("=")
        parts = [part.strip() for part in text.split(",")]
        box[name] = parts if isinstance(box.get(name), tuple) else int(text) if text.isdecimal() else text
    return box_of(game, box, "--box")


def riffle(table: Table, decks: Decks, game: AnyGame, box: Any) -> Iterator[str]:
    """Put stickers on a deck, cards on any reader and keys typed; tell, line by line, what came of it.

    Raises `NotNow` where no reader answers, and `TagsFault` where nothing can be written.
    """
    clock = TableClock()
    enrolment = Enrolment(decks, clock)
    enrolment.begin(game.slug, box)
    sources = [sensor.open(clock) for sensor in table.sensors if hasattr(sensor, "place")]
    missing = start_all(sources)
    for source in sources if len(missing) == len(sources) else ():
        source.close()
    yield from missing
    if len(missing) == len(sources):
        raise NotNow("no reader of this table answers: mend that first")
    heard: queue.SimpleQueue[Sensing | str | None] = queue.SimpleQueue()

    def tell(*sensings: Sensing) -> None:
        for one in sensings:
            heard.put(one)

    listening = Listening(sources, tell)
    threading.Thread(target=_type, args=(heard,), daemon=True).start()
    # As an exception it would fall in anywhere: on a line that is just printed, or on the devices' end.
    before = signal.signal(signal.SIGINT, lambda *_: heard.put(None))
    try:
        time.sleep(SETTLED)
        yield KEYS
        yield _state(enrolment, game)
        while (one := heard.get()) not in (None, "q"):
            yield from _told(one, enrolment, game)
    finally:
        listening.stop()
        deck = decks.deck(game.slug)
    yield f"{game.title}: {_count(deck)}, kept in {decks.path}{_without(deck)}"
    signal.signal(signal.SIGINT, before)


def _type(heard: "queue.SimpleQueue[Sensing | str | None]") -> None:
    """Hand on what is typed, whatever bytes a terminal sends; None at its end, or where nobody can type."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    for line in sys.stdin or ():
        heard.put(line.strip())
    heard.put(None)


def _told(one: Sensing | str | None, enrolment: Enrolment, game: AnyGame) -> Iterator[str]:
    match one:
        case Appeared(place=place, already=True):
            yield f"  {place}: a card lies there already. Lift it, and lay it when it is asked for"
            return
        case Appeared(place, uid, _, kind) if enrolment.takes(uid):
            enrolment.heard(Tag(uid, kind))
        case Crowded(place, _):
            yield f"  {place}: one card at a time"
            return
        case Failed(source, why, _):
            yield f"  {source}: {why}"
            return
        case "s":
            enrolment.skip()
        case "u":
            enrolment.take_back()
        case str(typed) if typed:
            found = _card(typed, game, enrolment)
            if found is None:
                yield f"  There is no card {typed!r} in this box. Write it like: {next(iter(game.deck))}"
                return
            enrolment.choose(found)
        case _:
            return
    answer = enrolment.shown.answer
    if answer is not None:
        yield f"  {Words(game.slug, 'en').say(answer.code, answer.facts)}"
    if enrolment.shown.trouble:
        yield f"  {enrolment.shown.trouble}"
    yield _state(enrolment, game)


def _card(typed: str, game: AnyGame, enrolment: Enrolment) -> str | None:
    """Find a card by its id or its name; among those that share a name, the first without a sticker."""
    words, stock = Words(game.slug, "en"), enrolment.shown.stock[game.slug]
    by_name = [card for card in (*stock.missing, *stock.wanted) if typed.lower() in (card, words.card(card).lower())]
    return by_name[0] if by_name else None


def _state(enrolment: Enrolment, game: AnyGame) -> str:
    shown = enrolment.shown
    stock, progress = shown.stock[game.slug], shown.progress
    card = progress.next if progress else None
    count = f"{len(stock.wanted) - len(stock.missing)} of {len(stock.wanted)}"
    return f"{count}: lay {Words(game.slug, 'en').card(card)} ({card})" if card else f"{count}: all done. q: end"


def _count(deck: Deck) -> str:
    return f"{len(deck.wanted) - len(deck.missing)} of {len(deck.wanted)} cards have a sticker"


def _without(deck: Deck) -> str:
    """Tell which are missing, where the deck was begun."""
    return f"; missing: {', '.join(deck.missing)}" if deck.missing and deck.tags else ""
