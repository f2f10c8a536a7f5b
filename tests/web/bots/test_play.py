"""Playing at the simulated table against bots, and never with what another holds."""

import random
import re
from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec import UNSET
from playwright.sync_api import expect

from companion import games
from companion.access.rights_file import Phones
from companion.acts.question import LAPSES
from companion.events import Pressed
from companion.game.simulated_world import Move
from companion.kit.in_chromium import Glass, Rendered
from companion.kit.simulated_matches import PLAYABLE, disguised
from companion.live.bots import Bots
from companion.live.simulation import Simulation
from companion.live.table import Live
from companion.web.render.page_names import Page
from companion.web.render.words import PageWords
from tests.chromium import PHONE, Opened, in_still_time
from tests.live.simulated import take_back
from tests.web.bots.sitting import ANY, begin_with_bots, first_move, moves_of, moves_of_bo, sit
from tests.web.table import BOS, Clock, acts, app_with, client_of, post, question, token_of
from tests.web.test_states import ACROSS, BELOW


@pytest.mark.parametrize(("slug", "act"), [("go", "take-pile"), ("stop-it", "pick")])
def test_the_card_just_drawn_is_marked_until_the_next_act(
    app: Flask, simulation: Simulation, slug: str, act: str
) -> None:
    ana = begin_with_bots(app, slug)

    def do(*whats: str) -> Move:
        move = next(move for move in simulation.sights[1].moves if move.what in whats)
        simulation.play(move)
        return move

    def marked() -> list[str]:
        held = ana.get("/seat/1").text.partition('id="hand-held"')[2].partition("</section>")[0]
        drawn = r'<li class="drawn[^>]*>.*?aria-label="([^"]+)".*?<small>new</small></li>'
        return re.findall(drawn, held, re.DOTALL)

    if slug == "stop-it":
        do("start")
    assert marked() == []
    hand_before = set(simulation.sights[1].sees["hand"])
    do(act)
    (drawn,) = set(simulation.sights[1].sees["hand"]) - hand_before
    assert marked() == [PageWords(slug, "en").card(drawn)]
    simulation.play(next(move for move in simulation.sights[1].moves if move.card != drawn))
    assert PageWords(slug, "en").card(drawn) not in marked()


def test_a_count_stays_until_somebody_who_plays_has_read_it(app: Flask, simulation: Simulation) -> None:
    ana = begin_with_bots(app, "go")
    chance = random.Random(1)
    assert "Go on" not in ana.get("/seat/1").text
    while not simulation.reads:
        moves = [move for sight in simulation.sights.values() for move in sight.moves]
        ends = [move for move in moves if move.what in ("show", "best") or (move.what == "call" and move.seat != 1)]
        simulation.play(chance.choice(ends or moves))
    assert "Go on" in ana.get("/seat/1").text
    assert client_of(app, None).post("/play/read").status_code == 403
    assert simulation.reads
    assert post(ana, "/play/read")[0] == 200
    assert "Go on" not in ana.get("/seat/1").text


@pytest.mark.parametrize("slug", ["crazy-eights", "hearts"])
def test_once_somebody_has_dealt_again_everybody_else_reads_who(
    app: Flask, clock: Clock, simulation: Simulation, slug: str
) -> None:
    ana = begin_with_bots(app, slug)
    chance = random.Random(1)
    has_dealt = re.compile("[^ >]+ has dealt[.]")

    def moves() -> list[Move]:
        clock.now += 1
        return [move for sight in simulation.sights.values() for move in sight.moves if move.what != "keep"]

    while not (deals := [move for move in moves() if move.what == "deal" and move.seat != 1]):
        simulation.play(chance.choice(moves()))
    simulation.play(deals[0])
    assert has_dealt.search(ana.get("/seat/1").text)
    assert has_dealt.search(ana.get("/big").text)
    first = moves()[0]
    simulation.play(first)
    assert has_dealt.search(ana.get("/big").text)
    while (move := moves()[0]).seat == first.seat:
        simulation.play(move)
    simulation.play(move)
    assert not has_dealt.search(ana.get("/big").text), "the next player is at it"


ALIKE = 3
"""Pages that offer the same act: so many early in a match, and late in it, when hands and stories are long."""


