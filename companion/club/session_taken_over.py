"""Whether another client has had our session: a copy of this table, or a program that took its id.

Mosquitto 2.1 says so as it ends the connection; 2.0 only closes it, as a cut cable would. So a table that comes back
looks at what the broker has kept for it. Every `status` bears, as a user property, which run of the program said it.

A broker that is stopped properly publishes every will and ends every session, which looks just as if a silent program
had taken the id. So the first time is only reported; if we are cut off again within a minute, it is most likely another
client, and we stay away for some minutes.
"""

import msgspec

SESSION_S = 3600
"""Seconds that the broker keeps our session for us while we are cut off."""
AGAIN_WITHIN_S = 60.0
"""Seconds after our session was ended in which a second cut is another client's doing, not a broker's restart."""


class LastWord(msgspec.Struct, frozen=True):
    """A retained `status`, and whose it is."""

    state: str
    birth: int
    run: str
    """Drawn at every start of the program; "" if the sender does not say."""


def was_here(ours: LastWord, standing: LastWord | None) -> bool:
    """Whether another run of a table was here since our connection was cut, of which `ours` was the last will.

    `standing` is what the broker retains now.
    """
    return standing is not None and standing.run != ours.run


def is_anothers(ours: LastWord, standing: LastWord | None) -> bool:
    """Whether another has taken the table over: of two copies, the one with more births stays; another program does."""
    return standing is not None and was_here(ours, standing) and (standing.birth >= ours.birth or not standing.run)


def was_ended(ours: LastWord, standing: LastWord | None, *, session: bool) -> bool:
    """Whether the broker lived on to publish our will, and yet somebody ended our session.

    `session`: whether it still has that. A broker that went back to its last save has neither our session nor our
    status, or older ones.
    """
    return standing == ours and not session
