"""A correction that concerns others needs the host and one other seat."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST
from companion.acts.question import LAPSES
from companion.events import Pressed, Retracted, Said, Tapped, place_of
from companion.games.go import GAME as GO
from companion.live.table import Live
from companion.words import catalogue
from tests.web.table import (
    ANAS,
    PEOPLE,
    Clock,
    acts,
    app_with,
    client_of,
    count,
    counts,
    post,
    question,
    reply,
    to_count,
)

LAID = ((1, "red"), (5, "blue"), (3, "yellow"))
PLAIN = {0x202F: " ", 0xA0: " "}
"""The spaces of French print, as one types them."""


def entry(live: Live, code: str) -> dict[str, Any]:
    """The latest entry of this code in the public story, as a form names it."""
    story = live.ask(lambda match: [verdict.code for verdict in match.public])
    return {"entry": str(len(story) - 1 - story[::-1].index(code)), "code": code}


def counted(live: Live) -> None:
    to_count(live)
    count(live, 3, 4)


def lay_and_press(live: Live, seat: int, *cards: str) -> None:
    clock = live.clock
    assert isinstance(clock, Clock)
    live.enter(*(Tapped(0, 0.0, place_of(seat), card) for card in cards))
    clock.now += 2
    live.enter(Pressed(0, 0.0, seat))


@pytest.fixture
def question_asked(live: Live, host: FlaskClient) -> tuple[int, str]:
    """The host asks to take Bo's count back; what they are told."""
    counted(live)
    return post(host, "/take-back", **entry(live, "counted"))


def test_the_host_takes_anothers_act_back_with_one_other_seat(
    live: Live, host: FlaskClient, bo: FlaskClient, cleo: FlaskClient
) -> None:
    counted(live)
    status, message = post(host, "/take-back", **entry(live, "counted"))
    assert (status, message) == (200, "That concerns others: another player must agree, on their own phone.")
    assert counts(live) == {3: 4}
    assert "Take back “Bo has counted”?" in cleo.get("/seat/5").text
    assert reply(cleo, "/seat/5")[0] == 200
    assert counts(live) == {}
    assert question(bo, "/seat/3") == ""


@pytest.mark.usefixtures("question_asked")
def test_the_question_is_seen_by_all_and_answered_by_few(
    app: Flask, live: Live, host: FlaskClient, bo: FlaskClient
) -> None:
    for path in ("/", "/big", "/story", "/join"):
        text = client_of(app, None).get(path).text
        assert "The host asks" in text
        assert "I agree" not in text
    asks = host.get("/join").text
    assert "Waiting for an answer." in asks
    assert 'class="button gold" href="/' in asks
    name = question(bo, "/seat/3")
    assert post(client_of(app, None), "/answer", question=name, answer="yes")[0] == 403
    assert post(client_of(app, None), "/answer", question=name, answer="no")[0] == 403
    assert counts(live) == {3: 4}


@pytest.mark.usefixtures("question_asked")
def test_a_question_about_this_match_is_no_affair_of_pages_about_others(
    live: Live, host: FlaskClient, bo: FlaskClient
) -> None:
    number = live.snapshot.match
    for path in ("/results", "/season", "/evening/2026-01-01", f"/results/{number}"):
        answer = bo.get(path)
        assert answer.status_code == 200
        assert "The host asks" not in answer.text


@pytest.mark.usefixtures("question_asked")
def test_the_host_does_not_answer_from_their_own_seat(live: Live, host: FlaskClient) -> None:
    assert "I agree" not in host.get("/seat/1").text
    assert reply(host, "/host")[0] == 403
    assert counts(live) == {3: 4}


def test_who_is_asked_may_decline_and_who_asks_withdraw(live: Live, host: FlaskClient, bo: FlaskClient) -> None:
    counted(live)
    for client, path in ((bo, "/seat/3"), (host, "/host")):
        post(host, "/take-back", **entry(live, "counted"))
        assert reply(client, path, "no") == (200, "It stays as it is.")
        assert question(host, "/host") == ""
    assert counts(live) == {3: 4}


