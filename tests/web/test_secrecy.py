"""What an observer may not know yet changes no byte they can reach."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.events import Pressed, Said, Tapped
from companion.live.table import Live
from companion.web.feed import SIGN_OF_LIFE
from companion.web.render.page_names import named
from tests.trust.pairs import COUNT, HAND, STOP_IT, tap
from tests.wall_clock import in_hand
from tests.web.hearing import hearing
from tests.web.table import PEOPLE, SCRIPT, Clock, app_of, living, serving, to_count

PATHS = ["/", "/big", "/seat/1", "/seat/5", "/host", "/host/3", "/table", "/story", "/story/1", "/host/1", "/tags"]
PATHS += ["/results", "/results/1", "/otherwise/1", "/season", "/results/1.csv", "/results.csv", "/season.csv"]
PATHS += ["/api/1/public", "/api/1/results", "/api/1/matches/1", "/api/1/people", "/overlay", "/results/1.bgsplay"]
_BLUE = tap("seat-1", "blue-1")
SEALED = [
    *(
        ((*first, *then), (*other, *then))
        for _, started, beforehand, first, other, then in HAND
        if (started, beforehand) == (STOP_IT, COUNT)
    ),
    ((*_BLUE, *tap("seat-3", "red-4"), *_BLUE), (*_BLUE, *_BLUE)),
    ((), tap("seat-3", "red-1", "red-2")),
]


@pytest.fixture(params=SEALED)
def twins(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[FlaskClient]]:
    """Phones at two tables whose matches differ in what is sealed alone."""
    in_hand(monkeypatch, "2026-11-28T20:00")  # both begin at the same time
    with ExitStack() as stack:
        clients = []
        for name, acts in zip("ab", request.param, strict=True):
            (tmp_path / name).mkdir()
            live = stack.enter_context(living(tmp_path / name, Clock()))
            live.begin("stop-it", PEOPLE, {})
            to_count(live)
            for act in acts:
                live.enter(act)
            clients.append(app_of(live).test_client())
        yield clients


def test_two_lives_that_differ_in_what_is_sealed_look_the_same(twins: list[FlaskClient]) -> None:
    first, other = twins
    for language in ("en", "fr"):
        for path in PATHS:
            assert page(first, path, language) == page(other, path, language)
    for kind in ("/enter", "/take-back"):
        form = {"kind": "said", "seat": "1", "what": "nonsense", "page": "seat-1", "entry": "99"}
        answers = [client.post(kind, data=form) for client in twins]
        assert answers[0].status_code == answers[1].status_code
        assert answers[0].data == answers[1].data


def test_putting_right_what_was_misread_tells_nothing_sealed(twins: list[FlaskClient]) -> None:
    """The stop card was misread; all that came after it, sealed or not, is entered again."""
    offered, other = twins
    offers = [re.findall(r'href="(/right/[^"]*)"', client.get("/host").text) for client in twins]
    assert offers[0] == offers[1]
    offer = min(offers[0])  # the stop card; later ones are cards that everybody saw on the wrong pad
    path, _, mark = offer.partition("?mark=")
    form = {"mark": mark, "wrong": "red-stop-1", "card": "violet-stop-1", "page": "host"}
    assert offered.get(offer).data == other.get(offer).data
    answers = [client.post(path, data=form, headers=SCRIPT) for client in twins]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].data == answers[1].data
    for path in PATHS:
        assert page(offered, path, "en") == page(other, path, "en")


def page(client: FlaskClient, path: str, language: str) -> bytes:
    answer = client.get(path, query_string={"lang": language})
    return b"".join(f"{name}: {value}\n".encode() for name, value in answer.headers) + answer.data


def test_a_sealed_act_sends_nothing(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.feed.TICK", 0.01)
    to_count(live)
    with ExitStack() as stack:
        port = stack.enter_context(serving(app_of(live)))
        names = ("score", "seat-1", "host", "table")
        streams = [stack.enter_context(hearing(port, f"/stream/{name}")) for name in names]
        for stream in streams:
            assert b"data: <div" in next(stream)
        live.enter(Tapped(0, 0.0, "seat-3", "red-4"), Tapped(0, 0.0, "seat-3", "red-5"))
        live.enter(Said(0, 0.0, 3, "count", 99))
        for stream in streams:
            assert [next(stream) for _ in range(9)] == [SIGN_OF_LIFE] * 9  # some were on their way before it was done
        live.enter(Pressed(0, 0.0, 3))
        for stream in streams:
            while (fresh := next(stream)) == SIGN_OF_LIFE:
                pass
            assert b"data: <div" in fresh


def test_a_sealed_act_has_no_page_rendered_anew_but_its_seats_own(live: Live) -> None:
    """Else the page that comes later than usual tells that something was done."""
    to_count(live)
    screens = app_of(live).extensions["companion"].screens
    names = ("score", "host", "host-3", "seat-1", "table")
    fragments_before = {name: screens.fragment(named(name), "en") for name in (*names, "seat-3")}
    live.enter(Tapped(0, 0.0, "seat-3", "red-4"))
    live.enter(Said(0, 0.0, 3, "count", 99))
    for name in names:
        assert screens.fragment(named(name), "en") is fragments_before[name], name
    assert screens.fragment(named("seat-3"), "en") != fragments_before["seat-3"]
    live.enter(Pressed(0, 0.0, 3))
    for name in names:
        assert screens.fragment(named(name), "en") is not fragments_before[name], name
