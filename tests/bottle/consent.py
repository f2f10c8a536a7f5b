"""Who may do what at all, written down from the rules in `web/README.md`, not from the code that decides it."""

from collections.abc import Collection, Mapping, Sequence

from companion.access.seat_rights import HOST, Rights
from companion.acts import match_acts, seat_acts, upkeep_acts
from companion.acts.act import Act
from companion.events import Event, Pressed, Said, Tapped, seat_at
from companion.judge.attribution import doers
from companion.judge.match import Match

THE_HOSTS = (
    *(match_acts.TakeBreak, match_acts.GoOnWithMatch, match_acts.LeaveOut, match_acts.CountAgain, match_acts.TakeUp),
    *(seat_acts.SendAway, seat_acts.MoveGuest, upkeep_acts.WalkAround, upkeep_acts.EndWalk, upkeep_acts.TellDay),
)
"""What is the host's alone, whether others are asked about it or not."""
THE_SEATS_OWN = (match_acts.HearCards, match_acts.PlayCards, seat_acts.HandOn, seat_acts.KeepSeat)
"""What is for the phone that holds the seat, and not even for the host's."""
THE_PLAYERS = (match_acts.End, match_acts.StartMatch, match_acts.TakeBack, match_acts.PutRight)
"""What only those may want who play, or who are the host."""


def breach(phone: str, act: Act, rights: Rights, awake: Collection[str], match: Match | None) -> str | None:
    """Return which rule is broken if this phone does the act at this match, or asks for it.

    `awake`: who has just shown a sign; `match`: None if there is none, or its game's code raises.
    """
    holders = rights.holders
    parts = {part for part, holder in holders.items() if holder == phone}
    match act:
        case _ if isinstance(act, THE_HOSTS):
            return None if HOST in parts else "what is the host's is done by the host alone"
        case _ if isinstance(act, THE_SEATS_OWN):
            return None if act.seat in parts else "what is a seat's own is done by its phone alone"
        case match_acts.EnterPress(seat=seat) | match_acts.EnterWord(seat=seat):
            return None if parts & {seat, HOST} else "nobody enters anything for another seat"
        case match_acts.EnterCards(place=place) if seat_at(place) is not None:
            return None if parts & {seat_at(place), HOST} else "nobody enters anything for another seat"
        case match_acts.EnterCards(place=place, cards=(card,), match=None) if match is not None:
            their_turn = parts & {HOST, *doers(match, Tapped(0, 0.0, place, card))}
            return None if their_turn else "what is nobody's is entered by the host alone"
        case match_acts.TakeBack(seat=int(seat), match=None):
            return None if parts & {seat, HOST} else "nobody takes another seat's cards back"
        case seat_acts.ClaimSeat(code=code):
            # The host's part is anybody's who has its code: it is printed for whoever lost their phone.
            held = {holders[part] for part, known in rights.codes.items() if known == code and part in holders and part}
            return "no code of its own opens a seat that a phone holds" if held & ({*awake} - {phone}) else None
        case seat_acts.FreeSeat(seat=seat) if holders.get(seat) != holders.get(HOST):
            return None if parts & {seat, HOST} else "nobody but the host frees another's seat"
        case _ if isinstance(act, THE_PLAYERS):
            return None if parts else "who does not play changes no match"
    return None


def breach_alone(
    phone: str, act: Act, retracted: Sequence[Event], holders: Mapping[int, str], awake: Collection[str]
) -> str | None:
    """Return which rule is broken if this phone does the act without a yes; `awake`: who has just shown a sign."""
    concerned = {event.seat for event in retracted if isinstance(event, Pressed | Said)}
    concerned |= {seat_at(event.place) for event in retracted if isinstance(event, Tapped)}
    if isinstance(act, match_acts.EnterPress | match_acts.EnterWord | seat_acts.FreeSeat):
        concerned.add(act.seat)
    others = {holders[seat] for seat in concerned if isinstance(seat, int) and seat in holders} - {phone}
    return "what concerns another's seat is done with a yes" if others & {*awake} else None
