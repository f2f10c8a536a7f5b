"""Moves at a simulated table are taken back, alone or by agreement, and the things go back with them."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.history.standings import result
from companion.judge.attribution import took_back_a_look
from companion.kit.in_chromium import Glass, Rendered
from companion.kit.simulated_matches import PLAYABLE
from companion.live.simulation import Simulation
from companion.live.table import Live
from companion.web.render.subjects.question import PLAYED_ON
from tests.chromium import PHONE
from tests.web.bots.sitting import ANY, begin_with_bots, first_move, moves_of_bo, sit
from tests.web.table import Clock, acts, post, question
from tests.web.test_states import ACROSS
from tests.web.test_undo import line


def test_whoever_did_it_last_takes_it_back_alone_and_the_things_go_back_too(
    simulation: Simulation, ana: FlaskClient
) -> None:
    sights_before = simulation.sights
    post(ana, "/play/move", **first_move(simulation))
    assert post(ana, "/take-back", **line(ana, 1))[0] == 200
    assert simulation.sights == sights_before
    assert line(ana, 1) == {}


def test_what_others_have_done_since_goes_back_only_if_they_agree(
    app: Flask, simulation: Simulation, live: Live
) -> None:
    ana = begin_with_bots(app, ANY)
    bo = sit(app, ana)
    offer: dict[str, str] = {}
    while (offered := line(bo, 3)) or not offer:
        offer = offered
        simulation.play(next(move for sight in simulation.sights.values() for move in sight.moves))
    acts_before = acts(live)
    assert "host" in post(bo, "/take-back", **offer)[1]
    assert acts(live) == acts_before
    assert post(ana, "/answer", question=question(ana, "/host"), answer="yes")[0] == 200
    assert acts(live) > acts_before


def test_a_question_about_a_move_says_what_goes_with_it_and_lapses_when_somebody_plays_on(
    app: Flask, simulation: Simulation, ticks: Clock
) -> None:
    ana = begin_with_bots(app, ANY)
    bo = sit(app, ana)
    post(bo, "/take-back", **moves_of_bo(simulation, bo, until=1))
    assert re.search(r"Take back “[^”]+”, and the (\d+ moves|move) after it", ana.get("/host").text)
    assert post(ana, "/play/move", **first_move(simulation))[0] == 200
    assert question(ana, "/host") == ""
    assert "The game went on: nothing was taken back." in bo.get("/seat/3").text
    ticks.now += PLAYED_ON
    assert "The game went on" not in bo.get("/seat/3").text, "it has been read"


def test_what_a_move_brought_about_is_taken_back_by_who_made_it_alone(app: Flask, simulation: Simulation) -> None:
    ana = begin_with_bots(app, "go")
    bo = sit(app, ana)
    simulation.play(next(move for move in simulation.sights[1].moves if move.what == "take-row"))
    offer = line(ana, 1)
    assert (bool(offer), line(bo, 3)) == (True, {})
    assert "the host must agree" in post(bo, "/take-back", **offer)[1]
    assert post(ana, "/take-back", **offer) == (200, "Taken back.")


def test_who_has_drawn_a_card_and_looked_takes_it_back_alone_only_against_bots(
    app: Flask, live: Live, simulation: Simulation
) -> None:
    ana = begin_with_bots(app, "go")
    draw = next(move for move in simulation.sights[1].moves if move.what == "take-pile")
    simulation.play(draw)
    assert post(ana, "/take-back", **line(ana, 1))[1].startswith("Taken back")
    simulation.play(draw)
    sit(app, ana)
    assert "another player" in post(ana, "/take-back", **line(ana, 1))[1]


def test_whoever_alone_takes_back_what_they_have_seen_reads_beforehand_that_they_practise(
    app: Flask, live: Live, simulation: Simulation
) -> None:
    ana = begin_with_bots(app, "go")
    assert "this match is practice" not in ana.get("/seat/1").text
    simulation.play(next(move for move in simulation.sights[1].moves if move.what == "take-pile"))
    assert "this match is practice" in ana.get("/seat/1").text
    assert "This match is practice now" in post(ana, "/take-back", **line(ana, 1))[1]
    assert live.ask(took_back_a_look)
    assert result(live.ask(lambda match: match), 1, "", simulated=True).practice


ON_ANOTHER = """() => {
  const parts = [...document.querySelectorAll(".slip :is(.headline, .more, summary, .just-done button, .practice)")];
  const box = (one) => one.getBoundingClientRect(), wrong = parts.length < 4 ? ["too little"] : [];
  for (const [at, part] of parts.entries())
    for (const other of parts.slice(at + 1)) {
      const [own, its] = [box(part), box(other)];
      const beside = own.right <= its.left || its.right <= own.left;
      if (!beside && own.bottom > its.top + 1 && its.bottom > own.top + 1)
        wrong.push(`${part.textContent} lies on ${other.textContent}`);
    }
  return wrong;
}"""


def test_what_is_read_before_taking_back_lies_on_nothing_of_the_news(
    app: Flask, simulation: Simulation, glass: Glass
) -> None:
    ana = begin_with_bots(app, "go")
    simulation.play(next(move for move in simulation.sights[1].moves if move.what == "take-pile"))
    page = ana.get("/seat/1").text
    (undo,) = re.findall(r'<div class="just-done">.*?practice.*?</div>\s*</div>', page, re.DOTALL)
    news = '<section class="news"><p class="headline">You had no brown cards</p>'
    why = '<details class="why"><summary>Why?</summary></details></section>'
    head, _, tail = page.replace(undo, "").partition('<h2 class="unseen">')
    page = f'{head}<div class="slip">{news}{why}{undo}</div><h2 class="unseen">{tail}'
    assert glass.ask([Rendered("/seat/1", "en", page)], ON_ANOTHER, PHONE, *ACROSS) == []


def test_with_another_person_what_was_seen_is_taken_back_by_agreement_and_the_match_counts(
    app: Flask, simulation: Simulation
) -> None:
    ana = begin_with_bots(app, "go")
    sit(app, ana)
    simulation.play(next(move for move in simulation.sights[1].moves if move.what == "take-pile"))
    assert "this match is practice" not in ana.get("/seat/1").text


def test_who_takes_back_what_showed_nothing_does_not_practise(app: Flask, live: Live, simulation: Simulation) -> None:
    ana = begin_with_bots(app, "kartel")
    simulation.play(simulation.sights[1].moves[0])
    assert "practice" not in post(ana, "/take-back", **line(ana, 1))[1]
    assert not live.ask(took_back_a_look)


@pytest.mark.parametrize("slug", PLAYABLE)
def test_what_was_dealt_is_not_taken_back_and_no_page_offers_it(app: Flask, live: Live, slug: str) -> None:
    ana = begin_with_bots(app, slug)
    for path in ("/seat/1", "/host", "/story"):
        assert 'action="/take-back"' not in ana.get(path).text
    if rulings := live.ask(lambda match: match.public):
        status, why = post(ana, "/take-back", entry=len(rulings) - 1, code=rulings[-1].code)
        assert (status, "new match" in why) == (409, True)


def test_the_host_takes_back_what_a_bot_did(simulation: Simulation, ana: FlaskClient) -> None:
    for seat in (1, 1, 3):
        sights_before = simulation.sights
        simulation.play(sights_before[seat].moves[0])
    offered = re.search(r'action="/take-back"[^>]*>(.*?)</form>', ana.get("/host").text, re.DOTALL)
    assert offered
    assert post(ana, "/take-back", **dict(re.findall(r'name="(\w+)"\s+value="([^"]*)"', offered[1])))[0] == 200
    assert simulation.sights == sights_before
