"""What each kind of phone may do: every route of the application itself, tried as everybody."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST, Rights, phone_of
from companion.devices.check.checkup import Checkup
from companion.events import Tapped
from companion.live.pause import Why
from companion.live.table import Live
from companion.web.feed import NOT_YOURS
from companion.web.http.access import RIGHTS, STARTS
from companion.web.http.phone import Right, right_to
from companion.web.render.page_names import Page, named
from tests.web.hearing import hearing
from tests.web.table import (
    PEOPLE,
    SCRIPT,
    Clock,
    acts,
    app_with,
    client_of,
    count,
    counts,
    living,
    phones_of,
    serving,
    to_count,
)

ANYBODY, PLAYER, HOLDER, WAITING, HOSTS, FIRST = Right
WHO = {"nobody": None, "stranger": "00" * 16, "other": "01" * 16, "holder": "03" * 16, "host": "10" * 16}
"""A phone without a token, one with a token that claimed nothing, those of seats 1 and 3, the host's."""
MAY = {
    ANYBODY: {"nobody", "stranger", "other", "holder", "host"},
    PLAYER: {"other", "holder", "host"},
    HOLDER: {"holder"},
    WAITING: set(),
    HOSTS: {"host"},
    FIRST: {"host"},
}


@pytest.fixture
def phones(live: Live) -> Phones:
    return phones_of(live, {HOST: WHO["host"] or "", 1: WHO["other"] or "", 3: WHO["holder"] or ""})


@pytest.fixture
def app(live: Live, phones: Phones) -> Flask:
    """A virtual table has every route."""
    return app_with(live, phones)


def routes(app: Flask) -> Iterator[tuple[str, str, str]]:
    """Every method, address and endpoint, with 3 for a seat."""
    for rule in app.url_map.iter_rules():
        values = {"seat": 3, "name": "seat-3", "code": "ZZZZZZ", "filename": "companion.css", "number": 1, "of": "1"}
        values |= {"slug": "go", "entry": 0, "who": "0" * 12, "kind": "css"}
        address = rule.rule
        for name in rule.arguments:
            for converter in (f"<int:{name}>", f"<path:{name}>", f"<{name}>"):
                address = address.replace(converter, str(values[name]))
        for method in sorted((rule.methods or set()) - {"OPTIONS"}):
            yield method, address, rule.endpoint


def test_every_route_has_a_right_and_every_right_a_route(app: Flask) -> None:
    assert {endpoint for _, _, endpoint in routes(app)} == set(RIGHTS)


def test_a_route_without_a_right_is_for_nobody(app: Flask) -> None:
    app.add_url_rule("/new", "new", lambda: "hello")
    for token in WHO.values():
        assert client_of(app, token).get("/new").status_code == 403


def test_each_phone_may_do_what_its_right_says_and_no_more(app: Flask) -> None:
    """No form comes with it: nothing is done, and whoever may do it is told what is missing."""
    for method, address, endpoint in routes(app):
        right = right_to(Page("seat", 3)) if endpoint == "streams.stream" else RIGHTS[endpoint]
        for name, token in WHO.items():
            answer = client_of(app, token).open(address, method=method, headers=SCRIPT if method == "POST" else {})
            answer.close()
            is_led_away = method in ("GET", "HEAD") and endpoint in STARTS and answer.status_code == 303
            refused = is_led_away or (answer.status_code == 403 and endpoint != "joining.claim")
            assert refused == (name not in MAY[right]), (method, address, name, answer.status_code)


@pytest.mark.parametrize("name", ["score", "big", "seat-1", "seat-3", "host", "host-1", "host-3", "codes", "table"])
def test_a_stream_is_for_whom_its_page_is(live: Live, phones: Phones, name: str) -> None:
    app = app_with(live, phones)
    page = named(name)
    assert page
    for holder, token in WHO.items():
        may = holder == "other" if name == "seat-1" else holder in MAY[right_to(page)]
        assert (client_of(app, token).head(f"/stream/{name}").status_code == 200) == may, holder
        if name not in ("score", "big"):
            assert (client_of(app, token).get(page.url).status_code == 200) == may, holder


@pytest.mark.parametrize(("name", "part"), [("seat-3", 3), ("host-1", HOST), ("codes", HOST), ("check", HOST)])
def test_a_stream_ends_once_its_page_is_another_phones(live: Live, phones: Phones, name: str, part: int) -> None:
    checkup = Checkup([], [], live.clock, "2.0", live.tell, lambda: None)
    token = WHO["holder" if part == 3 else "host"]
    with serving(app_with(live, phones, checkup=checkup)) as port, hearing(port, f"/stream/{name}", token) as stream:
        assert b"data: <" in next(stream)
        phones.change(lambda rights: Rights(rights.codes, {**rights.holders, part: phone_of("ab" * 16)}))
        assert next(stream) == NOT_YOURS
        assert next(stream, None) is None


