"""What does not count is said in the room, as far as everybody may know, and sounds at the big screen."""

import pytest
from flask.testing import FlaskClient

from companion.devices.sensing import Appeared, Gone
from companion.events import Pressed
from companion.live.table import Live
from tests.web.table import Clock, to_count


def lay(live: Live, clock: Clock, place: str, uid: str) -> None:
    clock.now += 1.3
    live.tell(Appeared(place, uid, clock.now))


def test_the_room_reads_whose_card_does_not_count_but_not_which_it_is(
    live: Live, clock: Clock, client: FlaskClient
) -> None:
    to_count(live)
    lay(live, clock, "seat-3", "virtual:stop-it/blue-7")
    page = client.get("/big").text
    assert "Bo: that card has another colour, so it does not count." in page
    assert "blue 7" not in page
    assert "d’une autre couleur" in client.get("/big", headers={"Accept-Language": "fr"}).text


@pytest.mark.parametrize(
    ("uid", "sentence"),
    [
        ("04FFFFFFFFFFFF", "Bo: that card is not known here."),
        ("virtual:kartel/red-boss", "Bo: that card belongs to another game."),
        ("phone", "Bo: that is no game card. Take it off the reader."),
    ],
)
def test_so_it_is_of_what_is_no_card_of_the_game(
    live: Live, clock: Clock, client: FlaskClient, uid: str, sentence: str
) -> None:
    to_count(live)
    lay(live, clock, "seat-3", uid)
    assert sentence in client.get("/big").text


def test_and_of_a_card_after_ones_own_count(live: Live, clock: Clock, client: FlaskClient) -> None:
    to_count(live)
    live.enter(Pressed(0, 0.0, 3, by="phone"))
    lay(live, clock, "seat-3", "virtual:stop-it/red-7")
    assert "Bo: your count is in, so that card does not count." in client.get("/big").text


def test_nothing_of_it_stays(live: Live, clock: Clock, client: FlaskClient) -> None:
    to_count(live)
    lay(live, clock, "seat-3", "virtual:stop-it/blue-7")
    live.tell(Gone("seat-3", "virtual:stop-it/blue-7", clock.now))
    clock.now += 60
    assert "refused-seat-3" in client.get("/big").text
    lay(live, clock, "seat-1", "virtual:stop-it/red-7")
    assert "refused-seat-3" not in client.get("/big").text
