"""What people agreed to is done once it can be stored: no answer is lost to a full disk, and none counts twice."""

from typing import Any

import gevent
import pytest
from flask.testing import FlaskClient

from companion.access import rights_file
from companion.access.rights_file import Phones
from companion.acts.question import LAPSES
from companion.live.pause import Why
from companion.live.table import Live
from tests.live.table import refusing
from tests.waiting import until
from tests.web.table import Clock, acts, count, counts, post, question, reply, to_count

FULL = OSError(28, "No space left on device")


def count_of_bo(live: Live) -> dict[str, Any]:
    """The entry of Bo's count, as a form names it."""
    story = live.ask(lambda match: [verdict.code for verdict in match.public])
    return {"entry": str(len(story) - 1 - story[::-1].index("counted")), "code": "counted"}


@pytest.fixture
def counted(live: Live) -> Live:
    """Bo has four cards."""
    to_count(live)
    count(live, 3, 4)
    return live


def test_a_yes_that_could_not_be_stored_can_be_given_again(counted: Live, host: FlaskClient, cleo: FlaskClient) -> None:
    post(host, "/take-back", **count_of_bo(counted))
    name = question(cleo, "/seat/5")
    with refusing(counted._judging.recorder._log, "append"):
        assert reply(cleo, "/seat/5")[0] == 503
        assert question(cleo, "/seat/5") == name
    assert post(cleo, "/answer", question=name, answer="yes", page="seat-5")[0] == 200
    assert counts(counted) == {}
    assert question(cleo, "/seat/5") == ""


def test_who_declines_while_nothing_can_be_stored_is_heard(counted: Live, host: FlaskClient, cleo: FlaskClient) -> None:
    post(host, "/take-back", **count_of_bo(counted))
    with refusing(counted._judging.recorder._log, "append"):
        assert reply(cleo, "/seat/5")[0] == 503
        assert reply(cleo, "/seat/5", "no")[0] == 200
    assert question(cleo, "/seat/5") == ""
    assert counts(counted) == {3: 4}


def test_no_question_lapses_while_nothing_can_be_stored(
    counted: Live, host: FlaskClient, cleo: FlaskClient, ticks: Clock, clock: Clock
) -> None:
    post(host, "/take-back", **count_of_bo(counted))
    name = question(cleo, "/seat/5")
    with refusing(counted._judging.recorder._log, "append", "try_to_write") as tries:
        assert reply(cleo, "/seat/5")[0] == 503
        for _ in range(4):
            ticks.now += LAPSES / 2
            clock.now += 2
            tries_before = len(tries)
            until(lambda tries_before=tries_before: len(tries) > tries_before)
            counted.ask(lambda match: None)
    ticks.now += LAPSES / 2
    assert post(cleo, "/answer", question=name, answer="yes", page="seat-5")[0] == 200
    assert counts(counted) == {}


def test_what_can_not_be_done_any_more_is_asked_no_longer(
    counted: Live, host: FlaskClient, bo: FlaskClient, cleo: FlaskClient
) -> None:
    post(host, "/take-back", **count_of_bo(counted))
    assert post(bo, "/take-back", **count_of_bo(counted))[0] == 200
    assert reply(cleo, "/seat/5")[0] == 409
    assert question(cleo, "/seat/5") == ""


def test_a_yes_in_a_break_can_be_given_again_after_it(counted: Live, host: FlaskClient, cleo: FlaskClient) -> None:
    post(host, "/enter", kind="said", what="count", seat="5", value="2", page="host")
    counted.pause(Why.BREAK)
    assert reply(cleo, "/seat/5")[0] == 409
    counted.go_on()
    assert reply(cleo, "/seat/5")[0] == 200
    assert counts(counted) == {3: 4, 5: 2}


def test_an_end_that_could_not_be_stored_is_agreed_to_again(live: Live, host: FlaskClient, bo: FlaskClient) -> None:
    post(host, "/end", page="host")
    with refusing(live._judging.recorder._log, "pause"):
        assert reply(bo, "/seat/3")[0] == 503
    assert live.snapshot.people_play
    assert reply(bo, "/seat/3")[0] == 200
    assert live.snapshot.ended


def test_the_host_who_was_answered_by_nobody_may_end_it_however_often_it_fails(
    live: Live, host: FlaskClient, bo: FlaskClient
) -> None:
    post(host, "/end", page="host")
    assert reply(bo, "/seat/3", "no")[0] == 200
    with refusing(live._judging.recorder._log, "pause"):
        assert [post(host, "/end", page="host")[0] for _ in range(2)] == [503, 503]
    assert post(host, "/end", page="host")[0] == 200
    assert live.snapshot.ended


def test_the_host_who_waited_long_enough_may_do_it_however_often_it_fails(
    counted: Live, host: FlaskClient, ticks: Clock
) -> None:
    act = count_of_bo(counted)
    post(host, "/take-back", **act)
    ticks.now += 80
    with refusing(counted._judging.recorder._log, "append"):
        assert [post(host, "/take-back", **act)[0] for _ in range(2)] == [503, 503]
    assert post(host, "/take-back", **act)[0] == 200
    assert counts(counted) == {}


def test_a_match_that_could_not_be_started_is_agreed_to_again(
    counted: Live, phones: Phones, host: FlaskClient, bo: FlaskClient
) -> None:
    number = counted.snapshot.match
    post(host, "/again", page="host")
    for keeper, way, wrong in ((counted._judging.recorder._log, "open_match", None), (rights_file, "_save", FULL)):
        with refusing(keeper, way, **({"error": wrong} if wrong else {})):
            assert reply(bo, "/seat/3")[0] == 503
            assert counted.snapshot.match == number
    assert reply(bo, "/seat/3")[0] == 200
    assert counted.snapshot.match == number + 1
    assert phones.rights.holders[3]


def test_a_seat_that_could_not_be_freed_is_agreed_to_again(phones: Phones, host: FlaskClient, bo: FlaskClient) -> None:
    post(host, "/free", part="3", page="host")
    with refusing(rights_file, "_save", error=FULL):
        assert reply(bo, "/seat/3")[0] == 503
    assert 3 in phones.rights.holders
    assert reply(bo, "/seat/3")[0] == 200
    assert 3 not in phones.rights.holders


def test_a_name_that_could_not_be_stored_is_agreed_to_again(phones: Phones, host: FlaskClient, bo: FlaskClient) -> None:
    post(host, "/rename", part="3", name="Bob", page="host")
    with refusing(rights_file, "_save", error=FULL):
        assert reply(bo, "/seat/3")[0] == 503
    assert reply(bo, "/seat/3")[0] == 200
    assert bo.get("/seat/3").text.count("Bob")


@pytest.mark.parametrize("second", ["yes", "no"])
def test_of_two_answers_at_once_one_counts_and_it_is_done_once(
    counted: Live, host: FlaskClient, bo: FlaskClient, cleo: FlaskClient, second: str
) -> None:
    state_before = acts(counted), counts(counted)
    post(host, "/take-back", **count_of_bo(counted))
    name = question(cleo, "/seat/5")
    first = gevent.spawn(post, cleo, "/answer", question=name, answer="yes", page="seat-5")
    other = gevent.spawn(post, bo, "/answer", question=name, answer=second, page="seat-3")
    answered = [answer.get()[0] for answer in (first, other)]
    if answered == [409, 200]:  # the no came first: whose turn it is depends on who has just asked for a page
        assert second == "no"
        assert (acts(counted), counts(counted)) == state_before
    else:
        assert answered == [200, 200]
        assert (acts(counted), counts(counted)) == (state_before[0] + 1, {})