def test_what_is_agreed_to_is_what_was_asked_though_entries_before_it_go(
    live: Live, host: FlaskClient, bo: FlaskClient
) -> None:
    to_count(live)
    live.enter(Said(0, 0.0, 3, "hm"))
    slip = live.ask(lambda match: match.events[-1].seq)
    count(live, 3, 4)
    act = entry(live, "counted")
    count(live, 5, 2)
    post(host, "/take-back", **act)
    live.enter(Retracted(0, 0.0, slip))
    assert reply(bo, "/seat/3")[0] == 200
    assert counts(live) == {5: 2}


def test_what_is_counted_again_before_somebody_agrees_counts(live: Live, host: FlaskClient, cleo: FlaskClient) -> None:
    """Whoever has heard the question lays their cards again at once."""
    to_count(live)
    lay_and_press(live, 3, "red-1", "red-2", "red-3")
    post(host, "/take-back", **entry(live, "counted"))
    lay_and_press(live, 3, "red-1", "red-2")
    assert counts(live) == {3: 3}
    assert reply(cleo, "/seat/5")[0] == 200
    assert counts(live) == {3: 2}


def test_a_hand_that_is_read_again_before_somebody_agrees_is_read(
    live: Live, host: FlaskClient, bo: FlaskClient
) -> None:
    live.begin("go", PEOPLE, {})
    live.enter(Pressed(0, 0.0, 1), Tapped(0, 0.0, "row", "grey-1"))
    twelve = [f"blue-{number}" for number in range(1, 12)]
    live.enter(*(Tapped(0, 0.0, "seat-5", card) for card in (*twelve, "red-9")))
    post(host, "/take-back", **entry(live, "hand-complete"))
    live.enter(*(Tapped(0, 0.0, "seat-5", card) for card in (*twelve, "red-8")))
    assert reply(bo, "/seat/3")[0] == 200
    assert live.ask(lambda match: match.game.view(match.state, 5)["own"]["cards"]) == sorted(
        [*twelve, "red-8"], key=[*GO.deck].index
    )


def test_a_lay_that_is_changed_before_somebody_agrees_goes_with_it(
    live: Live, host: FlaskClient, cleo: FlaskClient
) -> None:
    """If the other card took its place, everybody would see that there is one."""
    live.begin("stop-me-go", PEOPLE, {"colours": {"1": "red", "3": "yellow", "5": "blue"}})
    live.enter(Tapped(0, 0.0, "centre", "gangster-7"), Tapped(0, 0.0, "seat-3", "yellow-go-1"))
    post(host, "/take-back", **entry(live, "laid"))
    live.enter(Tapped(0, 0.0, "seat-3", "yellow-stop"))
    assert reply(cleo, "/seat/5")[0] == 200
    assert live.ask(lambda match: dict(match.state.laying)) == {}


@pytest.mark.usefixtures("question_asked")
def test_who_agrees_a_moment_after_another_hears_that_it_is_done(
    live: Live, bo: FlaskClient, cleo: FlaskClient, host: FlaskClient
) -> None:
    name = question(cleo, "/seat/5")
    assert reply(bo, "/seat/3")[0] == 200
    for answer, beginning in (("yes", "It is done."), ("no", "Somebody else agreed before you")):
        status, message = post(cleo, "/answer", question=name, answer=answer)
        assert (status, message.startswith(beginning)) == (200, True)
    assert post(host, "/answer", question=name, answer="yes")[0] == 409
    assert counts(live) == {}


def test_a_seat_asks_the_host(live: Live, host: FlaskClient, bo: FlaskClient, cleo: FlaskClient) -> None:
    counted(live)
    assert post(cleo, "/take-back", **entry(live, "counted")) == (200, "That concerns others: the host must agree.")
    assert question(bo, "/seat/3") == ""
    assert reply(host, "/host")[0] == 200
    assert counts(live) == {}


