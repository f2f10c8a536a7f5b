"""Who plays by ear hears what happened, then what to do, each once; nothing takes the focus from them."""

import random
import re
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion.game.simulated_world import Move
from companion.games.crazy_eights.cards import is_eight
from companion.live.simulation import Simulation
from companion.live.table import Live
from companion.web.render.words import PageWords
from tests.chromium import Opened, until_news
from tests.trust.by_ear.page import Ears
from tests.web.bots.sitting import begin_with_bots, bots_move, one_move
from tests.web.listening import RECORD, focused_in_tree, hear, take_heard
from tests.web.table import Clock, token_of

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


def bots_turn(simulation: Simulation, kind: str) -> Move:
    move = next(
        move for seat, sight in simulation.sights.items() if seat != 1 for move in sight.moves if move.what == kind
    )
    simulation.play(move)
    return move


def to_anas_turn(simulation: Simulation) -> None:
    while not simulation.sights[1].moves:
        simulation.play(next(move for sight in simulation.sights.values() for move in sight.moves))


def test_after_an_act_the_news_is_said_and_the_task_is_read_where_the_focus_goes(
    app: Flask, simulation: Simulation, listen: Listening
) -> None:
    ana = begin_with_bots(app, "kartel")
    to_anas_turn(simulation)
    page = listen(ana)
    take_heard(page)
    page.get_by_role("button", name="Roll").press("Enter")
    sentences = hear(page, "Take one of")
    rolled = [text for how, text in sentences if how == "said"]
    assert [how for how, _ in sentences][-1] == "focus"
    assert len([text for text in rolled if "You roll" in text]) == 1
    assert not [text for text in rolled if "Take one of" in text]
    assert focused_in_tree(page) == {"role": "generic", "name": sentences[-1][1]}, (
        "of a paragraph Orca reads a line twice"
    )
    assert page.evaluate("document.activeElement.id") == "now"
    assert len(sentences[-1][1].split()) < 15


def after_anas_roll(ana: FlaskClient, simulation: Simulation, listen: Listening) -> Page:
    """Ana has rolled, and the sentence that says what to do now is about to get the focus of her button."""
    to_anas_turn(simulation)
    page = listen(ana)
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    take_heard(page)
    page.get_by_role("button", name="Roll").press("Enter")
    page.get_by_role("button", name="Roll").wait_for(state="detached")
    return page


def test_a_task_that_changes_before_the_focus_is_set_on_it_is_read_once_and_not_said_as_well(
    app: Flask, simulation: Simulation, listen: Listening
) -> None:
    ana = begin_with_bots(app, "kartel")
    page = after_anas_roll(ana, simulation, listen)
    simulation.play(simulation.sights[1].moves[0])
    expect(page.locator("#now")).to_contain_text("roll")
    page.clock.run_for(1000)
    sentences = take_heard(page)
    task = page.locator("#now").inner_text()
    assert [how for how, text in sentences if text.endswith(task)] == ["focus"]


def test_a_task_that_was_to_be_read_is_said_to_who_has_moved_the_focus_meanwhile(
    app: Flask, simulation: Simulation, listen: Listening
) -> None:
    ana = begin_with_bots(app, "kartel")
    page = after_anas_roll(ana, simulation, listen)
    page.locator("#to-reading").focus()
    page.clock.run_for(1000)
    sentences = take_heard(page)
    assert [how for how, text in sentences if "Take one of" in text] == ["said"]
    assert page.evaluate("document.activeElement.id") == "to-reading"


def test_while_bots_move_each_move_is_said_once_before_the_task_and_the_focus_stays(
    app: Flask, simulation: Simulation, listen: Listening
) -> None:
    ana = begin_with_bots(app, "kartel")
    while simulation.sights[1].moves:
        simulation.play(simulation.sights[1].moves[0])
    page = listen(ana)
    page.locator("#to-reading").focus()
    take_heard(page)
    simulation.play(next(move for sight in simulation.sights.values() for move in sight.moves))
    sentences = hear(page, "take one of")
    assert [how for how, _ in sentences] == ["said", "said"]
    assert "rolls a" in sentences[0][1]
    assert "take one of" in sentences[1][1]
    assert page.evaluate("document.activeElement.id") == "to-reading"


