"""A table offers the seats that it was set up with, where people sit; one more is found by whoever asks."""

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.config import load
from companion.events import SEATS
from companion.live.table import Live
from companion.web.render.seating import spots
from tests.web.table import PEOPLE, app_of, living

FOUR = (1, 2, 3, 4)
READERS = """
[[reader]]
driver = "virtual"
place = "seat-{}"
"""
BUZZERS = """
[[buzzers]]
driver = "virtual"
seats = [{}]
"""


def phone(live: Live, seats: tuple[int, ...] = FOUR) -> FlaskClient:
    return app_of(live, virtual=False, seats=seats).test_client()


def drawn(page: str) -> dict[str, str]:
    """Return each seat's spot as a page draws it, by what the page calls the seat."""
    return dict(re.findall(r'class="at-(\d)[^"]*"><input type="radio" name="seat" value="(\d)"', page))


@pytest.mark.parametrize("number", range(2, 7))
def test_seats_are_drawn_clockwise_as_the_setup_draws_them_and_others_in_between(number: int) -> None:
    of_table = spots(tuple(SEATS[:number]))
    assert sorted(of_table.values()) == [*SEATS]
    set_up = [of_table[seat] for seat in SEATS[:number]]
    assert set_up == sorted(set_up)


def test_seats_numbered_in_ones_own_way_are_drawn_by_their_numbers() -> None:
    assert spots((2, 5)) == {seat: seat for seat in SEATS}


@pytest.mark.parametrize(
    ("settings", "seats"),
    [
        ("seats = 4", (1, 2, 3, 4)),
        ("seats = 4" + BUZZERS.format("1, 2, 3, 4, 5, 6"), (1, 2, 3, 4)),
        (READERS.format(2) + BUZZERS.format("1, 3"), (1, 2, 3)),
        (READERS.format(2), tuple(SEATS)),
        ("", tuple(SEATS)),
    ],
)
def test_a_tables_seats_are_those_it_was_set_up_with(settings: str, seats: tuple[int, ...], tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(settings + '\n[[reader]]\ndriver = "virtual"\nplace = "centre"\n')
    assert load(file).offered_seats == seats


def test_a_table_of_four_offers_four_and_whoever_asks_finds_one_more(tmp_path: Path) -> None:
    with living(tmp_path) as live:
        page = phone(live).get("/join").text
        at_table, _, by_phone = page.partition('id="by-phone"')
        assert drawn(at_table) == {"1": "1", "3": "2", "4": "3", "6": "4"}
        assert drawn(by_phone) == {"2": "5", "5": "6"}
        client = phone(live)
        assert (
            client.post("/sit", data={"name": "Eve", "animal": "fox", "colour": "red", "seat": "5"}).status_code < 400
        )
        host = client.get("/host/table").text
        assert re.findall(r'<li class="at-(\d)', host) == ["1", "3", "4", "6", "2"]


def test_the_host_sees_and_names_only_the_seats_there_are(tmp_path: Path) -> None:
    with living(tmp_path) as live:
        client = phone(live)
        page = client.get("/host").text
        assert "4 free seats." in page
        names, _, more = page.partition("One more at the table?")
        assert re.findall(r'name="seat-(\d)"', names) == ["1", "2", "3", "4"]
        assert re.findall(r'name="seat-(\d)"', more) == ["5", "6"]
        assert len(re.findall(r'<li class="at-', client.get("/host/table").text)) == 4


def test_the_big_screen_draws_four_where_they_sit(live: Live) -> None:
    seats = {player.seat for player in PEOPLE}
    page = phone(live, (1, 2, 3, 4, 5)).get("/big").text
    sitters = dict(re.findall(r'class="sitter at-(\d)[^"]*" id="lies-(\d)"', page))
    assert sitters == {str(spots((1, 2, 3, 4, 5))[seat]): str(seat) for seat in seats}
