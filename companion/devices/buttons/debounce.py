"""Debounces a button's edges: every press is known by its first edge, and bounces make no press. Pure.

A contact that closes or opens bounces for some milliseconds. So the first edge after a rest stamps the press. It is a
press if the contact then stays closed for a millisecond, before it has been open for four; shorter closings are spikes
on the wire: a spark, a relay, a lamp's data. A button counts again after it has rested open for 30 ms. The buzzer box
does the same (firmware/stamp.py).

An edge is stamped when its interrupt comes, but its level is read a moment later, when a bounce may have changed it
again. So the level does not tell the direction of the edge, only how the contact stood until the next one.
"""

import msgspec

from companion.devices.figures import Bounce

REST_NS = 30_000_000
"""Nanoseconds that a button must be open and quiet before it counts again."""
CONTACT_NS = 1_000_000
"""Nanoseconds that a contact must stay closed once to make a press: no tap is shorter than 5 ms."""
GAP_NS = 4_000_000
"""Nanoseconds: a contact that opens for longer before that was a spike."""
UNDECIDED_NS = 50_000_000
"""Nanoseconds: a contact that bounces for longer gets a new first edge, since the old one may have been a spike."""
BLURRED_NS = 1_000_000
"""Nanoseconds by which an edge may have been earlier if its interrupt came again before its stamp was fetched
(assumed)."""
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

    def __init__(self, *, closed: bool, late: int = 0) -> None:
        """Begin with the current level: a button that is held down must be released first.

        Stamps may be `late` by so many nanoseconds, and two edges seem that much further apart.
        """
        self._closed = closed
        self._held = closed
        """Whether it has been pressed, or was at the start, and not rested since."""
        self._last = 0
        self._first: Edge | None = None
        """The first edge of what may become a press."""
        self._gap = GAP_NS + late

    def hear(self, edge: Edge) -> Edge | None:
        """Take the next edge; return the first edge of a press once that is certain."""
        pressed = self.settle(edge.at)
        if not self._closed and edge.at - self._last >= REST_NS:
            self._held = False
        if not self._held and (self._first is None or edge.at - self._first.at > UNDECIDED_NS):
            self._first = edge
        self._closed = edge.closed
        self._last = edge.at
        return pressed

    def settle(self, heard: int) -> Edge | None:
        """Decide with all edges before the time `heard` taken; returns as `hear` does."""
        lasted = heard - self._last
        first = self._first
        if first is None or lasted < (CONTACT_NS if self._closed else self._gap):
            return None
        self._first = None
        if not self._closed:
            return None
        self._held = True
        return first

    @property
    def undecided_since(self) -> int | None:
        """The stamp of what may still become a press; None if nothing may."""
        return None if self._first is None else self._first.at


class BounceMeter:
    """Measures how a contact bounces, on closing or opening, as far as its edges are heard."""

    def __init__(self) -> None:
        self.worst: Bounce | None = None
        """None before the first edge."""
        self._began = self._last = -BOUNCING_NS
        self._edges = 0

    def hear(self, at: int) -> None:
        """Take the time of the next edge, in nanoseconds."""
        if at - self._last >= BOUNCING_NS:
            self._began = at
            self._edges = 0
        else:
            self._edges += 1
        self._last = at
        bounce = Bounce(self._edges, (at - self._began) / 1e9)
        if self.worst is None or (bounce.lasted, bounce.edges) > (self.worst.lasted, self.worst.edges):
            self.worst = bounce


class Numbers:
    """Follows the two counts the kernel keeps of a request's edges: of each line, and of all lines together.

    An edge for which the kernel had no room leaves a gap in its line's numbers. A gap in the numbers of all lines
    together also means that an interrupt's stamp was overwritten by the next one before it was fetched: then the stamp
    is that of a bounce, up to `BLURRED_NS` late. (With a single line the kernel does not count those.)
    """

    def __init__(self) -> None:
        self._of_line: dict[int, int] = {}
        self._of_all = 0

    def lost(self, line: int, number: int) -> int:
        """Take the next number of a line; return how many of its edges were dropped."""
        missing = (number - self._of_line.get(line, 0) - 1) % _NUMBERS
        self._of_line[line] = number
        return missing

    def early(self, number: int) -> int:
        """Take the next number of all lines; return the nanoseconds by which its stamp may be late."""
        ahead = (number - self._of_all) % _NUMBERS
        if ahead >= _NUMBERS // 2:
            return 0  # fetched after a later edge, for which its number counted as a gap
        self._of_all = number
        return BLURRED_NS if ahead > 1 else 0