def test_while_there_is_no_host_anybody_may_start_and_becomes_it(live: Live) -> None:
    phones = phones_of(live, {})
    app = app_with(live, phones)
    first = client_of(app, None)
    second = client_of(app, None)
    assert first.get("/host").status_code == second.get("/host").status_code == 200
    form = {"game": "stop-it", "seat-1": "Ana", "seat-3": "Bo"}
    assert first.post("/start", data=form, headers=SCRIPT).status_code == 200
    assert second.post("/start", data=form, headers=SCRIPT).status_code == 403
    assert first.get("/host/codes").status_code == 200
    assert second.get("/host").status_code == 403
    assert HOST in phones.rights.holders


def test_a_bad_start_makes_nobody_host(live: Live) -> None:
    phones = phones_of(live, {})
    client_of(app_with(live, phones), None).post("/start", data={"game": "stop-it", "seat-1": "Ana"})
    assert HOST not in phones.rights.holders


def test_who_watches_a_demo_is_no_host_so_that_others_may_start_a_match(live: Live) -> None:
    phones = phones_of(live, {})
    client = client_of(app_with(live, phones), None)
    live.pause(Why.ENDED)
    assert client.post("/demo/start", data={"game": "stop-it"}).status_code == 303
    assert HOST not in phones.rights.holders


def test_the_token_is_kept_from_scripts_and_other_sites(live: Live) -> None:
    app = app_with(live, phones_of(live, {}))
    answer = client_of(app, None).post("/start", data={"game": "stop-it", "seat-1": "Ana", "seat-3": "Bo"})
    cookie = next(text for text in answer.headers.getlist("Set-Cookie") if text.startswith("phone="))
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert len(cookie.partition(";")[0]) == len("phone=") + 32


def test_who_only_looks_on_is_given_no_token(app: Flask) -> None:
    for path in ("/", "/big", "/join", "/story", "/seat/3", "/host"):
        assert "phone=" not in str(client_of(app, None).get(path).headers.getlist("Set-Cookie"))


@pytest.mark.parametrize("token", ["", "host", "10" * 15, "10" * 17, "1g" * 16, "10" * 16 + "\r\n", "Ä" * 32])
def test_a_token_that_is_none_is_no_phone(live: Live, phones: Phones, token: str) -> None:
    assert client_of(app_with(live, phones), token).get("/host/codes").status_code == 403


OTHERS_ACTS = [
    {"kind": "pressed", "seat": "3"},
    {"kind": "pressed", "seat": "5"},
    {"kind": "said", "seat": "3", "what": "count", "value": "2"},
    {"kind": "said", "seat": "host", "what": "piles-empty"},
    {"kind": "tapped", "place": "seat-3", "card": "red-1"},
    {"kind": "tapped", "place": "centre", "card": "red-1"},
]


@pytest.mark.parametrize("form", OTHERS_ACTS)
def test_no_seat_acts_for_another(live: Live, app: Flask, form: dict[str, str]) -> None:
    to_count(live, caller=3)
    acts_before = acts(live)
    for page in ("seat-1", "seat-3", "host-3", "host"):
        answer = client_of(app, WHO["other"]).post("/enter", data={**form, "page": page}, headers=SCRIPT)
        assert answer.status_code == 403
    assert acts(live) == acts_before


def test_a_seat_enters_its_own_things(live: Live, app: Flask) -> None:
    to_count(live)
    holder = client_of(app, WHO["holder"])
    for form in ({"kind": "tapped", "place": "seat-3", "card": "red-1"}, {"kind": "pressed", "seat": "3"}):
        assert holder.post("/enter", data=form, headers=SCRIPT).status_code == 200
    assert counts(live) == {3: 1}


def test_no_seat_lays_anothers_card_at_the_shared_pad(live: Live, app: Flask) -> None:
    live.begin("stop-me-go", PEOPLE, {"colours": {"1": "red", "3": "yellow", "5": "blue"}})
    form = {"kind": "tapped", "place": "centre"}
    ana = client_of(app, WHO["other"])
    assert ana.post("/enter", data={**form, "card": "gangster-7"}, headers=SCRIPT).status_code == 200
    assert ana.post("/enter", data={**form, "card": "yellow-go-1"}, headers=SCRIPT).status_code == 403
    both = {**form, "card": ["red-go-1", "yellow-go-1"]}
    assert ana.post("/enter", data=both, headers=SCRIPT).status_code == 403
    assert ana.post("/enter", data={**form, "card": "red-go-1"}, headers=SCRIPT).status_code == 200
    assert live.ask(lambda match: dict(match.state.laying)) == {1: "red-go-1"}


