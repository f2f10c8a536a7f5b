"""Five hundred phones on the real companion, at the beginning of an evening and after ten thousand events."""

import random
import time
from collections.abc import Iterator

from tests.bench.figures import Budget, Figure
from tests.bench.phones import Phones
from tests.bench.rig import Program, rig, some_cards

PHONES = 500
EVENTS = 10_000
BUDGET = Budget(most_at_most=250)


def streams(quick: bool) -> Iterator[Figure]:
    """Each card is entered by phone: from just before it is sent to the table, until a phone has the new page."""
    phones, events, samples = (20, 20, 3) if quick else (PHONES, EVENTS, 40)
    with rig() as table, table.running() as program:
        program.first_page()
        program.start_match()
        yield _updates(program, phones, samples, f"{phones} phones, a fresh match: act to the bytes at a phone")
        program.enter_many(events)
        yield _updates(program, phones, samples, f"{phones} phones, after {events} events: the same")


def _updates(program: Program, count: int, samples: int, what: str) -> Figure:
    found = []
    chance = random.Random(count)
    with Phones(program.port, count) as phones:
        for card in some_cards(samples):
            phones.take()
            began = time.time()
            program.enter(kind="tapped", place="centre", card=card)
            time.sleep(1 + chance.random() / 10)
            taken = phones.take()
            assert all(taken)
            found += [(updates[0] - began) * 1000 for updates in taken]
    return Figure(what, "ms", found, BUDGET, emulated=True)