def turns(app: Flask, live: Live, clock: Clock, simulation: Simulation, slug: str) -> Iterator[tuple[str, str]]:
    """Yield what the page of who plays against bots offers first, and that page, before each of its moves."""
    phone = begin_with_bots(app, slug)
    bots = Bots(simulation, chance=random.Random(2))
    due = 0.0
    for _ in range(4000):
        clock.now += 1
        if simulation.sights[1].moves:
            page = phone.get("/seat/1?lang=fr").text
            offered = re.findall(r'action="/play/move"[^>]*>(.*?)</form>', page, re.DOTALL)
            forms = (dict(re.findall(r'name="(\w+)"\s+value="([^"]*)"', form)) for form in offered)
            form = next(
                form for form in forms if form["what"] != "keep"
            )  # a card laid aside can be taken back for ever
            yield form["what"], page
            assert phone.post("/play/move", data=form).location == "/seat/1"
        due = bots.step(due) or due
        if live.ask(lambda match: match.over):
            return


def test_what_is_awaited_of_a_player_stays_under_their_thumb_while_bots_do_theirs(
    app: Flask, simulation: Simulation
) -> None:
    ana = begin_with_bots(app, "stop-me-go")
    simulation.play(next(move for move in simulation.sights[1].moves if move.what == "turn-up"))
    assert '<div class="slip"' in ana.get("/seat/1").text
    simulation.play(next(move for seat in simulation.bots for move in simulation.sights[seat].moves))
    assert '<div class="slip"' in ana.get("/seat/1").text
    simulation.play(simulation.sights[1].moves[0])
    assert '<div class="slip"' not in ana.get("/seat/1").text


def test_a_press_on_a_phone_is_told_as_one_and_a_bots_is_exact(app: Flask, live: Live, simulation: Simulation) -> None:
    begin_with_bots(app, "stop-it")
    for seat in (1, *simulation.bots):
        simulation.play(next(move for move in simulation.sights[seat].moves if move.what in ("start", "shout")))
    presses = live.ask(lambda match: [event for event in match.events if isinstance(event, Pressed)])
    assert [event.by for event in presses] == ["phone", *[UNSET] * len(simulation.bots)]


def test_a_match_is_not_left_for_another_without_a_question(app: Flask) -> None:
    ana = begin_with_bots(app, ANY)
    page = ana.get("/host/match").text
    assert re.search(r'action="/play" class="against" data-sure="A match is under way', page)
    assert 'action="/again"' not in page  # one way to the next is enough
    assert "/demo/start" not in page  # it would be refused


def test_setting_a_match_up_deals_it_with_as_many_bots_as_before(ana: FlaskClient) -> None:
    dealt, by_hand = ana.get("/host/match").text.split('id="play"')[1].split('id="by-hand"')
    assert "<option selected>2</option>" in dealt
    assert ['action="/start"' in part for part in (dealt, by_hand)] == [False, True]
    assert "Bot Kim" not in by_hand
    assert "As in the last match" not in by_hand


def test_a_move_is_made_by_the_phone_of_its_seat_alone_and_once(
    app: Flask, live: Live, simulation: Simulation, ana: FlaskClient
) -> None:
    acts_before = acts(live)
    move = first_move(simulation)
    assert post(client_of(app, BOS), "/play/move", **move)[0] == 403
    assert acts(live) == acts_before
    for _ in range(2):  # a finger that touches twice means it once
        assert post(ana, "/play/move", **move) == (200, "")
    assert post(ana, "/play/move", **{**move, "number": 99})[0] == 409
    assert acts(live) == acts_before + 1


def test_who_is_slower_with_what_anybody_may_do_is_not_told_off(app: Flask, simulation: Simulation) -> None:
    ana = begin_with_bots(app, "stop-me-go")
    bo = sit(app, ana)
    (turn_up,) = simulation.sights[1].moves
    form = {"what": turn_up.what, "card": turn_up.card, "number": turn_up.number}
    assert post(ana, "/play/move", seat=1, **form) == (200, "")
    assert post(bo, "/play/move", seat=3, **form) == (200, "")  # it has happened, as both wanted
    lay = simulation.sights[1].moves[0]
    assert post(ana, "/play/move", seat=1, what=lay.what, card=lay.card) == (200, "")
    assert post(bo, "/play/move", seat=3, what=lay.what, card=lay.card)[0] == 409  # and nobody hears what another laid


def test_where_things_are_simulated_nothing_else_is_entered(live: Live, ana: FlaskClient) -> None:
    acts_before = acts(live)
    entered = {"kind": "said", "seat": 1, "what": "roll", "value": "4"}
    for path in ("/enter", "/take-back", "/right/0", "/table/lay", "/table/press"):
        assert post(ana, path, **entered)[0] == 409, path
    assert acts(live) == acts_before


