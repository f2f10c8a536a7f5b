"""A match that people lay by hand on the virtual table, each seat with a phone of its own."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.events import Lifted
from companion.live.table import Live
from tests.web.bots.sitting import look_at
from tests.web.table import client_of, post, question

LAY = {"place": "seat-3", "card": "yellow-stop"}


@pytest.fixture
def friends(app: Flask) -> tuple[FlaskClient, FlaskClient]:
    """Ana (host, seat 1) and Bo (3) have begun STOP me GO."""
    ana = client_of(app, None)
    bo = client_of(app, None)
    look_at(bo, 3, "Bo", "cat", "yellow")
    look_at(ana, 1, "Ana", "fox", "red")
    assert post(ana, "/start", game="stop-me-go")[0] == 200
    return ana, bo


def acts(live: Live) -> int:
    return live.ask(lambda match: sum(not isinstance(event, Lifted) for event in match.events))


@pytest.mark.parametrize(("path", "form"), [("/table/lay", LAY), ("/table/press", {"seat": 3})])
def test_the_host_lays_and_presses_for_a_seat_with_a_phone_only_if_another_agrees(
    live: Live, friends: tuple[FlaskClient, FlaskClient], path: str, form: dict[str, object]
) -> None:
    ana, bo = friends
    acts_before = acts(live)
    assert "another player must agree" in post(ana, path, **form)[1]
    assert acts(live) == acts_before
    assert post(bo, "/answer", question=question(bo, "/seat/3"), answer="yes")[0] == 200
    assert acts(live) > acts_before


@pytest.mark.parametrize(("path", "form"), [("/table/lay", {**LAY, "place": "seat-1"}), ("/table/press", {"seat": 1})])
def test_at_their_own_seat_they_do_so_alone(
    live: Live, friends: tuple[FlaskClient, FlaskClient], path: str, form: dict[str, object]
) -> None:
    acts_before = acts(live)
    assert post(friends[0], path, **form) == (200, "")
    assert acts(live) > acts_before


def test_what_was_asked_is_not_laid_once_the_story_has_moved_on(
    live: Live, friends: tuple[FlaskClient, FlaskClient]
) -> None:
    ana, bo = friends
    post(ana, "/table/lay", **LAY)
    gangster = live.ask(lambda match: next(card for card, piece in match.game.deck.items() if piece.kind == "gangster"))
    assert post(ana, "/table/lay", place="centre", card=gangster)[0] == 200
    assert post(bo, "/answer", question=question(bo, "/seat/3"), answer="yes")[0] == 409
