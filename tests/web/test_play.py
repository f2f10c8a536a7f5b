"""Playing at the simulated table: alone against bots, in a bot's place, and never with what another holds."""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect

from companion import games
from companion.access.player_looks import ANIMALS, COLOURS
from companion.access.rights_file import AFTER_A_START, HAS_A_SAY, Phones
from companion.access.seat_rights import Rights
from companion.kit.looking import Glass, Rendered
from companion.kit.simulated import PLAYABLE, disguised
from companion.live.bots import Bots
from companion.live.simulation import Simulation
from companion.live.table import Live
from companion.physics import Move
from companion.web.consent import AGAIN
from companion.web.render.words import PageWords
from tests.chromium import PHONE, Opened
from tests.web.table import BOS, Clock, acts, app_with, client_of, living, phones_of, post, question
from tests.web.test_states import ACROSS, BELOW
from tests.web.test_undo import line

ANY = "kartel"


@pytest.fixture
def live(tmp_path: Path, clock: Clock) -> Iterator[Live]:
    """No match yet."""
    with living(tmp_path, clock, simulated=True) as live:
        yield live


@pytest.fixture
def simulation(live: Live) -> Simulation:
    """Its bots do nothing by themselves."""
    return Simulation(live, seed=lambda: "always the same")


@pytest.fixture
def ticks() -> Clock:
    return Clock()


@pytest.fixture
def phones(live: Live, ticks: Clock) -> Phones:
    return phones_of(live, {}, ticks)


@pytest.fixture
def app(live: Live, phones: Phones, simulation: Simulation, ticks: Clock) -> Flask:
    return app_with(live, phones, simulation=simulation, clock=ticks)


@pytest.fixture
def ana(app: Flask) -> FlaskClient:
    """Her phone has begun a match against two bots."""
    return begun(app, ANY)


def begun(app: Flask, slug: str) -> FlaskClient:
    phone = client_of(app, None)
    assert post(phone, "/play", game=slug, name="Ana", bots=2)[0] == 200
    return phone


def sit(app: Flask, ana: FlaskClient, name: str = "Bo") -> FlaskClient:
    """Somebody sits down in a bot's place, and Ana agrees."""
    other = client_of(app, None)
    assert post(other, "/play/sit", seat=3, name=name)[0] == 200
    assert post(ana, "/answer", question=question(ana, "/seat/1"), answer="yes")[0] == 200
    return other


def first_move(simulation: Simulation) -> dict[str, object]:
    move = simulation.sights[1].moves[0]
    return {"seat": 1, "what": move.what, "card": move.card, "number": move.number}


def names(live: Live) -> list[str]:
    return live.ask(lambda match: list(match.names.values()))


@pytest.mark.parametrize(("slug", "act"), [("go", "take-pile"), ("stop-it", "pick")])
def test_the_card_just_drawn_is_marked_until_the_next_act(
    app: Flask, simulation: Simulation, slug: str, act: str
) -> None:
    ana = begun(app, slug)

    def do(*whats: str) -> Move:
        move = next(move for move in simulation.sights[1].moves if move.what in whats)
        simulation.play(move)
        return move

    def marked() -> list[str]:
        held = ana.get("/seat/1").text.partition('id="hand-held"')[2].partition("</section>")[0]
        return re.findall(r'<li class="drawn">.*?aria-label="([^"]+)".*?<small>new</small></li>', held, re.DOTALL)

    if slug == "stop-it":
        do("start")
    assert marked() == []
    before = set(simulation.sights[1].sees["hand"])
    do(act)
    (drawn,) = set(simulation.sights[1].sees["hand"]) - before
    assert marked() == [PageWords(slug, "en").card(drawn)]
    simulation.play(next(move for move in simulation.sights[1].moves if move.card != drawn))
    assert PageWords(slug, "en").card(drawn) not in marked()


