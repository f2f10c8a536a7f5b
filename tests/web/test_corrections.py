"""The host puts right what was misread, pauses, ends, and starts the next match with the same people."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST
from companion.events import Pressed, Tapped
from companion.kit.in_chromium import Glass, Rendered
from companion.live.pause import Why
from companion.live.table import Live
from tests.chromium import PHONE
from tests.live.table import refusing
from tests.web.table import (
    ANAS,
    BOS,
    PEOPLE,
    Clock,
    acts,
    client_of,
    counts,
    phones_of,
    post,
    question,
    scored,
    to_count,
)


@pytest.fixture
def phones(live: Live) -> Phones:
    """Cléo has none."""
    return phones_of(live, {HOST: ANAS, 1: ANAS, 3: BOS})


def agree(client: FlaskClient) -> tuple[int, str]:
    question_name = question(client, "/seat/3")
    assert question_name
    return post(client, "/answer", question=question_name, answer="yes")


def offers(client: FlaskClient, path: str = "/host") -> list[str]:
    """Where the page leads to put an entry right."""
    return [href.replace("&amp;", "&") for href in re.findall(r'href="(/right/[^"]*)"', client.get(path).text)]


def right(client: FlaskClient, offer: str, wrong: str, card: str) -> tuple[int, str]:
    path, _, mark = offer.partition("?mark=")
    return post(client, path, mark=mark, wrong=wrong, card=card)


def stops(live: Live) -> list[str]:
    return live.ask(lambda match: [stop.card for stop in match.state.history])


def test_red_was_read_and_violet_was_meant(live: Live, host: FlaskClient, bo: FlaskClient) -> None:
    scored(live)
    (offer,) = offers(host)
    page = host.get(offer).text
    assert 'value="violet-stop-1"' in page
    assert re.search(r'value="red-stop-1"[^>]* disabled', page)
    assert right(host, offer, "red-stop-1", "violet-stop-1")[1].startswith("That concerns others")
    assert stops(live) == ["red-stop-1"]
    assert agree(bo) == (200, "Put right. Everything after it was judged again.")
    assert stops(live) == ["violet-stop-1"]
    for client, path in ((host, "/host"), (bo, "/seat/3"), (bo, "/")):
        assert "Corrected. " in client.get(path).text


LEFTS = "() => [...document.querySelectorAll('.suits.single button')].map((one) => `${one.offsetLeft}`)"


def test_colours_of_one_card_each_stand_side_by_side(live: Live, host: FlaskClient, glass: Glass) -> None:
    scored(live)
    lefts = glass.ask([Rendered("mend", "en", host.get(offers(host)[0]).text)], LEFTS, PHONE)
    assert len(lefts) == 7
    assert len(set(lefts)) == 2


@pytest.mark.parametrize("bos", ["blue", "pink"])
def test_who_must_agree_does_not_hang_on_what_another_holds(
    live: Live, host: FlaskClient, bo: FlaskClient, bos: str
) -> None:
    """Bo's hand is read, and hidden; to learn whether pink 11 is in it, the host lets it be one of her own."""
    live.begin("go", PEOPLE, {})
    live.enter(Pressed(0, 0.0, 1), Tapped(0, 0.0, "row", "grey-1"))
    live.enter(*(Tapped(0, 0.0, "seat-3", f"{bos}-{value}") for value in range(1, 12)))
    live.enter(Tapped(0, 0.0, "seat-3", "red-2"))
    live.enter(*(Tapped(0, 0.0, "seat-1", f"brown-{value}") for value in range(1, 12)))
    live.enter(Tapped(0, 0.0, "seat-1", "red-5"))
    assert right(host, offers(host)[-1], "grey-1", "pink-11")[1].startswith("That concerns others")
    bo.post("/answer", data={"question": question(bo, "/seat/3"), "answer": "no"})
    assert right(host, offers(host)[0], "red-5", "pink-11")[1].startswith("Put right")


def test_both_or_neither_is_recorded(live: Live, host: FlaskClient) -> None:
    to_count(live)
    (offer,) = offers(host)
    events_before = live.ask(lambda match: list(match.events))
    with refusing(live._judging.recorder._log, "append"):
        assert right(host, offer, "red-stop-1", "violet-stop-1")[0] == 503
    assert live.ask(lambda match: list(match.events)) == events_before
    assert right(host, offer, "red-stop-1", "violet-stop-1")[0] == 200


def test_what_says_something_else_by_now_is_not_put_right(live: Live, host: FlaskClient) -> None:
    to_count(live)
    (offer,) = offers(host)
    assert right(host, offer, "red-stop-1", "violet-stop-1")[0] == 200
    assert right(host, offer, "red-stop-1", "blue-stop-1")[0] == 409
    assert host.get(offer).status_code == 409
    assert right(host, offers(host)[0], "violet-stop-1", "violet-stop-1")[0] == 400
    assert right(host, offers(host)[0], "violet-stop-1", "dragon")[0] == 400
    assert right(host, offers(host)[0], "green-stop-1", "blue-stop-1")[0] == 409


