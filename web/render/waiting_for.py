"""What the table waits for, as it is said to whoever looks: on one's own page in the second person.

`CODE` is said to everybody, `CODE-you` to a seat that is waited for, `CODE-done` to one that is no longer, `CODE-wait`
to others, and to everybody where only bots are waited for; `CODE-FACT` to the seat which that fact names: who is next,
who may call. At a simulated table `CODE-you-only-MOVE` is said to a seat that can make no other kind of move.
"""

from collections.abc import Container, Mapping, Sequence
from typing import Any, Literal

import msgspec

from companion.game.simulated_world import Move
from companion.web.render.words import PageWords

_NAMING = ("caller", "other", "next")
"""The facts that name a seat, apart from those waited for."""


Turn = Literal["turn", "done", "all", "wait"]
"""For a seat's own page: its turn, or done while others are still to come, or first, or not its turn."""


class Task(msgspec.Struct, frozen=True):
    """What the table waits for."""

    state: Turn
    text: str
    seats: tuple[int, ...]
    """The seats waited for."""


def task(
    view: Mapping[str, Any],
    words: PageWords,
    seat: int | None,
    bots: Container[int] = (),
    moves: Sequence[Move] = (),
) -> Task:
    """Return the task for the seat whose own page this is; None: for everybody. Nobody tells a bot what to do.

    `moves`: what the seat can do at a simulated table.
    """
    facts = dict(view["table"]["now"])
    code = facts.pop("code")
    seats = tuple(facts.get("seats", ()))
    turn = _turn(words, code, seats, None if view["over"] else seat)
    named = [f"{code}-{key}" for key in _NAMING if seat is not None and facts.get(key) == seat]
    only_bots = bool(seats) and all(awaited in bots for awaited in seats)
    wait = named if seat is None and not only_bots else [*named, f"{code}-wait"]
    kinds = sorted({move.what for move in moves})
    only = [f"{code}-you-only-{kinds[0]}"] if len(kinds) == 1 else []
    forms = {"turn": (*only, *named, f"{code}-you"), "done": (f"{code}-done",), "all": (f"{code}-you",), "wait": wait}
    form = next(filter(words.has, forms[turn]), code)
    return Task(turn, words.say(form, facts), seats)


def _turn(words: PageWords, code: str, seats: tuple[int, ...], seat: int | None) -> Turn:
    """Say whose turn it is; a seat is done with what all do once it is no longer waited for."""
    if seat is None:
        return "wait"
    if seat in seats or not seats:
        return "turn" if seats else "all"
    return "done" if words.has(f"{code}-done") else "wait"
