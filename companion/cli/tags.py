"""`companion tags`: enrols a deck's stickers at the terminal, and carries decks from table to table."""

import queue
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import click

from companion import games
from companion.cli.options import OUTPUT, TABLE
from companion.cli.output import print_lines, say, write
from companion.cli.table_files import own_files, why_not
from companion.config import Table, load
from companion.devices.listening import Listening, start_all
from companion.devices.monotonic_clock import TableClock
from companion.devices.sensing import Appeared, Crowded, Failed, Sensing, Tag, Working
from companion.errors import NotNow
from companion.game import Pieces
from companion.storage.opening import InUse, lock
from companion.tags.deck import Deck, TagsFault, box_of, decks_in
from companion.tags.deck_file import Decks, put, written
from companion.tags.enrolment_session import Enrolment
from companion.threads import LastingThread, Rounds
from companion.words import Words

KEYS = "Lay the cards one after the other. Or type and press Enter: s skip, u take back, a card's name for it, q end"

SETTLED = 2.0
"""Seconds for every reader to report cards that lie there already, so that later ones are those asked for."""


GAME = click.argument("game", metavar="GAME")


@click.group(epilog="COMMAND --help says more, including the exit status.")
def tags() -> None:
    """The stickers on a table's cards: put them on, carry a deck to another table.

    On a running table they are put on at its page /tags.
    """


@tags.command(epilog="Exit status: 0 ended; 1 no reader answers, or the table runs; 2 a wrong TABLE, game or box.")
@TABLE
@GAME
@click.option("--box", multiple=True, metavar="KEY=VALUE", help="What your box holds: colours=red,blue or tokens_2=3.")
def enrol(file: Path, game: str, box: tuple[str, ...]) -> None:
    """Put stickers on a deck: lay its cards on any reader, one after the other.

    Each card is saved at once; what a box holds need be given only once. `tags list` names the games.
    """
    table = load(file)
    pieces = _game(game)
    with held(table) as decks:
        print_lines(riffle(table, decks, pieces, read_box(pieces, box, decks.deck(pieces.slug).box)))


@tags.command(name="list", epilog="Exit status: 0 listed; 2 a wrong TABLE or file of tags.")
@TABLE
def list_decks(file: Path) -> None:
    """List how many cards of every game have a sticker, and which have none."""
    print_lines(count_stickers(decks_of(load(file))))


@tags.command(name="export", epilog="Exit status: 0 written; 2 no such deck, a wrong TABLE or file.")
@TABLE
@GAME
@OUTPUT
def export_deck(file: Path, game: str, output: Path | None) -> None:
    """Write a deck's stickers as a file that another table can import."""
    table = load(file)
    pieces = _game(game)  # so that a wrong name is said first
    text = deck_text(decks_of(table), pieces.slug)
    if output is None:
        write(text.encode())
    else:
        save(text, output, table, file)


