"""The games: one folder each, found by being here."""

import functools
import importlib
import pkgutil
from collections.abc import Mapping

from companion.game import AnyGame, Card


@functools.cache
def known() -> Mapping[str, AnyGame]:
    """Return every game by its slug, in name order."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)
    games = (importlib.import_module(f"{__name__}.{name}").GAME for name in names)
    return {game.slug: game for game in games}


@functools.cache
def whose(card: str) -> tuple[str, ...]:
    """Return the slugs of the games whose deck holds this card id."""
    return tuple(slug for slug, game in known().items() if card in game.deck)


def face(slug: str, card: str) -> Card | None:
    """Return a card of a game's deck by its id, None where the deck has none."""
    return known()[slug].deck.get(card)