def test_ones_own_act_on_which_others_rest_is_not(live: Live, clock: Clock, bo: FlaskClient) -> None:
    clock.now += 1
    live.enter(Pressed(0, 0.0, 3))
    clock.now += 1
    live.enter(Pressed(0, 0.0, 1))
    assert post(bo, "/take-back", **entry(live, "started"))[1] == "That concerns others: the host must agree."


def test_whoever_turned_up_what_others_had_laid_does_not_take_that_back_alone(live: Live, bo: FlaskClient) -> None:
    """They could look, take their own card back, and lay another."""
    live.begin("stop-me-go", PEOPLE, {"colours": {"1": "red", "3": "yellow", "5": "blue"}})
    for number, gangster in enumerate((7, 3, 8, 9), 1):
        laid = (("centre", f"gangster-{gangster}"), *((f"seat-{seat}", f"{of}-go-{number}") for seat, of in LAID))
        live.enter(*(Tapped(0, 0.0, place, card) for place, card in laid))  # type: ignore[arg-type]
    live.enter(Said(0, 0.0, 3, "flip"))
    assert post(bo, "/take-back", **entry(live, "fled-nobody"))[1] == "That concerns others: the host must agree."


def test_a_question_quotes_what_happened_and_not_what_to_do_now(live: Live, host: FlaskClient, bo: FlaskClient) -> None:
    live.begin("stop-me-go", PEOPLE, {"colours": {"1": "red", "3": "yellow", "5": "blue"}})
    live.enter(Tapped(0, 0.0, "centre", "gangster-7"))
    assert "lays it beside the gangster" in catalogue("stop-me-go")["round-begins"].text
    live.enter(Tapped(0, 0.0, "seat-3", "yellow-go-1"))
    post(bo, "/take-back", **entry(live, "round-begins"))
    for language, sentence in (
        ("en", "Take back “Round 1 begins with "),
        ("fr", "annuler « La manche 1 commence avec "),
    ):
        page = host.get("/host", headers={"Accept-Language": language}).text.translate(PLAIN)
        section = page.partition('id="question"')[2].partition("</section>")[0]
        assert sentence in section
        assert not any(order in section for order in ("Everybody", "Chacun"))


def test_what_was_nobodys_in_particular_any_seat_takes_back_while_nothing_came_after(
    live: Live, cleo: FlaskClient
) -> None:
    live.begin("stop-me-go", PEOPLE, {"colours": {"1": "red", "3": "yellow", "5": "blue"}})
    live.enter(Tapped(0, 0.0, "centre", "gangster-7"))
    assert post(cleo, "/take-back", **entry(live, "round-begins"))[1].startswith("Taken back")
    live.enter(Tapped(0, 0.0, "centre", "gangster-7"), Tapped(0, 0.0, "seat-3", "yellow-go-1"))
    assert post(cleo, "/take-back", **entry(live, "round-begins"))[1] == "That concerns others: the host must agree."


def test_the_host_enters_for_a_seat_that_has_a_phone_with_another_seat(
    live: Live, host: FlaskClient, cleo: FlaskClient
) -> None:
    to_count(live)
    form = {"kind": "said", "seat": "3", "what": "count", "value": "4", "page": "host-3"}
    assert post(host, "/enter", **form)[1] == "That concerns others: another player must agree, on their own phone."
    text = cleo.get("/seat/5").text
    assert "Enter for Bo what was missed?" in text
    assert "another player must agree to what you enter here" in host.get("/host/3").text
    assert reply(cleo, "/seat/5") == (200, "Bo has counted.")
    assert counts(live) == {3: 4}


