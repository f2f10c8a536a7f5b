"""What routes do, and what they answer to bad input: clear words and a proper status, never a 500."""

import gzip
import itertools
import json
import re
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest
from flask.testing import FlaskClient
from msgspec import UNSET
from werkzeug.routing import Map, Rule

from companion.devices.sensing import Crowded, Failed, Uncrowded, Working
from companion.errors import NotNow, WrongInput
from companion.events import Pressed, Said, Tapped
from companion.live.pause import Why
from companion.live.table import Live
from companion.web.http.app import LateRoute
from tests.live.table import refusing
from tests.web.table import PEOPLE, SCRIPT, Clock, app_of, count, living, post, to_count

PAGES = ["/", "/big", "/seat/1", "/seat/2", "/host", "/host/1", "/table", "/story", "/story/1"]
AFTER = ["/results", "/results/1", "/season"]


def test_without_a_hand_there_is_no_virtual_table_and_nothing_is_simulated(tmp_path: Path) -> None:
    with living(tmp_path) as live:
        bare = app_of(live, virtual=False).test_client()
        for path in PAGES:
            answer = bare.get(path)
            assert answer.status_code == (404 if path == "/table" else 200)
            assert "SIMULATED" not in answer.text


def test_whoever_is_done_sees_how_far_the_others_are_and_the_host_where_the_table_fails(tmp_path: Path) -> None:
    with living(tmp_path, Clock()) as live:
        live.begin("stop-it", PEOPLE, {})
        client = app_of(live, virtual=False).test_client()
        to_count(live)
        assert "Done:" not in client.get("/seat/3?lang=en").text
        count(live, 3, 4)
        assert "Done: 1 of 3" in client.get("/seat/3?lang=en").text
        assert "Done:" not in client.get("/seat/1?lang=en").text
        live.tell(Failed("reader seat-3", "no answer", 0.0), Working("reader seat-1", "", 0.0))
        live.ask_any(lambda: None)
        seats = client.get("/host/table?lang=en").text.partition('id="tested"')[2]
        assert (seats.count('<i class="works"'), seats.count('<i class="fails"')) == (1, 1)


def test_fragments_are_small(live: Live, client: FlaskClient) -> None:
    for path in ("score", "seat-1", "table"):
        to_count(live, "violet-stop-1")
        assert len(first_message(client, path)) < 8_500  # of these a seat's own words for play by ear are 2,000
        live.begin("stop-it", live.ask(lambda match: match.started.players), {})


def test_the_qr_code_is_an_image(client: FlaskClient) -> None:
    answer = client.get("/qr.svg")
    assert answer.mimetype == "image/svg+xml"
    assert b"<path" in answer.data


@pytest.mark.parametrize("path", ["/nothing", "/seat/0", "/seat/7", "/seat/x", "/host/9", "/story/8"])
def test_what_is_not_there(client: FlaskClient, path: str) -> None:
    answer = client.get(path, headers={"Accept-Language": "fr"})
    assert answer.status_code == 404
    assert "Cette page n’existe pas ici. Revenez à l’accueil." in answer.text
    assert '<nav><a href="/">Accueil</a></nav>' in answer.text


def test_what_is_missing_is_not_kept_as_missing(client: FlaskClient) -> None:
    assert client.get("/static/nothing").headers["Cache-Control"] == "no-store"


def test_headers(client: FlaskClient) -> None:
    for path in ("/", "/nothing", "/qr.svg"):
        with client.get(path) as answer:
            headers = answer.headers
        assert "default-src 'self'" in headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cross-Origin-Opener-Policy"] == headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert not re.search(r"<script(?! src=)|<style| style=| on[a-z]+=", client.get("/table").text)


