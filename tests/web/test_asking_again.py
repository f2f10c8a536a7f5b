"""What was asked in vain: when it is asked again, and what is done without an answer."""

import pytest
from flask.testing import FlaskClient

from companion.access.presence import GOES_ON_WITHOUT
from companion.access.rights_file import Phones
from companion.acts.question import AGAIN, GRACE, LAPSES
from companion.events import Pressed, Said
from companion.live.table import Live
from tests.web.table import PEOPLE, Clock, count, counts, post, question, reply, to_count
from tests.web.test_agreement import counted, entry


@pytest.mark.parametrize("answers", [True, False])
def test_nobody_is_held_at_a_table_by_who_declines(
    live: Live, ticks: Clock, host: FlaskClient, bo: FlaskClient, answers: bool
) -> None:
    counted(live)
    post(host, "/end")
    assert "within 90 s, the host asks once more, and it ends" in bo.get("/seat/3").text
    assert "within 90 s, ask once more, and it ends" in host.get("/host").text
    assert "have asked for this already" in post(host, "/end")[1]
    assert not live.snapshot.ended, "nobody has answered yet"
    if answers:
        assert reply(bo, "/seat/3", "no")[0] == 200
    ticks.now += 0 if answers else LAPSES
    sentence = "Not everybody wants to end" if answers else "Nobody agreed to end"
    assert f"{sentence} the match. End it once more" in host.get("/host").text
    post(host, "/end")
    assert live.snapshot.ended
    post(host, "/go-on")
    post(host, "/end")
    assert not live.snapshot.ended, "another time is asked anew"


def test_an_answer_goes_as_the_match_goes_on(live: Live, host: FlaskClient, bo: FlaskClient) -> None:
    counted(live)
    post(host, "/take-back", **entry(live, "counted"))
    reply(bo, "/seat/3", "no")
    assert 'id="unmet"' in host.get("/host").text
    count(live, 1, 2)
    assert 'id="unmet"' in host.get("/host").text, "it has hardly been read"
    count(live, 5, 1)
    to_count(live, "blue-stop-1")
    assert 'id="unmet"' not in host.get("/host").text


def test_an_answer_goes_when_the_match_is_over(live: Live, host: FlaskClient, bo: FlaskClient) -> None:
    live.begin("stop-it", PEOPLE, {"empty": "end-now"})
    live.enter(Pressed(0, 0.0, 1))
    post(host, "/end")
    reply(bo, "/seat/3", "no")
    assert 'id="unmet"' in host.get("/host").text
    live.enter(Said(0, 0.0, 3, "piles-empty"))
    assert live.snapshot.under_way is None
    assert 'id="unmet"' not in host.get("/host").text


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


def test_a_match_that_is_ended_after_all_closes_no_other_question(
    live: Live, ticks: Clock, host: FlaskClient, bo: FlaskClient
) -> None:
    counted(live)
    post(host, "/end")
    ticks.now += LAPSES
    post(host, "/rename", part="3", name="Bob")
    post(host, "/end")
    assert live.snapshot.ended
    assert "Is the right name at seat 3 Bob?" in bo.get("/seat/3").text


def test_who_may_not_ask_now_is_told_what_they_can_do(
    live: Live, host: FlaskClient, bo: FlaskClient, cleo: FlaskClient
) -> None:
    counted(live)
    form = entry(live, "stop-shown")
    post(cleo, "/take-back", **form)
    assert "asked for this already" in post(cleo, "/take-back", **form)[1]
    assert "Withdraw it first" in post(cleo, "/take-back", **entry(live, "counted"))[1]
    assert "Ask again once it is answered" in post(bo, "/take-back", **form)[1]
    post(host, "/take-back", **form)
    assert "Answer that first" in post(bo, "/take-back", **form)[1]


@pytest.mark.parametrize(
    ("first_path", "then"), [("/take-back", "/take-back"), ("/take-back", "/end"), ("/end", "/take-back")]
)
def test_nothing_else_is_done_without_who_declines(
    live: Live, host: FlaskClient, bo: FlaskClient, first_path: str, then: str
) -> None:
    counted(live)
    for path in (first_path, then):
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
        assert post(cleo, "/take-back", **entry(live, "counted")) == (
            409,
            "You asked a moment ago. You can ask once more in a second.",
        )
        ticks.now += 1
    post(cleo, "/take-back", **entry(live, "counted"))
    assert "another player" in post(host, "/end")[1]
    assert reply(bo, "/seat/3")[0] == 200
    assert live.snapshot.ended


