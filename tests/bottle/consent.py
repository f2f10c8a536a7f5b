"""Who may do what at all, written down from the rules in `web/README.md`, not from the code that decides it."""

from collections.abc import Mapping

from companion.access.seat_rights import HOST
from companion.acts import match_acts, seat_acts, upkeep_acts
from companion.acts.act import Act
from companion.events import seat_at

THE_HOSTS = (
    *(match_acts.TakeBreak, match_acts.GoOnWithMatch, match_acts.LeaveOut, match_acts.CountAgain, match_acts.TakeUp),
    *(seat_acts.SendAway, seat_acts.MoveGuest, upkeep_acts.WalkAround, upkeep_acts.EndWalk, upkeep_acts.TellDay),
)
"""What is the host's alone, whether others are asked about it or not."""
THE_SEATS_OWN = (match_acts.HearCards, match_acts.PlayCards, seat_acts.HandOn, seat_acts.KeepSeat)
"""What is for the phone that holds the seat, and not even for the host's."""
THE_PLAYERS = (match_acts.End, match_acts.StartMatch, match_acts.TakeBack, match_acts.PutRight)
"""What only those may want who play, or who are the host."""


def breach(phone: str, act: Act, holders: Mapping[int, str]) -> str | None:
    """Return which rule is broken if this phone does the act, or asks for it; `holders` are the parts' phones then."""
    parts = {part for part, holder in holders.items() if holder == phone}
    match act:
        case _ if isinstance(act, THE_HOSTS):
            return None if HOST in parts else "what is the host's is done by the host alone"
        case _ if isinstance(act, THE_SEATS_OWN):
            return None if act.seat in parts else "what is a seat's own is done by its phone alone"
        case match_acts.EnterPress(seat=seat):
            return None if parts & {seat, HOST} else "nobody enters anything for another seat"
        case match_acts.EnterCards(place=place) if seat_at(place) is not None:
            return None if parts & {seat_at(place), HOST} else "nobody enters anything for another seat"
        case _ if isinstance(act, THE_PLAYERS):
            return None if parts else "who does not play changes no match"
    return None
