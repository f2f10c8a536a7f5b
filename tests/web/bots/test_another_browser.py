"""A player who goes on in another browser of their phone gets their seat back; nobody else takes it so."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.access import rights_file
from companion.access.another_browser import SILENT, Earlier, WayBack, way_to
from companion.access.presence import GOES_ON_WITHOUT
from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST, Leaver, Rights, Who
from companion.live.simulation import Simulation
from companion.storage import files
from tests.live.table import refusing
from tests.web.bots.sitting import ANY, begin_with_bots
from tests.web.table import SCRIPT, Clock, client_of, post, question

PHONE = "192.0.2.7"
ELSEWHERE = "192.0.2.8"
STRANGER = Who("new", frozenset())
OLD = "old"


class Browser:
    """A browser on a phone with this address."""

    def __init__(self, app: Flask, address: str) -> None:
        self.client = client_of(app, None)
        self._from = {"REMOTE_ADDR": address}

    def post(self, path: str, **form: object) -> tuple[int, str, str | None]:
        answer = self.client.post(path, data=form, headers=SCRIPT, environ_base=self._from)
        content = answer.get_json()
        return answer.status_code, content["message"], content["go"]

    def get(self, path: str) -> tuple[int, str]:
        answer = self.client.get(path, environ_base=self._from)
        return answer.status_code, answer.text

    def sits(self, name: str = "Bo", seat: int = 3) -> tuple[int, str, str | None]:
        return self.post("/sit", seat=seat, name=name, animal="owl", colour="pink")


@pytest.fixture
def first(app: Flask) -> Browser:
    """The browser with which Bo has sat down."""
    browser = Browser(app, PHONE)
    assert browser.sits()[0] == 200
    return browser


@pytest.fixture
def ana(first: Browser, app: Flask) -> FlaskClient:
    """She has begun a match with Bo, and is host."""
    ana = begin_with_bots(app, ANY)
    assert first.get("/seat/3")[0] == 200
    return ana


@pytest.fixture
def second(app: Flask, ana: FlaskClient) -> Browser:
    return Browser(app, PHONE)


@pytest.fixture
def stranger(app: Flask, ana: FlaskClient) -> Browser:
    return Browser(app, ELSEWHERE)


def freed(ana: FlaskClient, ticks: Clock) -> None:
    """Bo's phone is silent, and a bot plays on."""
    assert post(ana, "/free", part=3)[0] == 200
    ticks.now += GOES_ON_WITHOUT
    ana.get("/seat/1")
    assert post(ana, "/free", part=3)[0] == 200


@pytest.mark.parametrize(
    ("earlier", "held", "bots", "actor", "way"),
    [
        (Earlier(OLD, True, 0.0), True, (), STRANGER, WayBack.ASK),
        (Earlier(OLD, True, SILENT), True, (), STRANGER, WayBack.CODE),
        (Earlier(OLD, True, SILENT), False, (3,), STRANGER, WayBack.BOT),
        (Earlier(OLD, True, 0.0), False, (3,), STRANGER, WayBack.NONE),
        (Earlier(OLD, True, SILENT), False, (), STRANGER, WayBack.NONE),
        (Earlier(OLD, False, 0.0), True, (), STRANGER, WayBack.NONE),
        (Earlier(OLD, False, SILENT), True, (), STRANGER, WayBack.NONE),
        (Earlier(OLD, False, SILENT), False, (3,), STRANGER, WayBack.NONE),
        (Earlier(OLD, True, SILENT), True, (), Who("new", frozenset({1})), WayBack.NONE),
        (Earlier(OLD, True, SILENT), True, (), Who("new", frozenset({HOST})), WayBack.NONE),
        (Earlier(OLD, True, SILENT), False, (3,), Who("new", frozenset({HOST})), WayBack.NONE),
        (Earlier(OLD, True, SILENT), False, (3,), Who(OLD, frozenset()), WayBack.NONE),
        (None, False, (3,), STRANGER, WayBack.NONE),
    ],
)
def test_the_way_to_a_seat(
    earlier: Earlier | None, held: bool, bots: tuple[int, ...], actor: Who, way: WayBack
) -> None:
    holders, gone = ({3: OLD}, {}) if held else ({}, {3: Leaver("Bo", OLD)})
    assert way_to(Rights({}, holders, gone=gone), 3, actor, earlier, bots) is way


@pytest.mark.parametrize("by", ["/here", "/sit"])
def test_the_first_browser_says_yes_with_one_tap(ana: FlaskClient, first: Browser, second: Browser, by: str) -> None:
    for _ in range(2):
        reply = second.post(by, seat=3, name="Bo", animal="owl", colour="pink")
        assert reply == (200, "Your other browser is asked: say yes there, and seat 3 comes here.", "/")
    assert "I agree" not in ana.get("/seat/1").text
    assert "Your other browser is asked" in second.get("/")[1]
    name = question(first.client, "/seat/3")
    assert post(ana, "/answer", question=name, answer="yes")[0] == 403
    assert first.post("/answer", question=name, answer="yes")[0] == 200
    assert [browser.get("/seat/3")[0] for browser in (first, second)] == [403, 200]


def test_while_the_first_browser_is_open_its_seats_code_says_what_to_do(
    phones: Phones, first: Browser, second: Browser
) -> None:
    status, message, _ = second.post("/join", code=phones.rights.codes[3])
    assert (status, "Close that one" in message) == (409, True)
    assert [browser.get("/seat/3")[0] for browser in (first, second)] == [200, 403]


