"""Before a match: sitting down by name, look and seat; what the host does about it; names put right."""

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion import games
from companion.access import lobby
from companion.access.people import People
from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST
from companion.events import Started
from companion.kit.in_chromium import Glass, Rendered
from companion.kit.random_matches import play
from companion.live.table import Live
from companion.web.render.page_names import Page as PageKey
from tests.chromium import PHONE, Opened, module
from tests.waiting import until
from tests.web.table import (
    ANAS,
    BOS,
    PEOPLE,
    SCRIPT,
    Clock,
    acts,
    app_with,
    client_of,
    living,
    phones_of,
    post,
    question,
    token_of,
)
from tests.web.test_long_names import BROKEN

GO = {"game": "stop-it"}


@pytest.fixture
def live(tmp_path: Path) -> Live:  # type: ignore[misc]
    """No match yet."""
    with living(tmp_path, Clock()) as live:
        yield live


@pytest.fixture
def phones(live: Live) -> Phones:
    return phones_of(live, {HOST: ANAS})


@pytest.fixture
def app(live: Live, phones: Phones) -> Flask:
    return app_with(live, phones, virtual=False)


def sit(client: FlaskClient, name: str, seat: int, animal: str = "cat", colour: str = "green") -> tuple[int, str]:
    form = {"name": name, "animal": animal, "colour": colour, "seat": str(seat)}
    answer = client.post("/sit", data=form, headers=SCRIPT)
    return answer.status_code, answer.get_json()["go"] or answer.get_json()["message"]


@pytest.fixture
def bo(app: Flask) -> FlaskClient:
    bo = client_of(app, None)
    assert sit(bo, "Bo", 3, "bear", "blue") == (200, "/lobby/3")
    return bo


def test_the_seat_is_the_phones_own_once_the_match_begins(host: FlaskClient, bo: FlaskClient) -> None:
    assert bo.get("/seat/3").status_code == 403
    assert "You are in." in bo.get("/lobby/3").text
    assert post(host, "/start", **GO, **{"seat-1": "Ana", "seat-3": ""})[0] == 200
    assert bo.get("/lobby/3").location == "/seat/3"
    assert "Bo" in bo.get("/seat/3").text


def test_who_starts_at_a_virtual_table_comes_to_their_own_seat(live: Live, phones: Phones) -> None:
    client = client_of(app_with(live, phones), ANAS)
    assert sit(client, "Ana", 1) == (200, "/lobby/1")
    form = {**GO, "then": "/table", "seat-4": "Bo"}
    assert client.post("/start", data=form, headers=SCRIPT).get_json()["go"] == "/seat/1"


def test_without_a_script_too(app: Flask) -> None:
    form = {"name": "Zoé", "animal": "owl", "colour": "pink", "seat": "2", "page": "join"}
    zoe = client_of(app, None)
    assert zoe.post("/sit", data=form).location == "/lobby/2"
    assert 'http-equiv="refresh"' in zoe.get("/lobby/2").text


def test_the_big_screens_code_leads_to_where_one_sits_down(monkeypatch: pytest.MonkeyPatch, host: FlaskClient) -> None:
    texts: list[str] = []
    monkeypatch.setattr("companion.web.render.to_scan.svg", lambda text: texts.append(text) or b"")
    host.get("/qr.svg")
    assert texts == ["http://192.168.4.1:8000/join"]


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        ({"name": "bo"}, "Bo already sits at seat 3"),
        ({"name": "\u200b"}, "Type a name"),
        ({"name": "x" * 25}, "24 letters at most"),
        ({"name": "bot  kim"}, "is a bot’s name"),
        ({"name": "Ｂｏｔ　Ｋｉｍ"}, "is a bot’s name"),
        ({"name": "𝐁𝐨𝐭 𝐊𝐢𝐦"}, "is a bot’s name"),
        ({"animal": "bear"}, "Bo has that animal"),
        ({"colour": "blue"}, "Bo has that colour"),
        ({"colour": "gold"}, "Choose an animal and a colour"),
        ({"seat": "3"}, "Bo sits at seat 3"),
        ({"seat": "7"}, "Choose a seat"),
    ],
)
def test_what_stands_in_the_way_is_said(app: Flask, bo: FlaskClient, form: dict[str, str], reason: str) -> None:
    fine = {"name": "Zoé", "animal": "owl", "colour": "pink", "seat": "2"}
    status, message = post(client_of(app, None), "/sit", **{**fine, **form})
    assert status >= 400
    assert reason in message


