"""A match that is over is still a match: the host and one other put it right, leave it out, or go on with it."""

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from html import unescape
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST, phone_of
from companion.events import Player, Tapped
from companion.live.pause import Why
from companion.live.table import Live
from companion.storage.log import Log
from tests.live.table import refusing
from tests.web.table import (
    ANAS,
    BOS,
    CLEOS,
    Clock,
    app_with,
    client_of,
    count,
    living,
    phones_of,
    post,
    question,
    reply,
    to_count,
)

PEOPLE = (Player(1, "Ana"), Player(3, "Bo"))
MOVES = ("red-1", "red-2a", "red-3", "blue-3", "red-boss", "blue-boss", "green-boss", "orange-boss")
"""In turn; the fifth boss ends the match."""
LAST = "yellow-boss"


@pytest.fixture
def live(tmp_path: Path, clock: Clock) -> Iterator[Live]:
    with living(tmp_path, clock, simulated=True) as live:
        yield live


@pytest.fixture
def phones(live: Live) -> Phones:
    return phones_of(live, {HOST: ANAS, 1: ANAS, 3: BOS})


@pytest.fixture
def app(live: Live, phones: Phones) -> Flask:
    return app_with(live, phones, virtual=False)


def play(live: Live, *cards: str) -> int:
    number = live.begin("kartel", PEOPLE, {})
    clock = live.clock
    assert isinstance(clock, Clock)
    for turn, card in enumerate(cards):
        clock.now += 5
        live.enter(Tapped(0, 0.0, f"seat-{(1, 3)[turn % 2]}", card))  # type: ignore[arg-type]
    return number


def ended_by_mistake(live: Live) -> int:
    """Play a match that a misread card ended, and begin the next one."""
    number = play(live, *MOVES, LAST)
    play(live, "green-1")
    return number


def forms(page: str, action: str) -> list[dict[str, str]]:
    """Return the fields of every form of a page that leads there."""
    forms_found = re.findall(rf'(?s)<form[^>]*action="{action}".*?</form>', page)
    return [dict(re.findall(r'name="([^"]+)"(?: value="([^"]*)")?', form)) for form in forms_found]


def undo_of(host: FlaskClient, number: int, text: str) -> dict[str, str]:
    """Return the form with which the page of a match undoes what it tells like this."""
    page = host.get(f"/results/{number}").text
    line = next(line for line in re.findall(r"(?s)<li id=\"e\d+\".*?</li>", page) if text in unescape(line))
    return forms(line, "/take-back")[0]


def standing(host: FlaskClient) -> list[tuple[int, bool, list[tuple[str, int]]]]:
    """Return how every match stands, as other programs are told."""
    return [
        (result["match"], result["over"], [(player["name"], player["points"]) for player in result["players"]])
        for result in host.get("/api/1/results").get_json()
    ]


def test_the_act_that_ended_an_earlier_match_is_taken_back_by_the_host_and_one_other(
    live: Live, host: FlaskClient, bo: FlaskClient
) -> None:
    number = ended_by_mistake(live)
    assert post(host, "/take-back", **undo_of(host, number, "jails the yellow boss"))[1].startswith("That concerns")
    assert standing(host)[0][1], "nothing is done before another has agreed"
    assert "Match 1, Kartel: Take back" in unescape(bo.get("/seat/3").text)
    assert reply(bo, "/seat/3") == (200, "Taken back.")
    assert not standing(host)[0][1]
    assert "Not finished" in host.get(f"/results/{number}").text
    assert "Matches that count" not in host.get("/season").text
    assert live.snapshot.in_play == number + 1


def test_what_was_missed_in_an_earlier_match_is_entered_and_ends_it(
    live: Live, host: FlaskClient, bo: FlaskClient
) -> None:
    number = ended_by_mistake(live)
    post(host, "/take-back", **undo_of(host, number, "jails the yellow boss"))
    reply(bo, "/seat/3")
    page = host.get(f"/results/{number}/enter/1").text
    fields = next(form for form in forms(page, "/enter") if "place" in form)
    assert fields["match"] == str(number)
    post(host, "/enter", kind="tapped", place="seat-1", card="blue-1", match=number, page=fields["page"])
    assert reply(bo, "/seat/3")[1].startswith("Ana takes the blue 1")
    post(host, "/enter", kind="tapped", place="seat-3", card=LAST, match=number, page=fields["page"])
    assert "wins" in reply(bo, "/seat/3")[1]
    assert standing(host)[0][1]
    page = host.get(f"/results/{number}").text
    assert "Put right after its end · Ana and Bo" in page
    assert "Put right after its end" in host.get("/results").text
    assert "Matches that count: 1." in host.get("/season").text