BAD: list[tuple[str, dict[str, Any], int]] = [
    ("/enter", {}, 400),
    ("/enter", {"kind": "flown"}, 400),
    ("/enter", {"kind": "pressed"}, 400),
    ("/enter", {"kind": "pressed", "seat": "7"}, 400),
    ("/enter", {"kind": "pressed", "seat": "-1"}, 400),
    ("/enter", {"kind": "pressed", "seat": "²"}, 400),
    ("/enter", {"kind": "tapped", "place": "moon", "card": "red-1"}, 400),
    ("/enter", {"kind": "tapped", "place": "seat-2", "card": "red-1"}, 400),
    ("/enter", {"kind": "tapped", "place": "centre", "card": "?"}, 400),
    ("/enter", {"kind": "tapped", "place": "centre"}, 400),
    ("/enter", {"kind": "said", "seat": "1"}, 400),
    ("/enter", {"kind": "said", "seat": "1", "what": "x" * 41}, 400),
    ("/enter", {"kind": "said", "seat": "1", "what": "count", "value": "{"}, 400),
    ("/enter", {"kind": "said", "seat": "1", "what": "count", "value": "NaN"}, 400),
    ("/enter", {"kind": "said", "seat": "1", "what": "count", "value": "1e999"}, 400),
    ("/enter", {"kind": "said", "seat": "1", "what": "count", "value": '"\\ud800"'}, 400),
    ("/enter", {"kind": "said", "seat": "1", "what": "count", "value": "[" * 1900}, 400),
    ("/enter", {"kind": "said", "seat": "1", "what": "count", "value": "1" * 3000}, 400),
    ("/enter", {"kind": "said", "seat": "1", "what": "count", "value.": ["1", "{"]}, 400),
    ("/enter", {"kind": "said", "seat": "1", "what": "count", "value.1": ["1" * 1500, "1" * 1500]}, 400),
    ("/enter", {"kind": "said", "seat": "1", "what": "count", "value": "1" * 20_000}, 413),
    ("/check/walk", {"x": "1" * 20_000}, 413),
    ("/take-back", {}, 400),
    ("/take-back", {"entry": "x"}, 400),
    ("/take-back", {"entry": "0", "code": "started"}, 409),
    ("/take-back", {"seat": "9"}, 400),
    ("/start", {}, 400),
    ("/start", {"game": "chess", "seat-1": "A", "seat-2": "B"}, 400),
    ("/start", {"game": "stop-it", "seat-1": "A"}, 400),
    ("/start", {"game": "stop-it", "seat-1": "A", "seat-2": "B" * 25}, 400),
    ("/start", {"game": "stop-it", "seat-1": "A", "seat-2": "B", "stop-it.": "", "stop-it.tie_window": "x"}, 400),
    ("/start", {"game": "stop-it", "seat-1": "A", "seat-2": "B", "stop-it.": "", "stop-it.tie_window": "1e308"}, 400),
    ("/start", {"game": "stop-it", "seat-1": "A", "seat-2": "B", "stop-it.": "", "stop-it.empty": "x"}, 400),
    ("/demo/start", {"game": "chess"}, 400),
    ("/demo/pause", {}, 409),
    ("/demo/go-on", {}, 409),
    ("/demo/step", {}, 409),
    ("/demo/pace", {"speed": "2"}, 409),
    ("/language", {"language": "tlh"}, 400),
    ("/aloud", {"aloud": "louder"}, 400),
    ("/table/lay", {"place": "moon", "card": "red-1"}, 400),
    ("/table/lay", {"place": "centre"}, 400),
    ("/table/lift", {"place": "moon"}, 400),
    ("/table/press", {"seat": "x"}, 400),
]


def test_bad_input_is_told_in_words(client: FlaskClient) -> None:
    for (path, form, status), language in itertools.product(BAD, ("en", "fr")):
        answer = client.post(path, data=form, headers={**SCRIPT, "Accept-Language": language})
        page = client.post(path, data=form, headers={"Accept-Language": language})
        assert (answer.status_code, page.status_code) == (status, status), (path, form)
        assert len(answer.get_json()["message"]) > 15
        assert "<h1>" in page.text


@pytest.mark.parametrize(("wrong", "status"), [(NotNow("full moon"), 409), (WrongInput("full moon"), 400)])
def test_what_the_table_can_not_do_is_told_with_its_reason(
    live: Live, client: FlaskClient, monkeypatch: pytest.MonkeyPatch, wrong: Exception, status: int
) -> None:
    def refuse(*_: Any) -> None:
        raise wrong

    monkeypatch.setattr(live, "go_on", refuse)
    for language in ("en", "fr"):
        answer = client.post("/go-on", headers={**SCRIPT, "Accept-Language": language})
        assert (answer.status_code, "full moon" in answer.get_json()["message"]) == (status, True)


def test_a_get_where_a_form_belongs(client: FlaskClient) -> None:
    assert client.get("/enter").status_code == 405


def test_before_the_first_match_nothing_can_be_entered(tmp_path: Path) -> None:
    with living(tmp_path) as live:
        client = app_of(live).test_client()
        for path, form in [
            ("/enter", {"kind": "pressed", "seat": "1"}),
            ("/enter", {"kind": "tapped", "place": "centre", "card": "red-1"}),
            ("/take-back", {"entry": "0", "code": "started"}),
            ("/again", {}),
        ]:
            assert client.post(path, data=form).status_code == 409


