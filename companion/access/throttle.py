"""How often a code may be tried. Pure: the time is given.

Right and wrong codes wait alike, for a limit on wrong ones only would be none. There are two limits, and both must let
a try through: one for each sender, so that one phone that guesses does not keep a room of people out, and one for the
whole table, because whoever guesses may come from many addresses.

Whether a code can be guessed: there are 30^6 = 729 million; at most 14 are good at a time (a host's and six seats',
and as many made to hand on). The table takes 10 wrong ones at once and then one every 6 s, every 12 s after a hundred,
and so on; of what failed one is forgotten a minute. That comes to less than 2,500 tries a day, and to one chance in
20,000 a day that any of them is right (`tests/access/test_throttle.py` counts them).
"""

import msgspec


class Pace(msgspec.Struct, frozen=True):
    """How fast tries may come."""

    at_once: int
    """Tries allowed in a row."""
    pause: float
    """Seconds until one more may be made."""
    slower: float
    """So many failures add another `pause` to the pause."""


TABLE = Pace(at_once=10, pause=6.0, slower=100.0)
SENDER = Pace(at_once=5, pause=10.0, slower=5.0)
FORGOTTEN = 60.0
"""Seconds after which one failure no longer counts."""


class Tries(msgspec.Struct, frozen=True):
    """The failures so far, as far as they still count."""

    spent: float = 0.0
    """Of those that may follow at once."""
    failed: float = 0.0
    at: float = 0.0
    """When that was so, in seconds of any clock that does not run back."""


def wait(tries: Tries, pace: Pace, now: float) -> float:
    """Return the seconds until a try may be made; 0 where it may be made now."""
    tries = _at(tries, pace, now)
    return max(0.0, (tries.spent - pace.at_once + 1) * _pause(tries, pace))


def fail(tries: Tries, pace: Pace, now: float) -> Tries:
    """Count a failure."""
    tries = _at(tries, pace, now)
    return Tries(tries.spent + 1, tries.failed + 1, now)


def is_forgotten(tries: Tries, pace: Pace, now: float) -> bool:
    """Whether nothing is left to count."""
    return _at(tries, pace, now).failed == 0


def _at(tries: Tries, pace: Pace, now: float) -> Tries:
    passed = max(0.0, now - tries.at)
    spent = max(0.0, tries.spent - passed / _pause(tries, pace))
    return Tries(spent, max(0.0, tries.failed - passed / FORGOTTEN), now)


def _pause(tries: Tries, pace: Pace) -> float:
    return pace.pause * (1 + tries.failed / pace.slower)
