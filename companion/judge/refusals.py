"""Refusals that everybody may see, though not always why: a lamp shows them.

A lamp is green for an act that counts. It is red for one that is refused, where everybody may know that it is; where
that would show something sealed, it is green, as if the act counted.
"""

from collections.abc import Iterable, Mapping

import msgspec

from companion.events import Event, Tapped, seat_at
from companion.game import Heard, Ruling, Verdict, refuses_at_once
from companion.judge.match import Match

OF_NO_CARD = frozenset({"unknown-card", "other-game", "phone-read"})
"""Misplays of what is no card of this game: nothing about that is sealed."""


class Refusal(msgspec.Struct, frozen=True):
    """An act that was refused in everybody's sight."""

    code: str
    """The misplay's code, or that of the misplay which shut this seat."""
    to: int | None
    """The only seat that was told why; None: everybody was."""


def refusal(verdicts: Iterable[Verdict]) -> Verdict | None:
    """Return the verdict by which an act was refused in everybody's sight; None if it counts, or seems to."""
    return next(filter(_is_on_lamp, verdicts), None)


def shut(match: Match) -> Mapping[int, str]:
    """Return the seats at which no card counts now, as everybody knows, with the code of the misplay that says why."""
    nowhere: Mapping[int, str] = {}
    return match.tried("shut", lambda: match.game.moves.taps.shut(match.state), nowhere)


def refusal_of(act: Event, shut_then: Mapping[int, str], verdicts: Iterable[Verdict]) -> Refusal | None:
    """Return how this act was refused in everybody's sight; None if it counts, or seems to.

    `shut_then` are the seats that were shut when it came.
    """
    refused = refusal(verdicts)
    seat = seat_at(act.place) if isinstance(act, Tapped) else None
    of_no_card = refused is not None and refused.code in OF_NO_CARD
    if seat is not None and seat in shut_then and not of_no_card:
        return Refusal(shut_then[seat], seat)
    return Refusal(refused.code, refused.to) if refused is not None else None


def _is_on_lamp(verdict: Verdict) -> bool:
    return refuses_at_once(verdict) and (isinstance(verdict, Ruling) or verdict.heard is not Heard.PRIVATELY)