def test_the_whole_story_offers_it_to_the_host_and_to_nobody_else(
    live: Live, host: FlaskClient, bo: FlaskClient
) -> None:
    scored(live)
    assert len(offers(host, "/story")) == 1
    assert offers(bo, "/story") == offers(bo, "/story/3") == []
    assert bo.get(offers(host)[0]).status_code == 403


def test_of_an_open_hand_the_wrong_card_is_chosen_first(live: Live, host: FlaskClient) -> None:
    live.begin("go", PEOPLE, {"caller_series": "auto"})
    live.enter(Pressed(0, 0.0, 1), Tapped(0, 0.0, "row", "grey-1"), Tapped(0, 0.0, "seat-1", "red-5"))
    live.enter(*(Tapped(0, 0.0, "seat-1", f"blue-{value}") for value in range(1, 12)))
    offer = offers(host)[0]
    assert f"{offer}&amp;wrong=red-5" in host.get(offer).text
    assert "blue-3" not in host.get(f"{offer}&wrong=grey-7").text.split('value="')[1]
    assert 'value="red-6"' in host.get(f"{offer}&wrong=red-5").text
    assert right(host, offer, "red-5", "red-6")[1].startswith("Put right")
    assert "wrong=red-6" in host.get(offers(host)[0]).text


def test_a_break_stands_on_every_page_and_the_host_goes_on(
    live: Live, host: FlaskClient, bo: FlaskClient, app: Flask
) -> None:
    to_count(live)
    assert post(host, "/pause")[0] == 200
    for client, path in (
        (host, "/host"),
        (host, "/seat/1"),
        (bo, "/seat/3"),
        (client_of(app, None), "/"),
        (bo, "/big"),
    ):
        assert "Break. Nothing counts." in client.get(path).text
    for path in ("/host", "/story", "/join", "/tags"):
        assert "Break. Nothing counts." in host.get(path).text
    assert 'action="/go-on"' in host.get("/host").text
    assert 'action="/go-on"' not in bo.get("/seat/3").text
    assert post(bo, "/enter", kind="said", seat="3", what="count", value="4") == (
        409,
        "The match is paused: this does not count. Enter it again when the host has gone on.",
    )
    assert post(host, "/go-on")[0] == 200
    assert post(bo, "/enter", kind="said", seat="3", what="count", value="4")[0] == 200


def test_in_a_break_nobody_is_waited_for(live: Live, host: FlaskClient, app: Flask) -> None:
    looking = client_of(app, None)
    for game in ("kartel", "stop-me-go"):
        live.begin(game, PEOPLE, {})
        live.enter(Tapped(0, 0.0, "centre", "gangster-7")) if game == "stop-me-go" else None
        pages = ((looking, "/"), (looking, "/big"), (host, "/host"))
        assert all('<span class="who">' in client.get(path).text for client, path in pages)
        post(host, "/pause")
        assert not any('<span class="who">' in client.get(path).text for client, path in pages)
        assert ("ledge" in looking.get("/").text) is (game == "kartel")
        post(host, "/go-on")


def test_a_question_that_is_answered_in_a_break_enters_nothing(live: Live, host: FlaskClient, bo: FlaskClient) -> None:
    to_count(live)
    post(host, "/enter", kind="said", seat="3", what="count", value="4")
    post(host, "/pause")
    assert agree(bo)[0] == 409
    assert counts(live) == {}


def test_a_misread_card_is_put_right_in_a_break(live: Live, host: FlaskClient) -> None:
    to_count(live)
    post(host, "/pause")
    assert right(host, offers(host)[0], "red-stop-1", "violet-stop-1")[0] == 200
    assert live.snapshot.pause is Why.BREAK


def test_a_match_is_ended_early_with_one_other_seat(live: Live, host: FlaskClient, bo: FlaskClient) -> None:
    scored(live)
    to_count(live)
    live.enter(Tapped(0, 0.0, "seat-3", "blue-5"))
    assert 'class="private"' in bo.get("/seat/3").text
    assert post(host, "/end")[1].startswith("That concerns others")
    assert agree(bo) == (200, "")
    left = bo.get("/seat/3").text
    assert "This match was ended early." in left
    assert re.findall('class="(?:mine|private|hint|unread)', left) == []
    assert "under way" not in host.get("/results").text + host.get("/results/1").text
    assert "data-sure" not in host.get("/host").text
    assert post(bo, "/enter", kind="pressed", seat="3")[0] == 409
    assert post(host, "/again") == (200, "A new match begins.")