def test_a_name_of_emoji_is_kept_whole(app: Flask) -> None:
    client = client_of(app, None)
    sit(client, "👩‍🚀" * 24, 5)
    assert "👩‍🚀" * 24 in client.get("/lobby/5").text


@pytest.mark.parametrize("planted", ["f1" * 16, BOS])
def test_whoever_gave_a_phone_its_token_does_not_get_its_seat(app: Flask, host: FlaskClient, planted: str) -> None:
    victim = client_of(app, planted)
    attacker = client_of(app, planted)
    sit(victim, "Bo", 3)
    post(host, "/start", **GO, **{"seat-1": "Ana"})
    assert (victim.get("/seat/3").status_code, attacker.get("/seat/3").status_code) == (200, 403)


def test_where_table_toml_wants_codes_nobody_sits_down_without(live: Live, phones: Phones) -> None:
    client = client_of(app_with(live, phones, virtual=False, by_code=True), None)
    assert 'action="/sit"' not in client.get("/join").text
    assert sit(client, "Bo", 3)[0] == 403
    client.post("/join", data={"code": phones.rights.codes[3]})
    assert sit(client, "Bo", 3) == (200, "/seat/3")


def test_a_seat_of_the_match_under_way_needs_its_code(app: Flask, host: FlaskClient, bo: FlaskClient) -> None:
    post(host, "/start", **GO, **{"seat-1": "Ana"})
    status, message = sit(client_of(app, None), "Ana", 1)
    assert (status, "ask the host" in message) == (403, True)
    assert sit(client_of(app, None), "Zoé", 2)[1] == "/lobby/2"


def test_after_a_match_nobody_reads_that_nobody_played_at_their_seat(
    app: Flask, phones: Phones, host: FlaskClient, bo: FlaskClient
) -> None:
    post(host, "/start", **GO, **{"seat-1": "Ana", "seat-3": "Bo"})
    late = client_of(app, None)
    sentence = "Nobody plays at seat 2 in this one."
    assert post(late, "/join", code=phones.rights.codes[2])[0] == 200
    assert sentence in late.get("/seat/2").text
    post(host, "/end")
    assert post(bo, "/answer", question=question(bo, "/seat/3"), answer="yes")[0] == 200
    page = late.get("/seat/2").text
    assert (sentence in page, "You play from the next match on." in page) == (False, True)


def test_while_a_match_is_on_seats_are_those_of_the_next(host: FlaskClient, live: Live) -> None:
    heading = re.compile(r'id="seated"><h2>([^<]+)</h2>')
    headings_before = heading.findall(host.get("/host/match").text)
    live.begin("go", PEOPLE, {})
    assert heading.findall(host.get("/host/match").text) == ["For the next match"] != headings_before


def test_the_host_sends_away_and_moves_whoever_waits(host: FlaskClient, bo: FlaskClient) -> None:
    assert post(host, "/move", part="3", to="4")[0] == 200
    assert bo.get("/lobby/4").status_code == 200
    assert post(host, "/send-away", part="4")[0] == 200
    assert bo.get("/lobby/4").location == "/join"
    assert post(bo, "/send-away", part="4")[0] == 403
    assert sit(bo, "Bo", 4)[0] == 403  # not at once


def test_the_page_of_whoever_has_got_up_is_made_once_more_and_shows_nobody(app: Flask, bo: FlaskClient) -> None:
    screens = app.extensions["companion"].screens
    page = PageKey("lobby", 3)
    with app.test_request_context():
        assert b"You are in." in screens.fragment(page, "en")
        assert post(bo, "/leave", part="3")[0] == 200
        assert b"Bo" not in screens.fragment(page, "en")


