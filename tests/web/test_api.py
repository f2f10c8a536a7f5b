"""What other programs are told: exactly what the pages show, described by the types it is made from."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace
from playwright.sync_api import expect

from companion.access import people
from companion.access.seat_rights import HOST
from companion.cli import main
from companion.events import Tapped
from companion.history.standings import Result
from companion.judge import record_file
from companion.live.table import Live
from companion.web.render.api_values import PastMatch, PeopleNow, TableNow
from companion.web.render.openapi import document
from companion.web.render.page_names import API
from tests.chromium import DESK, Opened
from tests.web.evenings import evenings
from tests.web.table import ANAS, PEOPLE, app_of, app_with, count, living, phones_of, scored, to_count

CLUB = "https://club.example"


def decoded_answer(client: FlaskClient, path: str, kind: Any) -> Any:
    """Ask, and see that the answer is just what its type says."""
    answer = client.get(path)
    assert answer.mimetype == "application/json"
    decoded = msgspec.json.decode(answer.data, type=kind)
    assert json.loads(msgspec.json.encode(decoded)) == answer.json, "a key that no type knows"
    return decoded


def test_the_public_view_is_what_a_replay_prints(live: Live, client: FlaskClient, tmp_path: Path) -> None:
    scored(live)
    record = tmp_path / "match.jsonl"
    record.write_bytes(record_file.encode(live.ask(lambda match: tuple(match.events))))
    printed = CliRunner().invoke(main, ["replay", str(record), "--view", "public"]).stdout
    assert client.get("/api/1/public").get_json()["view"] == json.loads(printed)


def test_what_is_told_is_what_its_types_say(tmp_path: Path) -> None:
    evenings(tmp_path)
    with living(tmp_path, simulated=True) as live:
        client = app_of(live).test_client()
        assert decoded_answer(client, "/api/1/public", TableNow).match is not None
        results = decoded_answer(client, "/api/1/results", list[Result])
        assert [result.match for result in results] == list(range(1, 9))
        assert decoded_answer(client, "/api/1/results?after=6", list[Result]) == results[6:]
        for match in (*range(1, 7), 8):
            past = decoded_answer(client, f"/api/1/matches/{match}", PastMatch)
            assert past.result == results[match - 1]
            assert len(past.story) == min(past.whole, 100)
        season = decoded_answer(client, "/api/1/people", PeopleNow)
        assert {person.name for person in season.tables[0].people}


def test_before_the_first_match_there_is_none(tmp_path: Path) -> None:
    with living(tmp_path) as live:
        client = app_of(live, virtual=False).test_client()
        assert decoded_answer(client, "/api/1/public", TableNow) == TableNow()
        assert decoded_answer(client, "/api/1/results", list[Result]) == []


def test_what_is_not_there_is_told_as_json(client: FlaskClient) -> None:
    answer = client.get("/api/1/matches/99")
    assert (answer.status_code, answer.mimetype) == (404, "application/problem+json")


def test_names_are_told_as_they_should_be(live: Live) -> None:
    phones = phones_of(live, {HOST: ANAS, 1: ANAS})
    phones.change(lambda rights: replace(rights, people=people.correct(rights.people, live.snapshot.match, 3, "Beau")))
    table = decoded_answer(app_with(live, phones).test_client(), "/api/1/public", TableNow)
    assert [player.name for player in table.players] == ["Ana", "Beau", "Cléo"]


def messages(client: FlaskClient, had: str = "") -> Any:
    return client.get("/api/1/stream", headers={"Last-Event-ID": had} if had else {}).response


def test_a_stream_goes_on_where_it_was_cut(live: Live, client: FlaskClient) -> None:
    first = next(iter(messages(client))).decode()
    (name,) = re.findall(r"^id: (\w+)$", first, re.MULTILINE)
    data = json.loads("".join(re.findall(r"^data: (.*)$", first, re.MULTILINE)))
    assert data == client.get("/api/1/public").json
    assert b"data: {" not in next(iter(messages(client, name))), "nothing is told twice"
    scored(live)
    assert b"data: {" in next(iter(messages(client, name)))


def test_what_is_sealed_is_not_told_nor_made_anew(live: Live, client: FlaskClient) -> None:
    to_count(live)
    screens = client.application.extensions["companion"].screens
    fragment_before = screens.fragment(API, "en")
    count(live, 3, 4)
    assert screens.fragment(API, "en") is not fragment_before, "that they have counted everybody sees"
    fragment_before = screens.fragment(API, "en")
    live.enter(Tapped(0, 0.0, "seat-5", "red-4"))
    assert screens.fragment(API, "en") is fragment_before


def test_only_the_sites_that_the_table_names_may_read_it(live: Live) -> None:
    app: Flask = app_of(live, origins=(CLUB,))
    client = app.test_client()

    def allowed(origin: str, path: str) -> str | None:
        return client.get(path, headers={"Origin": origin}).headers.get("Access-Control-Allow-Origin")

    assert allowed(CLUB, "/api/1/public") == CLUB
    assert allowed("https://evil.example", "/api/1/public") is None
    assert allowed(CLUB, "/") is None


def test_only_the_sites_that_the_table_names_may_frame_the_overlay_and_nothing_else(live: Live) -> None:
    def framing(path: str, *origins: str) -> str:
        policy = app_of(live, origins=origins).test_client().get(path).headers["Content-Security-Policy"]
        return policy.partition("frame-ancestors ")[2]

    assert framing("/overlay", CLUB, "http://homeassistant.local:8123") == f"{CLUB} http://homeassistant.local:8123"
    assert framing("/overlay") == framing("/", CLUB) == "'none'"


def test_every_route_is_described(client: FlaskClient) -> None:
    rules = {re.sub(r"<\w+:(\w+)>", r"{\1}", rule.rule) for rule in client.application.url_map.iter_rules()}
    assert {rule for rule in rules if rule.startswith("/api/")} == set(document()["paths"])
    assert client.get("/api/1/openapi.json").json == json.loads(msgspec.json.encode(document()))


def test_the_description_leads_nowhere_else_and_names_every_field() -> None:
    named = document()["components"]["schemas"]
    assert set(re.findall(r"#/components/schemas/(\w+)", json.dumps(document()))) == set(named)
    assert "what just happened" in named["SaidNow"]["properties"]["news"]["description"]


def test_the_overlay_shows_score_and_news_as_they_come(live: Live, served: Callable[[Flask], Opened]) -> None:
    page = served(app_of(live))("/overlay", viewport=DESK)
    expect(page.locator("#players li")).to_have_count(3)
    scored(live)
    expect(page.locator("#news")).not_to_be_empty()
    expect(page.locator("#players")).to_contain_text("Cléo")


def test_the_overlay_shows_no_score_where_nobody_may_know_it(live: Live, served: Callable[[Flask], Opened]) -> None:
    live.begin("stop-me-go", PEOPLE, {})
    page = served(app_of(live))("/overlay", viewport=DESK)
    expect(page.locator("#players li")).to_have_count(3)
    expect(page.locator("#players b")).to_have_count(0)