def test_on_a_real_table_there_is_no_virtual_hand_and_no_demo(live: Live) -> None:
    client = app_of(live, virtual=False).test_client()
    for path in ("/table/press", "/table/lay", "/table/lift", "/demo/stop", "/demo/pause"):
        assert client.post(path, data={"seat": "1"}).status_code == 404
    assert client.post("/demo/start", data={"game": "stop-it"}).status_code == 404


def test_each_act_makes_the_event_of_the_real_thing(live: Live, clock: Clock, client: FlaskClient) -> None:
    clock.now = 5
    client.post("/enter", data={"kind": "pressed", "seat": "1"})
    clock.now = 6
    client.post("/enter", data={"kind": "pressed", "seat": "3"})
    answer = client.post(
        "/enter", data={"kind": "tapped", "place": "seat-3", "card": "blue-stop-1", "page": "seat-3"}, headers=SCRIPT
    )
    assert "Bo showed the blue stop" in answer.get_json()["message"]
    client.post("/enter", data={"kind": "said", "seat": "3", "what": "count", "value": "4"})
    fault = {"kind": "said", "seat": "host", "what": "fault", "value": '{"seat":1,"fault":"dropped"}'}
    client.post("/enter", data=fault)
    assert live.ask(lambda match: match.events[1:]) == [
        Pressed(2, 5.0, 1, by="phone"),
        Pressed(3, 6.0, 3, by="phone"),
        Tapped(4, 6.0, "seat-3", "blue-stop-1", by="phone"),
        Said(5, 6.0, 3, "count", 4),
        Said(6, 6.0, "host", "fault", {"seat": 1, "fault": "dropped"}),
    ]
    assert live.ask(lambda match: match.misplays) == []


def test_several_cards_may_be_tapped_with_one_form(live: Live, client: FlaskClient) -> None:
    to_count(live)
    form = {"kind": "tapped", "place": "seat-3", "card": ["red-7", "red-9"]}
    assert client.post("/enter", data=form, headers=SCRIPT).status_code == 200
    assert client.post("/enter", data={**form, "card": ["red-8", "purple-9"]}, headers=SCRIPT).status_code == 400
    form = {"place": "seat-1", "card": ["red-1", "red-2"]}
    assert client.post("/table/lay", data=form, headers=SCRIPT).status_code == 200
    assert live.ask(lambda match: dict(match.state.tapped)) == {"red-7": 3, "red-9": 3, "red-1": 1, "red-2": 1}


@pytest.mark.parametrize(
    ("fields", "value"),
    [
        ({}, UNSET),
        ({"value": ""}, UNSET),
        ({"value": "[3]"}, [3]),
        ({"value.": ["", '"red-1"', '"red-2"']}, ["red-1", "red-2"]),
        ({"value.": ""}, []),
        ({"value.1": ["3", "0"], "value.4": ["", "2"], "value.5": ""}, {"1": [3, 0], "4": [2], "5": []}),
        ({"value.1.1": "3", "value.1.2": "0", "value.4.1": "2"}, {"1": [3, 0], "4": [2]}),
    ],
)
def test_what_is_said_may_be_put_together_from_many_fields(
    live: Live, client: FlaskClient, fields: dict[str, Any], value: Any
) -> None:
    form = {"kind": "said", "seat": "host", "what": "anything", **fields}
    assert client.post("/enter", data=form, headers=SCRIPT).status_code == 200
    assert live.ask(lambda match: match.events[-1]) == Said(2, ANY, "host", "anything", value)


def test_without_a_script_the_answer_stands_on_the_page(clock: Clock, client: FlaskClient) -> None:
    clock.now = 5
    answer = client.post(
        "/enter", data={"kind": "pressed", "seat": "1", "page": "seat-1"}, headers={"Accept-Language": "fr"}
    )
    assert (answer.status_code, answer.location) == (303, "/seat/1")
    assert '<p class="answer" role="status">Ana a lancé' in client.get("/seat/1").text


def test_a_private_answer_reaches_only_its_seat(live: Live, client: FlaskClient) -> None:
    to_count(live)
    form = {"kind": "said", "seat": "3", "what": "count", "value": "99"}
    assert "can’t be" in client.post("/enter", data={**form, "page": "seat-3"}, headers=SCRIPT).get_json()["message"]
    for other in ("host", "host-3", "seat-1", "score"):
        message = client.post("/enter", data={**form, "page": other}, headers=SCRIPT).get_json()["message"]
        assert message == "Noted."
    assert "can’t be" in client.get("/seat/3").text
    for path in ("/", "/seat/1", "/host", "/host/3", "/story", "/table"):
        assert "can’t be" not in client.get(path).text


