"""Who may do what at all, written down from the rules in `web/README.md`, not from the code that decides it."""

from collections.abc import Mapping

from companion.access.seat_rights import HOST
from companion.acts.act import Act
from companion.acts.match_acts import (
    CountAgain,
    End,
    EnterCards,
    EnterPress,
    GoOnWithMatch,
    HearCards,
    LeaveOut,
    PlayCards,
    PutRight,
    StartMatch,
    TakeBack,
    TakeBreak,
    TakeUp,
)
from companion.acts.seat_acts import HandOn, KeepSeat, MoveGuest, SendAway
from companion.acts.upkeep_acts import EndWalk, TellDay, WalkAround
from companion.events import seat_at

THE_HOSTS = (
    *(TakeBreak, GoOnWithMatch, LeaveOut, CountAgain, TakeUp),
    *(SendAway, MoveGuest, WalkAround, EndWalk, TellDay),
)
"""What is the host's alone, whether others are asked about it or not."""
THE_SEATS_OWN = (HearCards, PlayCards, HandOn, KeepSeat)
"""What is for the phone that holds the seat, and not even for the host's."""
THE_PLAYERS = (End, StartMatch, TakeBack, PutRight)
"""What only those may want who play, or who are the host."""


def breach(phone: str, act: Act, holders: Mapping[int, str]) -> str | None:
    """Return which rule is broken if this phone does the act, or asks for it; `holders` are the parts' phones then."""
    parts = {part for part, holder in holders.items() if holder == phone}
    match act:
        case _ if isinstance(act, THE_HOSTS):
            return None if HOST in parts else "what is the host's is done by the host alone"
        case _ if isinstance(act, THE_SEATS_OWN):
            return None if act.seat in parts else "what is a seat's own is done by its phone alone"
        case EnterPress(seat=seat):
            return None if parts & {seat, HOST} else "nobody enters anything for another seat"
        case EnterCards(place=place) if seat_at(place) is not None:
            return None if parts & {seat_at(place), HOST} else "nobody enters anything for another seat"
        case _ if isinstance(act, THE_PLAYERS):
            return None if parts else "who does not play changes no match"
    return None
