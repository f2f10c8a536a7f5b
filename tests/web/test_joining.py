"""Claiming a seat, handing it on, giving it back, passing on the host's part."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST
from companion.live.table import Live
from tests.web.table import ANAS, SCRIPT, Clock, app_with, client_of, phones_of


@pytest.fixture
def phones(live: Live, ticks: Clock) -> Phones:
    """Nobody else has one yet."""
    return phones_of(live, {HOST: ANAS, 1: ANAS}, ticks)


@pytest.fixture
def bo(app: Flask) -> FlaskClient:
    return client_of(app, None)


def join(client: FlaskClient, code: str, **more: str) -> tuple[int, str]:
    answer = client.post("/join", data={"code": code}, headers={**SCRIPT, **more})
    return answer.status_code, answer.get_json()["go"] or answer.get_json()["message"]


def test_a_phone_is_a_spectator_until_it_claims_a_seat(phones: Phones, bo: FlaskClient) -> None:
    press = {"kind": "pressed", "seat": "3"}
    assert bo.post("/enter", data=press, headers=SCRIPT).status_code == 403
    assert join(bo, phones.rights.codes[3]) == (200, "/seat/3")
    assert bo.get("/seat/3").status_code == 200
    assert bo.post("/enter", data=press, headers=SCRIPT).status_code == 200


def test_a_table_without_a_host_says_who_becomes_one(live: Live, host: FlaskClient) -> None:
    new = client_of(app_with(live, phones_of(live, {}), virtual=False), None)
    for path in ("/join", "/host/codes", "/seat/1"):
        assert "whoever starts the first match becomes host" in new.get(f"{path}?lang=en").text
    assert "becomes host" not in host.get("/join?lang=en").text


def test_following_a_link_claims_nothing_but_brings_the_code(phones: Phones, bo: FlaskClient) -> None:
    rights_before = phones.rights
    page = bo.get(f"/join/{phones.rights.codes[3].lower()}")
    assert phones.rights == rights_before
    assert f'value="{rights_before.codes[3]}"' in page.text
    assert "data-at-load" in page.text
    assert "data-at-load" not in bo.get("/join").text


def test_without_a_script_one_button_is_pressed(phones: Phones, bo: FlaskClient) -> None:
    answer = bo.post("/join", data={"code": phones.rights.codes[3], "page": "join"})
    assert (answer.status_code, answer.location) == (303, "/seat/3")
    assert "This phone now holds seat 3" in bo.get("/seat/3").text


def test_a_wrong_code_is_told_kindly(bo: FlaskClient) -> None:
    assert join(bo, "ZZZZZZ")[0] == 403
    page = bo.post("/join", data={"code": "ZZZZZZ", "page": "join"}, headers={"Accept-Language": "fr"})
    assert "Aucune place" in page.text
    assert 'href="/join"' in page.text


def test_wrong_codes_from_anywhere_keep_nobody_out(app: Flask, phones: Phones, bo: FlaskClient) -> None:
    for number in range(60):
        anywhere = {"REMOTE_ADDR": f"127.0.{number}.1"}
        answer = bo.post("/join", data={"code": "ZZZZZZZZZZ"}, headers=SCRIPT, environ_base=anywhere)
        assert answer.status_code == 403
    assert join(client_of(app, None), phones.rights.codes[HOST])[0] == 200
    assert join(bo, phones.rights.codes[3])[0] == 200


HOSTILE = [
    "<script>x</script>",
    "'; DROP TABLE match; --",
    "{seat}",
    "\r\nSet-Cookie: phone=1",
    "../../etc",
    "💥" * 9,
    "%s%n",
]


@pytest.mark.parametrize("code", HOSTILE)
def test_a_code_is_only_text(app: Flask, bo: FlaskClient, code: str) -> None:
    assert join(bo, code)[0] == 403
    page = app.test_client().get("/join/" + code.replace("/", "%2f").replace("\r\n", ""))
    assert page.status_code in (200, 404)
    assert "<script>x" not in page.text.lower()


def test_a_seat_is_handed_on(app: Flask, phones: Phones, bo: FlaskClient) -> None:
    join(bo, phones.rights.codes[3])
    bo.post("/hand-on", data={"part": "3"}, headers=SCRIPT)
    assert bo.get("/seat/3").status_code == 200
    cleo = client_of(app, None)
    assert join(cleo, phones.rights.passing[3]) == (200, "/seat/3")
    assert cleo.get("/seat/3").status_code == 200
    assert bo.get("/seat/3").status_code == 403
    assert "keeps no cookies" not in bo.get("/seat/3").text
    assert join(bo, phones.rights.codes[3])[0] == 409


def test_who_changes_their_mind_keeps_their_seat(app: Flask, phones: Phones, bo: FlaskClient) -> None:
    join(bo, phones.rights.codes[3])
    bo.post("/hand-on", data={"part": "3"}, headers=SCRIPT)
    code = phones.rights.passing[3]
    bo.post("/keep", data={"part": "3"}, headers=SCRIPT)
    assert join(client_of(app, None), code)[0] == 403


@pytest.mark.parametrize("part", ["1", "0", "2", "7", "x", ""])
def test_nobody_hands_on_or_frees_what_is_not_theirs(phones: Phones, bo: FlaskClient, part: str) -> None:
    join(bo, phones.rights.codes[3])
    rights_before = phones.rights
    for path in ("/hand-on", "/keep", "/free"):
        assert bo.post(path, data={"part": part}, headers=SCRIPT).status_code in (400, 403)
    assert phones.rights == rights_before


def test_the_host_passes_on_their_part_and_keeps_their_seat(phones: Phones, host: FlaskClient, bo: FlaskClient) -> None:
    host.post("/hand-on", data={"part": "0"}, headers=SCRIPT)
    assert join(bo, phones.rights.passing[HOST]) == (200, "/host")
    assert bo.get("/host/codes").status_code == 200
    assert host.get("/host").status_code == 403
    assert host.get("/seat/1").status_code == 200


def test_who_plays_no_more_gives_their_seat_back(app: Flask, phones: Phones, bo: FlaskClient) -> None:
    join(bo, phones.rights.codes[3])
    assert bo.post("/free", data={"part": "0"}, headers=SCRIPT).status_code == 400, "the host's part is no seat"
    assert bo.post("/free", data={"part": "3"}, headers=SCRIPT).get_json()["go"] == "/"
    assert bo.get("/seat/3").status_code == 403
    assert join(client_of(app, None), phones.rights.codes[3])[0] == 200


@pytest.mark.parametrize("planted", ["f1" * 16, ANAS])
def test_whoever_gave_a_phone_its_token_is_not_that_phone_after_a_claim(
    app: Flask, phones: Phones, planted: str
) -> None:
    """Whether that token was nobody's until then, or one that holds something."""
    attacker = client_of(app, planted)
    victim = client_of(app, planted)
    assert join(victim, phones.rights.codes[3])[0] == 200
    assert attacker.get("/seat/3").status_code == 403
    assert victim.get("/seat/3").status_code == 200


