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


class Task(msgspec.Struct, frozen=True):
    """What the table waits for."""

    state: Literal["turn", "done", "all", "wait"]
    """For whose own page this is: their turn, or it was and others' are to come, or whoever is first, or not theirs."""
    text: str
    seats: tuple[int, ...]
    """Who is waited for."""


def task(view: Mapping[str, Any], words: PageWords, seat: int | None) -> Task:
    """Return the task for the seat whose own page this is; None: for everybody."""
    facts = dict(view["table"]["now"])
    code, seats = facts.pop("code"), tuple(facts.get("seats", ()))
    named = [f"{code}-{key}" for key in _NAMING if seat is not None and facts.get(key) == seat]
    if seat is None or view["over"]:
        forms, state = [], "wait"
    elif seat in seats:
        forms, state = [*named, f"{code}-you"], "turn"
    elif seats and words.has(f"{code}-done"):
        forms, state = [f"{code}-done"], "done"
    else:
        forms, state = ([*named], "wait") if seats else ([f"{code}-you"], "all")
    form = next(filter(words.has, forms), code)
    return Task(state, words.say(form, facts), seats)
