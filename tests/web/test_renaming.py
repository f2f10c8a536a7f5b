"""Names put right: by whoever bears them, or by the host, in what was played and in what is to come."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.access import lobby
from companion.access.rights_file import Phones
from companion.live.table import Live
from tests.web.table import PEOPLE, app_with, client_of, post, question, reply
from tests.web.test_lobby import GO, app, bo, live, phones, sit

__all__ = ["app", "bo", "live", "phones"]


def test_a_name_is_put_right_on_every_page_and_in_the_standings(host: FlaskClient, bo: FlaskClient, live: Live) -> None:
    post(host, "/start", **GO, **{"seat-1": "Ana"})
    assert sit(bo, "Bob", 3, "bear", "blue") == (200, "/seat/3")
    for page in ("/", "/results", "/results/1", "/host"):
        assert "Bob" in host.get(page).text, page
    assert "Bob" in host.get("/results.csv").text
    assert live.ask(lambda match: match.names[3]) == "Bo"


def test_a_name_is_put_right_in_the_whole_evening(host: FlaskClient, bo: FlaskClient) -> None:
    for _ in range(2):
        assert post(host, "/start", **GO, **{"seat-1": "Anna", "seat-3": "Bo"})[0] == 200
    assert host.get("/results").text.count("Anna") >= 2
    assert post(host, "/rename", part="1", name="Ana")[1] == "Corrected: Ana."
    for page in ("/results", "/results/1", "/results/2"):
        assert "Anna" not in host.get(page).text, page


def test_who_plays_on_for_somebody_is_not_written_into_their_earlier_matches(
    app: Flask, phones: Phones, host: FlaskClient, bo: FlaskClient
) -> None:
    for _ in range(2):
        assert post(host, "/start", **GO, **{"seat-1": "Ana", "seat-3": "Bo"})[0] == 200
    assert post(bo, "/free", part="3")[0] == 200
    zoe = client_of(app, None)
    assert post(zoe, "/join", code=phones.rights.codes[3])[0] == 200
    assert sit(zoe, "Zoé", 3) == (200, "/seat/3")
    assert phones.rights.people.corrected == {2: {3: "Zoé"}}


def test_who_sits_down_after_a_match_is_not_written_into_it(live: Live, host: FlaskClient, phones: Phones) -> None:
    post(host, "/start", **GO, **{"seat-1": "Ana", "seat-3": "Bo"})
    post(host, "/end")
    phones.change(lambda rights: lobby.leave(rights, {3}))
    sit(client_of(app_with(live, phones, virtual=False), None), "Zoé", 3)
    post(host, "/rename", part="3", name="Zoë")
    assert phones.rights.people.corrected == {}
    assert phones.rights.people.seated[3].name == "Zoë"


@pytest.mark.parametrize("how", ["/rename", "/sit"])
def test_who_bears_the_name_of_somebody_who_has_gone_home_corrects_nothing_of_theirs(
    app: Flask, phones: Phones, host: FlaskClient, bo: FlaskClient, how: str
) -> None:
    post(host, "/start", **GO, **{"seat-1": "Ana"})
    post(host, "/end")
    reply(bo, "/seat/3")
    assert post(bo, "/free", part="3")[0] == 200
    other = client_of(app, None)
    assert sit(other, "BO", 3)[0] == 200
    post(host, "/start", **GO, **{"seat-1": "Ana"})
    done = post(other, how, part="3", seat="3", name="Mallory", animal="cat", colour="green")
    assert done[0] == 200
    assert phones.rights.people.corrected == {2: {3: "Mallory"}}
    assert {person.name for person in phones.rights.people.known} == {"BO", "Ana"}


def test_who_bore_a_name_first_corrects_it_in_earlier_matches_with_a_new_token_too(
    phones: Phones, host: FlaskClient, bo: FlaskClient
) -> None:
    post(host, "/start", **GO, **{"seat-1": "Ana"})
    assert sit(bo, "Bo", 3, "bear", "blue")[0] == 200
    post(host, "/end")
    reply(bo, "/seat/3")
    post(host, "/start", **GO, **{"seat-1": "Ana", "seat-3": "Bo"})
    assert post(bo, "/rename", part="3", name="Bob") == (200, "Corrected: Bob.")
    assert phones.rights.people.corrected == {1: {3: "Bob"}, 2: {3: "Bob"}}


def test_whoever_has_a_phone_is_asked_before_the_host_writes_their_name(host: FlaskClient, bo: FlaskClient) -> None:
    post(host, "/start", **GO, **{"seat-1": "Ana"})
    assert "asked" in post(host, "/rename", part="3", name="Bob")[1]
    assert "Is the right name at seat 3 Bob?" in bo.get("/seat/3").text
    post(bo, "/answer", question=question(bo, "/seat/3"), answer="yes")
    assert "Bob" in host.get("/").text
    assert post(host, "/rename", part="1", name="Anna")[1] == "Corrected: Anna."
    assert post(bo, "/rename", part="1", name="Nobody")[0] == 403


@pytest.mark.parametrize("to", ["/rename", "/sit"])
def test_who_corrects_their_own_name_has_answered_the_host(host: FlaskClient, bo: FlaskClient, to: str) -> None:
    post(host, "/start", **GO, **{"seat-1": "Ana"})
    post(host, "/rename", part="3", name="Bob")
    assert post(bo, to, part="3", seat="3", name="Boris", animal="owl", colour="violet")[0] == 200
    assert 'id="question"' not in bo.get("/seat/3").text + host.get("/host").text


def test_nobody_is_renamed_to_a_bot(host: FlaskClient, bo: FlaskClient) -> None:
    post(host, "/start", **GO, **{"seat-1": "Ana"})
    status, message = post(bo, "/rename", part="3", name="Bot Noa")
    assert (status, "is a bot’s name" in message) == (409, True)


@pytest.mark.parametrize(("answer", "path", "sentence"), [("yes", "/", "Bob"), ("no", "/host", 'id="unmet"')])
def test_a_name_that_is_asked_about_is_still_asked_about_once_a_match_has_begun(
    live: Live, host: FlaskClient, bo: FlaskClient, answer: str, path: str, sentence: str
) -> None:
    post(host, "/start", **GO, **{"seat-1": "Ana"})
    post(host, "/rename", part="3", name="Bob")
    live.begin("stop-it", PEOPLE, {})
    post(bo, "/answer", question=question(bo, "/seat/3"), answer=answer)
    assert sentence in host.get(path).text