def test_what_comes_together_is_one_paragraph_for_a_screen_reader_and_each_sentence_stops(
    app: Flask, simulation: Simulation, listen: Listening
) -> None:
    ana = begin_with_bots(app, "crazy-eights")
    to_anas_turn(simulation)
    page = listen(ana)
    simulation.play(simulation.sights[1].moves[0])
    sentences = page.locator("#voice > *")
    expect(sentences).to_have_text(re.compile(r"^The first card is the [^.]+\. [^.]+, [^.]+\. Bot Kim lays .+\. $"))


def test_a_task_before_which_stands_who_has_dealt_is_read_where_the_focus_goes_and_not_said_as_well(
    app: Flask, live: Live, simulation: Simulation, clock: Clock, listen: Listening
) -> None:
    ana = begin_with_bots(app, "crazy-eights")
    lays: list[Move] = []
    move = simulation.sights[1].moves[0]
    while not lays or move.what != "deal":
        move = one_move("crazy-eights", live, simulation, clock)
        lays = [move for move in simulation.sights[1].moves if move.what == "play" and not is_eight(move.card)]
    page = listen(ana)
    take_heard(page)
    page.locator(f"form:has([name=card][value={lays[0].card}]) button").press("Enter")
    sentences = hear(page, "has dealt")
    assert sentences[-1][0] == "focus"
    assert [text for how, text in sentences if how == "said" and sentences[-1][1].endswith(text)] == []


def test_a_page_that_is_loaded_again_says_nothing_twice_and_loses_nothing(
    app: Flask, simulation: Simulation, listen: Listening
) -> None:
    ana = begin_with_bots(app, "kartel")
    to_anas_turn(simulation)
    page = listen(ana)
    page.reload()
    until_news(page)
    assert [text for how, text in take_heard(page) if how == "said"] == []
    page.goto("about:blank")
    simulation.play(simulation.sights[1].moves[0])
    page.go_back()
    until_news(page)
    assert "You roll" in hear(page, "Take one of")[0][1]


@pytest.mark.parametrize("slug", ["stop-it", "stop-me-go", "go", "kartel", "hearts"])
def test_the_end_of_a_match_is_heard_with_its_winner_and_where_the_match_stands(
    app: Flask, live: Live, simulation: Simulation, clock: Clock, listen: Listening, slug: str
) -> None:
    page = listen(begin_with_bots(app, slug))
    take_heard(page)
    play_to_the_end(slug, live, simulation, clock)
    sentences = [text for how, text in hear(page, "The match is over.") if how == "said"]
    assert [text for text in sentences if re.search(r"\bwins?\b", text)]
    assert sentences.index("The match is over.") == len(sentences) - 1


def test_keys_tell_what_happened_and_where_one_stands(app: Flask, simulation: Simulation, listen: Listening) -> None:
    ana = begin_with_bots(app, "kartel")
    while simulation.sights[1].moves:
        simulation.play(simulation.sights[1].moves[0])
    bots_turn(simulation, "roll")
    page = listen(ana, "normal-reader")
    take_heard(page)
    page.keyboard.press("F4")
    assert "rolls a" in str(hear(page, "rolls a"))
    page.keyboard.press("F8")
    assert "You: 0." in [text for _, text in hear(page, "You: 0.")]


def test_a_key_shouts(app: Flask, live: Live, simulation: Simulation, listen: Listening) -> None:
    page = listen(begin_with_bots(app, "stop-it"), "normal-reader")
    simulation.play(simulation.sights[1].moves[0])
    page.get_by_role("button", name="Stop it!").wait_for()
    with page.expect_request("**/play/move") as request:
        page.keyboard.press("F2")
    assert "what=shout" in (request.value.post_data or "")
    expect(page.locator("[aria-keyshortcuts=F8]")).to_have_text("Where do I stand?")


def test_a_pile_that_changes_is_named_and_a_stop_card_before_all_else(
    app: Flask, simulation: Simulation, listen: Listening
) -> None:
    page = listen(begin_with_bots(app, "stop-it"), "short-reader")
    simulation.play(simulation.sights[1].moves[0])
    hear(page, "Pile 5")
    bot = next(seat for seat in simulation.sights if seat != 1)
    heard: list[str] = []
    while not any(text.startswith("Stop!") for text in heard):
        number = random.Random(len(heard)).choice([1, 2, 3, 4, 5])
        simulation.play(next(move for move in simulation.sights[bot].moves if move.number == number))
        top = simulation.sights[1].sees["piles"][number - 1]["top"]
        assert top
        heard = [text for _, text in hear(page, f"ile {number}:")]
        assert len(heard) == 1
    page.get_by_role("button", name="green").first.press("Enter")


