"""What the edges of a button mean: every press by its first edge, none by its bounces. Pure.

A contact that closes or opens bounces for some milliseconds. So the first edge after a rest is the press, stamped at
once; only the re-arming is debounced: a button counts again when it has rested open for 30 ms.

An edge is stamped when its interrupt comes, but its level is read a moment later, when a bounce may have turned it
again. So the level does not say which edge was the first; it only says that the contact closed at all: a spike on the
wire that never closes is not a press.
"""

import msgspec

from companion.devices.figures import Bounce

REST_NS = 30_000_000
"""How long a button must have been open and quiet before it counts again."""
BLURRED_NS = 1_000_000
"""How much earlier an edge may have been if its interrupt came again before its stamp was fetched (assumed)."""
BOUNCING_NS = 10_000_000
"""Edges closer together than this are bounces of one movement: no finger lets go that fast, but contacts do
(assumed)."""

_NUMBERS = 2**32


class Edge(msgspec.Struct, frozen=True):
    """A button's contact closed or opened."""

    button: int
    """From 0."""
    at: int
    """Nanoseconds on the kernel's CLOCK_MONOTONIC."""
    closed: bool
    """The level that was read right after it."""
    early: int = 0
    """Nanoseconds by which it may have been earlier than `at`, beyond the device's own error."""


class Button:
    """One button; at first it counts as having rested long enough."""

    def __init__(self, *, closed: bool) -> None:
        """Begin with the level read now: a button that is held down must be released first."""
        self._closed = closed
        self._last = -REST_NS
        self._first: Edge | None = None

    def hear(self, edge: Edge) -> Edge | None:
        """Take in the next edge; return the first edge of a press, once, as soon as it is known to be one."""
        if not self._closed and edge.at - self._last >= REST_NS:
            self._first = edge
        self._closed, self._last = edge.closed, edge.at
        if not edge.closed:
            return None
        pressed, self._first = self._first, None
        return pressed

    def untold(self, heard: int) -> int:
        """Return the earliest stamp that a press told from now on may have, if all edges before `heard` were taken
        in."""
        if self._first is None or heard - self._last >= REST_NS:
            return heard
        return min(heard, self._first.at)


class BounceMeter:
    """Measures how a contact bounces, on closing or opening. It can't know of edges that nobody heard."""

    def __init__(self) -> None:
        self.worst: Bounce | None = None
        """None before the first edge."""
        self._began = self._last = -BOUNCING_NS
        self._edges = 0

    def hear(self, at: int) -> None:
        """Take in the nanoseconds of the next edge."""
        if at - self._last >= BOUNCING_NS:
            self._began, self._edges = at, 0
        else:
            self._edges += 1
        self._last = at
        now = Bounce(self._edges, (at - self._began) / 1e9)
        if self.worst is None or (now.lasted, now.edges) > (self.worst.lasted, self.worst.edges):
            self.worst = now


class Numbers:
    """Follows the two counts the kernel keeps of a request's edges: of each line, and of all lines together.

    The kernel gives no number to an edge that it had no room for, only too high a number to the next one. The count of
    all lines together includes interrupts whose stamp was overwritten by the next one before it was fetched: then the
    stamp is that of a bounce, up to `BLURRED_NS` late. (With one line only, it does not.)
    """

    def __init__(self) -> None:
        self._of_line: dict[int, int] = {}
        self._of_all = 0

    def lost(self, line: int, number: int) -> int:
        """Take in the next number of a line; return how many of its edges were dropped."""
        missing = (number - self._of_line.get(line, 0) - 1) % _NUMBERS
        self._of_line[line] = number
        return missing

    def early(self, number: int) -> int:
        """Take in the next number of all lines; return the nanoseconds by which its stamp may be late."""
        ahead = (number - self._of_all) % _NUMBERS
        if ahead >= _NUMBERS // 2:
            return 0  # fetched after one that came later: its place counted as a gap until now
        self._of_all = number
        return BLURRED_NS if ahead > 1 else 0