def test_a_misread_card_of_an_earlier_match_is_put_right(live: Live, host: FlaskClient, bo: FlaskClient) -> None:
    number = ended_by_mistake(live)
    standing_before = standing(host)[0]
    offers = re.findall(r'href="(/right/[^"]*)"', host.get(f"/results/{number}").text)
    offer = next(unescape(href) for href in offers if "wrong=red-3" in href or href.startswith("/right/3?"))
    page = host.get(offer).text
    assert f'name="match" value="{number}"' in page
    path, _, query = offer.partition("?")
    mark = re.search(r"mark=(\w+)", query)
    assert mark
    post(host, path, mark=mark[1], wrong="blue-3", card="blue-2a", match=number, page=f"results-{number}")
    assert reply(bo, "/seat/3") == (200, "Put right. Everything after it was judged again.")
    assert standing(host)[0] != standing_before
    assert standing(host)[0][1]


def test_nobody_but_the_host_asks_for_it(live: Live, host: FlaskClient, bo: FlaskClient) -> None:
    number = ended_by_mistake(live)
    form = undo_of(host, number, "jails the yellow boss")
    assert post(bo, "/take-back", **form)[0] == 403
    assert post(bo, "/leave-out", match=number)[0] == 403
    assert post(bo, "/go-on", match=number)[0] == 403
    assert bo.get(f"/results/{number}/enter/1").status_code == 403
    assert 'id="mending"' not in bo.get(f"/results/{number}").text


def test_the_page_follows_until_others_have_answered(live: Live, host: FlaskClient, bo: FlaskClient) -> None:
    number = ended_by_mistake(live)
    follows = '<div id="asked" data-afresh>'
    assert follows not in host.get(f"/results/{number}").text
    post(host, "/take-back", **undo_of(host, number, "jails the yellow boss"))
    page = host.get(f"/results/{number}").text
    assert follows in page
    assert "/static/afresh.js" in page
    assert follows not in bo.get(f"/results/{number}").text
    reply(bo, "/seat/3")
    assert '<div id="asked"></div>' in host.get(f"/results/{number}").text


def test_whoever_is_asked_reads_what_the_change_would_bring(live: Live, host: FlaskClient, bo: FlaskClient) -> None:
    number = ended_by_mistake(live)
    misplays = live.ask_about(number, lambda match: len(match.misplays))
    post(host, "/take-back", **undo_of(host, number, "jails the green boss"))
    page = bo.get("/seat/3").text
    assert "The match would then go on: it would be over no longer. One act would no longer count." in page
    reply(bo, "/seat/3")
    assert live.ask_about(number, lambda match: len(match.misplays)) == misplays + 1
    assert not standing(host)[0][1]


def test_what_is_declined_is_not_done(live: Live, host: FlaskClient, bo: FlaskClient) -> None:
    number = ended_by_mistake(live)
    standing_before = standing(host)
    post(host, "/take-back", **undo_of(host, number, "jails the yellow boss"))
    reply(bo, "/seat/3", "no")
    assert standing(host) == standing_before


def test_where_nobody_else_has_a_phone_the_host_decides_alone(live: Live) -> None:
    host = client_of(app_with(live, phones_of(live, {HOST: ANAS, 1: ANAS}), virtual=False), ANAS)
    number = ended_by_mistake(live)
    assert post(host, "/take-back", **undo_of(host, number, "jails the yellow boss")) == (200, "Taken back.")


def test_who_played_it_is_asked_before_who_only_sits_there_now(live: Live) -> None:
    number = play(live, *MOVES, LAST)
    live.begin("kartel", (Player(1, "Ana"), Player(3, "Bo"), Player(5, "Cléo")), {})
    app = app_with(live, phones_of(live, {HOST: ANAS, 1: ANAS, 3: BOS, 5: CLEOS}), virtual=False)
    host, bo, cleo = (client_of(app, token) for token in (ANAS, BOS, CLEOS))
    for client, seat in ((bo, 3), (cleo, 5)):
        client.get(f"/seat/{seat}")
    post(host, "/leave-out", match=number)
    assert question(cleo, "/seat/5") == ""
    assert question(bo, "/seat/3")


def test_whoever_sits_there_now_is_asked_if_nobody_else_who_played_it_is_there(live: Live) -> None:
    number = play(live, *MOVES, LAST)
    live.begin("kartel", (Player(1, "Ana"), Player(5, "Cléo")), {})
    app = app_with(live, phones_of(live, {HOST: ANAS, 1: ANAS, 5: CLEOS}), virtual=False)
    host = client_of(app, ANAS)
    cleo = client_of(app, CLEOS)
    cleo.get("/seat/5")
    post(host, "/leave-out", match=number)
    assert reply(cleo, "/seat/5") == (200, "Left out: it counts nowhere now.")


def test_a_match_is_left_out_and_counted_again(live: Live, host: FlaskClient, bo: FlaskClient) -> None:
    number = ended_by_mistake(live)
    assert "Matches that count: 1." in host.get("/season").text
    form = forms(host.get(f"/results/{number}").text, "/leave-out")[0]
    post(host, "/leave-out", **form)
    assert reply(bo, "/seat/3") == (200, "Left out: it counts nowhere now.")
    page = host.get(f"/results/{number}").text
    assert "Left out: counts nowhere · Ana and Bo" in page
    assert "Left out: counts nowhere" in host.get("/results").text
    assert "Matches that count" not in host.get("/season").text
    post(host, "/count-again", **forms(page, "/count-again")[0])
    assert reply(bo, "/seat/3") == (200, "It counts again.")
    assert "Matches that count: 1." in host.get("/season").text
    assert "Left out" not in bo.get(f"/results/{number}").text