def test_a_count_stays_until_somebody_who_plays_has_read_it(app: Flask, simulation: Simulation) -> None:
    ana, chance = begun(app, "go"), random.Random(1)
    assert "Next round" not in ana.get("/seat/1").text
    while not simulation.reads:
        moves = [move for sight in simulation.sights.values() for move in sight.moves]
        ends = [move for move in moves if move.what in ("show", "best") or (move.what == "call" and move.seat != 1)]
        simulation.play(chance.choice(ends or moves))
    assert "Next round" in ana.get("/seat/1").text
    assert client_of(app, None).post("/play/read").status_code == 403
    assert simulation.reads
    assert post(ana, "/play/read")[0] == 200
    assert "Next round" not in ana.get("/seat/1").text


def turns(app: Flask, live: Live, clock: Clock, simulation: Simulation, slug: str) -> Iterator[FlaskClient]:
    """Yield the phone of who plays against bots before each of its moves: always the first that its page offers."""
    phone, bots, due = begun(app, slug), Bots(simulation, chance=random.Random(1)), 0.0
    for _ in range(400):
        clock.now += 1
        yield phone
        offered = re.search(r'action="/play/move">(.*?)</form>', phone.get("/seat/1").text, re.DOTALL)
        if offered:
            form = dict(re.findall(r'name="(\w+)" value="([^"]*)"', offered[1]))
            assert phone.post("/play/move", data=form).location == "/seat/1"
        due = bots.step(due) or due
        if live.ask(lambda match: match.over):
            return


def test_a_bot_goes_on_for_who_leaves(app: Flask, simulation: Simulation) -> None:
    ana = begun(app, ANY)
    assert "A bot plays on for you." in ana.get("/seat/1").text
    before = dict(simulation.bots)
    post(ana, "/free", part=1)
    assert set(simulation.bots) == {1, *before}
    assert set(simulation.bots.values()) == set(before.values())
    Bots(simulation, chance=random.Random(1)).step(0.0)
    assert post(ana, "/play/sit", seat=1, name="Ana")[0] == 200
    assert 1 not in simulation.bots


def test_a_match_is_not_left_for_another_without_a_question(app: Flask) -> None:
    ana = begun(app, ANY)
    page = ana.get("/host/match").text
    assert re.search(r'action="/play" class="against" data-sure="A match is under way', page)
    assert 'action="/again"' not in page  # one way to the next is enough


def test_what_is_preselected_for_who_comes_next_is_nobodys(app: Flask, ana: FlaskClient) -> None:
    page = ana.get("/seat/1").text
    chosen = re.findall(r'value="([a-z]+)" required checked', client_of(app, None).get("/join").text)
    assert len(chosen) == 2
    assert not any(f'#chip-{animal}"' in page for animal in chosen)
    assert not any(f'player-chip c-{colour}"' in page for colour in chosen)


def test_who_looks_at_their_look_finds_it_chosen(ana: FlaskClient) -> None:
    chosen = re.findall(r'value="([a-z]+)" required checked', ana.get("/join").text)
    top = ana.get("/seat/1").text.partition('class="top me"')[2].partition("</header>")[0]
    assert [f'#chip-{chosen[0]}"' in top, f'player-chip c-{chosen[1]}"' in top] == [True, True]


def test_a_nameless_player_is_asked_who_they_are(app: Flask) -> None:
    assert post(client_of(app, None), "/play", game=ANY, name=" ")[0] == 400


def test_setting_a_match_up_deals_it_with_as_many_bots_as_before(ana: FlaskClient) -> None:
    dealt, by_hand = ana.get("/host/match").text.split('id="deal"')[1].split('id="by-hand"')
    assert "<option selected>2</option>" in dealt
    assert ['action="/start"' in part for part in (dealt, by_hand)] == [False, True]
    assert "Bot Kim" not in by_hand