def test_a_colour_chosen_on_a_page_from_before_the_gangster_lays_no_card(live: Live, app: Flask) -> None:
    live.begin("stop-me-go", PEOPLE, {})
    form = {"kind": "tapped", "place": "seat-1", "card": "red"}
    ana = client_of(app, WHO["other"])
    live.enter(Tapped(0, 0.0, "centre", "gangster-7"))
    assert ana.post("/enter", data=form, headers=SCRIPT).status_code == 409
    assert live.ask(lambda match: (match.state.holders, match.state.laying)) == ({}, {})


def test_no_seat_goes_on_into_anothers_turn_with_several_cards(live: Live, app: Flask) -> None:
    live.begin("kartel", PEOPLE, {})
    ana = client_of(app, WHO["other"])
    form = {"kind": "tapped", "place": "centre"}
    assert ana.post("/enter", data={**form, "card": ["red-1", "blue-1"]}, headers=SCRIPT).status_code == 403
    assert ana.post("/enter", data={**form, "card": "red-1"}, headers=SCRIPT).status_code == 200
    assert list(live.ask(lambda match: match.state.moves)) == ["red-1"]


def test_a_page_that_a_form_names_opens_nothing(live: Live, app: Flask) -> None:
    """The answer to an act is for the page it stands on; another seat's page is not this phone's to name."""
    to_count(live)
    live.enter(Tapped(0, 0.0, "seat-3", "blue-1"))
    form = {"kind": "said", "seat": "1", "what": "count", "value": "99"}
    phone = client_of(app, WHO["other"])
    assert "can’t be" in phone.post("/enter", data={**form, "page": "seat-1"}, headers=SCRIPT).get_json()["message"]
    assert phone.post("/enter", data={**form, "page": "seat-3"}, headers=SCRIPT).get_json()["message"] == "Noted."
    assert phone.post("/enter", data={**form, "page": "seat-3"}).location == "/"


def test_codes_stand_on_the_hosts_page_and_nowhere_else(live: Live, phones: Phones, app: Flask) -> None:
    codes = [phones.rights.codes[seat] for seat in range(1, 7)]
    for name, token in WHO.items():
        client = client_of(app, token)
        for path in ("/", "/big", "/seat/1", "/seat/3", "/host", "/host/1", "/host/codes", "/table", "/story", "/join"):
            text = client.get(path).text.replace(" ", "")
            assert phones.rights.codes[HOST] not in text
            assert any(code in text for code in codes) == (name == "host" and path == "/host/codes")


def test_a_seat_that_is_handed_on_shows_its_code_to_its_holder_alone(live: Live, phones: Phones, app: Flask) -> None:
    holder = client_of(app, WHO["holder"])
    assert holder.post("/hand-on", data={"part": "3"}, headers=SCRIPT).status_code == 200
    code = phones.rights.passing[3]
    assert code in holder.get("/seat/3").text.replace(" ", "")
    for name, token in WHO.items():
        for path in ("/", "/seat/1", "/host", "/host/3", "/host/codes", "/story", "/join"):
            assert code not in client_of(app, token).get(path).text.replace(" ", ""), (name, path)


def test_a_refused_page_is_the_same_whatever_is_sealed(tmp_path: Path) -> None:
    answers_seen = []
    for name, cards in (("a", 2), ("b", 9)):
        (tmp_path / name).mkdir()
        with living(tmp_path / name, Clock()) as live:
            live.begin("stop-it", PEOPLE, {})
            to_count(live)
            count(live, 3, cards)
            app = app_with(live, phones_of(live, {3: WHO["holder"] or ""}))
            requests = [(path, {"lang": language}) for path in ("/seat/3", "/story/3") for language in ("en", "fr")]
            answers = [client_of(app, None).get(path, query_string=query) for path, query in requests]
            assert {answer.status_code for answer in answers} == {403}
            answers_seen.append([(list(answer.headers), answer.data) for answer in answers])
    assert answers_seen[0] == answers_seen[1]


@pytest.mark.parametrize(
    "path",
    [
        "/static/../table.py",
        "/static/%2e%2e/locale/words.pot",
        "/static/..%2f..%2fpyproject.toml",
        "/static//etc/passwd",
        "/static/..\\locale/words.pot",
        "/join/../static/../locale/words.pot",
    ],
)
def test_no_path_leaves_its_folder(app: Flask, path: str) -> None:
    answer = client_of(app, WHO["host"]).get(path)
    assert answer.status_code in (308, 404)
    assert b"[companion]" not in answer.data


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_no_query_becomes_a_header(app: Flask, end: str) -> None:
    environ = {"PATH_INFO": "", "QUERY_STRING": f"a{end}X-Odd: b"}  # no path: a redirect to / that repeats the query
    answer = client_of(app, None).get("/", environ_overrides=environ)
    assert answer.status_code == 400
    assert "X-Odd" not in answer.headers
