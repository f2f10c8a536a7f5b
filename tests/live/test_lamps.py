"""Lamps tell what everybody may know, and nothing else."""

import random
from typing import Any

import pytest

from companion import games
from companion.devices.lamp_cues import Cue
from companion.game import Game
from companion.judge import views
from companion.judge.match import judge
from companion.kit.random_matches import play
from companion.live.lamps import cues
from companion.live.snapshot import Device, Snapshot
from companion.tags.enrolment_session import Progress, Stickers


def waiting_for(*seats: int, **more: Any) -> dict[int | None, dict[str, Any]]:
    return {None: {"over": False, "table": {"now": {"code": "now-hands", "seats": list(seats), **more}}}}


DEVICES = {
    "reader seat-3": Device(False, "no answer"),
    "reader seat-4": Device(True, "PN532"),
    "buzzers /dev/ttyACM0": Device(False, "unplugged"),
    "reader centre": Device(False, "no answer"),
}
OVER = {None: {**waiting_for(2)[None], "over": True}}
STICKERS = Stickers(progress=Progress("stop-it", "red-1", False, False, False, (), 0, False))
EXAMPLES = {
    "seats that are waited for are lit": (Snapshot(views=waiting_for(2, 5)), {2: Cue.WAITING, 5: Cue.WAITING}),
    "but none once the match is over": (Snapshot(views=OVER), {}),
    "nor before the first": (Snapshot(), {}),
    "who was first is lit as such": (Snapshot(views=waiting_for(4, first=4)), {4: Cue.FIRST}),
    "a card that was read is answered at its seat as long as it lies there": (
        Snapshot(views=waiting_for(2, 3), read=("centre", "seat-3")),
        {0: Cue.READ, 2: Cue.WAITING, 3: Cue.READ},
    ),
    "a seat whose reader needs a hand shows an error": (
        Snapshot(views=waiting_for(2, 5), devices=DEVICES, crowded=("centre", "seat-2"), read=("seat-2",)),
        {0: Cue.ERROR, 2: Cue.ERROR, 3: Cue.ERROR, 5: Cue.WAITING},
    ),
    "and where the last card is to be tapped again": (
        Snapshot(hurried={"seat-4": 2}, read=("seat-4",)),
        {4: Cue.ERROR},
    ),
    "every seat shows that nothing is recorded": (
        Snapshot(trouble="the disk is full"),
        dict.fromkeys(range(7), Cue.ERROR),
    ),
    "while stickers are put on every reader takes them and no seat is waited for": (
        Snapshot(views=waiting_for(2), stickers=STICKERS, read=("seat-3",), crowded=("seat-4",)),
        {**dict.fromkeys((0, 1, 2, 5, 6), Cue.READING), 3: Cue.READ, 4: Cue.ERROR},
    ),
}


@pytest.mark.parametrize(("seen", "lit"), EXAMPLES.values(), ids=EXAMPLES.keys())
def test_what_is_seen_is_lit(seen: Snapshot, lit: dict[int, Cue]) -> None:
    assert cues(seen) == lit


@pytest.mark.parametrize("game", games.known().values(), ids=games.known().keys())
def test_every_match_has_cues_at_its_own_seats_only(game: Game) -> None:
    chance = random.Random(5)
    for _ in range(5):
        events = play(game, chance, {})
        for length in range(1, len(events), 7):
            match = judge(events[:length])
            assert set(cues(Snapshot(views={None: views.view(match, None)}))) <= set(match.seats)
