"""What was entered is taken back from a page: an entry of the story, a count or a hand, or one card of it."""

import re

import pytest
from flask.testing import FlaskClient

from companion.events import Pressed, Retracted, Tapped
from companion.live.table import Live
from tests.web.table import PEOPLE, SCRIPT, acts, count, counts, to_count


def back(client: FlaskClient, seat: int, *cards: str) -> bytes:
    """Take back these cards of a seat, or all that it told; give what the page says."""
    answer = client.post("/take-back", data={"seat": seat, "page": f"seat-{seat}", "card": [*cards]}, headers=SCRIPT)
    assert answer.status_code == 200
    return answer.data


def hand(live: Live, seat: int) -> list[str]:
    return live.ask(lambda match: match.game.view(match.state, seat)["own"]["cards"])


@pytest.fixture
def called(live: Live) -> Live:
    """A round of ¡Go! in which Ana has called."""
    live.begin("go", PEOPLE, {})
    live.enter(Pressed(0, 0.0, 1), Tapped(0, 0.0, "row", "grey-1"))
    return live


def test_an_entry_is_taken_back_as_long_as_it_says_what_the_page_shows(live: Live, client: FlaskClient) -> None:
    to_count(live)
    count(live, 1, 4)
    form = dict(re.findall(r'name="(entry|code|mark)" value="([^"]*)"', client.get("/host").text)[:3])
    assert form["code"] == "counted"
    for other in ({"mark": "00000000"}, {"code": "scored"}, {"entry": "99"}):
        assert client.post("/take-back", data={**form, **other}).status_code == 409
    assert client.post("/take-back", data=form).status_code == 303
    assert counts(live) == {}
    count(live, 3, 4)
    assert client.post("/take-back", data=form).status_code == 409  # the entry tells of Bo by now


def test_a_seat_begins_its_count_again_and_nobody_learns_whether_there_was_one(live: Live, client: FlaskClient) -> None:
    to_count(live)
    none = back(client, 3)
    for place, card in (("seat-3", "red-1"), ("seat-3", "red-2"), ("seat-1", "red-9")):
        live.enter(Tapped(0, 0.0, place, card))  # type: ignore[arg-type]
    assert back(client, 3) == none
    assert live.ask(lambda match: dict(match.state.tapped)) == {"red-9": 1}
    assert live.ask(lambda match: [e.by for e in match.events if isinstance(e, Retracted)]) == ["phone", "phone"]


def test_a_seat_takes_back_one_card_of_the_hand_it_sees(called: Live, client: FlaskClient) -> None:
    for place, card in [("seat-3", "red-1"), ("seat-3", "red-2"), ("seat-3", "red-1"), ("seat-1", "red-9")]:
        called.enter(Tapped(0, 0.0, place, card))  # type: ignore[arg-type]
    assert back(client, 3, "red-9") == back(client, 3, "red-1")
    assert (hand(called, 3), hand(called, 1)) == (["red-2"], ["red-9"])


def test_from_the_shared_reader_a_seat_takes_back_its_own_cards_alone(called: Live, client: FlaskClient) -> None:
    for seat, cards in ((1, ["red-9"]), (3, ["red-1", "red-2", "red-3"])):
        called.enter(Pressed(0, 0.0, seat), *(Tapped(0, 0.0, "centre", card) for card in cards))
    back(client, 3, "red-1", "red-2", "red-9")
    assert (hand(called, 3), hand(called, 1)) == (["red-3"], ["red-9"])


def test_a_card_that_its_seat_does_not_see_is_not_taken_back_by_name(live: Live, client: FlaskClient) -> None:
    to_count(live)
    live.enter(Tapped(0, 0.0, "seat-3", "red-1"))
    back(client, 3, "red-1")
    assert live.ask(lambda match: dict(match.state.tapped)) == {"red-1": 3}


def test_whoever_does_not_see_a_hand_takes_no_card_of_it_back_by_name(
    called: Live, host: FlaskClient, bo: FlaskClient, cleo: FlaskClient
) -> None:
    """Else already the time that it takes would tell the host whether the card lies in a hidden hand."""
    cleo.post("/free", data={"part": "5"}, headers=SCRIPT)  # the host enters for them
    called.enter(Tapped(0, 0.0, "seat-3", "red-3"), Tapped(0, 0.0, "seat-5", "red-5"))
    acts_before = acts(called)
    assert back(host, 5, "red-5") == back(host, 5, "red-6")
    assert acts(called) == acts_before
    back(bo, 3, "red-3")
    assert hand(called, 3) == []


def test_before_the_first_act_there_is_nothing_to_take_back(live: Live, client: FlaskClient) -> None:
    live.begin("go", PEOPLE, {})
    acts_before = acts(live)
    back(client, 1)
    assert acts(live) == acts_before
