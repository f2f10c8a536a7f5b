"""What contacts do, and what a stamp should make of it: a model in plain words, beside the PIO program."""

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tests.firmware.pio import MHZ, Wave, stamp

SPIKE = 980 * MHZ
"""A contact this short never is a press by itself; cycles."""
CONTACT = 990 * MHZ
"""A contact this long always is one."""
GAP = stamp.GAP_US * MHZ
"""A contact that opens for longer before that is forgotten."""
RELEASE = stamp.RELEASE_US * MHZ
"""A button that has been open for longer can be pressed again."""
SEEN = 10
"""Cycles that are looked at for sure, in whatever the program is doing."""
_NEAR = 20 * MHZ


def bouncing(chance: random.Random, at: int, bounces: int, *, longest: int = 500 * MHZ) -> list[int]:
    """Return the edges of a contact that closes for good at last, with so many bounces."""
    edges = [at]
    for _ in range(2 * bounces):
        edges.append(edges[-1] + chance.choice((chance.randrange(SEEN, MHZ), chance.randrange(MHZ, longest))))
    return edges


def presses(wave: Wave) -> Iterator[int]:
    """Return the edges that are presses: of contacts with short gaps between them, if one of them lasts, the first."""
    armed = RELEASE
    opened = 0
    first = None
    edges = wave.edges
    for closes, opens in zip(edges[::2], [*edges[1::2], *([] if len(edges) % 2 == 0 else [10**12])], strict=True):
        if first is not None and closes - opened > GAP:
            first = None
        if closes < armed:
            armed = max(armed, opens + RELEASE)
            continue
        first = closes if first is None else first
        opened = opens
        if opens - closes >= CONTACT:
            yield first
            first = None
            armed = opens + RELEASE


def clear(wave: Wave) -> bool:
    """Whether nothing in it is so near to a limit that either is right."""
    edges: Sequence[int] = (0, *wave.edges)
    lengths = [later - earlier for earlier, later in pairwise(edges)]
    return all(
        length >= SEEN and all(abs(length - limit) > _NEAR for limit in (CONTACT, GAP, RELEASE)) for length in lengths
    )
