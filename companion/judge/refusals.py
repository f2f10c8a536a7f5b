"""Public refusals, which lamps show: everybody may see that an act is refused, though not always why.

A lamp is green for an act that counts, and red for one that is refused. If red would betray something sealed, it is
green all the same.
"""

from collections.abc import Iterable, Mapping

import msgspec

from companion.events import Event, Tapped, seat_at
from companion.game import Heard, Ruling, Verdict, refuses_at_once
from companion.judge.match import Match

OF_NO_CARD = frozenset({"unknown-card", "other-game", "phone-read"})
"""Misplays of a tag that is on no card of this game: nothing about that is sealed."""


class Refusal(msgspec.Struct, frozen=True):
    """The public refusal of an act."""

    code: str
    """The misplay's code, or that of the misplay which shut this seat."""
    to: int | None
    """The only seat that was told why; None: everybody was."""


def refusal(verdicts: Iterable[Verdict]) -> Verdict | None:
    """Return the verdict that publicly refuses an act; None if the act counts, or must seem to."""
    return next(filter(_is_on_lamp, verdicts), None)


def shut(match: Match) -> Mapping[int, str]:
    """Return the seats at which, as everybody knows, no card counts now, with the code of the misplay that says why."""
    nowhere: Mapping[int, str] = {}
    return match.tried("shut", lambda: match.game.moves.taps.shut(match.state), nowhere)


def refusal_of(act: Event, shut_then: Mapping[int, str], verdicts: Iterable[Verdict]) -> Refusal | None:
    """Return the public refusal of this act; None if it counts, or must seem to.

    `shut_then` are the seats that were shut when it came.
    """
    refused = refusal(verdicts)
    seat = seat_at(act.place) if isinstance(act, Tapped) else None
    of_no_card = refused is not None and refused.code in OF_NO_CARD
    # The same answer for every card at a shut seat, so that the lamp does not tell which card it is.
    if seat is not None and seat in shut_then and not of_no_card:
        return Refusal(shut_then[seat], seat)
    return Refusal(refused.code, refused.to) if refused is not None else None


def _is_on_lamp(verdict: Verdict) -> bool:
    return refuses_at_once(verdict) and (isinstance(verdict, Ruling) or verdict.heard is not Heard.PRIVATELY)