def test_a_match_that_was_ended_early_goes_on_at_the_table_with_its_people(
    live: Live, host: FlaskClient, bo: FlaskClient, phones: Phones
) -> None:
    number = play(live, *MOVES)
    live.pause(Why.ENDED)
    play(live, *MOVES)
    assert "Another match is being played" in host.get(f"/results/{number}").text
    assert post(host, "/go-on", match=number)[0] == 409
    live.pause(Why.ENDED)
    bo.get("/seat/3")
    post(host, "/go-on", **forms(host.get(f"/results/{number}").text, "/go-on")[0])
    assert reply(bo, "/seat/3") == (200, "The match goes on, with the same people at their seats.")
    assert live.snapshot.in_play == number
    assert phones.rights.holders[3] == phone_of(BOS)
    assert live.snapshot.views[None]["table"]["active"] == 1


def test_a_match_that_is_over_does_not_go_on(live: Live, host: FlaskClient) -> None:
    number = play(live, *MOVES, LAST)
    play(live, "green-1")
    live.pause(Why.ENDED)
    assert post(host, "/go-on", match=number)[0] == 409


def test_the_match_being_played_is_neither_left_out_nor_mended_on_its_page_of_results(
    live: Live, host: FlaskClient
) -> None:
    number = play(live, "red-1")
    assert 'id="mending"' not in host.get(f"/results/{number}").text
    assert post(host, "/leave-out", match=number)[0] == 409


@pytest.mark.parametrize("match", ["17", "x", "-1", "9" * 30])
def test_a_match_that_is_not_there_is_refused(live: Live, host: FlaskClient, match: str) -> None:
    play(live, "red-1")
    for path in ("/leave-out", "/count-again", "/go-on"):
        assert post(host, path, match=match)[0] == 404
    assert post(host, "/take-back", match=match, entry=0, code="x")[0] == 404
    assert post(host, "/enter", match=match, kind="pressed", seat=1)[0] == 404
    assert host.get(f"/right/0?mark=x&match={match}").status_code == 404


def test_nothing_is_done_to_an_earlier_match_while_the_disk_is_full(
    live: Live, host: FlaskClient, bo: FlaskClient
) -> None:
    number = ended_by_mistake(live)
    standing_before = standing(host)
    post(host, "/take-back", **undo_of(host, number, "jails the yellow boss"))
    with refusing(live._judging.recorder._log, "append", "try_to_write"):
        assert reply(bo, "/seat/3")[0] == 503
    assert standing(host) == standing_before
    assert reply(bo, "/seat/3") == (200, "Taken back.")


def pages_after_a_count(folder: Path, cards: int) -> list[str]:
    """Return what the host sees of a match that was ended while one count was in."""
    folder.mkdir()
    with living(folder, Clock(), simulated=True) as live:
        live.begin("stop-it", (Player(1, "Ana"), Player(3, "Bo"), Player(5, "Cléo")), {})
        to_count(live)
        count(live, 3, cards)
        live.pause(Why.ENDED)
        live.begin("kartel", PEOPLE, {})
        host = client_of(app_with(live, phones_of(live, {HOST: ANAS, 1: ANAS}), virtual=False), ANAS)
        paths = ("/results/1", *(f"/results/1/enter/{part}" for part in (0, 1, 3, 5)))
        answers = [post(host, "/enter", kind="pressed", seat=5, match=1)[1]]
        return [*answers, *(re.sub(r"\d\d:\d\d", "", host.get(path).text) for path in paths)]


def test_what_was_sealed_when_a_match_was_ended_stays_so(tmp_path: Path) -> None:
    assert pages_after_a_count(tmp_path / "few", 4) == pages_after_a_count(tmp_path / "many", 5)


@contextmanager
def switched_on_again(folder: Path) -> Iterator[tuple[Live, FlaskClient]]:
    """The same table on another day: only Ana is there."""
    clock = Clock()
    with closing(Log(folder / "log.sqlite", writes=False)) as log:
        clock.now = log.last_at()
    with living(folder, clock, simulated=True) as live:
        yield live, client_of(app_with(live, phones_of(live, {HOST: ANAS, 1: ANAS}), virtual=False), ANAS)


def test_next_day_it_can_still_be_put_right_and_left_out(tmp_path: Path, clock: Clock) -> None:
    with living(tmp_path, clock, simulated=True) as live:
        number = ended_by_mistake(live)
    with switched_on_again(tmp_path) as (live, host):
        assert post(host, "/take-back", **undo_of(host, number, "jails the yellow boss")) == (200, "Taken back.")
    with switched_on_again(tmp_path) as (live, host):
        assert not standing(host)[0][1]
        post(host, "/leave-out", match=number)
    with switched_on_again(tmp_path) as (live, host):
        assert "Left out: counts nowhere" in host.get(f"/results/{number}").text
        assert live.snapshot.in_play == number + 1