def test_nothing_is_taken_back_or_put_right_in_a_match_that_was_ended(
    live: Live, host: FlaskClient, bo: FlaskClient
) -> None:
    to_count(live)
    paths = ("/host", "/story", "/host/3", "/seat/1")

    def offered() -> str:
        text = "".join(host.get(path).text for path in paths)
        return "".join(sorted(set(re.findall(r'"/(take-back|right)', text))))

    text = host.get("/host").text
    entry = dict(re.findall(r'name="(entry|code|mark)" value="([^"]*)"', text)[:3])
    card = offers(host)[0]
    assert offered() == "righttake-back"
    post(host, "/end")
    agree(bo)
    acts_before = acts(live)
    assert offered() == ""
    assert post(host, "/take-back", **entry)[0] == 409
    assert right(host, card, "red-stop-1", "violet-stop-1")[0] == 409
    assert 'id="question"' not in bo.get("/seat/3").text
    assert acts(live) == acts_before
    post(host, "/go-on")
    assert offered() == "righttake-back"


def test_a_match_that_was_ended_too_soon_goes_on(live: Live, host: FlaskClient, bo: FlaskClient) -> None:
    scored(live)
    post(host, "/end")
    agree(bo)
    assert post(host, "/pause")[0] == 409
    assert post(host, "/go-on")[0] == 200
    assert not live.snapshot.ended


def test_the_form_holds_the_last_matchs_people_and_options(live: Live, host: FlaskClient) -> None:
    live.begin("stop-it", PEOPLE, {"false_call": "penalty", "cumulative": False})
    text = host.get("/host/match").text
    assert 'name="seat-3" list="known" autocomplete="off" value="Bo"' in text
    assert '<option value="penalty" selected>' in text
    assert "not quite as in the booklet" in text


def test_colours_of_seats_are_kept_too(live: Live, host: FlaskClient) -> None:
    live.begin("stop-me-go", PEOPLE, {"colours": {"3": "yellow"}})
    fields = host.get("/host/match").text.split('name="stop-me-go.colours.3"')[1].split("</select>")[0]
    assert 'value="yellow" selected' in fields


def test_seats_drawn_by_lot_are_the_same_people_on_the_same_seats(live: Live, host: FlaskClient) -> None:
    orders = set()
    for _ in range(20):
        names = dict(re.findall(r'name="seat-(\d)"[^>]*value="([^"]*)"', host.get("/host/match?drawn=1").text))
        assert sorted(names.values()) == sorted(["Ana", "Bo", "Cléo", "", "", ""])
        assert {seat for seat, name in names.items() if name} == {"1", "3", "5"}
        orders.add(tuple(names.values()))
    assert len(orders) > 1


def test_a_phone_follows_its_players_name_to_another_seat_however_it_is_typed(
    live: Live, phones: Phones, host: FlaskClient
) -> None:
    held = phones.rights.holders
    ana = held[1]
    bo = held[3]
    form = {"game": "stop-it", "seat-1": "BO", "seat-3": "Cléo", "seat-5": "Ana"}
    assert post(host, "/start", **form)[0] == 200
    assert phones.rights.holders == {HOST: ana, 1: bo, 5: ana}


def test_the_phone_of_who_sits_out_keeps_the_seat_that_stays_empty(
    live: Live, phones: Phones, host: FlaskClient
) -> None:
    holders_before = dict(phones.rights.holders)
    post(host, "/start", **{"game": "stop-it", "seat-1": "Ana", "seat-5": "Cléo"})
    assert phones.rights.holders == holders_before


def test_a_game_brings_the_hosts_own_words(live: Live, host: FlaskClient, bo: FlaskClient) -> None:
    live.begin("go", PEOPLE, {})
    assert 'value="void"' in host.get("/host").text
    assert 'value="void"' not in host.get("/host/3").text + bo.get("/seat/3").text


def test_a_long_story_is_folded(live: Live, clock: Clock, host: FlaskClient) -> None:
    clock.now = 60.0
    for _ in range(50):
        live.enter(Tapped(0, 0.0, "centre", "red-7"), Tapped(0, 0.0, "centre", "red-8"))
        clock.now += 60
    text = host.get("/story").text
    assert text.count("<details>") >= 2
    assert "Minute 2 to " in text


def test_what_a_correction_changed_is_no_affair_of_pages_about_others(
    live: Live, host: FlaskClient, bo: FlaskClient
) -> None:
    scored(live)
    right(host, offers(host)[0], "red-stop-1", "violet-stop-1")
    agree(bo)
    assert "-corrected" in bo.get("/").text
    for path in ("/results", "/season", "/evening/2026-01-01", f"/results/{live.snapshot.match}"):
        answer = bo.get(path)
        assert answer.status_code == 200
        assert "-corrected" not in answer.text
