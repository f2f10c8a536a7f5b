"""What the lamps at the seats and at the centre pad show.

Everybody sees every lamp, so only what everybody may know goes in.
"""

from collections.abc import Iterable

from companion.devices.lamp_cues import CENTRE, Counted, Cue, Light
from companion.events import SEATS, place_of
from companion.live.snapshot import Snapshot

_ALL = (CENTRE, *SEATS)


def cues(snapshot: Snapshot) -> dict[int, Light]:
    """Return what the lamp of each seat, and that of the centre pad, shows.

    What must be put right takes precedence over everything, then the answer to a card or a press, then what the table
    waits for, so that a player who taps a whole hand sees each card answered. While stickers are put on, every seat's
    reader takes them, and no match waits for anybody. In a break and after the end no card is answered, because none
    counts. While something is announced, every seat may object. One of the table's own cards, or one that gets its
    sticker, is answered at any time: red if it does not count.
    """
    if snapshot.trouble:
        return dict.fromkeys(_ALL, Cue.ERROR)
    lit: dict[int, Light]
    if snapshot.stickers.progress is not None:
        lit = dict.fromkeys(_ALL, Cue.READING)
    elif snapshot.rests:
        lit = _of_the_match(snapshot)
    else:
        answers = dict.fromkeys(_seats(snapshot.answered), Cue.READ)
        refusals = dict.fromkeys(_seats(snapshot.refused), Cue.REFUSED)
        lit = {**_of_the_match(snapshot), **answers, **refusals}
    for place, answer in snapshot.pad_answers.items():
        lit.update(dict.fromkeys(_seats([place]), Cue.READ if answer.counts else Cue.REFUSED))
    broken = [name.removeprefix("reader ") for name, device in snapshot.devices.items() if not device.works]
    return {**lit, **dict.fromkeys(_seats((*snapshot.crowded, *snapshot.hurried, *broken)), Cue.ERROR)}


def _of_the_match(snapshot: Snapshot) -> dict[int, Light]:
    """Return what the players' lamps show while no card is answered; nothing before the first match."""
    view = snapshot.views.get(None)
    if view is None:
        return {}
    seats = [player["seat"] for player in view["players"]]
    if snapshot.announced is not None:
        return dict.fromkeys(seats, Cue.WAITING)
    if view["over"] or snapshot.ended:
        return dict.fromkeys(seats, Cue.OVER)
    if snapshot.pause is not None:
        return dict.fromkeys(seats, Cue.BREAK)
    task = view["table"]["now"]
    waiting = {seat: _waiting(snapshot.counted.get(seat, 0)) for seat in task.get("seats", ())}
    lit = waiting or dict.fromkeys(seats, Cue.PLAYING)
    if "first" in task:
        lit[task["first"]] = Cue.FIRST
    return lit


def _waiting(counted: int) -> Light:
    return Counted(counted) if counted else Cue.WAITING


def _seats(places: Iterable[str]) -> list[int]:
    """Return the seats with lamps at these places; pads other than the centre have none."""
    seats = {"centre": CENTRE} | {place_of(seat): seat for seat in _ALL[1:]}
    return [seats[place] for place in places if place in seats]
