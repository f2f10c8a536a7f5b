"""The games: the folders here, and what installed packages bring to the entry point `table_companion.games`."""

import functools
import importlib
import pkgutil
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from companion.act_cards import ACT_CARDS, box_of
from companion.catalogue import entries_of
from companion.events import CENTRE, SEAT_PLACES, Place
from companion.game import CONTRACT, AnyGame, Card, Game, Pieces
from companion.languages import LANGUAGES
from companion.plugins import Candidate, LeftOut, Unfit, gathered, installed, see_contract

GROUP = "table_companion.games"
_SLUG = re.compile("[a-z][a-z0-9-]{0,40}")


def known() -> Mapping[str, AnyGame]:
    """Return every game by its slug, in name order."""
    return _found()[0]


def pieces() -> Mapping[str, Pieces]:
    """Return everything that has cards, by slug: every game, and all that bears tags."""
    return {**known(), **with_tags()}


def with_tags() -> Mapping[str, Pieces]:
    """Return whose cards may bear tags, by slug: a deck of several games once, and the table's own cards last."""
    decks = {bearer.slug: bearer for bearer in (game.played_with or game for game in known().values())}
    return {slug: decks[slug] for slug in sorted(decks)} | {ACT_CARDS.slug: _tables_own()}


def bearer_of(slug: str) -> str:
    """Return the slug under which the tags of a game's cards are kept: its own, or that of a deck of several games."""
    game = known().get(slug)
    return slug if game is None or game.played_with is None else game.played_with.slug


def played_with(slug: str) -> tuple[AnyGame, ...]:
    """Return the games whose cards bear the tags that are kept under this slug."""
    return tuple(game for game in known().values() if bearer_of(game.slug) == slug)


@functools.cache
def _tables_own() -> Pieces:
    boxes = {box.id: box for box in map(box_of, known())}
    return replace(ACT_CARDS, deck={**ACT_CARDS.deck, **boxes})


def left_out() -> tuple[LeftOut, ...]:
    """Return what should be a game but can't be played."""
    return _found()[1]


@functools.cache
def whose(card: str) -> tuple[str, ...]:
    """Return the slugs of the games whose deck holds this card id."""
    return tuple(slug for slug, game in known().items() if card in game.deck)


@functools.cache
def places() -> tuple[Place, ...]:
    """Return every place where a card can be sensed: the seats', the centre, and the games' own pads."""
    own_pads = (pad for game in known().values() for pad in game.moves.taps.own_pads)
    return (*SEAT_PLACES, CENTRE, *dict.fromkeys(own_pads))


def of_pad(place: Place) -> str | None:
    """Return the slug of the game that names this pad; None: it is the centre, or no installed game does."""
    return next((slug for slug, game in known().items() if place in game.moves.taps.own_pads), None)


def face(slug: str, card: str) -> Card | None:
    """Return a card of a deck by its id, or None if the deck has none."""
    game = known().get(slug)
    bearer = with_tags()[slug] if game is None else game
    return bearer.deck.get(card)


@functools.cache
def _found() -> tuple[Mapping[str, AnyGame], tuple[LeftOut, ...]]:
    names = sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)
    own_games = [
        Candidate(f"{__name__}.{name}", name, functools.partial(_in_folder, name), packaged=False) for name in names
    ]
    games, out = gathered([*own_games, *installed(GROUP)], _fit)
    return {slug: games[slug] for slug in sorted(games)}, out


def _in_folder(name: str) -> Any:
    return importlib.import_module(f"{__name__}.{name}").GAME


def _fit(candidate: Candidate, game: Any) -> tuple[str, AnyGame]:
    if not isinstance(game, Game):
        raise Unfit(f"it is not a companion.game.Game but {type(game).__name__}")
    if game.slug == ACT_CARDS.slug:
        raise Unfit(f"{game.slug!r} is what the table's own cards are called: choose another slug")
    if game.played_with is not None:
        _see_that_it_holds(game.played_with, game)
    see_contract(candidate, game.contract, CONTRACT)
    if not _SLUG.fullmatch(game.slug):
        raise Unfit(f"its slug {game.slug!r} is not made of lower-case letters, digits and dashes")
    if (game.folder / "words.toml").is_file() and not (game.folder / "locale/words.pot").is_file():
        raise Unfit(
            f"its words are in {game.folder}/words.toml, as for an earlier companion: install its newest version;"
            " if you write it, move each sentence to locale/words.pot,"
            " as CONTRIBUTING.md says under “Words and languages”"
        )
    for needed in ("locale/words.pot", "pages/style.css", "pages/emblem.svg"):
        if not (game.folder / needed).is_file():
            raise Unfit(f"there is no {needed} in {game.folder}")
    if candidate.packaged:  # those of this tree are tested, and reading them twice would cost each start
        _see_that_it_can_be_said(game.folder)
    return game.slug, game


def _see_that_it_can_be_said(folder: Path) -> None:
    for language in LANGUAGES:
        try:
            entries_of(folder, language)
        except ValueError as wrong:
            raise Unfit(str(wrong)) from None


def _see_that_it_holds(deck: Pieces, game: AnyGame) -> None:
    """Check that every card of a game is one of the deck that it is played with. Raises `Unfit`."""
    strange = [card for card in game.deck if deck.deck.get(card) != game.deck[card]]
    if strange:
        raise Unfit(f"its card {strange[0]!r} is not in {deck.title} ({deck.slug!r}), with which it says it is played")
