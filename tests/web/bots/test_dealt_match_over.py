"""A match that the table dealt, once it is over: no card was misread, and it goes back together with its things."""

import random
import re
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.access import seat_rights
from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST
from companion.acts import told
from companion.live.pause import Why
from companion.live.simulation import Simulation
from companion.live.table import Live
from tests.web.bots.sitting import begin_with_bots, bots_move, sit
from tests.web.table import Clock, client_of, post, reply

NOT_MISREAD = "The table itself dealt and read the cards of this match: none was misread."


def play_to_the_end(slug: str, live: Live, simulation: Simulation, clock: Clock) -> int:
    """Play whatever somebody would, and return the match's number."""
    chance = random.Random(1)
    number = live.snapshot.match
    assert number is not None
    for _ in range(2000):
        if live.snapshot.in_play is None:
            return number
        clock.now += 1.0
        live.ask(lambda match: None)
        sights = [*simulation.sights.values()]
        move = next(
            filter(None, (bots_move(slug, sight, chance) for sight in chance.sample(sights, len(sights)))), None
        )
        if move is not None:
            simulation.play(move)
    raise AssertionError("it does not end")


def corrections_offered(host: FlaskClient, number: int) -> list[str]:
    return re.findall(r'href="(/right/[^"]*)"', host.get(f"/results/{number}").text)


def undo(host: FlaskClient, number: int, acts_later: int) -> dict[str, str]:
    """Return the form of an undo that the page of a match offers, so many before the newest."""
    forms = re.findall(r'(?s)<form[^>]*action="/take-back".*?</form>', host.get(f"/results/{number}").text)
    return {name: unescape(value) for name, value in re.findall(r'name="([^"]+)" value="([^"]*)"', forms[acts_later])}


def card_named(live: Live, number: int) -> tuple[int, str]:
    """Return the first entry of a match that names a card, and the card."""
    return live.ask_about(
        number,
        lambda match: next(
            (entry, str(verdict.facts["card"])) for entry, verdict in enumerate(match.public) if "card" in verdict.facts
        ),
    )


@pytest.mark.parametrize("slug", ["kartel", "speed-snap"])
@pytest.mark.parametrize("next_begun", [False, True])
def test_no_card_of_a_match_that_the_table_dealt_is_put_right(
    app: Flask, live: Live, simulation: Simulation, clock: Clock, slug: str, next_begun: bool
) -> None:
    ana = begin_with_bots(app, slug)
    number = play_to_the_end(slug, live, simulation, clock)
    if next_begun:
        post(ana, "/play", game="kartel", name="Ana", bots=2)
    assert corrections_offered(ana, number) == []
    entry, card = card_named(live, number)
    verdict = live.ask_about(number, lambda match: match.public[entry])
    mark = told.mark(verdict.code, verdict.facts)
    other = live.ask_about(number, lambda match: next(each for each in match.game.deck if each != card))
    assert ana.get(f"/right/{entry}?mark={mark}&match={number}").status_code == 409
    events = live.ask_about(number, lambda match: len(match.events))
    form = {"mark": mark, "wrong": card, "card": other, "match": number, "page": f"results-{number}"}
    status, said = post(ana, f"/right/{entry}", **form)
    assert status == 409
    assert NOT_MISREAD in said or not next_begun
    assert post(ana, "/lies-at", card=card, seat=1, match=number)[0] == 409
    assert live.ask_about(number, lambda match: (len(match.events), match.over)) == (events, True)


def test_an_act_before_the_end_goes_back_with_its_things_and_the_match_is_played_on(
    app: Flask, live: Live, simulation: Simulation, clock: Clock
) -> None:
    ana = begin_with_bots(app, "kartel")
    number = play_to_the_end("kartel", live, simulation, clock)
    acts = len(simulation.playing.done) if simulation.playing is not None else 0
    assert post(ana, "/take-back", **undo(ana, number, 6))[0] == 200
    assert live.snapshot.in_play == number
    assert simulation.playing is not None
    assert len(simulation.playing.done) < acts - 4
    assert live.ask(lambda match: match.misplays) == []
    assert play_to_the_end("kartel", live, simulation, clock) == number
    assert live.ask(lambda match: match.misplays) == []


def test_what_was_dealt_is_not_offered_to_be_taken_back(
    app: Flask, live: Live, simulation: Simulation, clock: Clock
) -> None:
    ana = begin_with_bots(app, "speed-snap")
    number = play_to_the_end("speed-snap", live, simulation, clock)
    page = ana.get(f"/results/{number}").text
    offered = {int(entry) for entry in re.findall(r'action="/take-back".*?name="entry" value="(\d+)"', page, re.DOTALL)}
    assert offered
    assert min(offered) >= simulation.stays


def test_one_that_was_ended_goes_on_before_anything_is_taken_back(
    app: Flask, live: Live, simulation: Simulation
) -> None:
    ana = begin_with_bots(app, "kartel")
    number = live.snapshot.match
    simulation.play(simulation.sights[1].moves[0])
    live.pause(Why.ENDED)
    page = ana.get(f"/results/{number}").text
    assert 'action="/go-on"' in page
    assert 'action="/take-back"' not in page
    assert f"/results/{number}/enter/" not in page
    assert post(ana, "/go-on", match=number, page=f"results-{number}")[0] == 200
    assert live.snapshot.in_play == number


def test_whoever_takes_a_seat_by_its_code_between_matches_is_led_to_say_who_they_are(
    app: Flask, live: Live, simulation: Simulation, phones: Phones, clock: Clock
) -> None:
    ana = begin_with_bots(app, "kartel")
    cleo = sit(app, ana, "Cléo", 4)
    play_to_the_end("kartel", live, simulation, clock)
    assert post(ana, "/free", part=4)[0] == 200
    assert reply(cleo, "/seat/4")[0] == 200
    other = client_of(app, None)
    assert post(other, "/join", code=phones.rights.codes[4])[0] == 200
    assert 'href="/join?seat=4">Say who you are' in other.get("/seat/4").text
    phones.change(lambda rights: seat_rights.free(rights, {HOST}))
    answer = other.post("/again", data={"page": "seat-4"}, headers={"Accept": "application/json"})
    assert answer.get_json()["go"] == "/join?seat=4"
    assert 'href="/join?seat=4">Say who you are' in other.post("/again", data={"page": "seat-4"}).text
