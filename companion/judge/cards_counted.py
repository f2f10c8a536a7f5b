"""How many cards of each seat have counted, as far as everybody in the room can see: green lamps, and red ones.

A lamp may say it, because it follows from nothing else: a card that counts for nobody, and may not be known to, is a
further card here too; what a phone entered, nobody saw.
"""

import msgspec

from companion.events import Seat, Tapped
from companion.judge.attribution import did
from companion.judge.match import Match
from companion.judge.refusals import refusal


def cards_counted(match: Match) -> dict[Seat, int]:
    """Return how many different cards readers have read of each seat, in the current unit, that no lamp refused; seats
    with none are left out.
    """
    taps = {
        event.seq: event
        for event in match.standing(match.unit_began)
        if isinstance(event, Tapped) and event.by is msgspec.UNSET
    }
    refused = {
        (taps[verdict.seq].place, taps[verdict.seq].card)
        for verdict in match.verdicts
        if verdict.seq in taps and refusal((verdict,)) is not None
    }
    cards_by_seat: dict[Seat, set[str]] = {}
    for seq, doers in did(match, taps.keys()).items():
        tap = taps[seq]
        match [*doers]:
            case [int(seat)] if (tap.place, tap.card) not in refused:
                cards_by_seat.setdefault(seat, set()).add(tap.card)
    return {seat: len(cards) for seat, cards in cards_by_seat.items()}
