"""Play evenings until one breaks a promise: `python -m tests.bottle run --seed N`, or have a fault come between any two
steps of every act: `python -m tests.bottle law`; see README.md.
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence

from tests.bottle.between_steps import tried
from tests.bottle.broken import Broken
from tests.bottle.evening import play
from tests.bottle.machine import folder_in_memory
from tests.bottle.steps import Step, drawn, drawn_calm, line, steps_of
from tests.bottle.twins import compare, compare_by_hand
from tests.bottle.wishes import WISHES
from tests.trust import findings

STEPS = 150
PAIRED = 60
"""Steps of an evening that is played at two tables."""


def played(steps: Sequence[Step]) -> tuple[Counter[str], tuple[int, Broken] | None]:
    """Play these in a folder of their own."""
    with folder_in_memory() as folder:
        return play(folder, steps)


def small(steps: Sequence[Step], promise: str) -> list[Step]:
    """Return the few steps that break the same promise."""

    first, *others = steps

    def still(fewer: Sequence[Step]) -> bool:
        broken = played([first, *fewer])[1]
        return broken is not None and broken[1].promise == promise

    return [first, *findings.small(others, still)]


def compared(seed: int) -> tuple[int, Broken | None]:
    """Compare two evenings that differ only in what is sealed; return how many looks, and what tells them apart."""
    looks = 0
    with folder_in_memory() as folder:
        try:
            looks += compare(folder, drawn_calm(seed, PAIRED))
            looks += compare_by_hand(folder, seed)
        except Broken as apart:
            return looks, apart
        except Exception as wrong:
            return looks, Broken("nothing raises", repr(wrong))
    return looks, None


def see_law(acts: Sequence[str], each: int | None, *, stop_at_first: bool) -> int:
    """Try acts with every fault, and tell of each act when it has been; return whether a promise was broken."""
    tally: Counter[str] = Counter()
    for name in acts:
        outcomes: Counter[str] = Counter()
        for broken in tried(name, each):
            outcomes["broken" if broken else "held"] += 1
            if broken:
                print(f"act {name}: {str(broken)[:600]}", flush=True)
            if broken and stop_at_first:
                return 1
        print(f"{name}: {outcomes.total()} faults, {outcomes['broken']} broken", flush=True)
        tally += outcomes
    print(f"{len(acts)} acts, {tally.total()} faults, {tally['broken']} broken")
    return 1 if tally["broken"] else 0


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bottle")
    parser.add_argument("what", choices=["run", "again", "law"])
    parser.add_argument("line", nargs="?", default="")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--evenings", type=int, default=1)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--trace", action="store_true")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--first", action="store_true")
    parser.add_argument("--pairs", action="store_true")
    parser.add_argument("--each", type=int, help="of the law: so many operations of each act, by lot")
    parser.add_argument("--part", default="0/1", help="of the law: every n-th act, as 0/2 and 1/2")
    asked = parser.parse_args(args)
    if asked.what == "law":
        first_act, parts = map(int, asked.part.split("/"))
        acts = [asked.line] if asked.line else [*WISHES][first_act::parts]
        return see_law(acts, asked.each, stop_at_first=asked.first)
    if asked.what == "again":
        _, broken = played(steps_of(asked.line))
        print(f"step {broken[0]}: {broken[1]}" if broken else "no promise is broken")
        if broken and asked.trace:
            raise broken[1]
        return 1 if broken else 0
    first = random.SystemRandom().randrange(10**9) if asked.seed is None else asked.seed
    began = time.process_time()
    total: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for seed in range(first, first + asked.evenings):
        steps = drawn(seed, asked.steps)
        happened, broken = played(steps)
        total += happened
        if broken is not None:
            number, wrong = broken
            promise = wrong.promise
            kinds[promise] += 1
            few = steps[: number + 1] if asked.large or kinds[promise] > 1 else small(steps[: number + 1], promise)
            again = line(few) if len(few) < 60 else "…"
            print(f"seed {seed}, step {number}: {str(wrong)[:600]}\n    again: {again}", flush=True)
            if asked.trace:
                raise wrong
            if asked.first:
                return 1
        if asked.pairs:
            _, apart = compared(seed)
            if apart is not None:
                print(f"pair {seed}: {str(apart)[:600]}", flush=True)
                return 1
    number = sum(total.values())
    seconds = time.process_time() - began
    print(f"{number} steps in {asked.evenings} evenings, {number / seconds:.0f} a second of processor; {dict(kinds)}")
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
