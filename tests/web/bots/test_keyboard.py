"""Who plays by keyboard: a hand is one stop of the Tab key, arrows go from card to card, headings around the table."""

import random
import re
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion import games
from companion.live.simulation import Simulation
from companion.live.table import Live
from tests.chromium import Opened, until_news
from tests.web.bots.sitting import begin_with_bots, names
from tests.web.table import token_of

Seated = Callable[[FlaskClient], Page]
FOCUSED = "document.activeElement.closest('form')?.querySelector('[name=card]')?.value"
"""The card on the button that has the focus."""


@pytest.fixture
def sit_at(app: Flask, served: Callable[[Flask], Opened]) -> Callable[..., Page]:
    """Open Ana's seat."""
    look = served(app)

    def opened(ana: FlaskClient, **settings: object) -> Page:
        def go(page: Page, url: str) -> None:
            site = url.removesuffix("/seat/1")
            page.context.add_cookies([{"name": "phone", "value": token_of(ana), "url": site}])
            page.goto(url)
            if settings.get("java_script_enabled", True):
                until_news(page)

        return look("/seat/1", go=go, **settings)

    return opened


def until_ana_chooses(simulation: Simulation, slug: str, kind: str) -> list[str]:
    """Play until a card of hers can be chosen; return these cards."""
    physics = games.known()[slug].physics
    assert physics is not None
    chance = random.Random(0)
    for _ in range(300):
        cards = [move.card for move in simulation.sights[1].moves if move.what == kind]
        if len(cards) > 1:
            return cards
        moves = (physics.choose(sight, "middle", chance) for sight in simulation.sights.values() if sight.moves)
        simulation.play(next(move for move in moves if move))
    raise AssertionError("there was never anything to choose from")


def choosing_in_hearts(app: Flask, simulation: Simulation, sit_at: Callable[..., Page]) -> tuple[Page, list[str]]:
    """Open Ana's seat where she passes cards on; return it and her hand."""
    ana = begin_with_bots(app, "hearts")
    until_ana_chooses(simulation, "hearts", "give")
    hand: list[str] = simulation.sights[1].sees["hand"]
    return sit_at(ana), hand


def tab_to_a_card(page: Page) -> None:
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED):
            return
    raise AssertionError("Tab leads to no card")


def test_a_hand_is_one_stop_and_arrows_go_from_card_to_card(
    app: Flask, simulation: Simulation, sit_at: Callable[..., Page]
) -> None:
    page, hand = choosing_in_hearts(app, simulation, sit_at)
    expect(page.get_by_role("toolbar", name="Your hand")).to_have_count(1)
    tab_to_a_card(page)
    assert page.evaluate(FOCUSED) == hand[0]
    for key, card in (("ArrowRight", hand[1]), ("ArrowDown", hand[2]), ("ArrowLeft", hand[1]), ("End", hand[-1])):
        page.keyboard.press(key)
        assert page.evaluate(FOCUSED) == card
    page.keyboard.press("ArrowRight")
    assert page.evaluate(FOCUSED) == hand[0]
    page.keyboard.press("ArrowUp")
    assert page.evaluate(FOCUSED) == hand[-1]
    page.keyboard.press("Tab")
    assert not page.evaluate(FOCUSED)
    page.keyboard.press("Shift+Tab")
    assert page.evaluate(FOCUSED) == hand[-1]


def test_what_is_chosen_by_arrows_is_what_enter_plays_and_the_place_stays(
    app: Flask, simulation: Simulation, sit_at: Callable[..., Page]
) -> None:
    page, hand = choosing_in_hearts(app, simulation, sit_at)
    tab_to_a_card(page)
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".in-hand [aria-pressed=true]")).to_have_count(1)
    assert [*simulation.sights[1].sees["given"]] == [hand[4]]
    assert page.evaluate(FOCUSED) == hand[4]
    page.keyboard.press("ArrowRight")
    assert page.evaluate(FOCUSED) == hand[5]


def test_other_keys_with_arrows_are_left_to_the_browser(
    app: Flask, simulation: Simulation, sit_at: Callable[..., Page]
) -> None:
    page, _ = choosing_in_hearts(app, simulation, sit_at)
    tab_to_a_card(page)
    card = page.evaluate(FOCUSED)
    for key in ("Shift+ArrowRight", "Control+End", "a"):
        page.keyboard.press(key)
        assert page.evaluate(FOCUSED) == card


def test_a_finger_chooses_any_card_and_arrows_go_on_from_there(
    app: Flask, simulation: Simulation, sit_at: Callable[..., Page]
) -> None:
    page, hand = choosing_in_hearts(app, simulation, sit_at)
    page.locator(f".in-hand form:has([value='{hand[6]}']) button").click()
    expect(page.locator(".in-hand [aria-pressed=true]")).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(FOCUSED) == hand[5]


@pytest.mark.parametrize(("slug", "kind"), [("kartel", "take"), ("stop-it", "pick"), ("go", "take-pile")])
def test_what_lies_before_all_is_one_stop_too(
    app: Flask, simulation: Simulation, sit_at: Callable[..., Page], slug: str, kind: str
) -> None:
    ana = begin_with_bots(app, slug)
    physics = games.known()[slug].physics
    assert physics is not None
    chance = random.Random(2)
    while len([move for move in simulation.sights[1].moves if move.what.startswith(kind[:4])]) < 2:
        moves = (physics.choose(sight, "middle", chance) for sight in simulation.sights.values() if sight.moves)
        simulation.play(next(move for move in moves if move))
    page = sit_at(ana)
    choices = page.get_by_role("toolbar", name="To choose from")
    number = choices.get_by_role("button").count()
    assert number > 1
    assert choices.locator("button[tabindex='0']").count() == 1
    choices.locator("button[tabindex='0']").focus()
    page.keyboard.press("End")
    expect(choices.get_by_role("button").nth(number - 1)).to_be_focused()


def test_without_a_script_every_card_is_a_stop_of_its_own(
    app: Flask, simulation: Simulation, sit_at: Callable[..., Page]
) -> None:
    ana = begin_with_bots(app, "hearts")
    until_ana_chooses(simulation, "hearts", "give")
    page = sit_at(ana, java_script_enabled=False)
    hand = simulation.sights[1].sees["hand"]
    assert page.locator(".in-hand button").count() == len(hand)
    assert page.locator(".in-hand [tabindex], [role=toolbar]").count() == 0


@pytest.mark.parametrize("slug", ["stop-it", "stop-me-go", "go", "kartel", "hearts", "crazy-eights", "speed-snap"])
def test_a_screen_readers_heading_key_walks_the_table(app: Flask, live: Live, slug: str) -> None:
    ana = begin_with_bots(app, slug)
    for path in ("/seat/1", "/", "/table"):
        page = ana.get(path).text
        headings = re.findall(r'<h[1-6][^>]*>[^<]*|role="heading" aria-level="\d"[^>]*>[^<]*', page)
        headed = [heading.rpartition(">")[2].strip() for heading in headings if "heading" in heading]
        assert set(names(live)) <= set(headed), f"{path}: {headed}"
        assert len(headed) == len(set(headed)), f"{path}: {headed}"
