"""A walk around the table, at the terminal: is every button and reader the one it should be?"""

import select
import sys
import time
from collections.abc import Callable, Iterator

from companion.cli.check.checking import Checking
from companion.devices.check.walk import Found, Walk, sentence_of, unproven
from companion.words import Words

_WORDS = Words(None, "en")


def lead(checking: Checking, entered: Callable[[], bool]) -> Iterator[str]:
    """Lead people around the table, line by line. `entered` waits a moment, and returns whether they want to go on."""
    checkup = checking.checkup
    earlier = None
    walk = checkup.begin()
    while True:
        yield from _led(earlier, walk)
        if walk.next_step is None:
            return
        earlier = walk
        while (following := checkup.look()) == earlier:
            if entered():
                checkup.pass_over(len(earlier.found))
        walk = following or walk


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
    code, facts = sentence_of(found)
    return _WORDS.say(code, facts)


def _led(earlier: Walk | None, walk: Walk) -> Iterator[str]:
    """Yield what is new in a walk, and what to do next."""
    done = earlier.found if earlier else ()
    yield from (
        sentence(result) for number, result in enumerate(walk.found) if number >= len(done) or done[number] != result
    )
    if walk.next_step is None:
        unproven_steps = unproven(walk)
        number = len(walk.steps)
        right = len(walk.steps) - len(unproven_steps)
        places = ", ".join(f"{step.act} {step.place}" for step in unproven_steps)
        code = "walk-not-all" if unproven_steps else "walk-all-right"
        yield _WORDS.say(code, {"number": number, "right": right, "places": places})
    elif walk.instead and (earlier is None or earlier.instead != walk.instead):
        yield _WORDS.say(f"walk-instead-{walk.next_step.act}", {"place": walk.next_step.place, "heard": walk.instead})
    elif earlier is None or earlier.next_step != walk.next_step:
        yield f"{_WORDS.say(f'walk-{walk.next_step.act}', {'place': walk.next_step.place})} (Enter: go on without)"
        if walk.lies_already:
            yield _WORDS.say("walk-lies-already")