def test_whoever_gave_the_first_phone_its_token_is_not_host(live: Live) -> None:
    app = app_with(live, phones_of(live, {}), virtual=False)
    attacker = client_of(app, "f1" * 16)
    victim = client_of(app, "f1" * 16)
    form = {"game": "stop-it", "seat-1": "Ana", "seat-3": "Bo"}
    assert victim.post("/start", data=form, headers=SCRIPT).status_code == 200
    assert attacker.get("/host/codes").status_code == 403
    assert victim.get("/host/codes").status_code == 200


def test_a_browser_that_keeps_no_cookie_is_told_what_to_do(phones: Phones, bo: FlaskClient) -> None:
    assert join(bo, phones.rights.codes[3])[0] == 200
    bo.delete_cookie("phone")
    assert "keeps no cookies" in bo.get("/seat/3").text
    assert "keeps no cookies" in bo.post("/enter", data={"kind": "pressed", "seat": "3"}, headers=SCRIPT).text


def test_a_wrong_code_leaves_a_phone_its_token(bo: FlaskClient, host: FlaskClient) -> None:
    assert join(host, "ZZZZZZZZZZ")[0] == join(bo, "ZZZZZZZZZZ")[0] == 403
    assert host.get("/host/codes").status_code == 200
    assert bo.get_cookie("phone") is None