def test_a_move_is_made_by_the_phone_of_its_seat_alone_and_once(
    app: Flask, live: Live, simulation: Simulation, ana: FlaskClient
) -> None:
    before, move = acts(live), first_move(simulation)
    assert post(client_of(app, BOS), "/play/move", **move)[0] == 403
    assert acts(live) == before
    assert post(ana, "/play/move", **move)[0] == 200
    assert post(ana, "/play/move", **move)[0] == 409
    assert acts(live) == before + 1


def test_somebody_sits_down_in_the_place_of_a_bot_if_somebody_who_plays_agrees(
    app: Flask, ticks: Clock, simulation: Simulation, ana: FlaskClient
) -> None:
    mallory = client_of(app, None)
    assert "must agree" in post(mallory, "/play/sit", seat=3, name="Mallory")[1]
    assert (list(simulation.bots), mallory.get("/seat/3").status_code) == ([3, 4], 403)
    assert post(ana, "/answer", question=question(ana, "/seat/1"), answer="no")[0] == 200
    assert post(mallory, "/play/sit", seat=3, name="Mallory")[0] == 409
    ticks.now += AGAIN
    bo = sit(app, ana)
    assert list(simulation.bots) == [4]
    assert "Bo" in bo.get("/seat/3").text
    assert post(client_of(app, None), "/play/sit", seat=3, name="Cléo")[0] == 409


def test_nobody_plays_on_under_a_bots_name(simulation: Simulation, ana: FlaskClient) -> None:
    for name in ("Bot Kim", "bot KIM", "B0t Kim"):
        assert post(ana, "/play/sit", seat=3, name=name)[0] == 409
    assert list(simulation.bots) == [3, 4]
    assert ana.get("/seat/3").status_code == 403


def test_no_code_opens_a_bots_seat(app: Flask, phones: Phones) -> None:
    codes, early, late = phones.rights.codes, client_of(app, None), client_of(app, None)
    assert post(early, "/join", code=codes[3])[0] == 200
    begun(app, ANY)
    assert post(late, "/join", code=codes[4])[0] == 409
    assert [early.get("/seat/3").status_code, late.get("/seat/4").status_code] == [403, 403]


