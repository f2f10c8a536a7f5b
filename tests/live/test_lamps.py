"""Lamps tell what everybody may know, and nothing else."""

import random
from typing import Any

import pytest

from companion import games
from companion.devices.lamp_cues import Cue
from companion.game import Game
from companion.judge import views
from companion.judge.match import judge
from companion.judge.refusals import Refusal
from companion.kit.random_matches import play
from companion.live.lamp_answers import LampAnswer
from companion.live.lamps import cues
from companion.live.pad_answers import A_STICKER, PadAnswer
from companion.live.pause import Why
from companion.live.snapshot import Device, Snapshot
from companion.storage.ailments import Ailment, AilmentCode
from companion.tags.enrolment_session import Progress, Stickers


def waiting_for(*seats: int, **more: Any) -> dict[int | None, dict[str, Any]]:
    """Return the public view of a match at seats 2 to 5."""
    players = [{"seat": seat, "name": ""} for seat in (2, 3, 4, 5)]
    task = {"code": "now-hands", "seats": list(seats), **more}
    return {None: {"over": False, "players": players, "table": {"now": task}}}


def everybody(cue: Cue) -> dict[int, Cue]:
    return dict.fromkeys((2, 3, 4, 5), cue)


DEVICES = {
    "reader seat-3": Device(False, "no answer"),
    "reader seat-4": Device(True, "PN532"),
    "buzzers /dev/ttyACM0": Device(False, "unplugged"),
    "reader centre": Device(False, "no answer"),
}
STUCK = PadAnswer(A_STICKER, counts=True, at=3.0)
COUNTS = LampAnswer(1, 7, 3.0, None, tapped=True, lies=True)
REFUSED = LampAnswer(1, 7, 3.0, Refusal("other-colour", 3), tapped=True, lies=True)
OVER = {None: {**waiting_for(2)[None], "over": True}}
STICKERS = Stickers(progress=Progress("stop-it", "red-1", False, False, False, (), 0, False))
EXAMPLES = {
    "seats that are waited for are lit": (Snapshot(views=waiting_for(2, 5)), {2: Cue.WAITING, 5: Cue.WAITING}),
    "where all play, all lamps say so": (Snapshot(views=waiting_for()), everybody(Cue.PLAYING)),
    "in a break they say that": (Snapshot(views=waiting_for(2), pause=Why.BREAK), everybody(Cue.BREAK)),
    "and once the match is over": (Snapshot(views=OVER), everybody(Cue.OVER)),
    "or ended early": (Snapshot(views=waiting_for(2), pause=Why.ENDED), everybody(Cue.OVER)),
    "a card that is laid in a break does not count": (
        Snapshot(views=waiting_for(2), pause=Why.BREAK, answered={"seat-2": COUNTS}),
        everybody(Cue.BREAK),
    ),
    "nor one that is put away after the end": (Snapshot(views=OVER, answered={"seat-2": REFUSED}), everybody(Cue.OVER)),
    "before the first match they are dark": (Snapshot(), {}),
    "who was first is lit as such": (Snapshot(views=waiting_for(4, first=4)), {4: Cue.FIRST}),
    "a card that was read is answered at its seat as long as it lies there": (
        Snapshot(views=waiting_for(2, 3), answered={"centre": COUNTS, "seat-3": COUNTS, "row": REFUSED}),
        {0: Cue.READ, 2: Cue.WAITING, 3: Cue.READ},
    ),
    "and one that does not count": (
        Snapshot(views=waiting_for(2, 3), answered={"centre": COUNTS, "seat-3": REFUSED}),
        {0: Cue.READ, 2: Cue.WAITING, 3: Cue.REFUSED},
    ),
    "a card that nothing is said of is not green": (
        Snapshot(views=waiting_for(2, 3), read=("seat-3",)),
        {2: Cue.WAITING, 3: Cue.WAITING},
    ),
    "a seat whose reader needs a hand shows an error": (
        Snapshot(views=waiting_for(2, 5), devices=DEVICES, crowded=("centre", "seat-2"), answered={"seat-2": COUNTS}),
        {0: Cue.ERROR, 2: Cue.ERROR, 3: Cue.ERROR, 5: Cue.WAITING},
    ),
    "and where the last card is to be tapped again": (
        Snapshot(hurried={"seat-4": 2}, answered={"seat-4": REFUSED}),
        {4: Cue.ERROR},
    ),
    "every seat shows that nothing is recorded": (
        Snapshot(trouble=Ailment(AilmentCode.DISK_FULL, "the disk is full")),
        dict.fromkeys(range(7), Cue.ERROR),
    ),
    "while stickers are put on every reader takes them and no seat is waited for": (
        Snapshot(views=waiting_for(2), stickers=STICKERS, pad_answers={"seat-3": STUCK}, crowded=("seat-4",)),
        {**dict.fromkeys((0, 1, 2, 5, 6), Cue.READING), 3: Cue.READ, 4: Cue.ERROR},
    ),
}


@pytest.mark.parametrize(("snapshot", "lit"), EXAMPLES.values(), ids=EXAMPLES.keys())
def test_what_is_seen_is_lit(snapshot: Snapshot, lit: dict[int, Cue]) -> None:
    assert cues(snapshot) == lit


@pytest.mark.parametrize("game", games.known().values(), ids=games.known().keys())
def test_every_match_has_cues_at_its_own_seats_only(game: Game) -> None:
    chance = random.Random(5)
    for _ in range(5):
        events = play(game, chance, {})
        for length in range(1, len(events), 7):
            match = judge(events[:length])
            assert set(cues(Snapshot(views={None: views.view(match, None)}))) <= set(match.seats)