def test_a_page_is_made_once_however_many_ask_for_it(app: Flask, simulation: Simulation, ana: FlaskClient) -> None:
    post(ana, "/play/move", **first_move(simulation))
    screens = app.extensions["companion"].screens
    assert screens.fragment(Page("seat", 1), "en") is screens.fragment(Page("seat", 1), "en")


def test_bots_wait_for_the_answer(app: Flask, simulation: Simulation) -> None:
    ana = begin_with_bots(app, ANY)
    bo = sit(app, ana)
    post(bo, "/take-back", **moves_of_bo(simulation, bo, until=4))
    bots = Bots(simulation, pace=0.0, chance=random.Random(1))
    assert bots.step(0.0) == LAPSES
    assert post(ana, "/answer", question=question(ana, "/host"), answer="no")[0] == 200
    assert bots.step(0.0) == 0.0


def test_bots_wait_for_an_answer_that_was_asked_for_before_a_restart(
    app: Flask, simulation: Simulation, live: Live, phones: Phones, ticks: Clock
) -> None:
    bo = sit(app, begin_with_bots(app, ANY))
    post(bo, "/take-back", **moves_of_bo(simulation, bo, until=4))
    started_again = Simulation(live)
    started_again.resume()
    app_with(live, phones, simulation=started_again, clock=ticks)
    assert Bots(started_again, pace=0.0, chance=random.Random(1)).step(0.0) == LAPSES


def test_bots_wait_no_longer_once_whoever_asks_gets_up_and_hear_of_it_at_once(
    app: Flask, simulation: Simulation
) -> None:
    ana = begin_with_bots(app, ANY)
    bo = sit(app, ana)
    post(bo, "/take-back", **moves_of_bo(simulation, bo, until=4))
    bots = Bots(simulation, pace=0.0, chance=random.Random(1))
    assert bots.step(0.0) == LAPSES
    looks: list[None] = []
    simulation.watch(lambda: looks.append(None))
    assert post(bo, "/free", part=3)[0] == 200
    assert looks
    assert bots.step(0.0) != LAPSES


def test_bots_wait_for_no_answer_that_nobody_is_left_to_give(app: Flask, simulation: Simulation) -> None:
    """The host asks whoever else plays; where all of them have got up, bots alone are left."""
    ana = begin_with_bots(app, ANY)
    bo = sit(app, ana)
    post(ana, "/take-back", **moves_of(simulation, ana, 1, until=4))
    bots = Bots(simulation, pace=0.0, chance=random.Random(1))
    assert bots.step(0.0) == LAPSES
    assert post(bo, "/free", part=3)[0] == 200
    assert bots.step(0.0) != LAPSES


@pytest.mark.parametrize("slug", PLAYABLE)
def test_a_page_shows_a_move_and_what_it_brings_at_once_and_never_the_half_of_it(
    app: Flask, live: Live, simulation: Simulation, slug: str
) -> None:
    begin_with_bots(app, slug)
    screens = app.extensions["companion"].screens
    chance = random.Random(1)
    seats = [Page("seat", seat) for seat in (1, 2, 3)]
    half: set[tuple[Page, bytes]] = set()

    def looked() -> set[tuple[Page, bytes]]:
        with app.test_request_context():
            return {(page, screens.fragment(page, "en")) for page in seats}

    live.watch(lambda: half.update(looked()))  # while it is told
    for step in range(60):
        whole = looked()
        half.clear()
        moves = [move for sight in simulation.sights.values() for move in sight.moves]
        if step % 9 == 8 or not moves:
            done = simulation.playing.done if simulation.playing else pytest.fail("no world")
            since = done[-chance.randint(1, 5)].before + 1
            take_back(simulation, lambda match, since=since: since)
        else:
            simulation.play(chance.choice(moves))
        assert half <= whole | looked()
    assert not live.faults.known


