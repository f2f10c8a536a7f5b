"""How people look at the simulated table: as they have chosen, and no two alike."""

import re

from flask import Flask
from flask.testing import FlaskClient

from companion.access.people import wish
from companion.access.player_looks import Face
from companion.access.rights_file import Phones
from companion.history.standings import Result, Seated
from companion.live.simulation import Simulation
from companion.live.table import Live
from companion.web.render.players import faces_of, names_of
from companion.web.routes.looking_back import looks_of as looks_over
from tests.web.bots.sitting import ANY, look_at, sit
from tests.web.table import client_of, post, question


def looks_worn(live: Live, phones: Phones) -> dict[int, tuple[str, str]]:
    view = live.snapshot.views[None]
    people = phones.rights.people
    looks = faces_of(view, {**names_of(view), **people.corrected.get(live.snapshot.match or 0, {})}, people)
    return {player["seat"]: (looks[player["seat"]].animal, looks[player["seat"]].colour) for player in view["players"]}


def test_what_somebody_chooses_in_a_match_is_taken_from_no_other(
    app: Flask, live: Live, phones: Phones, ana: FlaskClient
) -> None:
    bo = sit(app, ana)
    looks_before = looks_worn(live, phones)
    assert post(bo, "/sit", seat=3, name="Bo", animal="owl", colour="red")[1] == "Ana has that colour. Choose another."
    assert post(bo, "/sit", seat=3, name="Bo", animal="fox", colour="pink")[1] == "Ana has that animal. Choose another."
    look_at(bo, 3, "Bo", "bear", "blue")  # nobody's: nobody is another for it
    assert looks_worn(live, phones) == {**looks_before, 3: ("bear", "blue")}
    look_at(bo, 3, "Bo", "owl", looks_before[4][1])  # a bot's
    looks_after = looks_worn(live, phones)
    assert (looks_after[1], looks_after[3], looks_after[4][0]) == (
        looks_before[1],
        ("owl", looks_before[4][1]),
        looks_before[4][0],
    )
    assert looks_after[4][1] != looks_before[4][1]


def test_whoever_has_chosen_a_colour_of_the_games_holds_its_cards(
    app: Flask, simulation: Simulation, phones: Phones
) -> None:
    ana = client_of(app, None)
    bo = client_of(app, None)
    look_at(ana, 1, "Ana", "owl", "violet")
    look_at(bo, 3, "Bo", "fox", "pink")  # no gangster's
    assert post(ana, "/play", game="stop-me-go", bots=2)[0] == 200
    held = {seat: sight.sees["colour"] for seat, sight in simulation.sights.items()}
    assert (held[1], len({*held.values()})) == ("violet", 4)
    assert all(f"{held[seat]}-stop" in simulation.sights[seat].sees["hand"][-1] for seat in held)
    assert looks_worn(simulation._live, phones)[1] == ("owl", "violet")
    simulation.resume()
    assert simulation.sights[1].sees["colour"] == "violet"


def test_who_comes_back_finds_their_look_free_though_a_bot_has_played_on(
    app: Flask, live: Live, phones: Phones, ana: FlaskClient
) -> None:
    bo = sit(app, ana)
    look_at(bo, 3, "Bo", "octopus", "violet")
    assert post(bo, "/free", part=3)[0] == 200
    assert looks_worn(live, phones)[3] == ("cat", "yellow")
    assert post(ana, "/again")[0] == 200
    assert looks_worn(live, phones)[3] == ("cat", "yellow")
    page = client_of(app, None).get("/join?name=Bo").text
    assert re.findall(r'value="([a-z]+)" required checked', page) == ["octopus", "violet"]
    assert "taken: Bot" not in page
    assert sit(app, ana).get("/seat/3").status_code == 200
    assert looks_worn(live, phones)[3] == ("octopus", "violet")


def test_who_never_chose_a_look_is_known_by_the_one_they_wear(
    app: Flask, live: Live, phones: Phones, ana: FlaskClient
) -> None:
    bo = sit(app, ana)
    was = looks_worn(live, phones)
    for phone, seat in ((bo, 3), (ana, 1)):
        assert post(phone, "/free", part=seat)[0] == 200
    assert [wish(phones.rights.people, name) for name in ("Ana", "Bo")] == [Face(*was[1]), Face(*was[3])]
    result = Result(
        1, "", True, ANY, players=(Seated(1, "Bot Kim", 0, 1), Seated(2, "Bo", 0, 2), Seated(3, "Ana", 0, 2))
    )
    with app.test_request_context():
        assert looks_over([result])({1: "Bo", 2: "Ana"}) == {1: Face(*was[3]), 2: Face(*was[1])}


def test_a_past_match_shows_who_played_it_as_they_looked_then(
    app: Flask, live: Live, phones: Phones, ana: FlaskClient
) -> None:
    """Bots sit elsewhere in the next match, and look otherwise; so may people."""

    def looks(path: str) -> list[str]:
        page = ana.get(path).text.partition("<main")[2]
        return re.findall(r'player-chip (c-\w+).*?#chip-(\w+)"', page)

    look_at(ana, 1, "Ana", "owl", "pink")
    first = live.snapshot.match
    pages = (f"/results/{first}", f"/results/{first}/then/0", f"/otherwise/{first}")
    assert post(ana, "/end")[0] == 200
    looks_before = [looks(page) for page in pages]
    listed = looks("/results")
    assert ("c-pink", "owl") in looks_before[0]
    assert post(ana, "/play", game=ANY, bots=4)[0] == 200
    look_at(ana, 1, "Ana", "cat", "red")
    assert [looks(page) for page in pages] == looks_before
    assert looks("/results")[-len(listed) :] == listed
    assert ("c-red", "cat") in looks("/")
    assert phones.rights.people.worn[first or 0].keys() == {1, 3, 4}


def test_whoever_takes_a_bots_place_chooses_an_animal_and_a_colour(
    app: Flask, phones: Phones, ana: FlaskClient
) -> None:
    look_at(ana, 1, "Ana", "fox", "red")
    bo = client_of(app, None)
    form = bo.get("/join").text.partition('action="/play/sit"')[2].partition("</form>")[0]
    assert 'value="owl"' in form
    assert 'value="fox" disabled' in form
    assert " checked" not in form, "who is known by a look keeps it"
    assert post(bo, "/play/sit", seat=3, name="Bo", animal="fox", colour="green")[0] == 409
    assert post(bo, "/play/sit", seat=3, name="Bo", animal="dragon", colour="green")[0] == 400
    assert post(bo, "/play/sit", seat=3, name="Bo", animal="owl", colour="green")[0] == 200
    assert post(ana, "/answer", question=question(ana, "/seat/1"), answer="yes")[0] == 200
    assert phones.rights.people.seated[3].face == Face("owl", "green")
    top = bo.get("/seat/3").text.partition('class="top me')[2].partition("</header>")[0]
    assert ["Bo" in top, "#chip-owl" in top, "c-green" in top] == [True, True, True]
