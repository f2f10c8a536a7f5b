"""Whether another client has had our session: a copy of this table, or a program that took its id.

Mosquitto 2.1 says so as it ends the connection; 2.0 only closes it, as a cut cable would. So a table that comes back
looks at what the broker has kept for it. Every `status` bears, as a user property, which run of the program said it.
"""

import msgspec

SESSION_S = 3600
"""Seconds that the broker keeps our session for us while we are cut off."""


class LastWord(msgspec.Struct, frozen=True):
    """A `status` that stands retained, and whose it is."""

    state: str
    birth: int
    run: str
    """Drawn anew whenever the program starts; "" where it does not say."""


def is_anothers(ours: LastWord, found: LastWord | None, *, session: bool) -> bool:
    """Whether somebody else was here since our connection was cut, of which `ours` was to be the last will.

    `found` stands now; `session` says whether the broker still had ours. A broker that went back to what it had saved
    has neither our session nor our word, or older ones of ours. Of two copies the one that was born more often stays.
    """
    if found is None:
        return False
    if found.run not in (ours.run, ""):
        return found.birth >= ours.birth
    return found == ours and not session  # it lived on to tell our will, and yet somebody ended the session
