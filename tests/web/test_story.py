"""The story of a long match is told in passages, and nobody who plays waits for those who read it."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest.mock import patch
from urllib.request import Request, urlopen

import pytest
from flask import request
from flask.testing import FlaskClient

from companion.events import Tapped
from companion.history.archive import Archive
from companion.judge.views import PASSAGE
from companion.live.table import Live
from companion.web.render.verdicts import MANY, Sentence, in_runs
from tests.waiting import PATIENCE, until
from tests.web.table import PEOPLE, TABLET, Clock, acts, app_of, count, serving, to_count

ENTRIES = 2 * PASSAGE + 51


@pytest.fixture
def long(live: Live) -> Live:
    """A match of which so much was told."""
    cards = ("red-7", "red-8") * ENTRIES  # the same twice would be one act
    live.enter(*(Tapped(0, 0.0, "centre", card) for card in cards[:ENTRIES]))  # type: ignore[arg-type]
    return live


def followed(phone: FlaskClient, path: str, words: str) -> list[int]:
    """Follow the links of these words; return how many entries each page has."""
    counts = []
    while path:
        page = phone.get(path).text
        counts.append(len(re.findall(r'<li class="(?:timed )?misplay">', page)))
        path, *_ = [*re.findall(rf'<a href="([^"]*)">{words}</a>', page), ""]
    return counts


@pytest.mark.parametrize(
    ("language", "earlier", "later"), [("en", "Earlier", "Later"), ("fr", "Plus tôt", "Plus tard")]
)
def test_a_long_story_is_read_passage_by_passage(long: Live, language: str, earlier: str, later: str) -> None:
    phone = app_of(long).test_client()
    phone.post("/language", data={"language": language})
    assert followed(phone, "/story", earlier) == [PASSAGE, PASSAGE, 51]
    assert followed(phone, "/story?before=51", later) == [51, PASSAGE, PASSAGE]
    assert followed(phone, "/results/1", later) == [PASSAGE, PASSAGE, 51]
    assert followed(phone, f"/results/1?since={2 * PASSAGE}", earlier) == [51, PASSAGE, PASSAGE]
    assert f'start="{PASSAGE + 1}"' in phone.get(f"/results/1?since={PASSAGE}").text


def test_one_minute_is_folded_once(long: Live) -> None:
    folded = re.findall(r"<summary>(Minute [^<]*)</summary>", app_of(long).test_client().get("/story").text)
    assert folded
    assert len({*folded}) == len(folded)


@pytest.mark.parametrize("where", ["", "x", "-1", "1e9", "9" * 5000])
def test_a_passage_that_is_not_there_is_no_fault(long: Live, where: str) -> None:
    phone = app_of(long).test_client()
    assert phone.get("/story", query_string={"before": where}).status_code == 200
    assert phone.get("/results/1", query_string={"since": where}).status_code == 200


def test_a_short_story_leads_nowhere_else(live: Live) -> None:
    phone = app_of(live).test_client()
    assert not re.search(r"(before|since)=", phone.get("/story").text + phone.get("/results/1").text)


def test_however_many_read_a_past_match_an_act_does_not_wait(live: Live) -> None:
    """The table's threads are few, and to judge a long match again takes one of them a while."""
    app = app_of(live)
    come = []
    on = threading.Event()
    match = Archive.match

    def slow(archive: Archive, number: int) -> Any:
        on.wait(2 * PATIENCE)
        return match(archive, number)

    def read(path: str, form: bytes | None = None) -> int:
        asking = Request(f"http://127.0.0.1:{port}{path}", form, {"Cookie": f"phone={TABLET}"})
        return urlopen(asking, timeout=PATIENCE).status

    app.before_request(lambda: come.append(request.path))
    with patch.object(Archive, "match", slow), serving(app) as port, ThreadPoolExecutor(20) as readers:
        pages = [readers.submit(read, "/results/1") for _ in range(20)]
        until(lambda: len(come) == len(pages))
        try:
            assert read("/enter", b"kind=pressed&seat=1&page=seat-1") == 200
            assert acts(live) == 2
        finally:
            on.set()
        assert {page.result() for page in pages} == {200}


def test_what_was_news_leads_to_the_table_as_it_stood(live: Live) -> None:
    to_count(live)
    for seat, cards in ((1, 4), (3, 2), (5, 0)):
        count(live, seat, cards)
    phone = app_of(live).test_client()
    first, *_, last = re.findall(r'href="(/results/1/then/\d+)"', phone.get("/results/1").text)
    assert 'data-phase="collecting"' in phone.get(first).text
    assert 'data-phase="scored"' in phone.get(last).text
    assert first in phone.get("/story").text
    assert phone.get("/results/1/then/99").status_code == 404


def test_a_moment_is_in_the_same_minute_wherever_it_is_told(live: Live, clock: Clock) -> None:
    clock.now += 250.0
    to_count(live)
    phone = app_of(live).test_client()
    assert re.search(r"<span class=.minute.>min\. 5</span>", phone.get("/story").text)
    moment = max(re.findall(r"/results/1/then/(\d+)", phone.get("/results/1").text), key=int)
    assert "Minute 5" in phone.get(f"/results/1/then/{moment}").text


def test_the_past_gives_no_orders(live: Live) -> None:
    live.begin("stop-me-go", PEOPLE, {})
    live.enter(Tapped(0, 0.0, "centre", "gangster-7"))
    phone = app_of(live).test_client()
    for path in ("/story", f"/results/{live.snapshot.match}", "/host"):
        assert re.search(r"Round 1 begins with gangster 7\.\s*</", phone.get(path).text)


def test_of_many_alike_in_a_row_the_first_is_told_and_the_others_on_demand() -> None:
    def told(code: str, times: int) -> list[Sentence]:
        return [Sentence(f"{code} {number}", "", "", "", code, {}, False, number) for number in range(times)]

    many = told("read", MANY)
    few = told("laid", MANY - 1)
    assert [*in_runs([*many, *few])] == [(many[0], many[1:]), *((sentence, ()) for sentence in few)]
    assert [*in_runs([])] == []