@pytest.mark.parametrize("slug", ["go", "stop-it", "stop-me-go"])
def test_other_hidden_cards_give_the_same_bytes(app: Flask, simulation: Simulation, slug: str) -> None:
    phone = begin_with_bots(app, slug)
    chance = random.Random(1)
    for _ in range(12):
        moves = [move for sight in simulation.sights.values() for move in sight.moves if move.what != "call"]
        simulation.play(chance.choice(moves))
    world_file, world = simulation._now or pytest.fail("no world")
    other = disguised(games.known()[slug], world, 1, chance)
    pages = [phone.get(path).data for path in ("/seat/1", "/", "/big", "/table", "/story/1")]
    simulation._now = world_file, other
    assert other != world
    assert [phone.get(path).data for path in ("/seat/1", "/", "/big", "/table", "/story/1")] == pages


@pytest.mark.parametrize("slug", PLAYABLE)
def test_the_first_thing_that_a_page_offers_is_seen_at_once_and_leads_to_the_end_of_a_match_against_bots(
    app: Flask, live: Live, clock: Clock, simulation: Simulation, glass: Glass, slug: str
) -> None:
    """Also on a phone that lies across."""
    pages = [*turns(app, live, clock, simulation, slug)]
    assert live.ask(lambda match: (match.over, match.misplays)) == (True, [])
    by_act: dict[str, list[Rendered]] = {}
    for turn, (kind, page) in enumerate(pages):
        by_act.setdefault(kind, []).append(Rendered(f"{kind} in turn {turn}", "fr", page))
    few = [page for alike in by_act.values() for page in (*alike[:ALIKE], *alike[ALIKE:][-ALIKE:])]
    assert glass.ask(few, BELOW, *ACROSS) == []


def test_the_shout_is_the_largest_thing_on_a_phone_and_whole_on_the_smallest(
    app: Flask, simulation: Simulation, glass: Glass
) -> None:
    ana = begin_with_bots(app, "stop-it")
    simulation.play(next(move for move in simulation.sights[1].moves if move.what == "start"))
    small = """() => [...document.querySelectorAll("button.shout")]
        .map((one) => [Math.min(one.offsetWidth, one.offsetHeight), innerHeight - one.getBoundingClientRect().bottom])
        .filter(([size, below]) => size < 130 || below < 0)"""
    page = ana.get("/seat/1?lang=fr").text
    assert "shout" in page
    assert glass.ask([Rendered("collecting", "fr", page)], small, {"width": 320, "height": 568}, PHONE) == []


def test_a_match_is_played_against_bots_in_a_browser(
    served: Callable[[Flask], Opened], app: Flask, live: Live, simulation: Simulation
) -> None:
    bots = Bots(simulation, pace=0.02, chance=random.Random(1))
    bots.start()
    try:
        page = served(app)("/", token=None, viewport=PHONE)
        page.get_by_label("Your name").fill("Ana")
        page.locator("button[name=game][value=go].play-bots").click()
        page.wait_for_url("**/seat/1")
        page.evaluate("setInterval(() => document.querySelector('.world form button')?.click(), 40)")
        expect(page.locator("form.went")).to_be_visible()
    finally:
        bots.stop()
    assert live.ask(lambda match: (match.over, match.misplays)) == (True, [])


COVERED = """() => {
  const asked = document.getElementById('question').getBoundingClientRect();
  const crosses = (box) => box.top < asked.bottom && asked.top < box.bottom && box.width;
  return [...document.querySelectorAll('.me, .slip, .headline, .now, .mine button')]
    .filter((one) => crosses(one.getBoundingClientRect())).map((one) => one.textContent.trim());
}"""


def test_what_is_asked_covers_neither_the_news_nor_what_is_to_be_tapped(
    app: Flask, ana: FlaskClient, served: Callable[[Flask], Opened]
) -> None:
    bo = sit(app, ana)
    opened = served(app)
    asker, answerer = (  # an answer is gone after seconds
        opened(f"/seat/{seat}", token=token_of(phone), viewport=PHONE, go=in_still_time)
        for seat, phone in ((1, ana), (3, bo))
    )
    asker.locator("#leave summary").click()
    asker.get_by_role("button", name="End the match now").click()
    for page in (asker, answerer):
        expect(page.locator("#question")).to_be_visible()
        page.evaluate("scrollTo(0, 0)")
        assert page.evaluate(COVERED) == []
    for scrolled in (0, 999):  # an answer hides neither whose phone it is nor what it is about
        asker.evaluate("down => scrollTo(0, down)", scrolled)
        toast, own_things, below = (asker.locator(css).bounding_box() for css in ("#toast", ".me", "#question"))
        assert toast
        assert own_things
        assert below
        assert toast["y"] + toast["height"] <= (below["y"] if scrolled else own_things["y"])
