"""What the lamps at the seats and at the centre pad show.

Everybody sees every lamp, so only what everybody may know goes in.
"""

from collections.abc import Iterable

from companion.devices.lamp_cues import CENTRE, Cue
from companion.events import SEATS, place_of
from companion.live.snapshot import Snapshot

_ALL = (CENTRE, *SEATS)


def cues(seen: Snapshot) -> dict[int, Cue]:
    """Return a cue for each seat that has one, and for the centre pad.

    A card just read takes precedence over what the table waits for, so that whoever taps a hand sees each card
    answered; what must be put right precedes all. While stickers are put on, every seat's reader takes them, and no
    match waits for anybody.
    """
    if seen.trouble:
        return dict.fromkeys(_ALL, Cue.ERROR)
    found: dict[int, Cue] = {}
    view = seen.views.get(None)
    if seen.stickers.progress:
        found = dict.fromkeys(_ALL, Cue.READING)
    elif view and not view["over"] and seen.pause is None:
        now = view["table"]["now"]
        found = dict.fromkeys(now.get("seats", ()), Cue.WAITING)
        if "first" in now:
            found[now["first"]] = Cue.FIRST
    found |= dict.fromkeys(_seats(seen.read), Cue.READ)
    broken = [name.removeprefix("reader ") for name, device in seen.devices.items() if not device.works]
    return found | dict.fromkeys(_seats((*seen.crowded, *seen.hurried, *broken)), Cue.ERROR)


def _seats(places: Iterable[str]) -> list[int]:
    """Return the seats with lamps at these places; pads other than the centre have none."""
    seats = {"centre": CENTRE} | {place_of(seat): seat for seat in _ALL[1:]}
    return [seats[place] for place in places if place in seats]