def test_of_two_who_play_on_for_a_bot_at_once_the_first_holds_its_seat(
    app: Flask, phones: Phones, ticks: Clock, ana: FlaskClient, simulation: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks.now += HAS_A_SAY  # nobody is there to agree
    bo, cleo, change = client_of(app, None), client_of(app, None), phones.change

    def outrun(step: Callable[[Rights], Rights]) -> Rights:
        monkeypatch.undo()
        assert post(bo, "/play/sit", seat=3, name="Bo")[0] == 200
        return change(step)

    monkeypatch.setattr(phones, "change", outrun)
    assert post(cleo, "/play/sit", seat=3, name="Cléo")[0] == 409
    assert [bo.get("/seat/3").status_code, cleo.get("/seat/3").status_code] == [200, 403]
    assert list(simulation.bots) == [4]


def test_whoever_has_just_begun_is_in_the_room_and_asked_who_may_play(
    app: Flask, simulation: Simulation, ticks: Clock
) -> None:
    """Though they have asked for no page yet by what they are known by now."""
    ana, bo = client_of(app, None), client_of(app, None)
    ticks.now += AFTER_A_START
    assert post(ana, "/play", game=ANY, name="Ana", bots=1)[0] == 200
    assert "must agree" in post(bo, "/play/sit", seat=min(simulation.bots), name="Bo")[1]


def test_whoever_starts_a_match_against_bots_first_is_its_host(
    app: Flask, live: Live, simulation: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, bo, begin = client_of(app, None), client_of(app, None), simulation.begin

    def outrun(*match: Any) -> None:
        monkeypatch.undo()
        assert post(bo, "/play", game=ANY, name="Bo", bots=1)[0] == 403
        begin(*match)

    monkeypatch.setattr(simulation, "begin", outrun)
    assert post(ana, "/play", game=ANY, name="Ana", bots=1)[0] == 200
    assert names(live)[0] == "Ana"
    assert [one.get("/seat/1").status_code for one in (ana, bo)] == [200, 403]


def test_where_everybody_sits_already_one_more_is_told_so(app: Flask) -> None:
    for seat in range(1, 7):
        look = {"animal": ANIMALS[seat], "colour": COLOURS[seat]}
        assert post(client_of(app, None), "/sit", seat=seat, name=f"P{seat}", **look)[0] == 200
    status, why = post(client_of(app, None), "/play", game=ANY, name="Eve", bots=2)
    assert (status, "for 6 players at most" in why) == (400, True)


def test_against_bots_too_those_alone_play_whom_the_host_has_seen(app: Flask, live: Live) -> None:
    mallory = client_of(app, None)
    post(mallory, "/sit", seat=6, name="Mallory", animal=ANIMALS[1], colour=COLOURS[1])
    assert post(client_of(app, None), "/play", game=ANY, name="Ana", bots=1, only="on")[0] == 200
    assert names(live) == ["Ana", "Bot Kim"]


def test_where_things_are_simulated_nothing_else_is_entered(live: Live, ana: FlaskClient) -> None:
    before = acts(live)
    entered = {"kind": "said", "seat": 1, "what": "roll", "value": "4"}
    for path in ("/enter", "/take-back", "/right/0", "/table/lay", "/table/press"):
        assert post(ana, path, **entered)[0] == 409, path
    assert acts(live) == before


def test_whoever_did_it_last_takes_it_back_alone_and_the_things_go_back_too(
    simulation: Simulation, ana: FlaskClient
) -> None:
    before = simulation.sights
    post(ana, "/play/move", **first_move(simulation))
    assert post(ana, "/take-back", **line(ana, 1))[0] == 200
    assert simulation.sights == before
    assert line(ana, 1) == {}


def test_what_others_have_done_since_goes_back_only_if_they_agree(
    app: Flask, simulation: Simulation, live: Live
) -> None:
    ana = begun(app, ANY)
    bo = sit(app, ana)
    mine: dict[str, str] = {}
    while (offered := line(bo, 3)) or not mine:
        mine = offered
        simulation.play(next(move for sight in simulation.sights.values() for move in sight.moves))
    before = acts(live)
    assert "host" in post(bo, "/take-back", **mine)[1]
    assert acts(live) == before
    assert post(ana, "/answer", question=question(ana, "/host"), answer="yes")[0] == 200
    assert acts(live) > before


def test_who_has_drawn_a_card_and_looked_takes_it_back_alone_only_against_bots(
    app: Flask, live: Live, simulation: Simulation
) -> None:
    ana = begun(app, "go")
    draw = next(move for move in simulation.sights[1].moves if move.what == "take-pile")
    simulation.play(draw)
    assert post(ana, "/take-back", **line(ana, 1))[1].startswith("Taken back")
    simulation.play(draw)
    sit(app, ana)
    assert "another player" in post(ana, "/take-back", **line(ana, 1))[1]


def test_a_match_that_a_second_person_plays_is_ended_by_both(app: Flask, live: Live, ana: FlaskClient) -> None:
    bo = sit(app, ana)
    assert post(ana, "/end")[0] == 200
    assert not live.snapshot.ended
    assert post(bo, "/answer", question=question(bo, "/seat/3"), answer="yes")[0] == 200
    assert live.snapshot.ended


@pytest.mark.parametrize("slug", PLAYABLE)
def test_what_was_dealt_is_not_taken_back_and_no_page_offers_it(app: Flask, live: Live, slug: str) -> None:
    ana = begun(app, slug)
    for path in ("/seat/1", "/host", "/story"):
        assert 'action="/take-back"' not in ana.get(path).text
    if told := live.ask(lambda match: match.public):
        status, why = post(ana, "/take-back", entry=len(told) - 1, code=told[-1].code)
        assert (status, "new match" in why) == (409, True)


def test_the_host_takes_back_what_a_bot_did(simulation: Simulation, ana: FlaskClient) -> None:
    for seat in (1, 1, 3):
        before = simulation.sights
        simulation.play(before[seat].moves[0])
    offered = re.search(r'action="/take-back"[^>]*>(.*?)</form>', ana.get("/host").text, re.DOTALL)
    assert offered
    assert post(ana, "/take-back", **dict(re.findall(r'name="(\w+)" value="([^"]*)"', offered[1])))[0] == 200
    assert simulation.sights == before


def test_the_same_people_play_again_without_a_word(live: Live, simulation: Simulation, ana: FlaskClient) -> None:
    assert post(ana, "/again")[0] == 200
    assert names(live) == ["Ana", "Bot Kim", "Bot Max"]
    assert sorted(simulation.bots) == [3, 4]
    assert post(ana, "/play", game=ANY, bots=1)[0] == 200
    assert names(live) == ["Ana", "Bot Kim"]


def test_whoever_has_no_seat_sits_down_for_the_next_match(app: Flask, live: Live, ana: FlaskClient) -> None:
    """Also where a bot has played: nobody really sits there."""
    bo = client_of(app, None)
    assert "data-after" not in bo.get("/").text
    assert post(ana, "/end")[0] == 200
    doors = bo.get("/").text
    assert "data-after" in doors
    assert 'href="/join">Sit down' in doors
    assert 'href="/join">Sit down' not in ana.get("/").text
    assert post(bo, "/sit", seat=3, name="Bo", animal=ANIMALS[5], colour=COLOURS[5])[0] == 200
    assert post(ana, "/again")[0] == 200
    assert "Bo" in names(live)
    assert bo.get("/seat/3").status_code == 200


def test_whoever_looks_at_the_score_when_a_match_ends_is_shown_the_way_to_the_next(
    served: Callable[[Flask], Opened], app: Flask, live: Live, ana: FlaskClient
) -> None:
    page = served(app)("/", token=None, viewport=PHONE)
    sit_down = page.get_by_role("link", name="Sit down")
    expect(sit_down).not_to_be_visible()
    assert post(ana, "/end")[0] == 200
    expect(sit_down).to_be_visible()


@pytest.mark.parametrize("slug", ["go", "stop-it", "stop-me-go"])
def test_other_hidden_cards_give_the_same_bytes(app: Flask, simulation: Simulation, slug: str) -> None:
    phone, chance = begun(app, slug), random.Random(1)
    for _ in range(12):
        moves = [move for sight in simulation.sights.values() for move in sight.moves if move.what != "call"]
        simulation.play(chance.choice(moves))
    kept, world = simulation._now or pytest.fail("no world")
    other = disguised(games.known()[slug], world, 1, chance)
    pages = [phone.get(path).data for path in ("/seat/1", "/", "/big", "/table", "/story/1")]
    simulation._now = kept, other
    assert other != world
    assert [phone.get(path).data for path in ("/seat/1", "/", "/big", "/table", "/story/1")] == pages


@pytest.mark.parametrize("slug", PLAYABLE)
def test_whoever_does_the_first_thing_that_their_page_offers_comes_to_the_end_of_a_match_against_bots(
    app: Flask, live: Live, clock: Clock, simulation: Simulation, slug: str
) -> None:
    for phone in turns(app, live, clock, simulation, slug):
        assert phone.get("/seat/1").status_code == 200
    assert live.ask(lambda match: (match.over, match.misplays)) == (True, [])


@pytest.mark.parametrize("slug", PLAYABLE)
def test_a_move_is_seen_at_once_on_a_phone_that_lies_across(
    app: Flask, live: Live, clock: Clock, simulation: Simulation, glass: Glass, slug: str
) -> None:
    at = enumerate(turns(app, live, clock, simulation, slug))
    pages = [Rendered(f"turn {turn}", "fr", phone.get("/seat/1?lang=fr").text) for turn, phone in at if turn < 60]
    assert glass.ask(pages, BELOW, *ACROSS) == []


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