def test_a_match_begins_with_those_alone_who_stand_in_the_form(
    app: Flask, live: Live, host: FlaskClient, bo: FlaskClient
) -> None:
    """Whoever sits down again and again can't fill the table, nor take the seat of somebody whom the host named."""
    mallory = client_of(app, None)
    assert sit(mallory, "Mallory", 2)[0] == 200
    named = {"seat-1": "Ana", "seat-2": "Cléo", "plays-3": "Bo"}
    assert post(host, "/start", **GO, **named)[0] == 409
    assert post(host, "/start", **GO, **named, only="on")[0] == 200
    assert live.ask(lambda match: match.names) == {1: "Ana", 2: "Cléo", 3: "Bo"}
    assert [bo.get("/seat/3").status_code, mallory.get("/seat/2").status_code] == [200, 403]


def test_who_gets_up_again_leaves_the_seat_free_and_need_not_say_their_name_once_more(
    phones: Phones, bo: FlaskClient
) -> None:
    assert post(bo, "/leave", part="1")[0] == 403
    then = bo.post("/leave", data={"part": "3"}).location
    assert phones.rights.people.seated == {}
    assert re.search(r'name="name" value="Bo"', bo.get(then).text)


def test_a_code_says_who_sits_at_its_seat_and_whether_by_a_phone(host: FlaskClient, phones: Phones) -> None:
    sit(host, "Ana", 1)
    phones.change(lambda rights: lobby.begin(rights, {1: "Ana", 4: "Dédé"}))
    page = host.get("/host/codes").text
    codes = [re.sub(r"<[^>]+>", "", part) for part in re.split(r'<li id="code-', page)[1:]]
    assert "Ana" in codes[0]
    assert "free" not in codes[0]
    assert "Dédé" in codes[3]
    assert "free" in codes[3]


def test_whoever_has_come_by_a_code_alone_is_asked_who_they_are(app: Flask, phones: Phones) -> None:
    zoe = client_of(app, None)
    assert post(zoe, "/join", code=phones.rights.codes[5])[0] == 200
    assert 'class="button gold" href="/join?seat=5"' in zoe.get("/seat/5").text


def test_a_second_person_on_a_phone_says_who_they_are_and_changes_nothing_of_the_firsts(
    phones: Phones, host: FlaskClient, bo: FlaskClient
) -> None:
    assert post(host, "/start", **GO, **{"seat-1": "Ana"})[0] == 200
    assert post(bo, "/join", code=phones.rights.codes[5])[0] == 200
    form = bo.get("/join?seat=5").text.partition('action="/sit"')[2]
    assert 'name="name" value=""' in form
    assert re.findall(r'name="seat" value="(\d)"', form) == ["5"]
    assert "taken: Bo" in form
    assert sit(bo, "Zoé", 5) == (200, "/seat/5")
    assert {seat: person.name for seat, person in phones.rights.people.seated.items()} == {1: "Ana", 3: "Bo", 5: "Zoé"}
    assert phones.rights.people.corrected == {}


def test_each_seat_of_a_phone_leads_to_the_form_of_who_sits_there(
    phones: Phones, host: FlaskClient, bo: FlaskClient
) -> None:
    assert post(host, "/start", **GO, **{"seat-1": "Ana"})[0] == 200
    assert post(bo, "/join", code=phones.rights.codes[5])[0] == 200
    assert sit(bo, "Zoé", 5)[0] == 200
    for seat, name in ((3, "Bo"), (5, "Zoé")):
        assert f'href="/join?seat={seat}"' in bo.get(f"/seat/{seat}").text
        assert f'name="name" value="{name}"' in bo.get(f"/join?seat={seat}").text


def test_nobody_gets_the_form_of_a_seat_that_is_not_their_phones(host: FlaskClient, bo: FlaskClient) -> None:
    assert post(host, "/start", **GO, **{"seat-1": "Ana"})[0] == 200
    assert 'name="name" value="Bo"' in bo.get("/join?seat=1").text


