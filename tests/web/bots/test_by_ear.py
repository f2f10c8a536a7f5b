"""Who plays by ear hears what happened, then what to do, each once; nothing takes the focus from them."""

from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page

from companion.game.simulated_world import Move
from companion.live.simulation import Simulation
from companion.live.table import Live
from tests.chromium import Opened, until_news
from tests.web.bots.sitting import begun
from tests.web.listening import RECORD, focused_in_tree, hear, heard
from tests.web.table import post, token_of

Listening = Callable[..., Page]


@pytest.fixture
def listen(app: Flask, served: Callable[[Flask], Opened]) -> Callable[[FlaskClient], Page]:
    """Open Ana's seat as a screen reader meets it."""
    look = served(app)

    def opened(ana: FlaskClient, wish: str = "") -> Page:
        def go(page: Page, url: str) -> None:
            page.add_init_script(RECORD)
            site = url.removesuffix("/seat/1")
            page.context.add_cookies(
                [{"name": name, "value": value, "url": site} for name, value in cookies.items() if value]
            )
            page.goto(url)
            until_news(page)

        cookies = {"phone": token_of(ana), "aloud": wish}
        return look("/seat/1", go=go)

    return opened


def bots_turn(simulation: Simulation, what: str) -> Move:
    move = next(
        move for seat, sight in simulation.sights.items() if seat != 1 for move in sight.moves if move.what == what
    )
    simulation.play(move)
    return move


def to_anas_turn(simulation: Simulation) -> None:
    while not simulation.sights[1].moves:
        simulation.play(next(move for sight in simulation.sights.values() for move in sight.moves))


def test_after_an_act_the_news_is_said_and_the_task_is_read_where_the_focus_goes(
    app: Flask, simulation: Simulation, listen: Listening
) -> None:
    ana = begun(app, "kartel")
    to_anas_turn(simulation)
    page = listen(ana)
    heard(page)
    page.get_by_role("button", name="Roll").press("Enter")
    told = hear(page, "Take one of")
    rolled = [text for how, text in told if how == "said"]
    assert [how for how, _ in told][-1] == "focus"
    assert len([text for text in rolled if "You roll" in text]) == 1
    assert not [text for text in rolled if "Take one of" in text]
    assert focused_in_tree(page)["name"] == told[-1][1]
    assert page.evaluate("document.activeElement.id") == "now"
    assert len(told[-1][1].split()) < 15