@tags.command(name="import", epilog="Exit status: 0 taken over; 1 the table runs; 2 a conflict, or a wrong file.")
@TABLE
@click.argument("deck", metavar="DECK.toml", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--replace", is_flag=True, help="Import even if this table already has stickers for that game.")
def import_deck(file: Path, deck: Path, replace: bool) -> None:
    """Take over a deck's stickers from a file. In a conflict nothing is changed."""
    table = load(file)
    with held(table) as decks:
        imported = take_over(decks, deck, replace=replace)
        say(f"{imported.game}: {len(imported.tags)} stickers, kept in {table.tags}")


def _game(slug: str) -> Pieces:
    """Return a game's cards; for a game played with a shared deck, that deck. Raises `click.UsageError`."""
    bearer = games.with_tags().get(games.bearer_of(slug))
    if bearer is None:
        raise click.UsageError(f"unknown game {slug!r}; known: {', '.join(games.with_tags())}")
    return bearer


@contextmanager
def held(table: Table) -> Iterator[Decks]:
    """Lock the table against a running companion, and yield its decks. Raises `NotNow`, `TagsFault`, `LogFault`."""
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
    """Return a table's decks for reading. Raises `TagsFault`."""
    decks = Decks(table.tags)
    if table.tags is None:
        raise TagsFault('this table keeps no tags: add tags = "tags.toml" to its table.toml')
    return decks


def count_stickers(decks: Decks) -> Iterator[str]:
    """Yield a line for each game with stickers."""
    for slug in games.with_tags():
        deck = decks.deck(slug)
        yield f"{slug:12} {_count(deck)}{_without(deck)}"


def deck_text(decks: Decks, game: str) -> str:
    """Return one deck as the text of its file. Raises `TagsFault` if it has no sticker."""
    deck = decks.deck(game)
    if not deck.tags:
        raise TagsFault(f"no card of {game} has a sticker at this table: companion tags enrol TABLE.toml {game}")
    return written([deck])


def save(text: str, to: Path, table: Table, settings: Path) -> None:
    """Write a deck to a file, but never over one of the table's own; `settings` describes it. Raises `TagsFault`."""
    if why := why_not(to, own_files(table, settings)):
        raise TagsFault(why)
    put(to, text)


def take_over(decks: Decks, file: Path, *, replace: bool) -> Deck:
    """Import the deck of a file; with `replace`, over an existing deck. Raises `TagsFault`."""
    try:
        decks_found = decks_in(file.read_text(encoding="utf-8"), str(file))
    except (OSError, UnicodeDecodeError) as wrong:
        raise TagsFault(f"can't read {file}: {getattr(wrong, 'strerror', None) or 'it is not UTF-8 text'}") from wrong
    if len(decks_found) != 1:
        raise TagsFault(f"{file} holds {len(decks_found)} decks: choose a file with one deck")
    (deck,) = decks_found.values()
    present = decks.deck(deck.game)
    if present.tags and present != deck and not replace:
        raise TagsFault(f"{deck.game} already has stickers at this table: nothing was changed. Use --replace")
    clashes = [
        f"{uid} is {game}/{card_there} here and {deck.game}/{card_here} there"
        for card_here, uid in deck.tags.items()
        for game, card_there in [decks.cards.get(uid, (deck.game, card_here))]
        if game != deck.game
    ]
    if clashes:
        raise TagsFault(f"a sticker can't be two cards, so nothing was changed: {'; '.join(clashes)}")
    decks.keep(deck)
    return deck


def read_box(game: Pieces, typed: Sequence[str], present: Any) -> Any:
    """Read typed answers about a box, such as "colours=red,blue"; others keep their values. Raises `TagsFault`."""
    box = {name: getattr(present, name) for name in game.box.__struct_fields__}
    for answer in typed:
        name, _, text = answer.partition("=")
        parts = [part.strip() for part in text.split(",")]
        value = int(text) if re.fullmatch("[0-9]{1,9}", text) else text
        box[name] = parts if isinstance(box.get(name), tuple) else value
    return box_of(game, box, "--box")


def riffle(table: Table, decks: Decks, game: Pieces, box: Any) -> Iterator[str]:
    """Enrol a deck's stickers from cards on any reader and typed lines; yield the outcome line by line.

    Raises `NotNow` if no reader answers, and `TagsFault` if nothing can be written.
    """
    clock = TableClock()
    enrolment = Enrolment(decks, clock)
    enrolment.begin(game.slug, box)
    sources = [reader.open(clock) for reader in table.readers]
    missing = start_all(sources)
    yield from missing
    if len(missing) == len(sources):
        for source in sources:
            source.close()
        raise NotNow("no reader of this table answers: mend that first")
    heard: queue.SimpleQueue[Sensing | str | None] = queue.SimpleQueue()

    def tell(*sensings: Sensing) -> None:
        for sensing in sensings:
            heard.put(sensing)

    listening = Listening(sources, tell)
    LastingThread("typing", partial(_type, heard), daemon=True).start()
    with _interrupted(lambda: heard.put(None)):
        try:
            time.sleep(SETTLED)
            yield KEYS
            yield _state(enrolment, game)
            while (message := heard.get()) not in (None, "q"):
                yield from _answer(message, enrolment, game)
        finally:
            listening.stop()
        deck = decks.deck(game.slug)
        yield f"{game.title}: {_count(deck)}, kept in {decks.path}{_without(deck)}"


@contextmanager
def _interrupted(end: Callable[[], None]) -> Iterator[None]:
    """Have Ctrl-C call `end` during the block.

    KeyboardInterrupt could be raised anywhere: while a line is printed, or while devices are closed.
    """
    earlier = signal.signal(signal.SIGINT, lambda *_: end())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, earlier)


def _type(heard: "queue.SimpleQueue[Sensing | str | None]", rounds: Rounds) -> None:
    """Queue typed lines, whatever bytes a terminal sends; None at end of file, or if the terminal was closed."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    with rounds.resting(), suppress(OSError, ValueError):  # the terminal was closed
        for line in sys.stdin or ():
            heard.put(line.strip())
    heard.put(None)


def _answer(message: Sensing | str | None, enrolment: Enrolment, game: Pieces) -> Iterator[str]:
    match message:
        case Appeared(place=place, already=True):
            yield f"  {place}: a card lies there already. Lift it, and lay it when it is asked for"
            return
        case Appeared(place, uid, _, kind) if enrolment.takes(uid):
            enrolment.read(Tag(uid, kind))
        case Crowded(place, _):
            yield f"  {place}: one card at a time"
            return
        case Failed(source, why, _):
            yield f"  {source}: {why}"
            return
        case Working(source, detail, _):
            yield f"  {source}: {detail}"
            return
        case "s":
            enrolment.skip()
        case "u":
            enrolment.take_back()
        case str(typed) if typed:
            card = _card(typed, game, enrolment)
            if card is None:
                yield f"  There is no card {typed!r} in this box. Write it like: {next(iter(game.deck))}"
                return
            enrolment.choose(card)
        case _:
            return
    answer = enrolment.shown.answer
    if answer is not None:
        yield f"  {Words(game.slug, 'en').say(answer.code, answer.facts)}"
    if enrolment.shown.trouble:
        yield f"  {enrolment.shown.trouble}"
    yield _state(enrolment, game)


def _card(typed: str, game: Pieces, enrolment: Enrolment) -> str | None:
    """Find a card by its id or name; of those that share a name, the first without a sticker. None: there is none."""
    words = Words(game.slug, "en")
    stock = enrolment.shown.stock[game.slug]
    by_name = [card for card in (*stock.missing, *stock.wanted) if typed.lower() in (card, words.card(card).lower())]
    return by_name[0] if by_name else None


def _state(enrolment: Enrolment, game: Pieces) -> str:
    stickers = enrolment.shown
    stock = stickers.stock[game.slug]
    progress = stickers.progress
    card = progress.next if progress else None
    count = f"{len(stock.wanted) - len(stock.missing)} of {len(stock.wanted)}"
    return f"{count}: lay {Words(game.slug, 'en').card(card)} ({card})" if card else f"{count}: all done. q: end"


def _count(deck: Deck) -> str:
    return f"{len(deck.wanted) - len(deck.missing)} of {len(deck.wanted)} cards have a sticker"


def _without(deck: Deck) -> str:
    """List the cards without a sticker, if any card has one."""
    return f"; missing: {', '.join(deck.missing)}" if deck.missing and deck.tags else ""