def test_people_of_earlier_matches_are_offered_with_their_looks(app: Flask, host: FlaskClient, bo: FlaskClient) -> None:
    post(host, "/start", **GO, **{"seat-1": "Ana"})
    post(host, "/start", **GO, **{"seat-1": "Ana", "seat-2": "Zoé", "seat-3": ""})
    page = client_of(app, None).get("/join?name=bo").text
    assert '<a href="/join?name=Bo">Bo</a>' in page
    assert re.search(r'value="bear" required checked', page)
    assert '<option value="Bo">' in host.get("/host/match").text


def test_who_gets_another_colour_than_they_chose_is_told_why(
    app: Flask, phones: Phones, host: FlaskClient, bo: FlaskClient
) -> None:
    """Whoever is there keeps their look; whom the host names later gives way."""
    cleo = client_of(app, None)
    for seated in ({"seat-3": "Bo"}, {"seat-2": "Zoé", "seat-3": ""}, {"seat-2": "", "seat-3": "Bo"}):
        post(host, "/start", **GO, **{"seat-1": "Ana", **seated})
        sit(cleo, "Cléo", 4, "owl", "blue")
    assert 'id="look"' not in cleo.get("/seat/4").text
    assert post(bo, "/join", code=phones.rights.codes[3])[0] == 200
    assert "Cléo is blue already: here you are yellow." in bo.get("/seat/3").text


def test_demonstrations_make_nobody_known(live: Live, phones: Phones) -> None:
    virtual = client_of(app_with(live, phones), ANAS)
    virtual.post("/demo/start", data={"game": "stop-it", "pace": "1"})
    assert phones.rights.people.known == ()
    assert sit(client_of(app_with(live, phones), None), "Bo", 1)[1] == "/lobby/1"


def test_a_match_of_invented_people_counts_for_nobody(live: Live, phones: Phones) -> None:
    virtual = client_of(app_with(live, phones), ANAS)
    for path in ("/start", "/again"):
        assert post(virtual, path, **GO, then="/table")[0] == 200
        assert live.snapshot.demo
    assert phones.rights.people == People()


def choose(page: Page, name: str, animal: str, colour: str, seat: int) -> None:
    page.get_by_label("Your name").fill(name)
    for label in (animal, colour):
        page.get_by_label(label, exact=True).check()
    page.get_by_label(f"seat {seat}").check()
    page.get_by_role("button", name="Sit here").click()
    page.wait_for_url(f"**/lobby/{seat}")


def test_phones_join_and_the_match_begins(live: Live, served: Callable[[Flask], Opened]) -> None:
    app = app_with(live, phones_of(live, {}), virtual=False)
    look = served(app)
    ana = client_of(app, None)
    zoe = look("/join", token=None, viewport=PHONE)
    assert sit(ana, "Ana", 1, "owl", "violet") == (200, "/lobby/1")
    expect(zoe.get_by_label("owl (taken: Ana)")).to_be_disabled()
    assert ana.get("/big?lang=en").text.count("Scan this and take a seat.</p>") == 1
    choose(zoe, "Zoé", "fox", "pink", 4)
    big = ana.get("/big").text.partition('id="lobby"')[2]
    assert re.search(r'class="headline[^>]*>2 at', big)
    assert "Zoé" in big.partition("at-4")[2].partition("</li>")[0]
    score = zoe.context.new_page()
    score.goto(zoe.url.replace("/lobby/4", "/"))
    assert re.search(r'href="/host/match[^"]*"[^>]*>Choose the game and start<', ana.get("/lobby/1").text)
    assert post(ana, "/start", **GO, **{"plays-1": "Ana", "plays-4": "Zoé"})[0] == 200
    zoe.wait_for_url("**/seat/4")
    expect(zoe.locator(".me")).to_contain_text("Zoé")
    expect(score).to_have_url(zoe.url)
    zoe.locator(".buzzer.go").click()
    until(lambda: acts(live) == 2)