def test_language(client: FlaskClient) -> None:
    assert "Hôte" in client.get("/", headers={"Accept-Language": "fr-CH, en;q=0.5"}).text
    assert "Host" in client.get("/", headers={"Accept-Language": "it"}).text
    answer = client.post("/language", data={"language": "fr", "page": "seat-3"})
    assert (answer.status_code, answer.location) == (303, "/seat/3")
    assert "Hôte" in client.get("/", headers={"Accept-Language": "en"}).text


def test_demo(live: Live, client: FlaskClient) -> None:
    live.pause(Why.ENDED)
    client.post("/demo/start", data={"game": "stop-it"})
    assert "Stop the demo" in client.get("/").text
    client.post("/demo/stop")
    assert "Stop the demo" not in client.get("/").text
    assert live.snapshot.ended, "or nobody is offered a match of their own"
    client.post("/demo/start", data={"game": "stop-it"})
    client.post("/again")
    assert "Stop the demo" not in client.get("/").text


def test_what_is_not_recorded_is_said_large_and_everywhere(live: Live, client: FlaskClient) -> None:
    with refusing(live._judging.recorder._log, "append"):
        answer = client.post("/enter", data={"kind": "pressed", "seat": "1"})
    assert answer.status_code == 503
    assert "NOT RECORDED" in answer.text
    for path in PAGES:
        assert "NOT RECORDING" in client.get(path).text
    host = client.get("/host").text
    assert host.index("NOT RECORDING") < host.index("can’t be written") < host.index('id="now"'), "not below all else"


def test_what_does_not_work_is_shown(live: Live, client: FlaskClient) -> None:
    live.tell(Failed("reader seat-2", "no answer: is it plugged in?", 0.0), Crowded("seat-3", 0.0))
    live.tell(Working("buzzers", "box 1.0", 0.0))
    for path in ("/", "/big", "/seat/1", "/host", "/table"):
        text = client.get(path).text
        assert '<b>reader seat 2</b>: <span lang="en">no answer: is it plugged in?</span>' in text
        assert "One card at a time: Bo." in text
    assert ">The buzzers answer.<" in client.get("/host/table").text
    live.tell(Working("reader seat-2", "PN532", 0.0), Uncrowded("seat-3", 0.0))
    assert "no answer" not in client.get("/").text
    assert "One card" not in client.get("/").text


def test_asking_only_for_a_streams_head_ends(client: FlaskClient) -> None:
    assert client.head("/stream/score").data == b""


def first_message(client: FlaskClient, page: str) -> bytes:
    """Read the first message of a page's stream."""
    answer = client.get(f"/stream/{page}")
    try:
        return next(iter(answer.response))  # type: ignore[return-value]
    finally:
        answer.close()


def test_no_number_of_events_and_no_tag_is_on_any_page(live: Live, client: FlaskClient) -> None:
    to_count(live)
    for path in ["score", "seat-1", "host", "table"]:
        text = first_message(client, path).decode()
        assert "seq" not in text
        assert json.dumps(live.snapshot.match) not in re.findall(r"match[^0-9]{0,3}(\d+)", text)


def test_who_cannot_unpack_gets_it_plain(client: FlaskClient) -> None:
    packed = client.get("/", headers={"Accept-Encoding": "gzip"})
    plain = client.get("/")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert gzip.decompress(packed.data) == plain.data
    assert "Accept-Encoding" in packed.vary
    assert "Accept-Encoding" in plain.vary


def test_cards_that_look_alike_are_offered_once_and_another_copy_is_laid(
    live: Live, clock: Clock, client: FlaskClient
) -> None:
    page = client.get("/table").text
    assert page.count('value="negative-') == page.count('value="special-stop-') == 1
    to_count(live)
    live.enter(*(Said(0, 0.0, seat, "count", seat) for seat in (1, 3, 5)))
    for _ in range(2):
        live.enter(Pressed(0, 0.0, 1))
        clock.now += 2
    post(client, "/table/lay", place="centre", card="red-stop-1")
    assert live.ask(lambda match: match.state.stop) == "red-stop-2"


def test_what_builds_a_routes_addresses_is_compiled_with_the_first_one(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_builder = Rule._compile_builder
    monkeypatch.setattr(
        Rule, "_compile_builder", lambda rule, *how: compiled.append(rule.rule) or compile_builder(rule, *how)
    )
    of_match = LateRoute("/match/<int:number>", endpoint="match")
    routes = Map([of_match, LateRoute("/people", endpoint="people")]).bind("table")
    assert compiled == []
    assert routes.build("match", {"number": 7, "at": "the end"}) == "/match/7?at=the+end"
    assert compiled == ["/match/<int:number>"]
