"""What contacts do, and what a stamp should make of it: a model in plain words, beside the PIO program."""

import random
from collections.abc import Iterator, Sequence

from tests.firmware.pio import MHZ, Wave

SPIKE = MHZ * 9 // 10
"""A contact this short never counts; 0.9 µs."""
CONTACT = MHZ * 11 // 10
"""A contact this long always does; 1.1 µs."""
SEEN = 6
"""Cycles that are looked at for sure, in whatever the program is doing."""


def bouncing(chance: random.Random, at: int, bounces: int, *, longest: int = 500 * MHZ) -> list[int]:
    """Return the edges of a contact that closes for good, with so many bounces; the first contact counts."""
    edges = [at, at + chance.randrange(CONTACT, longest)]
    for _ in range(bounces - 1):
        edges += [edges[-1] + chance.randrange(SEEN, longest)]
        edges += [edges[-1] + chance.choice((chance.randrange(SEEN, SPIKE), chance.randrange(CONTACT, longest)))]
    return [*edges, edges[-1] + SEEN] if bounces else [at]


def presses(wave: Wave, release: int) -> Iterator[int]:
    """Return the edges that are presses: the first contacts that last, each after the release time at the least."""
    armed = release
    edges = wave.edges
    for closes, opens in zip(edges[::2], [*edges[1::2], *([] if len(edges) % 2 == 0 else [10**12])], strict=True):
        if closes >= armed and opens - closes >= CONTACT:
            yield closes
            armed = opens + release
        elif closes >= armed:
            continue
        else:
            armed = max(armed, opens + release)


def clear(wave: Wave, release: int) -> bool:
    """Whether nothing in it is so near to a limit that either is right."""
    edges: Sequence[int] = (-(10**12), *wave.edges)
    opens, closes = edges[0::2], edges[1::2]
    contacts = [end - begin for begin, end in zip(closes, opens[1:], strict=False)]
    pauses = [closes[0], *(begin - end for end, begin in zip(opens[1:], closes[1:], strict=False))] if closes else []
    return all(SEEN <= length <= SPIKE or length >= CONTACT for length in contacts) and all(
        SEEN <= length <= release - 16 or length >= release + 16 for length in pauses
    )
