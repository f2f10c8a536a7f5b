"""Who plays a match that no phone begins: those who sit at the table, with their phones."""

from pathlib import Path

import pytest

from companion.access import lobby, player_looks
from companion.access.lobby import Playing
from companion.access.people import Guest
from companion.access.player_looks import Face
from companion.access.rights_file import Phones
from companion.events import Player, Started
from companion.live.starting import SeatedPeople

PLAYED = (Player(1, "Ana"), Player(3, "Bo"))
LAST = Started(1, 0.0, "go", PLAYED, {"target": 2})
LOOKS = {seat: Face(player_looks.ANIMALS[-seat], player_looks.COLOURS[-seat]) for seat in (2, 4, 5)}


@pytest.fixture
def phones(tmp_path: Path) -> Phones:
    return Phones(tmp_path / "phones.json")


def sit(phones: Phones, seat: int, name: str) -> None:
    guest = Guest(name, LOOKS[seat])
    phones.change(lambda rights: lobby.sit(rights, f"phone {seat}", seat, guest, Playing(), by_code=False))


def begin(phones: Phones) -> None:
    next_match = SeatedPeople(phones)
    next_match.begin(LAST, next_match.who_play(LAST), 7, lambda: 7)


def test_without_phones_the_same_people_play(phones: Phones) -> None:
    assert SeatedPeople(phones).who_play(LAST) == PLAYED


def test_a_newcomer_who_has_sat_down_plays_and_holds_their_seat(phones: Phones) -> None:
    phones.change(lambda rights: lobby.resume(rights, {player.seat: player.name for player in PLAYED}))
    sit(phones, 2, "Cléo")
    players = SeatedPeople(phones).who_play(LAST)
    assert [(player.seat, player.name) for player in players] == [(1, "Ana"), (2, "Cléo"), (3, "Bo")]
    begin(phones)
    assert phones.rights.holders[2] == "phone 2"


def test_whoever_sits_out_is_left_out(phones: Phones) -> None:
    phones.change(lambda rights: lobby.resume(rights, {player.seat: player.name for player in PLAYED}))
    sit(phones, 2, "Cléo")
    phones.change(lambda rights: lobby.sit_out(rights, 3, out=True))
    assert [player.name for player in SeatedPeople(phones).who_play(LAST)] == ["Ana", "Cléo"]


def test_more_than_the_game_can_have_play_nothing(phones: Phones) -> None:
    phones.change(lambda rights: lobby.resume(rights, {player.seat: player.name for player in PLAYED}))
    for seat, name in ((2, "Cléo"), (4, "Dédé"), (5, "Eva")):
        sit(phones, seat, name)
    assert SeatedPeople(phones).who_play(LAST) == ()
