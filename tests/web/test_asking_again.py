"""What was asked in vain: when it is asked again, and what is done without an answer."""

import pytest
from flask.testing import FlaskClient

from companion.live.table import Live
from companion.web.agreement import AGAIN, LAPSES
from tests.web.table import (
    Clock,
    counts,
    post,
    reply,
)
from tests.web.test_agreement import counted, entry


@pytest.mark.parametrize("answers", [True, False])
def test_nobody_is_held_at_a_table_by_who_declines(
    live: Live, ticks: Clock, host: FlaskClient, bo: FlaskClient, answers: bool
) -> None:
    counted(live)
    post(host, "/end")
    assert "within 90 s, the host asks once more, and it ends" in bo.get("/seat/3").text
    post(host, "/end")
    assert not live.snapshot.ended, "nobody has answered yet"
    if answers:
        assert reply(bo, "/seat/3", "no")[0] == 200
    ticks.now += 0 if answers else LAPSES
    said = "Not everybody wants to end" if answers else "Nobody agreed to end"
    assert f"{said} the match. End it once more" in host.get("/host").text
    post(host, "/end")
    assert live.snapshot.ended
    post(host, "/go-on")
    post(host, "/end")
    assert not live.snapshot.ended, "another time is asked anew"


def test_what_was_asked_in_vain_is_not_forgotten_over_another_question(
    live: Live, host: FlaskClient, bo: FlaskClient
) -> None:
    counted(live)
    post(host, "/end")
    assert "End it once more" not in host.get("/host").text
    reply(bo, "/seat/3", "no")
    post(host, "/take-back", **entry(live, "counted"))
    reply(bo, "/seat/3", "no")
    post(host, "/end")
    assert live.snapshot.ended


def test_who_may_not_ask_now_is_told_what_they_can_do(
    live: Live, host: FlaskClient, bo: FlaskClient, cleo: FlaskClient
) -> None:
    counted(live)
    form = entry(live, "stop-shown")
    post(cleo, "/take-back", **form)
    assert "Withdraw it first" in post(cleo, "/take-back", **form)[1]
    assert "Ask again once it is answered" in post(bo, "/take-back", **form)[1]
    post(host, "/take-back", **form)
    assert "Answer that first" in post(bo, "/take-back", **form)[1]


@pytest.mark.parametrize(
    ("asked", "then"), [("/take-back", "/take-back"), ("/take-back", "/end"), ("/end", "/take-back")]
)
def test_nothing_else_is_done_without_who_declines(
    live: Live, host: FlaskClient, bo: FlaskClient, asked: str, then: str
) -> None:
    counted(live)
    for path in (asked, then):
        reply(bo, "/seat/3", "no")
        post(host, path, **entry(live, "counted"))
    assert (counts(live), live.snapshot.ended) == ({3: 4}, False)


def test_a_seat_that_was_declined_waits_longer_each_time_and_the_host_goes_before(
    live: Live, ticks: Clock, host: FlaskClient, bo: FlaskClient, cleo: FlaskClient
) -> None:
    counted(live)
    for times in (1, 2, 4):
        assert "host must agree" in post(cleo, "/take-back", **entry(live, "counted"))[1]
        reply(host, "/host", "no")
        ticks.now += times * AGAIN - 1
        assert post(cleo, "/take-back", **entry(live, "counted")) == (409, "Ask again in 1 s.")
        ticks.now += 1
    post(cleo, "/take-back", **entry(live, "counted"))
    assert "another player" in post(host, "/end")[1]
    assert reply(bo, "/seat/3")[0] == 200
    assert live.snapshot.ended
