"""Playing at the simulated table: alone against bots, in a bot's place, and never with what another holds."""

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect

from companion import games
from companion.access.faces import ANIMALS, COLOURS
from companion.access.seats import Rights
from companion.live.bots import Bots
from companion.live.simulation import Simulation
from companion.live.table import Live
from tests.chromium import Opened
from tests.games.simulated import disguised
from tests.web.table import BOS, app_with, client_of, living, phones_of, post, serving

PHONE = {"width": 360, "height": 740}
ANY = "kartel"


@contextmanager
def simulated(folder: Path) -> Iterator[tuple[Live, Simulation, Flask]]:
    """A simulated table at which nobody has sat down, and whose bots do nothing by themselves."""
    with living(folder, simulated=True) as live:
        simulation = Simulation(live)
        yield live, simulation, app_with(live, phones_of(live, {}), simulation=simulation)


def begun(app: Flask, slug: str = ANY, bots: int = 2) -> FlaskClient:
    """The phone of Ana, who has begun a match against bots."""
    phone = client_of(app, None)
    assert post(phone, "/play", game=slug, name="Ana", bots=bots)[0] == 200
    return phone


def codes_of(app: Flask) -> Mapping[int, str]:
    return app.extensions["companion"].phones.rights.codes


def first_move(simulation: Simulation, seat: int) -> dict[str, object]:
    move = simulation.sights[seat].moves[0]
    return {"seat": seat, "what": move.what, "card": move.card, "number": move.number}


@pytest.mark.parametrize("slug", games.known())
def test_one_form_leads_to_ones_own_page_of_a_match_against_bots(tmp_path: Path, slug: str) -> None:
    with simulated(tmp_path) as (live, simulation, app):
        phone = begun(app, slug)
        page = phone.get("/seat/1")
        assert page.status_code == 200
        assert 'class="world"' in page.text
        assert sorted(simulation.bots) == [3, 4]
        assert live.ask(lambda match: match.names[1]) == "Ana"


def test_a_nameless_player_is_asked_who_they_are(tmp_path: Path) -> None:
    with simulated(tmp_path) as (_, _, app):
        assert post(client_of(app, None), "/play", game=ANY, name=" ")[0] == 400


def test_a_move_is_made_by_the_phone_of_its_seat_alone(tmp_path: Path) -> None:
    with simulated(tmp_path) as (live, simulation, app):
        phone, move = begun(app), first_move
        events = live.ask(lambda match: len(match.events))
        assert post(client_of(app, BOS), "/play/move", **move(simulation, 1))[0] == 403
        assert live.ask(lambda match: len(match.events)) == events
        assert post(phone, "/play/move", **move(simulation, 1))[0] == 200
        assert live.ask(lambda match: len(match.events)) == events + 1


def test_what_cannot_be_done_any_more_is_refused(tmp_path: Path) -> None:
    with simulated(tmp_path) as (_, simulation, app):
        phone = begun(app)
        move = first_move(simulation, 1)
        assert post(phone, "/play/move", **move)[0] == 200
        assert post(phone, "/play/move", **move)[0] == 409


def test_somebody_sits_down_in_the_place_of_a_bot(tmp_path: Path) -> None:
    with simulated(tmp_path) as (_, simulation, app):
        begun(app)
        bo = client_of(app, None)
        assert post(bo, "/play/sit", seat=3, name="Bo")[0] == 200
        assert list(simulation.bots) == [4]
        assert "Bo" in bo.get("/seat/3").text
        assert post(client_of(app, None), "/play/sit", seat=3, name="Cléo")[0] == 409


def test_nobody_plays_on_under_a_bots_name(tmp_path: Path) -> None:
    with simulated(tmp_path) as (_, simulation, app):
        phone = begun(app)
        for name in ("Bot Kim", "bot KIM", "B\u043et Kim"):
            assert post(phone, "/play/sit", seat=3, name=name)[0] == 409
        assert list(simulation.bots) == [3, 4]
        assert phone.get("/seat/3").status_code == 403


def test_no_code_opens_a_bots_seat(tmp_path: Path) -> None:
    with simulated(tmp_path) as (_, _, app):
        codes, early, late = codes_of(app), client_of(app, None), client_of(app, None)
        assert post(early, "/join", code=codes[3])[0] == 200
        begun(app)
        assert post(late, "/join", code=codes[4])[0] == 409
        assert [early.get("/seat/3").status_code, late.get("/seat/4").status_code] == [403, 403]


