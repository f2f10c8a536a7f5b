"""Detects another client with this table's id: a copy of the table, or another program.

Mosquitto 2.1 says so as it ends the connection; 2.0 only closes it, as if a cable were cut. So a table that reconnects
checks what the broker has retained for it. Every `status` has a user property that identifies the run of the program
that sent it.

A broker that is stopped properly publishes every will and ends every session, which looks just as if a silent program
had taken the id. So the first time is only logged; if the connection is lost again within a minute, another client is
most likely, and the table stays away for some minutes.
"""

import msgspec

SESSION_S = 3600
"""Seconds for which the broker keeps the session of a table that has lost its connection."""
AGAIN_WITHIN_S = 60.0
"""Seconds after the session was ended within which a second cut means another client, not a broker's restart."""


class LastWord(msgspec.Struct, frozen=True):
    """A retained `status`, and the run that sent it."""

    state: str
    birth: int
    run: str
    """Drawn at every start of the program; "" if the sender does not say."""


def was_here(ours: LastWord, standing: LastWord | None) -> bool:
    """Return whether another run has used this table's id since the connection with the will `ours` was lost.

    `standing` is the status that the broker retains now.
    """
    return standing is not None and standing.run != ours.run


def is_anothers(ours: LastWord, standing: LastWord | None) -> bool:
    """Return whether another client has taken the table over: a copy with at least as many births, or a program."""
    return standing is not None and was_here(ours, standing) and (standing.birth >= ours.birth or not standing.run)


def was_ended(ours: LastWord, standing: LastWord | None, *, session: bool) -> bool:
    """Return whether the broker has published the will `ours`, and yet the session was ended.

    `session`: whether the broker still has it. A broker that was restored from its last save has neither the session
    nor the status, or older ones.
    """
    return standing == ours and not session