def test_what_one_draws_is_heard_and_what_is_left_over(app: Flask, simulation: Simulation, listen: Listening) -> None:
    ana = begin_with_bots(app, "go")
    while not any(move.what == "take-pile" for move in simulation.sights[1].moves):
        simulation.play(
            next(move for sight in simulation.sights.values() for move in sight.moves if move.what != "call")
        )
    page = listen(ana)
    take_heard(page)
    page.locator("form:has([value=take-pile]) button").press("Enter")
    sentences = [text for _, text in hear(page, "iscard")]
    sees = simulation.sights[1].sees
    words = PageWords("go", "en", {})
    assert words.card(sees["drawn"]) in sentences
    assert f"Penalty points: {sees['penalty']}" in sentences


def test_a_hand_that_is_dealt_anew_is_said_whole(app: Flask, live: Live, simulation: Simulation, clock: Clock) -> None:
    """Even the cards that the last hand held as well."""
    ana = begin_with_bots(app, "go")
    ears = Ears()
    ears.listen(ana.get("/seat/1").text)
    is_card_back = False
    while not is_card_back:
        last_hand = simulation.sights[1].sees["hand"]
        last = one_move("go", live, simulation, clock)
        sentences = ears.listen(ana.get("/seat/1").text)
        hand = simulation.sights[1].sees["hand"]
        is_card_back = last.what == "deal" and not set(hand).isdisjoint(last_hand)
    words = PageWords("go", "en", {})
    assert ", ".join(words.card(card) for card in hand) in sentences


@pytest.mark.parametrize("slug", ["stop-it", "stop-me-go", "go", "kartel", "hearts", "crazy-eights", "speed-snap"])
def test_nobody_is_told_by_name_what_they_did_themselves(
    app: Flask, live: Live, simulation: Simulation, clock: Clock, slug: str
) -> None:
    ana = begin_with_bots(app, slug)
    ears = Ears()
    heard: list[str] = []
    for _ in range(60):
        if live.ask(lambda match: match.over):
            break
        one_move(slug, live, simulation, clock)
        sentences = ears.listen(ana.get("/seat/1").text)
        heard += sentences
    assert [sentence for sentence in heard if re.match(r"Ana( |’s |:)(?!and |\d|[−+])", sentence)] == []


def test_what_lies_in_the_middle_of_crazy_eights_is_told_to_who_asks(
    app: Flask, live: Live, simulation: Simulation, clock: Clock
) -> None:
    ana = begin_with_bots(app, "crazy-eights")
    while not simulation.sights[1].sees.get("hand") or not live.ask(lambda match: match.state.stack):
        one_move("crazy-eights", live, simulation, clock)
    ears = Ears()
    ears.listen(ana.get("/seat/1").text)
    state = live.ask(lambda match: match.state)
    words = PageWords("crazy-eights", "en", {})
    suit = words.say(f"colour-{state.suit}")
    assert f"On top lies the {words.card(state.stack[-1])}. Suit: {suit}. In the pile: {state.pile}." in ears.standing
    assert [sentence for sentence in ears.standing if "cards: 5." in sentence]


def test_what_may_be_laid_is_said_in_the_order_of_the_hand(app: Flask, simulation: Simulation) -> None:
    ana = begin_with_bots(app, "hearts")
    while not any(move.what == "lay" for move in simulation.sights[1].moves):
        simulation.play(
            next(move for sight in simulation.sights.values() for move in sight.moves if move.what != "keep")
        )
    sight = simulation.sights[1]
    may_lay = {move.card for move in sight.moves}
    words = PageWords("hearts", "en", {})
    in_order = [words.card(card) for card in sight.sees["hand"] if card in may_lay]
    assert f"You may lay: {words.several(in_order)}." in ana.get("/seat/1").text


def play_to_the_end(slug: str, live: Live, simulation: Simulation, clock: Clock) -> None:
    chance = random.Random(3)
    for _ in range(1000):
        if live.ask(lambda match: match.over):
            return
        clock.now += 1.0  # a press is shown once no earlier one can come
        move = next(filter(None, (bots_move(slug, sight, chance) for sight in simulation.sights.values())), None)
        if move:
            simulation.play(move)
    raise AssertionError("it never ended")
