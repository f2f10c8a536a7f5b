"""A walk around the table, at the terminal: is every button and reader the one it should be?"""

import select
import sys
import time
from collections.abc import Callable, Iterator

from companion.cli.check.checking import Checking
from companion.devices.check.walk import Found, Walk, told, unproven
from companion.words import Words

_WORDS = Words(None, "en")


def lead(checking: Checking, entered: Callable[[], bool]) -> Iterator[str]:
    """Lead people around the table, line by line. `entered` waits a moment, and returns whether they want to go on."""
    checkup = checking.checkup
    before, now = None, checkup.begin()
    while True:
        yield from _led(before, now)
        if now.now is None:
            return
        before = now
        while (walk := checkup.look()) == before:
            if entered():
                checkup.pass_over(len(before.found))
        now = walk or now


def enter() -> bool:
    """Wait a moment for the Enter key; if nobody can press it, just wait."""
    if sys.stdin is None or sys.stdin.closed:
        return False
    typed = select.poll()
    typed.register(sys.stdin, select.POLLIN)
    if not typed.poll(100):
        return False
    if sys.stdin.readline():
        return True
    time.sleep(0.1)  # at its end it is always ready
    return False


def sentence(found: Found) -> str:
    """Return the outcome of one step, for people."""
    code, facts = told(found)
    return _WORDS.say(code, facts)


def _led(before: Walk | None, now: Walk) -> Iterator[str]:
    """Yield what is new in a walk, and what to do next."""
    done = before.found if before else ()
    yield from (sentence(one) for number, one in enumerate(now.found) if number >= len(done) or done[number] != one)
    if now.now is None:
        left = unproven(now)
        number, right = len(now.steps), len(now.steps) - len(left)
        places = ", ".join(f"{step.act} {step.place}" for step in left)
        code = "walk-not-all" if left else "walk-all-right"
        yield _WORDS.say(code, {"number": number, "right": right, "places": places})
    elif now.instead and (before is None or before.instead != now.instead):
        yield _WORDS.say(f"walk-instead-{now.now.act}", {"place": now.now.place, "heard": now.instead})
    elif before is None or before.now != now.now:
        yield f"{_WORDS.say(f'walk-{now.now.act}', {'place': now.now.place})} (Enter: go on without)"
        if now.lies_already:
            yield _WORDS.say("walk-lies-already")
