"""Changes a match's secrets, for a game in which everybody lays cards face down at their own place."""

import random
from collections.abc import Collection

from msgspec.structs import replace

from companion.events import Event, Tapped, seat_at
from companion.judge.match import judge


def other_lays(
    events: list[Event], chance: random.Random, observer: int | None, opened: Collection[str], free: Collection[str]
) -> list[Event]:
    """Return the match with other cards laid by others than `observer` since the last ruling of `opened`.

    Only cards of `free` are exchanged. Each is drawn independently, so two seats may lay the same: that is sealed, too.
    """
    match = judge(events)
    since = max((verdict.seq for verdict in match.verdicts if verdict.code in opened), default=1)
    open_now = {(seat_at(event.place), event.card) for event in events[:since] if isinstance(event, Tapped)}

    def other(event: Event) -> Event:
        if isinstance(event, Tapped) and event.seq > since and event.card in free:
            seat = seat_at(event.place)
            if seat in match.seats and seat != observer and (seat, event.card) not in open_now:
                return replace(event, card=chance.choice([*free]))
        return event

    return [other(event) for event in events]
