"""Rules told to whoever plays a game for the first time, each when it first matters."""

import msgspec


class Hint(msgspec.Struct, frozen=True):
    """One rule of a game, told to whoever has not met it yet. The game's words hold its sentence as `hint-CODE`, with
    the facts of the ruling after which, or of the task at which, it is told.
    """

    at: tuple[str, ...] = ()
    """The codes of `now` at which it matters: to the seats waited for; if none is, to everybody."""
    after: tuple[str, ...] = ()
    """The codes of the rulings after which it matters: until something else has been ruled."""
    to_doer: bool = False
    """Whether it matters after those rulings only to the seat that they name."""
    done: tuple[str, ...] = ()
    """The codes of the rulings that tell that its act was done: by the seat they name, or by everybody if they name
    none. (): it has had its time as soon as something else is ruled after one of `after`."""
    once: bool = False
    """Whether its act is done once for all, by whoever is the quickest: then everybody has seen it done."""
