"""Five hundred phones on the real companion: in a fresh match, after ten thousand events, where some do not read; and
what one more phone costs.
"""

import contextlib
import random
import socket
import statistics
import time
from collections.abc import Iterator

from tests.bench.figures import Budget, Figure
from tests.bench.phones import STREAMS, Phones, asking
from tests.bench.rig import Program, folder, rig, some_cards, virtual

PHONES = 500
EVENTS = 10_000
BUDGET = Budget(most_at_most=60)
FLAT = Budget(median_at_most=1.1)
FEW, MANY = 10, 2_000
"""Phones, by which is told what one more of them costs."""
SETTLED = 5.0
"""Seconds after which a table has compiled what it will need."""
DEAF = 100
"""Of the phones."""
FILLING = 80
"""Acts until more waits for a phone that does not read than any buffer holds."""


def streams(quick: bool) -> Iterator[Figure]:
    """Each card is entered by phone: from just before it is sent to the table, until a phone has the new page."""
    phones, events, samples = (20, 20, 3) if quick else (PHONES, EVENTS, 40)
    with rig() as table, table.running() as program:
        program.first_page()
        program.start_match()
        yield _updates(program, phones, samples, f"{phones} phones, a fresh match: act to the bytes at a phone")
        program.enter_many(events)
        yield _updates(program, phones, samples, f"{phones} phones, after {events} events: the same")


def _updates(program: Program, count: int, samples: int, label: str) -> Figure:
    with Phones(program.port, count) as phones:
        return Figure(label, "ms", list(_lags(program, phones, samples)), BUDGET, emulated=True)


def one_more(quick: bool) -> Iterator[Figure]:
    """In turn: a few phones and many look on while cards are entered; nothing else runs at a virtual table."""
    many, acts, turns = (30, 3, 2) if quick else (MANY, 40, 3)
    spent: dict[int, list[float]] = {FEW: [], many: []}
    resident: list[float] = []
    with folder() as directory, virtual(directory / "log.sqlite") as program:
        program.first_page()
        program.start_match()
        time.sleep(SETTLED)
        for _ in range(turns):
            for count, processor_times in spent.items():
                memory_before = program.memory()
                with Phones(program.port, count) as phones:
                    resident += [(program.memory() - memory_before) * 1000 / count] if count == many else []
                    began = program.processor()
                    for _ in _lags(program, phones, acts):
                        pass
                    processor_times.append((program.processor() - began) / acts)
    more = [1e6 * (all_of - few) / (many - FEW) for few, all_of in zip(*spent.values(), strict=True)]
    yield Figure(f"one phone more of {many}: processor a change", "µs", more, Budget(median_at_most=20))
    yield Figure(f"one phone more of {many}: memory", "kB", resident[:1], Budget(median_at_most=20))


def hardly_read(quick: bool) -> Iterator[Figure]:
    """In turn: the last hundred of the phones read like the others, or never."""
    phones, deaf, acts, turns = (20, 5, 3, 1) if quick else (PHONES, DEAF, 25, 3)
    samples: tuple[list[list[float]], list[list[float]]] = [], []
    with rig() as table, table.running() as program:
        program.first_page()
        program.start_match()
        with Phones(program.port, phones - deaf) as readers:
            for _ in range(turns):
                for lags_of_turns, beside in zip(
                    samples, (Phones(program.port, deaf), _deaf(program.port, deaf)), strict=True
                ):
                    with beside:
                        program.enter_many(FILLING)
                        lags_of_turns.append(list(_lags(program, readers, acts)))
    label = f"{phones - deaf} phones beside {deaf} that"
    for lags_of_turns, how in zip(samples, ("read too", "never read"), strict=True):
        lags = [lag for turn in lags_of_turns for lag in turn]
        yield Figure(
            f"{label} {how}: act to the bytes at one of the {phones - deaf}", "ms", lags, BUDGET, emulated=True
        )
    medians = [[statistics.median(turn) for turn in lags_of_turns] for lags_of_turns in samples]
    ratios = [never / read for read, never in zip(*medians, strict=True)]
    yield Figure(f"{label} never read: over what it is beside {deaf} that do", "×", ratios, FLAT, emulated=True)


def _lags(program: Program, phones: Phones, acts: int) -> Iterator[float]:
    """Enter cards one by one; give each phone's milliseconds."""
    chance = random.Random(acts)
    time.sleep(0.2)
    phones.take()
    for card in some_cards(acts):
        began = time.time()
        program.enter(kind="tapped", place="centre", card=card)
        for updates in phones.take_all():
            yield (updates[-1].at - began) * 1000
        time.sleep(0.1 + chance.random() / 10)


@contextlib.contextmanager
def _deaf(port: int, count: int) -> Iterator[None]:
    """Phones that ask for a stream and never read it."""
    with contextlib.ExitStack() as stack:
        for number in range(count):
            phone = stack.enter_context(socket.socket())
            phone.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            phone.connect(("127.0.0.1", port))
            phone.sendall(asking(STREAMS[number % len(STREAMS)]))
        yield
