"""Starting a match at the simulated table: in which form, who plays, and how many bots."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page, Route, expect

from companion import games
from companion.access import seat_rights
from companion.access.player_looks import ANIMALS, COLOURS
from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST, phone_of
from companion.game import AnyGame
from companion.live.simulation import Simulation
from companion.live.table import Live
from tests.chromium import PHONE, Opened
from tests.on_paper import Phone
from tests.web.bots.sitting import ANY, look_at, names, sit
from tests.web.table import SCRIPT, client_of, post, question, token_of


def test_a_nameless_player_is_asked_who_they_are(app: Flask) -> None:
    assert post(client_of(app, None), "/play", game=ANY, name=" ")[0] == 400


def test_a_name_that_is_missing_is_marked_and_typed_at_once(app: Flask, served: Callable[[Flask], Opened]) -> None:
    page = served(app)("/", token=None, viewport=PHONE)
    page.get_by_role("button", name="Play Kartel").click()
    name = page.get_by_label("Your name")
    expect(name).to_be_focused()
    expect(name).to_have_attribute("aria-invalid", "true")
    name.press_sequentially("A")
    expect(name).not_to_have_attribute("aria-invalid", "true")


def test_on_a_poster_the_rules_and_the_demonstration_stand_on_one_line(
    app: Flask, served: Callable[[Flask], Opened]
) -> None:
    page = served(app)("/", token=None, viewport=PHONE)
    rules = page.get_by_role("link", name="Rules of Kartel").bounding_box()
    demo = page.get_by_role("button", name="Watch a demo of Kartel").bounding_box()
    assert rules
    assert demo
    assert (demo["y"], demo["height"]) == pytest.approx((rules["y"], rules["height"]), abs=1)


def test_whoever_became_host_by_the_code_and_then_plays_sits_at_their_own_seat(app: Flask, phones: Phones) -> None:
    look_at(client_of(app, None), 1, "Mia", "owl", "pink")
    host = client_of(app, None)
    assert post(host, "/join", code=phones.rights.codes[HOST])[0] == 200
    answer = host.post("/play", data={"game": ANY, "name": "Opa", "bots": 1}, headers=SCRIPT).get_json()
    (seat,) = (seat for seat, guest in phones.rights.people.seated.items() if guest.name == "Opa")
    assert answer["go"] == f"/seat/{seat}"
    assert "Opa" in host.get(f"/seat/{seat}").text
    assert phones.rights.holders[seat] == phones.rights.holders[HOST]


def test_whoever_asks_for_another_game_waits_at_their_own_seat(app: Flask, ana: FlaskClient) -> None:
    sit(app, ana)
    answer = ana.post("/play", data={"game": ANY, "bots": 1}, headers=SCRIPT).get_json()
    assert (answer["go"], 'id="question"' in ana.get(answer["go"]).text) == ("/seat/1", True)


def test_the_bots_play_as_well_as_they_did_though_people_have_taken_all_their_places(
    app: Flask, simulation: Simulation
) -> None:
    ana = client_of(app, None)
    assert post(ana, "/play", game=ANY, name="Ana", bots=1, strength="strong")[0] == 200
    (seat,) = simulation.bots
    bo = sit(app, ana, seat=seat)
    assert not simulation.bots
    assert '<option value="strong" selected>' in ana.get("/host/match").text
    simulation.hand_over(1)
    assert simulation.bots == {1: "strong"}
    simulation.take_over(1)
    assert post(ana, "/again")[0] == 200
    assert post(bo, "/answer", question=question(bo, f"/seat/{seat}"), answer="yes")[0] == 200
    simulation.hand_over(1)
    assert simulation.bots == {1: "strong"}


def test_of_more_bots_than_a_game_has_places_for_as_many_play_as_fit(app: Flask, simulation: Simulation) -> None:
    assert post(client_of(app, None), "/play", game="go", name="Ana", bots=5)[0] == 200
    assert len(simulation.bots) == 3


def test_whoever_starts_where_they_have_sat_down_is_taken_to_their_seat_though_the_page_hears_of_it_first(
    app: Flask, served: Callable[[Flask], Opened]
) -> None:
    ana = client_of(app, None)
    look_at(ana, 1, "Ana", "owl", "pink")
    page = served(app)("/", token=token_of(ana), viewport=PHONE)

    def late(route: Route) -> None:
        answer = route.fetch()
        expect(page.locator("#live h1")).to_have_text("Kartel")
        route.fulfill(response=answer)

    page.route("**/play", late)
    page.get_by_role("button", name="Play Kartel").click()
    page.wait_for_url("**/seat/*")
    expect(page.locator(".me")).to_contain_text("Ana")


def test_whoever_starts_a_match_against_bots_first_is_its_host(
    app: Flask, live: Live, simulation: Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = client_of(app, None)
    bo = client_of(app, None)
    begin = simulation.begin

    def outrun(*match: Any) -> int:
        monkeypatch.undo()
        assert post(bo, "/play", game=ANY, name="Bo", bots=1)[0] == 403
        return begin(*match)

    monkeypatch.setattr(simulation, "begin", outrun)
    assert post(ana, "/play", game=ANY, name="Ana", bots=1)[0] == 200
    assert names(live)[0] == "Ana"
    assert [client.get("/seat/1").status_code for client in (ana, bo)] == [200, 403]


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


def test_a_match_is_started_in_one_form_the_first_time_and_ever_after(app: Flask) -> None:
    """It knows who plays, and how many bots there were."""
    ana = client_of(app, None)
    bo = client_of(app, None)
    look_at(bo, 3, "Bo", "fox", "pink")

    def form(path: str) -> tuple[list[str], int, bool]:
        page = ana.get(path).text
        inside = page.partition('id="play"')[2].partition("</form>")[0]
        buttons = page.count('<button form="play" name="game"')
        return (
            re.findall(r'<(?:input type="checkbox"|select) name="([\w-]+)"', inside),
            buttons,
            re.search(r"\bBo\b", inside) is not None,
        )

    first = ["plays-3", "bots", "strength"]
    assert [form(path) for path in ("/", "/host/match")] == [(first, len(games.known()), True)] * 2
    assert post(ana, "/play", game=ANY, name="Ana", bots=1, strength="strong", only="on", **{"plays-3": "Bo"})[0] == 200
    assert post(ana, "/end")[0] == 200
    assert post(bo, "/answer", question=question(bo, "/seat/3"), answer="yes")[0] == 200
    assert [form(path) for path in ("/", "/host/match", "/table")] == [
        (["plays-1", *first], len(games.known()), True)
    ] * 3
    assert '<a class="button quiet" href="/host/match#start">Another game' in ana.get("/seat/1").text
    for chosen in ("<option selected>1</option>", '<option value="strong" selected>'):
        assert chosen in ana.get("/host/match").text


def test_whoever_is_not_the_host_reads_who_starts_the_next_match(
    app: Flask, ana: FlaskClient, live: Live, simulation: Simulation
) -> None:
    bo = sit(app, ana)
    while not live.ask(lambda match: match.over):
        simulation.play(next(move for sight in simulation.sights.values() for move in sight.moves))
    assert "Again? Ana is the host and starts the next match." in bo.get("/seat/3").text


@pytest.mark.parametrize("path", ["/", "/host/match", "/table"])
def test_the_form_for_the_next_match_asks_nobody_again_who_they_are_and_stands_in_one_row(
    app: Flask, ana: FlaskClient, served: Callable[[Flask], Opened], path: str
) -> None:
    assert post(ana, "/end")[0] == 200
    page = served(app)(path, token=token_of(ana), viewport=PHONE)
    expect(page.get_by_label("Bots")).to_be_visible()
    expect(page.get_by_label("Your name").locator("visible=true")).to_have_count(0)
    places = [page.get_by_label(name).bounding_box() for name in ("Bots", "Difficulty")]
    assert len({place["y"] for place in places if place}) == 1


@pytest.mark.parametrize("path", ["/", "/host/match"])
def test_whoever_is_not_ticked_does_not_play(app: Flask, live: Live, paper: Page, path: str) -> None:
    for seat, name in ((3, "Bo"), (4, "Cléo")):
        look_at(client_of(app, None), seat, name, ANIMALS[seat], COLOURS[seat])
    phone = Phone(paper, client_of(app, None), path)
    phone.look().get_by_label("Your name").fill("Ana")
    paper.get_by_role("checkbox", name="Cléo").uncheck()
    phone.press(paper.get_by_role("button", name="Play Kartel"))
    assert names(live) == ["Ana", "Bo"]


def test_the_same_people_play_again_without_a_word(live: Live, simulation: Simulation, ana: FlaskClient) -> None:
    assert post(ana, "/again")[0] == 200
    assert names(live) == ["Ana", "Bot Kim", "Bot Max"]
    assert sorted(simulation.bots) == [3, 4]
    assert post(ana, "/play", game=ANY, bots=1)[0] == 200
    assert names(live) == ["Ana", "Bot Kim"]


@pytest.mark.parametrize("sat", [True, False])
def test_whoever_loses_the_race_to_start_lands_in_the_match_that_has_begun(app: Flask, live: Live, sat: bool) -> None:
    bo = client_of(app, None)
    ana = client_of(app, None)
    if sat:
        look_at(bo, 3, "Bo", "fox", "pink")
    assert post(ana, "/play", game=ANY, name="Ana", bots=2)[0] == 200
    to = "/seat/3" if sat else "/"
    answer = bo.post("/play", data={"game": "go", "name": "Bo", "bots": 1}, headers=SCRIPT)
    assert (answer.status_code, answer.get_json()) == (403, {"message": "Kartel is on: Ana has started it.", "go": to})
    french = {"Accept-Language": "fr"}
    plain = bo.post("/play", data={"game": "go"}, headers=french)
    led = bo.get("/host/match", headers=french, follow_redirects=True)
    assert all("Kartel est lancé par Ana." in answer.text for answer in (plain, led))
    assert f'href="{to}">Kartel se joue\u00a0: voir la partie</a>' in plain.text
    assert led.request.path == (to if sat else "/host/match")
    assert live.snapshot.views[None]["game"] == ANY
    assert "Only the host’s phone sees this page." in bo.get("/host").text


def test_whoever_has_the_form_open_when_another_starts_is_led_to_their_seat_and_reads_who_has(
    app: Flask, served: Callable[[Flask], Opened]
) -> None:
    bo = client_of(app, None)
    look_at(bo, 3, "Bo", "owl", "pink")
    page = served(app)("/lobby/3", token=token_of(bo), viewport=PHONE)
    page.get_by_role("link", name="start").click()
    page.wait_for_url("**/host/match#start")
    assert post(client_of(app, None), "/play", game=ANY, name="Ana", bots=0)[0] == 200
    page.wait_for_url("**/seat/3*")
    expect(page.get_by_text("Kartel is on: Ana has started it.")).to_be_visible()
    expect(page.locator(".me")).to_contain_text("Bo")


@pytest.mark.parametrize("sits", [True, False])
def test_whoever_looks_at_what_was_is_shown_the_way_to_a_match_that_begins_meanwhile(
    app: Flask, ana: FlaskClient, served: Callable[[Flask], Opened], sits: bool
) -> None:
    assert post(ana, "/end")[0] == 200
    page = served(app)("/results/1", token=token_of(ana) if sits else None, viewport=PHONE)
    way = page.get_by_role("link", name="Kartel is on")
    expect(way).to_have_count(0)
    assert post(ana, "/again")[0] == 200
    way = page.locator("#own-seats").get_by_role("link")
    expect(way).to_contain_text("Your turn" if sits else "Kartel is on: go to the match")
    way.click()
    page.wait_for_url("**/seat/1" if sits else lambda url: url.endswith("/"))


def test_the_way_to_ones_seat_says_that_a_match_is_on_where_another_is_looked_at(
    live: Live, simulation: Simulation, ana: FlaskClient
) -> None:
    while 1 in live.snapshot.views[None]["table"]["now"]["seats"]:
        simulation.play(simulation.sights[1].moves[0])
    for page, says in (("results-1", True), ("score", False)):
        assert ("Kartel is on: to my seat" in ana.get(f"/own?page={page}").text) == says
    assert post(ana, "/end")[0] == 200
    assert "is on" not in ana.get("/own?page=results-1").text


def freed_after_the_match(app: Flask, ana: FlaskClient, phones: Phones) -> tuple[FlaskClient, str]:
    """Bo's seat is freed once the match has ended; return his phone and the seat's code."""
    bo = sit(app, ana)
    assert post(ana, "/end")[0] == 200
    assert post(bo, "/answer", question=question(bo, "/seat/3"), answer="yes")[0] == 200
    assert post(bo, "/free", part=3)[0] == 200
    return bo, phones.rights.codes[3]


def test_a_freed_seats_code_seats_its_owner_again(app: Flask, ana: FlaskClient, phones: Phones, live: Live) -> None:
    bo, code = freed_after_the_match(app, ana, phones)
    assert post(bo, "/join", code=code)[0] == 200
    assert phones.rights.people.seated[3].name == "Bo"
    assert post(ana, "/again")[0] == 200
    assert (names(live).count("Bo"), phones.rights.holders[3]) == (1, phone_of(token_of(bo)))


def test_whoever_holds_a_seat_by_its_code_alone_says_who_they_are_where_they_start(
    app: Flask, ana: FlaskClient, phones: Phones
) -> None:
    _, code = freed_after_the_match(app, ana, phones)
    phones.change(lambda rights: seat_rights.free(rights, {HOST}))
    cleo = client_of(app, None)
    assert post(cleo, "/join", code=code)[0] == 200
    assert 3 not in phones.rights.people.seated
    assert 'name="name"' in cleo.get("/host/match").text
    post(cleo, "/play", game=ANY, name="Cléo", bots=1)
    assert phones.rights.people.seated[3].name == "Cléo"


@pytest.mark.parametrize("game", [game for game in games.known().values() if game.in_ten_minutes], ids=lambda g: g.slug)
def test_a_match_of_ten_minutes_is_told_in_its_record_and_so_is_the_next(
    app: Flask, live: Live, simulation: Simulation, game: AnyGame
) -> None:
    ana = client_of(app, None)
    assert f'name="short" value="{game.slug}"' in ana.get("/").text
    for path, form in (("/play", {"short": game.slug, "name": "Ana", "bots": 2}), ("/again", {})):
        assert post(ana, path, **form)[0] == 200
        assert live.ask(lambda match: game.in_ten_minutes.items() <= match.started.options.items())
        assert post(ana, "/end")[0] == 200
    assert post(ana, "/play", game=game.slug, bots=2)[0] == 200
    assert not live.ask(lambda match: game.in_ten_minutes.items() <= match.started.options.items())


def test_where_no_options_make_it_short_it_is_not_offered(app: Flask) -> None:
    assert 'name="short" value="kartel"' not in client_of(app, None).get("/").text
