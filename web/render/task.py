"""What the table waits for, as it is said to who looks: on one's own page in the second person.

`CODE` is said to everybody, `CODE-you` to a seat that is waited for, `CODE-done` to one that is no longer, and
`CODE-FACT` to the seat which that fact names: who is next, who may call.
"""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from web.render.words import PageWords

_NAMING = ("caller", "other", "next")
"""The facts that name a seat beside those that are waited for."""


Turn = Literal["turn", "done", "all", "wait"]
"""For whose own page this is: their turn, or it was and others' are to come, or whoever is first, or not theirs."""


class Task(msgspec.Struct, frozen=True):
    """What the table waits for."""

    state: Turn
    text: str
    seats: tuple[int, ...]
    """Who is waited for."""


def task(view: Mapping[str, Any], words: PageWords, seat: int | None) -> Task:
    """Return the task for the seat whose own page this is; None: for everybody."""
    facts = dict(view["table"]["now"])
    code, seats = facts.pop("code"), tuple(facts.get("seats", ()))
    turn = _turn(words, code, seats, None if view["over"] else seat)
    named = [f"{code}-{key}" for key in _NAMING if seat is not None and facts.get(key) == seat]
    forms = {"turn": (*named, f"{code}-you"), "done": (f"{code}-done",), "all": (f"{code}-you",), "wait": named}
    form = next(filter(words.has, forms[turn]), code)
    return Task(turn, words.say(form, facts), seats)


def _turn(words: PageWords, code: str, seats: tuple[int, ...], seat: int | None) -> Turn:
    """Say whose turn it is; a seat is done with what all do, once it is no longer waited for."""
    if seat is None:
        return "wait"
    if seat in seats or not seats:
        return "turn" if seats else "all"
    return "done" if words.has(f"{code}-done") else "wait"