def test_what_would_be_entered_for_another_is_not_told(
    live: Live, host: FlaskClient, cleo: FlaskClient, app: Flask
) -> None:
    to_count(live)
    pages_seen = []
    for value in ("4", "9"):
        post(host, "/enter", kind="said", seat="3", what="count", value=value)
        text = cleo.get("/seat/5").text + client_of(app, None).get("/").text + host.get("/host").text
        pages_seen.append(text.replace(question(cleo, "/seat/5"), ""))
        reply(cleo, "/seat/5", "no")
    assert pages_seen[0] == pages_seen[1]


def test_the_host_enters_alone_for_who_has_no_phone(
    live: Live, phones: Phones, host: FlaskClient, cleo: FlaskClient
) -> None:
    post(cleo, "/free", part="5")
    to_count(live)
    assert post(host, "/enter", kind="said", seat="5", what="count", value="4") == (200, "Cléo has counted.")


def test_a_word_of_the_host_that_undoes_others_acts_needs_one_too(
    live: Live, host: FlaskClient, bo: FlaskClient
) -> None:
    live.begin("go", PEOPLE, {})
    live.enter(Pressed(0, 0.0, 3))
    post(host, "/enter", kind="said", seat="host", what="void")
    assert live.ask(lambda match: match.state.call) is not None
    assert "“This round is void: deal again”" in bo.get("/seat/3").text
    assert reply(bo, "/seat/3")[0] == 200
    assert live.ask(lambda match: match.state.call) is None


def test_a_match_under_way_is_not_left_by_the_host_alone(
    live: Live, clock: Clock, host: FlaskClient, bo: FlaskClient
) -> None:
    form = {"game": "kartel", "seat-1": "Ana", "seat-3": "Bo"}
    clock.now += 1
    live.enter(Pressed(0, 0.0, 1))
    for path, more in (("/start", form), ("/again", {})):
        assert post(host, path, **more)[1].startswith("That concerns others")
        assert reply(bo, "/seat/3", "no")[0] == 200
    post(host, "/start", **form)
    assert live.ask(lambda match: match.game.slug) == "stop-it"
    assert reply(bo, "/seat/3") == (200, "A new match begins.")
    assert live.ask(lambda match: match.game.slug) == "kartel"


def test_a_match_in_which_nothing_has_happened_or_that_is_over_is_left_alone(live: Live, host: FlaskClient) -> None:
    assert post(host, "/again") == (200, "A new match begins.")


@pytest.mark.usefixtures("question_asked")
def test_freeing_waits_for_another_question(host: FlaskClient) -> None:
    assert post(host, "/free", part="3")[0] == 409


def test_where_nobody_else_has_a_phone_the_host_alone_suffices(
    live: Live, phones: Phones, host: FlaskClient, bo: FlaskClient, cleo: FlaskClient
) -> None:
    for client, seat in ((bo, "3"), (cleo, "5")):
        post(client, "/free", part=seat)
    counted(live)
    assert post(host, "/take-back", **entry(live, "counted"))[1].startswith("Taken back")


@pytest.mark.usefixtures("question_asked")
def test_a_seat_that_does_not_play_in_this_match_has_no_say(
    live: Live, phones: Phones, app: Flask, host: FlaskClient
) -> None:
    looker = client_of(app, None)
    looker.post("/join", data={"code": phones.rights.codes[2]})
    assert "I agree" not in looker.get("/seat/2").text
    name = question(host, "/host")
    assert post(looker, "/answer", question=name, answer="yes")[0] == 403
    assert post(looker, "/take-back", **entry(live, "counted"))[0] == 403


def test_at_the_virtual_table_the_host_alone_suffices(live: Live, phones: Phones) -> None:
    host = client_of(app_with(live, phones), ANAS)
    counted(live)
    assert post(host, "/take-back", **entry(live, "counted"))[1].startswith("Taken back")


@pytest.mark.usefixtures("question_asked")
def test_a_question_lapses(live: Live, ticks: Clock, host: FlaskClient, bo: FlaskClient) -> None:
    name = question(bo, "/seat/3")
    ticks.now += LAPSES + 1
    assert "The host asks" not in bo.get("/seat/3").text
    assert post(bo, "/answer", question=name, answer="yes")[0] == 409
    assert counts(live) == {3: 4}


