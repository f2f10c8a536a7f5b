"""Hints: rules that a new player is told, each when it first matters."""

import msgspec


class Hint(msgspec.Struct, frozen=True):
    """A rule for players who have not met it yet. The game's words hold its sentence as `hint-CODE`, with the facts of
    the ruling after which, or of the task at which, it is told.
    """

    at: tuple[str, ...] = ()
    """The codes of `now` at which it is told to the seats waited for; if there are none, to everybody."""
    after: tuple[str, ...] = ()
    """The codes of the rulings after which it is told, until the next ruling."""
    to_doer: bool = False
    """Whether it is told after those rulings only to the seat that they name."""
    done: tuple[str, ...] = ()
    """The codes of the rulings that show that its act was done: by the seat they name, or by everybody if they name
    none. (): it is done with at the next ruling after one of `after`."""
    once: bool = False
    """Whether one player, the quickest, does its act for all: then everybody has seen it done."""