def test_a_claim_whose_answer_was_lost_is_sent_again(app: Flask, phones: Phones) -> None:
    form = {"code": phones.rights.codes[3], "once": "1"}
    assert client_of(app, ANAS).post("/join", data=form, headers=SCRIPT).status_code == 200
    again = client_of(app, ANAS)
    assert again.post("/join", data=form, headers=SCRIPT).status_code == 200
    assert again.get("/seat/3").status_code == again.get("/host").status_code == 200


def test_new_codes(phones: Phones, host: FlaskClient, bo: FlaskClient) -> None:
    old = phones.rights.codes[3]
    host.post("/codes/new", headers=SCRIPT)
    assert join(bo, old)[0] == 403
    assert join(bo, phones.rights.codes[3])[0] == 200


def test_at_a_real_table_the_host_is_led_to_the_codes_while_a_player_has_no_phone(
    phones: Phones, host: FlaskClient, bo: FlaskClient
) -> None:
    form = {"game": "stop-it", "seat-1": "Ana", "seat-3": "Bo"}
    assert host.post("/start", data=form, headers=SCRIPT).get_json()["go"] == "/host/codes"
    join(bo, phones.rights.codes[3])
    assert host.post("/start", data=form, headers=SCRIPT).get_json()["go"] == "/seat/1"


def test_a_claim_that_can_not_be_stored_is_told_and_not_so(
    phones: Phones, bo: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    phones._path.with_name(f"{phones._path.name}.new").mkdir()
    status, message = join(bo, phones.rights.codes[3])
    assert status == 503
    assert "NOT RECORDED" in message
    assert bo.get("/seat/3").status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Host": "evil.example", "Origin": "http://evil.example"},
        {"Host": "192.168.4.1.evil.example:8000", "Origin": "http://192.168.4.1.evil.example:8000"},
        {"Host": "[::", "Origin": "http://[::"},
    ],
)
def test_another_site_claims_nothing_and_guesses_nothing(
    phones: Phones, bo: FlaskClient, headers: dict[str, str]
) -> None:
    rights_before = phones.rights
    for _ in range(20):
        answer = bo.post("/join", data={"code": phones.rights.codes[3]}, headers={**SCRIPT, **headers})
        assert answer.status_code in (400, 403)
    assert phones.rights == rights_before
    assert join(bo, phones.rights.codes[3])[0] == 200


UNUSUAL = ("my_table.local", "my_table:8000", "[fe80::1%25wlan0]:8000", "[fe80::1%wlan0]", "MY_TABLE.LOCAL.:8000")


@pytest.mark.parametrize(
    "name", ["192.168.4.1:8000", "[fe80::1]:8000", "table.local", "table", "localhost:8000", *UNUSUAL]
)
def test_the_tables_own_names_are_good(phones: Phones, bo: FlaskClient, name: str) -> None:
    assert join(bo, phones.rights.codes[3], Host=name, Origin=f"http://{name}")[0] == 200


@pytest.mark.parametrize(
    "path", ["/", "/big", "/story", "/results.csv", "/stream/score", "/static/companion.js", "/no"]
)
def test_under_another_sites_name_nothing_is_shown(bo: FlaskClient, path: str) -> None:
    """Any name on the internet can be made to lead here; its page would then read who plays, and how."""
    answer = bo.get(path, headers={"Host": "evil.example"})
    assert (answer.status_code, answer.mimetype) == (403, "text/plain")
    assert answer.text.startswith("The table does not go by that name.")
    assert "`address`" in answer.text
