"""What the table waits for, in words for each observer: on a seat's own page in the second person.

`CODE` is for everybody, `CODE-you` for a seat that is waited for, `CODE-done` for one that no longer is, `CODE-wait`
for others, and for everybody if only bots are waited for; `CODE-FACT` is for the seat that this fact names, such as the
next one, or the one that may call. At a simulated table `CODE-you-only-MOVE` is for a seat with no other kind of move,
and `CODE-only-MOVE` for everybody while nobody has any other.
"""

from collections.abc import Container, Mapping, Sequence
from typing import Any, Literal

import msgspec

from companion.game.simulated_world import Move
from companion.web.render.words import PageWords

_NAMING = ("caller", "other", "next")
"""The facts that name a seat, apart from those waited for."""


Turn = Literal["turn", "done", "all", "wait"]
"""For a seat's own page: its turn; done, while others are not; anybody may be first; or somebody else's turn."""


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
    """Return the task for the seat whose own page this is, or for everybody (None). Bots are not told what to do.

    `moves` are those that the seat can make at a simulated table; for everybody, those that all can see it has.
    """
    facts = dict(view["table"]["now"])
    code = facts.pop("code")
    seats = tuple(facts.get("seats", ()))
    turn = _turn(words, code, seats, None if view["over"] else seat)
    named = [f"{code}-{key}" for key in _NAMING if seat is not None and facts.get(key) == seat]
    only_bots = bool(seats) and all(awaited in bots for awaited in seats)
    wait = named if seat is None and not only_bots else [*named, f"{code}-wait"]
    kinds = sorted({move.what for move in moves})
    only = [f"{code}-you-only-{kinds[0]}", f"{code}-only-{kinds[0]}"] if len(kinds) == 1 else []
    if seat is None:
        only = only[1:]
    forms = {
        "turn": (*only, *named, f"{code}-you"),
        "done": (f"{code}-done",),
        "all": (*only, f"{code}-you"),
        "wait": (*only, *wait),
    }
    form = next(filter(words.has, forms[turn]), code)
    return Task(turn, words.say(form, facts), seats)


def _turn(words: PageWords, code: str, seats: tuple[int, ...], seat: int | None) -> Turn:
    """Return whose turn it is; a seat is done with an act of all once it is no longer waited for."""
    if seat is None:
        return "wait"
    if seat in seats or not seats:
        return "turn" if seats else "all"
    return "done" if words.has(f"{code}-done") else "wait"
