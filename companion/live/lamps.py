"""What the lamps at the seats and at the centre pad show.

Everybody sees every lamp, so only what everybody may know goes in.
"""

from collections.abc import Iterable

from companion.devices.lamp_cues import CENTRE, Counted, Cue, Light
from companion.events import SEATS, place_of
from companion.live.snapshot import Snapshot

_ALL = (CENTRE, *SEATS)


def cues(snapshot: Snapshot) -> dict[int, Light]:
    """Return what is said by the lamp of each seat that has one, and for the centre pad.

    The answer to a card or a press takes precedence over what the table waits for, so that whoever taps a hand sees
    each card answered; what must be put right precedes all. While stickers are put on, every seat's reader takes them,
    and no match waits for anybody. In a break and after the end no card is answered, because none counts. Where
    something is announced, every seat may object. One of the table's own cards is answered at any time: red if it says
    nothing now.
    """
    if snapshot.trouble:
        return dict.fromkeys(_ALL, Cue.ERROR)
    lit: dict[int, Light]
    if snapshot.stickers.progress is not None:
        lit = {**dict.fromkeys(_ALL, Cue.READING), **dict.fromkeys(_seats(snapshot.read), Cue.READ)}
    elif snapshot.rests:
        lit = _of_the_match(snapshot)
    else:
        answers = dict.fromkeys(_seats(snapshot.answered), Cue.READ)
        refusals = dict.fromkeys(_seats(snapshot.refused), Cue.REFUSED)
        lit = {**_of_the_match(snapshot), **answers, **refusals}
    saying = [place for place, laid in snapshot.act_cards.items() if laid.says]
    silent = [place for place, laid in snapshot.act_cards.items() if not laid.says]
    lit.update(dict.fromkeys(_seats(saying), Cue.READ))
    lit.update(dict.fromkeys(_seats(silent), Cue.REFUSED))
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