def test_of_two_who_play_on_for_a_bot_at_once_the_first_holds_its_seat(tmp_path: Path) -> None:
    with simulated(tmp_path) as (_, simulation, app):
        begun(app)
        bo, cleo = client_of(app, None), client_of(app, None)
        change, phones = app.extensions["companion"].phones.change, app.extensions["companion"].phones

        def outrun(step: Callable[[Rights], Rights]) -> Rights:
            phones.change = change
            assert post(bo, "/play/sit", seat=3, name="Bo")[0] == 200
            return change(step)

        phones.change = outrun
        assert post(cleo, "/play/sit", seat=3, name="Cléo")[0] == 409
        assert [bo.get("/seat/3").status_code, cleo.get("/seat/3").status_code] == [200, 403]
        assert list(simulation.bots) == [4]


def test_whoever_starts_a_match_against_bots_first_is_its_host(tmp_path: Path) -> None:
    with simulated(tmp_path) as (live, simulation, app):
        ana, bo, begin = client_of(app, None), client_of(app, None), simulation.begin

        def outrun(*match: object) -> None:
            simulation.begin = begin
            assert post(bo, "/play", game=ANY, name="Bo", bots=1)[0] == 403
            begin(*match)

        simulation.begin = outrun
        assert post(ana, "/play", game=ANY, name="Ana", bots=1)[0] == 200
        assert live.ask(lambda match: match.names[1]) == "Ana"
        assert [one.get("/seat/1").status_code for one in (ana, bo)] == [200, 403]


def test_where_everybody_sits_already_one_more_is_told_so(tmp_path: Path) -> None:
    with simulated(tmp_path) as (_, _, app):
        for seat in range(1, 7):
            look = {"animal": ANIMALS[seat], "colour": COLOURS[seat]}
            assert post(client_of(app, None), "/sit", seat=seat, name=f"P{seat}", **look)[0] == 200
        status, why = post(client_of(app, None), "/play", game=ANY, name="Eve", bots=2)
        assert (status, "for 6 players at most" in why) == (400, True)


def test_where_things_are_simulated_nothing_else_is_entered(tmp_path: Path) -> None:
    with simulated(tmp_path) as (live, _, app):
        phone = begun(app)
        events = live.ask(lambda match: len(match.events))
        entered = {"kind": "said", "seat": 1, "what": "roll", "value": "4"}
        for path in ("/enter", "/take-back", "/table/lay", "/table/press"):
            assert post(phone, path, **entered)[0] == 409, path
        assert live.ask(lambda match: len(match.events)) == events


def test_the_same_people_play_again_without_a_word(tmp_path: Path) -> None:
    with simulated(tmp_path) as (live, simulation, app):
        phone = begun(app)
        assert post(phone, "/again")[0] == 200
        assert live.ask(lambda match: list(match.names.values())) == ["Ana", "Bot Kim", "Bot Max"]
        assert sorted(simulation.bots) == [3, 4]
        assert post(phone, "/play", game=ANY, bots=1)[0] == 200
        assert live.ask(lambda match: list(match.names.values())) == ["Ana", "Bot Kim"]


@pytest.mark.parametrize("slug", ["go", "stop-it", "stop-me-go"])
def test_other_hidden_cards_give_the_same_bytes(tmp_path: Path, slug: str) -> None:
    with simulated(tmp_path) as (_, simulation, app):
        phone, chance = begun(app, slug), random.Random(1)
        for _ in range(12):
            moves = [move for sight in simulation.sights.values() for move in sight.moves if move.what != "call"]
            simulation.play(chance.choice(moves))
        kept, world = simulation._now or pytest.fail("no world")
        other = disguised(games.known()[slug], world, 1, chance)
        pages = [phone.get(path).data for path in ("/seat/1", "/", "/big", "/table", "/story/1")]
        simulation._now = kept, other
        assert other != world
        assert [phone.get(path).data for path in ("/seat/1", "/", "/big", "/table", "/story/1")] == pages


@pytest.mark.parametrize("slug", games.known())
def test_a_match_is_played_against_bots_in_a_browser(tmp_path: Path, opened: Opened, slug: str) -> None:
    with simulated(tmp_path) as (live, simulation, app), serving(app) as port:
        bots = Bots(simulation, pace=0.02, chance=random.Random(1))
        live.watch(bots.look)
        bots.start()
        try:
            page = opened(f"http://127.0.0.1:{port}/", token=None, viewport=PHONE)
            page.get_by_label("Your name").fill("Ana")
            page.locator(f"button[name=game][value={slug}].play-bots").click()
            page.wait_for_url("**/seat/1")
            page.evaluate("setInterval(() => document.querySelector('.world form button')?.click(), 40)")
            over = page.locator("form.went")
            expect(over).to_be_visible(timeout=60_000)
        finally:
            bots.stop()
        assert live.ask(lambda match: (match.over, match.misplays)) == (True, [])
