"""`companion tags`: the stickers on the cards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.answers import telling_why, write
from companion.cli.options import OUTPUT, TABLE, table_of

if TYPE_CHECKING:
    from companion.game import AnyGame


@click.group(epilog="COMMAND --help tells more, exit status included.")
def tags() -> None:
    """The stickers on a table's cards: put them on, carry a deck to another table.

    On a running table they are put on at its page /tags.
    """


GAME = click.argument("game", metavar="GAME")


@tags.command(epilog="Exit status: 0 ended; 1 no reader answers, or the table runs; 2 a wrong TABLE, game or box.")
@TABLE
@GAME
@click.option("--box", multiple=True, metavar="KEY=VALUE", help="What your box holds: colours=red,blue or tokens_2=3.")
def enrol(file: Path, game: str, box: tuple[str, ...]) -> None:
    """Put stickers on a deck: lay its cards on any reader, one after the other.

    Each card is kept at once; what a box holds is told once. `tags list` names the games.
    """
    from companion.commands import tags

    table, known = table_of(file), _game(game)
    with telling_why(), tags.held(table) as decks:
        for line in tags.riffle(table, decks, known, tags.told_box(known, box, decks.deck(game).box)):
            click.echo(line)


@tags.command(name="list", epilog="Exit status: 0 told; 2 a wrong TABLE or file of tags.")
@TABLE
def list_decks(file: Path) -> None:
    """Tell of every game how many cards have a sticker, and which have none."""
    from companion.commands import tags

    table = table_of(file)
    with telling_why():
        for line in tags.listing(tags.decks_of(table)):
            click.echo(line)


@tags.command(name="export", epilog="Exit status: 0 written; 2 no such deck, a wrong TABLE or file.")
@TABLE
@GAME
@OUTPUT
def export_deck(file: Path, game: str, output: Path | None) -> None:
    """Write a deck's stickers as a file that another table can import."""
    from companion.commands import tags

    table, _ = table_of(file), _game(game)
    with telling_why():
        text = tags.exported(tags.decks_of(table), game)
        if output is None:
            write(text.encode())
        else:
            tags.save(text, output, table, file)


@tags.command(name="import", epilog="Exit status: 0 taken over; 1 the table runs; 2 a conflict, or a wrong file.")
@TABLE
@click.argument("deck", metavar="DECK.toml", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--replace", is_flag=True, help="Also where this table knows stickers of that game already.")
def import_deck(file: Path, deck: Path, replace: bool) -> None:
    """Take over a deck's stickers from a file. In a conflict nothing is changed."""
    from companion.commands import tags

    table = table_of(file)
    with telling_why(), tags.held(table) as decks:
        found = tags.bring_in(decks, deck, replace=replace)
        click.echo(f"{found.game}: {len(found.tags)} stickers, kept in {table.tags}")


def _game(slug: str) -> AnyGame:
    from companion import games

    if slug not in games.known():
        raise click.UsageError(f"unknown game {slug!r}; known: {', '.join(games.known())}")
    return games.known()[slug]