def test_phones_that_are_off_are_waited_for_all_at_once_and_the_page_says_how_long(
    live: Live, ticks: Clock, host: FlaskClient, bo: FlaskClient, cleo: FlaskClient
) -> None:
    """Bo's has been off for a while when the host asks, Cléo's goes off with the question."""

    def told(client: FlaskClient, path: str) -> str:
        return client.get(path).text.partition('id="off"><small>')[2].partition("<")[0]

    counted(live)
    bo.get("/seat/3")
    ticks.now += GOES_ON_WITHOUT
    cleo.get("/seat/5")
    form = entry(live, "counted")
    post(host, "/take-back", **form)
    assert told(host, "/host") == "", "one who is asked can answer"
    ticks.now += 20
    assert told(host, "/host") == "The phones of Bo and Cléo are off. Ask once more in 40 s: it goes on without them."
    assert told(host, "/host/table") != ""
    assert post(host, "/take-back", **form)[0] == 409
    post(host, "/answer", question=question(host, "/host"), answer="no")
    post(host, "/take-back", **form)
    assert "in 40 s" in told(host, "/host"), "whoever withdraws and asks anew waits no longer"
    ticks.now += 40
    assert told(host, "/host") == "The phones of Bo and Cléo are off. Ask once more: it goes on without them."
    assert told(cleo, "/seat/5") == ""
    assert post(host, "/take-back", **form)[0] == 409, "Cléo's is on again"
    ticks.now += GOES_ON_WITHOUT
    assert post(host, "/take-back", **form)[1].startswith("Taken back")
    assert question(host, "/host") == ""


def test_a_phone_that_has_long_been_off_has_a_moment_to_answer(
    live: Live, phones: Phones, ticks: Clock, host: FlaskClient, bo: FlaskClient, cleo: FlaskClient
) -> None:
    bo.get("/seat/3")
    ticks.now += 2 * GOES_ON_WITHOUT
    assert post(host, "/free", part="3")[0] == 200
    ticks.now += GRACE - 1
    assert post(host, "/free", part="3") == (
        409,
        "The phone at seat 3 may still answer. Ask once more when it has shown no sign for 1 s.",
    )
    ticks.now += 1
    for part in ("3", "5"):
        assert post(host, "/free", part=part)[0] == 200
        assert int(part) not in phones.rights.holders


def test_nothing_is_done_without_phones_that_are_off_before_it_was_asked(
    live: Live, ticks: Clock, host: FlaskClient, bo: FlaskClient, cleo: FlaskClient
) -> None:
    counted(live)
    ticks.now += GOES_ON_WITHOUT
    assert post(host, "/end")[0] == 200
    ticks.now += GRACE
    post(host, "/answer", question=question(host, "/host"), answer="no")
    form = entry(live, "counted")
    assert post(host, "/take-back", **form)[1].startswith("That concerns others")
    assert post(host, "/take-back", **form)[1].startswith("Taken back")


def test_where_no_match_is_under_way_nobody_is_asked_whose_phone_is_off(
    live: Live, ticks: Clock, host: FlaskClient, bo: FlaskClient, cleo: FlaskClient
) -> None:
    """They may have gone home."""
    live.begin("stop-it", PEOPLE, {"empty": "end-now"})
    live.enter(Pressed(0, 0.0, 1), Said(0, 0.0, 3, "piles-empty"))
    assert live.snapshot.under_way is None
    for phone, path in ((bo, "/seat/3"), (cleo, "/seat/5")):
        phone.get(path)
    form = entry(live, live.snapshot.views[None]["told"][-1]["code"])
    assert post(host, "/take-back", **form)[1].startswith("That concerns others")
    post(host, "/answer", question=question(host, "/host"), answer="no")
    ticks.now += GOES_ON_WITHOUT
    assert post(host, "/take-back", **form)[1].startswith("Taken back")
