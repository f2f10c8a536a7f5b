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


def test_the_seats_that_are_waited_for_are_lit() -> None:
    views = waiting_for(2, 5)
    assert cues(Snapshot(views=views)) == {2: Cue.WAITING, 5: Cue.WAITING}
    over = {None: {**views[None], "over": True}}
    assert cues(Snapshot(views=over)) == {}
    assert cues(Snapshot()) == {}


def test_who_was_first_is_lit_as_such() -> None:
    assert cues(Snapshot(views=waiting_for(4, first=4))) == {4: Cue.FIRST}


def test_a_card_that_was_read_is_answered_at_its_seat_as_long_as_it_lies_there() -> None:
    assert cues(Snapshot(views=waiting_for(2, 3), read=("centre", "seat-3"))) == {
        0: Cue.READ,
        2: Cue.WAITING,
        3: Cue.READ,
    }


def test_a_seat_whose_reader_needs_a_hand_shows_an_error() -> None:
    devices = {
        "reader seat-3": Device(False, "no answer"),
        "reader seat-4": Device(True, "PN532"),
        "buzzers /dev/ttyACM0": Device(False, "unplugged"),
        "reader centre": Device(False, "no answer"),
    }
    seen = Snapshot(views=waiting_for(2, 5), devices=devices, crowded=("centre", "seat-2"), read=("seat-2",))
    assert cues(seen) == {0: Cue.ERROR, 2: Cue.ERROR, 3: Cue.ERROR, 5: Cue.WAITING}


def test_where_the_last_card_is_to_be_tapped_again_an_error_is_shown() -> None:
    assert cues(Snapshot(hurried={"seat-4": 2}, read=("seat-4",))) == {4: Cue.ERROR}


def test_every_seat_shows_that_nothing_is_recorded() -> None:
    assert cues(Snapshot(trouble="the disk is full")) == dict.fromkeys(range(7), Cue.ERROR)


@pytest.mark.parametrize("game", games.known().values(), ids=games.known().keys())
def test_every_match_has_cues_at_its_own_seats_only(game: Game) -> None:
    chance = random.Random(5)
    for _ in range(5):
        events = play(game, chance, {})
        for length in range(1, len(events), 7):
            match = judge(events[:length])
            assert set(cues(Snapshot(views={None: views.view(match, None)}))) <= set(match.seats)


def test_while_stickers_are_put_on_every_reader_takes_them_and_no_seat_is_waited_for() -> None:
    going = Progress("stop-it", "red-1", False, False, False, (), 0, False)
    seen = Snapshot(views=waiting_for(2), stickers=Stickers(progress=going), read=("seat-3",), crowded=("seat-4",))
    reading = dict.fromkeys((0, 1, 2, 5, 6), Cue.READING)
    assert cues(seen) == {**reading, 3: Cue.READ, 4: Cue.ERROR}