@pytest.mark.usefixtures("question_asked")
@pytest.mark.parametrize("declined", [True, False])
def test_whoever_asked_is_told_for_a_while_that_nobody_agreed(
    ticks: Clock, host: FlaskClient, bo: FlaskClient, declined: bool
) -> None:
    if declined:
        reply(bo, "/seat/3", "no")
    else:
        ticks.now += LAPSES
    sentence = "The answer was no: it stays as it is." if declined else "Nobody answered: it stays as it is."
    assert sentence in host.get("/host").text
    assert sentence not in bo.get("/seat/3").text
    ticks.now += LAPSES
    assert sentence not in host.get("/host").text


@pytest.mark.usefixtures("question_asked")
def test_a_question_lapses_when_the_story_says_something_else(live: Live, bo: FlaskClient, cleo: FlaskClient) -> None:
    post(bo, "/take-back", **entry(live, "counted"), seat="3")
    assert reply(cleo, "/seat/5")[0] == 409


def test_what_is_entered_for_another_lapses_with_the_count_it_was_meant_for(
    live: Live, host: FlaskClient, cleo: FlaskClient
) -> None:
    to_count(live)
    post(host, "/enter", kind="said", seat="3", what="count", value="4")
    for seat in (1, 3, 5):
        count(live, seat, seat)
    acts_before = acts(live)
    assert reply(cleo, "/seat/5")[0] == 409
    assert acts(live) == acts_before


@pytest.mark.usefixtures("question_asked")
def test_a_question_does_not_outlive_its_match_or_the_part_of_who_asked(
    live: Live, phones: Phones, host: FlaskClient, bo: FlaskClient
) -> None:
    post(host, "/hand-on", part="0")
    bo.post("/join", data={"code": phones.rights.passing[HOST]})
    assert "The host asks" not in bo.get("/seat/3").text
    counted(live)
    post(bo, "/take-back", **entry(live, "counted"))
    live.begin("stop-it", PEOPLE, {})
    assert "The host asks" not in host.get("/seat/1").text


@pytest.mark.usefixtures("question_asked")
def test_one_question_at_a_time(live: Live, cleo: FlaskClient) -> None:
    assert post(cleo, "/take-back", **entry(live, "counted"))[0] == 409


def test_without_a_script_a_question_is_answered_as_well(live: Live, host: FlaskClient, bo: FlaskClient) -> None:
    counted(live)
    answer = host.post("/take-back", data={**entry(live, "counted"), "page": "host"})
    assert (answer.status_code, answer.location) == (303, "/host")
    question_name = question(bo, "/seat/3")
    answer = bo.post("/answer", data={"question": question_name, "answer": "yes", "page": "seat-3"})
    assert (answer.status_code, answer.location) == (303, "/seat/3")
    assert counts(live) == {}


def test_nobody_learns_by_taking_back_whether_another_holds_the_card(live: Live, bo: FlaskClient) -> None:
    answers = []
    for other in ("red-4", "red-5"):
        live.begin("stop-it", PEOPLE, {})
        to_count(live)
        live.enter(Tapped(0, 0.0, "seat-3", "red-4"), Tapped(0, 0.0, "seat-1", other))  # type: ignore[arg-type]
        answers.append(post(bo, "/take-back", seat="3"))
    assert answers[0] == answers[1]
    assert live.ask(lambda match: match.state.tapped) == {"red-5": 1}


def test_a_fault_is_told_by_any_seat_and_by_the_host(
    live: Live, clock: Clock, host: FlaskClient, bo: FlaskClient
) -> None:
    to_count(live)
    assert post(bo, "/enter", kind="said", seat="3", what="fault", value='{"seat":5,"fault":"dropped"}')[0] == 200
    assert live.ask(lambda match: match.events[-1]) == Said(5, clock.now, 3, "fault", {"seat": 5, "fault": "dropped"})
