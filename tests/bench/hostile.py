"""What one hostile address does to everybody else's acts: it asks for the dearest pages over a hundred connections.

Acts are entered in rounds, without it and with it in turn, so that what the machine does meanwhile hits both.
"""

import math
import multiprocessing
import random
import selectors
import socket
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

from tests.bench.figures import Budget, Figure, compared
from tests.bench.phones import Phones
from tests.bench.rig import Program, folder, some_cards, virtual

AS_FAST = Budget(median_at_most=1.5)
CONNECTIONS = 100
ADDRESS = "127.9.9.9"
PAGES = ("/results/1", "/story", "/how/go", "/join", "/", "/season", "/not-there")
"""The dearest of those that anybody may ask for, and one that is not there."""
ASKED_AHEAD = 50
"""Requests that each connection sends without waiting for answers."""
A_BREATH = 0.05
"""Seconds between two acts: nobody at a table taps faster."""


def hostile(quick: bool) -> Iterator[Figure]:
    rounds, acts, phones = (1, 10, 2) if quick else (20, 100, 6)
    alone: list[list[float]] = []
    beside: list[list[float]] = []
    answers = 0
    with folder() as directory, virtual(directory / "log.sqlite") as program:
        program.first_page()
        program.start_match()
        program.enter_many(100)  # so that there is a story
        with Phones(program.port, phones):
            for _ in range(rounds):
                alone.append(list(_acts(program, acts)))
                with _asking(program.port) as guest:
                    beside.append(list(_acts(program, acts)))
                answers += guest.answers
    label = f"an act at a table with {phones} phones, to its answer"
    names = f"beside an address with {CONNECTIONS} connections", "without it"
    medians = dict(
        zip(
            names,
            (figure_of_rounds(statistics.median, beside), figure_of_rounds(statistics.median, alone)),
            strict=True,
        )
    )
    yield from compared(f"{label}, each round's median", "ms", medians, "with over without", AS_FAST)
    slowest = dict(zip(names, (figure_of_rounds(_most, beside), figure_of_rounds(_most, alone)), strict=True))
    yield from compared(f"{label}, each round's 99 %", "ms", slowest, "with over without", AS_FAST)
    yield Figure("pages that the hostile address gets in a round", "", [answers / rounds])


def figure_of_rounds(figure: Callable[[list[float]], float], rounds: list[list[float]]) -> list[float]:
    return [figure(took) for took in rounds]


def _most(took: list[float]) -> float:
    return sorted(took)[math.ceil(0.99 * len(took)) - 1]


def _acts(program: Program, count: int) -> Iterator[float]:
    """Enter cards; give each act's milliseconds."""
    for card in some_cards(count):
        began = time.perf_counter()
        program.enter(kind="tapped", place="centre", card=card)
        yield (time.perf_counter() - began) * 1000
        time.sleep(A_BREATH)


class _Asked:
    answers = 0


@contextmanager
def _asking(port: int) -> Iterator[_Asked]:
    """Have a process of its own ask without pause, within the `with` block."""
    our_end, their_end = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_ask, args=(port, their_end), daemon=True)
    process.start()
    our_end.recv()
    guest = _Asked()
    try:
        yield guest
    finally:
        our_end.send("stop")
        guest.answers = our_end.recv()
        process.join()


def _ask(port: int, pipe: Connection) -> None:
    chance = random.Random(port)
    answers = 0
    with selectors.DefaultSelector() as selector:
        for _ in range(CONNECTIONS):
            phone = socket.create_connection(("127.0.0.1", port), source_address=(ADDRESS, 0))
            paths = [f"{chance.choice(PAGES)}?{chance.random()}" for _ in range(ASKED_AHEAD)]
            phone.sendall("".join(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" for path in paths).encode())
            selector.register(phone, selectors.EVENT_READ)
        pipe.send("asks")
        while not pipe.poll():
            for key, _ in selector.select(0.1):
                data = key.fileobj.recv(1 << 20)  # type: ignore[union-attr]
                answers += data.count(b"HTTP/1.1 ")
                if not data:
                    selector.unregister(key.fileobj)
        pipe.send(answers)