def test_the_host_frees_a_seat_sooner_once_its_player_asks_from_another_browser(
    phones: Phones, ana: FlaskClient, first: Browser, second: Browser, ticks: Clock
) -> None:
    assert second.post("/here", seat=3)[0] == 200
    assert post(ana, "/free", part=3)[0] == 200
    assert post(ana, "/free", part=3)[0] == 409
    ticks.now += SILENT
    assert post(ana, "/free", part=3)[0] == 200
    assert second.post("/join", code=phones.rights.codes[3])[2] == "/seat/3"
    assert [browser.get("/seat/3")[0] for browser in (first, second)] == [403, 200]


def test_the_first_browser_says_no(first: Browser, second: Browser) -> None:
    assert second.post("/here", seat=3)[0] == 200
    assert first.post("/answer", question=question(first.client, "/seat/3"), answer="no")[0] == 200
    assert [browser.get("/seat/3")[0] for browser in (first, second)] == [200, 403]


def test_once_the_first_browser_is_silent_the_seats_code_opens_it_at_once(
    phones: Phones, first: Browser, second: Browser, ticks: Clock
) -> None:
    ticks.now += SILENT
    reply = second.post("/here", seat=3)
    assert (reply[0], "the code of seat 3 opens it here at once" in reply[1]) == (409, True)
    assert second.sits() == reply
    assert second.post("/join", code=phones.rights.codes[3])[0] == 200
    assert [browser.get("/seat/3")[0] for browser in (first, second)] == [403, 200]


def test_the_code_opens_a_held_seat_to_no_other_phone(
    phones: Phones, first: Browser, stranger: Browser, ana: FlaskClient, ticks: Clock
) -> None:
    for silence in (0.0, SILENT, 3000.0):
        ticks.now += silence
        for phone in (stranger.client, ana):
            assert post(phone, "/join", code=phones.rights.codes[3])[0] == 409
        assert stranger.post("/here", seat=3)[0] == 403
    assert first.get("/seat/3")[0] == 200


def test_a_bot_gives_the_seat_back_to_its_player(
    ana: FlaskClient, first: Browser, second: Browser, simulation: Simulation, ticks: Clock
) -> None:
    freed(ana, ticks)
    assert 3 in simulation.bots
    assert "I am" in second.get("/seat/3")[1]
    assert second.post("/play/sit", seat=3, name="bo") == (200, "You sit here, Bo.", "/seat/3")
    assert (3 in simulation.bots, question(ana, "/seat/1")) == (False, "")
    assert [browser.get("/seat/3")[0] for browser in (first, second)] == [403, 200]


@pytest.mark.parametrize("way", ["/free", "/play/back"])
def test_what_a_full_disk_keeps_from_the_world_a_seat_and_its_bot_do_all_the_same(
    ana: FlaskClient, first: Browser, simulation: Simulation, phones: Phones, way: str
) -> None:
    if way == "/play/back":
        assert first.post("/free", part=3)[0] == 200
    with refusing(files, "append", error=OSError(28, "No space left on device")):
        with refusing(rights_file, "_save", error=OSError(28, "No space left on device")):
            assert first.post(way, part=3, seat=3)[0] == 503
        assert (3 in simulation.bots) == (way == "/play/back")
        assert first.post(way, part=3, seat=3)[0] == 200
    assert (3 in simulation.bots) == (3 not in phones.rights.holders) == (way == "/free")


def test_after_a_start_people_play_the_seats_that_their_phones_hold(
    app: Flask, ana: FlaskClient, simulation: Simulation, phones: Phones
) -> None:
    simulation.hand_over(3)
    simulation.follow(phones.rights.holders, phones.rights.gone)
    assert 3 not in simulation.bots
    simulation.follow({1: "ana"}, {3: "bo"})
    assert 3 in simulation.bots


def test_to_nobody_else_does_a_bot_give_it_back(
    ana: FlaskClient, stranger: Browser, second: Browser, simulation: Simulation, ticks: Clock
) -> None:
    freed(ana, ticks)
    assert stranger.post("/here", seat=3)[0] == 403
    assert stranger.post("/play/sit", seat=3, name="Bo")[0] == 200
    assert second.post("/play/sit", seat=4, name="Cléo")[0] == 409
    assert 3 in simulation.bots
    assert question(ana, "/seat/1")


def test_whoever_asks_for_a_strangers_seat_reads_the_same_whether_it_is_silent(
    first: Browser, stranger: Browser, ticks: Clock
) -> None:
    refusal = stranger.post("/here", seat=3)
    ticks.now += SILENT
    assert stranger.post("/here", seat=3) == refusal
    assert first.get("/seat/3")[0] == 200


def test_the_host_goes_before_who_asks_their_other_browser(ana: FlaskClient, first: Browser, second: Browser) -> None:
    assert second.post("/here", seat=3)[0] == 200
    assert post(ana, "/free", part=3)[0] == 200
    assert post(ana, "/free", part=3)[0] == 409


def test_a_seat_is_brought_to_another_browser_by_a_link_that_works_once(first: Browser, second: Browser) -> None:
    assert first.post("/hand-on", part=3, page="seat-3")[0] == 200
    link = first.get("/seat/3")[1].partition("In another browser of this phone, open:")[2].partition("</a>")[0]
    code = link.rpartition("/join/")[2]
    assert second.post("/join", code=code)[0] == 200
    assert second.get("/seat/3")[0] == 200
