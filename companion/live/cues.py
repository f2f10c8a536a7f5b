"""What the lamps at the seats show. Everybody sees every lamp, so what everybody may know is all that goes in."""

from companion.devices.lamps import Cue
from companion.live.snapshot import Snapshot


def cues(seen: Snapshot) -> dict[int, Cue]:
    """Return a cue for each seat that has one.

    A card that was read comes before what the table waits for, so that whoever taps a hand sees each card answered;
    what needs putting right comes before all. While stickers are put on every seat's reader takes them, and no match
    waits for anybody.
    """
    if seen.trouble:
        return dict.fromkeys(range(1, 7), Cue.ERROR)
    found: dict[int, Cue] = {}
    view = seen.views.get(None)
    if seen.stickers.progress:
        found = dict.fromkeys(range(1, 7), Cue.READING)
    elif view and not view["over"] and seen.pause is None:
        now = view["table"]["now"]
        found = dict.fromkeys(now.get("seats", ()), Cue.WAITING)
        if "first" in now:
            found[now["first"]] = Cue.FIRST
    found |= dict.fromkeys(_seats(seen.read), Cue.READ)
    broken = [name.removeprefix("reader ") for name, device in seen.devices.items() if not device.works]
    return found | dict.fromkeys(_seats((*seen.crowded, *broken)), Cue.ERROR)


def _seats(places: tuple[str, ...]) -> list[int]:
    return [int(place.removeprefix("seat-")) for place in places if place.startswith("seat-")]
