"""The walk around the table at the terminal, to check that every button and reader is the right one."""

import select
import sys
import time
from collections.abc import Callable, Iterator

from companion.cli.check.checking import Checking
from companion.devices.check.walk import Found, Walk, sentence_of, unproven
from companion.words import Words

_WORDS = Words(None, "en")


def lead(checking: Checking, entered: Callable[[], bool]) -> Iterator[str]:
    """Yield the lines of a walk. `entered` waits a moment, and returns whether to skip the present step."""
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
    """Wait 0.1 s for the Enter key; return whether it was pressed."""
    if sys.stdin is None or sys.stdin.closed:
        return False
    typed = select.poll()
    typed.register(sys.stdin, select.POLLIN)
    if not typed.poll(100):
        return False
    if sys.stdin.readline():
        return True
    time.sleep(0.1)  # at end of file poll returns at once: without a pause this would be a busy loop
    return False


def sentence(step_found: Found) -> str:
    """Return the sentence on a step's outcome."""
    code, facts = sentence_of(step_found)
    return _WORDS.say(code, facts)


def _led(earlier: Walk | None, walk: Walk) -> Iterator[str]:
    """Yield a walk's new outcomes, and the next step."""
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