def test_what_is_typed_stays_when_whoever_was_known_has_sat_down(
    app: Flask, host: FlaskClient, served: Callable[[Flask], Opened]
) -> None:
    for places in ({"seat-1": "Ana", "seat-2": "Bo"}, {"seat-1": "Ana", "seat-2": "", "seat-3": "Zoé"}):
        post(host, "/start", **GO, **places)  # Bo is known, and does not sit
    page = served(app)("/join", token=None)
    page.get_by_label("Your name").fill("Cléo")
    without = "const without = live.cloneNode(true); without.querySelector('.known').remove();"
    page.evaluate(f"async () => {{ {without} ({module('afresh')}).renew(live, without); }}")
    expect(page.get_by_label("Your name")).to_have_value("Cléo")


COVERED = """() => [".round-table", ".ledge"].map((css) => document.querySelector(css).getBoundingClientRect())
    .reduce((seats, ledge) => seats.bottom > ledge.top ? ["it lies over the seats"] : [])"""


def test_nothing_lies_over_the_seats_on_a_small_phone(live: Live, glass: Glass) -> None:
    phone = client_of(app_with(live, phones_of(live, {}), virtual=False), None)
    page = Rendered("/join", "en", phone.get("/join").text)
    assert glass.ask([page], COVERED, {"width": 320, "height": 640}) == []


def test_no_name_breaks_within_a_word_at_the_table_where_people_sit_down(app: Flask, glass: Glass) -> None:
    names = ("Maximilienne", "Jean-Christophe", "Guillaumette")
    looks = (("owl", "green"), ("fox", "blue"), ("bear", "red"))
    for seat, (name, look) in enumerate(zip(names, looks, strict=True), 1):
        assert sit(client_of(app, None), name, seat, *look)[0] == 200
    page = client_of(app, None).get("/join").text
    assert all(name in page for name in names)
    assert glass.ask([Rendered("/join", "en", page)], BROKEN, PHONE) == []


def test_while_a_match_that_is_over_stands_the_big_screen_shows_who_sits_down(tmp_path: Path) -> None:
    with living(tmp_path, Clock(), name="over.sqlite", simulated=True) as live:
        first, *later_events = play(games.known()["kartel"], random.Random(1), {}, most=5000, noise=0.0, undo=0.0)
        assert isinstance(first, Started)
        live.begin("kartel", first.players, first.options)
        live.enter(*later_events)
        assert live.snapshot.views[None]["over"]
        app = app_with(live, phones_of(live, {HOST: ANAS, 1: ANAS}))
        guests = [client_of(app, None) for _ in range(3)]
        names_seen = []
        for seat, guest, colour in zip((2, 4, 6), guests, ("pink", "green", "blue"), strict=True):
            assert sit(guest, f"Guest {seat}", seat, ("owl", "frog", "bear")[len(names_seen)], colour)[0] == 200
            names_seen += re.findall(r'id="come"><span>([^<]+)', guest.get("/big?lang=en").text)
        assert names_seen == [
            "Guest 2 has sat down for the next match.",
            "Guest 2 and Guest 4 have sat down for the next match.",
            "3 have sat down for the next match.",
        ]
        assert post(guests[0], "/sit-out", part=2, out="yes")[0] == 200
        assert "Guest 4 and Guest 6 have sat down" in guests[0].get("/big?lang=en").text


def test_whoever_waits_finds_their_seat_on_the_first_page_wherever_they_have_scrolled(
    app: Flask, served: Callable[[Flask], Opened]
) -> None:
    guest = client_of(app, None)
    assert sit(guest, "Bo", 3)[0] == 200
    page = served(app)("/", token=token_of(guest), viewport=PHONE)
    page.evaluate("scrollTo(0, 9999)")
    assert page.evaluate("scrollY") > 100
    way = page.locator("#own-seats").get_by_role("link")
    expect(way).to_be_in_viewport()
    way.click()
    page.wait_for_url("**/lobby/3")
