"""Cheers and objections on the pages: what the big screen shows of them, and what nobody is shown."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask.testing import FlaskClient

from companion.acts.beside_play import CHEER_S, LOOK_S
from companion.events import Pressed
from companion.kit.in_chromium import Glass, Rendered
from companion.live.table import Live
from companion.web.render.page_names import Page
from companion.web.site import site
from tests.chromium import TELEVISION
from tests.web.table import (
    ANAS,
    BOS,
    CLEOS,
    PEOPLE,
    Clock,
    app_with,
    client_of,
    count,
    living,
    phones_of,
    post,
    to_count,
)


class Beside:
    """Three play stop it!, each with a phone, and a big screen shows the table."""

    def __init__(self, live: Live, clock: Clock) -> None:
        self.live = live
        self.clock = clock
        phones = phones_of(live, {0: ANAS, 1: ANAS, 3: BOS, 5: CLEOS})
        self.app = app_with(live, phones, virtual=False, clock=clock)
        self.ana, self.bo, self.cleo, self.onlooker = (client_of(self.app, key) for key in (ANAS, BOS, CLEOS, None))
        with self.app.app_context():
            site().feeds[Page("big"), "en"] = SimpleNamespace(heard=True)  # type: ignore[assignment]

    def big(self, language: str = "en") -> str:
        return self.bo.get("/big", query_string={"lang": language}).text

    def object(self, phone: FlaskClient) -> tuple[int, str]:
        entry, mark = last_entry(phone)
        return post(phone, "/look-again", entry=entry, mark=mark)


def last_entry(phone: FlaskClient) -> tuple[str, str]:
    hit = re.search(
        r'action="/look-again".*?name="entry" value="(\d+)".*?name="mark" value="(\w+)"', _seat(phone), re.S
    )
    assert hit, "no objection is offered"
    return hit[1], hit[2]


def _seat(phone: FlaskClient) -> str:
    for seat in (1, 3, 5):
        answer = phone.get(f"/seat/{seat}?lang=en")
        if answer.status_code == 200:
            return answer.text
    return phone.get("/?lang=en").text


@contextmanager
def beside(folder: Path) -> Iterator[Beside]:
    clock = Clock()
    with living(folder, clock) as live:
        live.begin("stop-it", PEOPLE, {})
        yield Beside(live, clock)


@pytest.fixture
def at_count(tmp_path: Path) -> Iterator[Beside]:
    with beside(tmp_path) as table:
        to_count(table.live)
        count(table.live, 3, 4)
        yield table


@pytest.fixture
def in_race(tmp_path: Path) -> Iterator[Beside]:
    with beside(tmp_path) as table:
        table.clock.now += 1
        table.live.enter(Pressed(0, 0.0, 1))
        yield table


def _cheers(page: str) -> int:
    return page.count('id="cheer-')


def test_the_big_screen_shows_a_cheer_for_a_moment(at_count: Beside) -> None:
    assert post(at_count.onlooker, "/cheer")[0] == 200
    assert _cheers(at_count.big()) == 1
    at_count.clock.now += CHEER_S
    assert _cheers(at_count.big()) == 0


def test_a_cheer_is_seen_whole(at_count: Beside, glass: Glass) -> None:
    cut = """() => {
      const [edge, ...signs] = [...document.querySelectorAll(".cheering, .cheering svg")]
        .map(part => part.getBoundingClientRect());
      return signs.filter(sign => sign.top < Math.max(0, edge.top) - 1 || sign.bottom > edge.bottom + 1)
        .map(sign => `${sign.top} to ${sign.bottom} of ${edge.top} to ${edge.bottom}`);
    }"""
    for phone in (at_count.bo, at_count.cleo, at_count.onlooker):
        post(phone, "/cheer")
    assert glass.ask([Rendered("/big", "en", at_count.big())], cut, TELEVISION) == []


def test_a_cheer_is_the_big_screens_alone_and_in_no_record(at_count: Beside) -> None:
    events_before = at_count.live.ask(lambda match: len(match.events))
    post(at_count.bo, "/cheer")
    assert _cheers("".join(phone.get("/").text for phone in (at_count.ana, at_count.onlooker))) == 0
    assert _cheers(_seat(at_count.bo)) == 0
    assert at_count.live.ask(lambda match: len(match.events)) == events_before


def test_a_cheer_ends_no_news(at_count: Beside) -> None:
    page_before = at_count.big()
    post(at_count.bo, "/cheer")
    page_after = re.sub(r'<p class="cheering".*?</p>', "", at_count.big(), flags=re.S)
    assert re.findall(r'data-news="[^"]*"', page_after) == re.findall(r'data-news="[^"]*"', page_before)


def test_the_host_switches_cheers_off(at_count: Beside) -> None:
    assert "/cheer" in _seat(at_count.bo)
    assert post(at_count.bo, "/host/cheers", allowed="no")[0] == 403
    assert post(at_count.ana, "/host/cheers", allowed="no")[0] == 200
    assert 'action="/cheer"' not in _seat(at_count.bo)
    assert post(at_count.bo, "/cheer")[0] == 409
    assert post(at_count.ana, "/host/cheers", allowed="yes")[0] == 200
    assert post(at_count.bo, "/cheer")[0] == 200


def test_in_a_race_nobody_cheers_and_nobody_objects(in_race: Beside) -> None:
    page = _seat(in_race.bo)
    assert 'action="/cheer"' not in page
    assert 'action="/look-again"' not in page
    assert post(in_race.bo, "/cheer")[0] == 409
    assert post(in_race.bo, "/look-again", entry="0", mark="")[0] == 409


def test_once_somebody_was_first_the_finish_is_shown_again(in_race: Beside) -> None:
    in_race.clock.now += 2
    in_race.live.enter(Pressed(0, 0.0, 3))
    in_race.clock.now += 0.03
    in_race.live.enter(Pressed(0, 0.0, 5))
    in_race.clock.now += 1
    assert in_race.object(in_race.cleo)[0] == 200
    page = in_race.big()
    assert "Cléo: objection!" in page
    assert "finish-ruler" in page
    assert "Heard from a button: Cléo." in page
    assert re.search(r"30(\.0)?.ms", page)


def test_an_objection_shows_the_last_act_its_evidence_and_how_to_put_it_right(at_count: Beside) -> None:
    assert at_count.object(at_count.cleo)[0] == 200
    page = at_count.big()
    for sentence in ("Cléo: objection!", "Bo has counted", "Bo said so.", "Undo it on a phone"):
        assert sentence in page, sentence
    assert 'action="/take-back"' in _seat(at_count.cleo)
    assert "The big screen shows it again." in _seat(at_count.ana)


@pytest.mark.parametrize(("language", "sentence"), [("fr", "objection !"), ("de", "Einspruch!"), ("es", "¡protesto!")])
def test_it_is_said_in_every_language(at_count: Beside, language: str, sentence: str) -> None:
    at_count.object(at_count.cleo)
    assert sentence in at_count.big(language).replace("\u202f", " ").replace("\u00a0", " ")


def test_the_next_act_ends_it(at_count: Beside) -> None:
    at_count.object(at_count.cleo)
    count(at_count.live, 5, 2)
    assert "objection!" not in at_count.big()


def test_it_ends_by_itself(at_count: Beside) -> None:
    at_count.object(at_count.cleo)
    at_count.clock.now += LOOK_S
    assert "objection!" not in at_count.big()


def test_taking_the_act_back_ends_it(at_count: Beside) -> None:
    at_count.object(at_count.bo)
    hit = re.search(
        r'id="looked-again".*?name="entry" value="(\d+)".*?name="mark" value="(\w+)"', _seat(at_count.bo), re.S
    )
    assert hit
    assert post(at_count.bo, "/take-back", entry=hit[1], mark=hit[2], code="counted")[0] == 200
    assert "objection!" not in at_count.big()


def test_an_onlooker_objects_to_nothing(at_count: Beside) -> None:
    assert post(at_count.onlooker, "/look-again", entry="0", mark="")[0] == 403
