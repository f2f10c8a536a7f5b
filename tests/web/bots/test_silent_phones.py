"""Somebody is waited for at the simulated table, and their phone is off."""

import re

from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace

from companion.access.presence import ALL_ARE_TOLD, GOES_ON_WITHOUT, HAS_A_SAY
from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST
from companion.live.simulation import Simulation
from companion.live.table import Live
from tests.web.bots.sitting import ANY, begin_with_bots, look_at, sit
from tests.web.table import Clock, client_of, post, question


def test_everybody_reads_whose_phone_is_off_when_they_are_waited_for(
    app: Flask, live: Live, simulation: Simulation, ana: FlaskClient, ticks: Clock
) -> None:
    bo = sit(app, ana)
    while 3 not in live.snapshot.views[None]["table"]["now"]["seats"]:
        simulation.play(simulation.sights[1].moves[0])
    bo.get("/seat/3")
    ticks.now += ALL_ARE_TOLD
    assert 'id="silent-' not in ana.get("/seat/1").text
    ticks.now += 1
    assert "Bo’s phone is off. The host can have a bot play on." in client_of(app, None).get("/big").text
    for path in ("/seat/1", "/host"):
        notice = ana.get(path).text.partition('id="silent-3"')[2].partition("</div>")[0]
        assert "Bo’s phone is off." in notice
        assert 'action="/free"' in notice  # whoever can do something about it does it there
    bo.get("/seat/3")
    assert 'id="silent-' not in ana.get("/seat/1").text


def test_whoever_has_waited_long_for_a_match_to_begin_is_there_when_it_does(
    app: Flask, phones: Phones, simulation: Simulation, ticks: Clock
) -> None:
    """On every page, and from the first moment on: the big screen is drawn before the phone has its answer."""
    big, ana, bo = (client_of(app, None) for _ in range(3))
    look_at(ana, 1, "Ana", "owl", "blue")
    look_at(bo, 3, "Bo", "fox", "red")
    screens: list[str] = []
    phones.watch(lambda: screens.append(big.get("/big").text))
    for _ in range(2):
        ticks.now += ALL_ARE_TOLD
        for phone, path in ((ana, "/host"), (bo, "/lobby/3")):
            assert phone.get(path).status_code == 200
    assert post(ana, "/play", game=ANY, bots=0)[0] == 200
    assert "Ana" in screens[-1]
    assert not [page for page in screens if 'id="silent-' in page]
    assert [phones.unheard(phones.rights.holders[seat]) for seat in (1, 3)] == [0, 0]


def test_where_somebody_is_waited_for_in_vain_the_host_has_a_bot_play_on(
    app: Flask, simulation: Simulation, clock: Clock, ticks: Clock
) -> None:
    ana = begin_with_bots(app, "stop-it")
    bo = sit(app, ana)

    def do(seat: int, *whats: str) -> None:
        clock.now += 2.0  # a press right after a start is none
        simulation.play(next(move for move in simulation.sights[seat].moves if move.what in whats))

    do(1, "start")
    assert 'id="gone"' not in ana.get("/host").text  # whoever is first shouts
    do(3, "shout")
    do(3, "show", "no-stop")
    if simulation.sights[1].moves:
        do(1, "count")
        do(4, "count")
        do(3, "count")
    assert [move.what for move in simulation.sights[3].moves] == ["restart"]
    offered = ana.get("/host").text.partition('id="gone"')[2].partition("</details>")[0]
    assert re.findall(r'name="part" value="(\d)"', offered) == ["3"]
    assert post(ana, "/free", part=3)[1].startswith("We asked seat 3.")
    assert "Have a bot play on for Bo?" in bo.get("/seat/3").text
    assert 3 not in simulation.bots
    ticks.now += GOES_ON_WITHOUT
    assert post(ana, "/free", part=3)[0] == 200
    do(3, "restart")
    assert 3 in simulation.bots
    assert 'id="gone"' not in ana.get("/host").text


def awaited(simulation: Simulation, live: Live, seat: int) -> None:
    while seat not in live.snapshot.views[None]["table"]["now"]["seats"]:
        simulation.play(next(sight.moves[0] for sight in simulation.sights.values() if sight.moves))


def test_where_the_table_stands_still_for_a_phone_that_is_off_one_tap_has_a_bot_play_on(
    app: Flask, live: Live, simulation: Simulation, phones: Phones, ana: FlaskClient, ticks: Clock
) -> None:
    bo = sit(app, ana)
    cleo = sit(app, ana, "Cléo", 4)
    awaited(simulation, live, 3)
    bo.get("/seat/3")
    ticks.now += ALL_ARE_TOLD + 1
    cleo.get("/seat/4")
    assert post(cleo, "/free", part=3)[0] == 403
    assert post(ana, "/free", part=3)[0] == 200
    assert (3 in simulation.bots, 3 in phones.rights.holders) == (True, False)
    for path, phone in (("/seat/4", cleo), ("/big", cleo), ("/host", ana)):
        assert "Bo has gone" in phone.get(path).text
    assert post(bo, "/play/back", seat=3)[0] == 200
    assert 3 not in simulation.bots


def test_a_phone_that_was_asked_is_not_overtaken_by_its_sleep(
    app: Flask, live: Live, simulation: Simulation, phones: Phones, ana: FlaskClient, ticks: Clock
) -> None:
    bo = sit(app, ana)
    awaited(simulation, live, 3)
    bo.get("/seat/3")
    ticks.now += ALL_ARE_TOLD
    assert "asked" in post(ana, "/free", part=3)[1], "it is not off for long enough"
    ticks.now += 1
    assert post(ana, "/free", part=3)[0] == 409
    assert 3 in phones.rights.holders
    ticks.now += GOES_ON_WITHOUT - ALL_ARE_TOLD
    assert post(ana, "/free", part=3)[0] == 200
    assert 3 in simulation.bots


def test_who_plays_may_have_a_phone_waited_for_after_all_and_then_it_takes_two(
    app: Flask, live: Live, simulation: Simulation, phones: Phones, ana: FlaskClient, ticks: Clock
) -> None:
    bo = sit(app, ana)
    cleo = sit(app, ana, "Cléo", 4)
    awaited(simulation, live, 3)
    holder = phones.rights.holders[3]

    def tapped() -> str:
        ticks.now += ALL_ARE_TOLD + 1
        cleo.get("/seat/4")
        return post(ana, "/free", part=3)[1]

    tapped()
    assert 'action="/play/wait"' in cleo.get("/seat/4").text
    assert 'action="/play/wait"' not in client_of(app, None).get("/").text
    assert post(client_of(app, None), "/play/wait", part=3)[0] == 403
    assert post(cleo, "/play/wait", part=3) == (200, "The table waits for Bo.")
    assert (phones.rights.holders[3], 3 in simulation.bots) == (holder, False)
    assert post(cleo, "/play/wait", part=3)[0] == 409
    assert "asked" in tapped()
    assert phones.rights.holders[3] == holder
    bo.get("/seat/3")
    assert post(bo, "/answer", question=question(bo, "/seat/3"), answer="no")[0] == 200
    ticks.now += ALL_ARE_TOLD + 1
    assert post(ana, "/free", part=3)[0] == 200
    assert 3 in simulation.bots, "they were there, and are off anew"


def test_nobody_is_put_back_by_others_who_left_by_themselves(
    app: Flask, simulation: Simulation, ana: FlaskClient
) -> None:
    bo = sit(app, ana)
    assert post(bo, "/free", part=3)[0] == 200
    assert 'action="/play/wait"' not in ana.get("/seat/1").text
    assert post(ana, "/play/wait", part=3)[0] == 409
    assert 3 in simulation.bots


def test_where_the_hosts_own_phone_is_off_anybody_who_plays_has_a_bot_play_on(
    app: Flask, live: Live, simulation: Simulation, phones: Phones, ana: FlaskClient, ticks: Clock
) -> None:
    bo = sit(app, ana)
    awaited(simulation, live, 1)
    ana.get("/seat/1")
    assert post(bo, "/free", part=1)[0] == 403
    ticks.now += ALL_ARE_TOLD + 1
    notice = bo.get("/seat/3").text.partition('id="silent-1"')[2].partition("</div>")[0]
    assert 'action="/free"' in notice
    assert "Any player can hand the seat to a bot." in client_of(app, None).get("/big").text
    assert post(client_of(app, None), "/free", part=1)[0] == 403
    assert post(bo, "/free", part=1)[0] == 200
    assert (1 in simulation.bots, HOST in phones.rights.holders) == (True, True)


def test_where_nobody_else_has_a_phone_the_host_frees_a_lost_phones_seat_alone(
    app: Flask, phones: Phones, simulation: Simulation, ana: FlaskClient, ticks: Clock
) -> None:
    new = client_of(app, None)
    ticks.now += HAS_A_SAY
    assert post(new, "/join", code=phones.rights.codes[HOST])[0] == 200
    assert post(new, "/free", part=1)[0] == 200
    assert (1 in simulation.bots, 1 in phones.rights.holders) == (True, False)
    assert ana.get("/seat/1").status_code == 403


def test_a_lost_phone_is_not_asked_about_one_of_its_seats_by_the_other(
    app: Flask, phones: Phones, ana: FlaskClient, ticks: Clock
) -> None:
    phones.change(lambda rights: replace(rights, holders={**rights.holders, 3: rights.holders[1]}))
    new = client_of(app, None)
    ticks.now += HAS_A_SAY
    assert post(new, "/join", code=phones.rights.codes[HOST])[0] == 200
    for seat in (1, 3):
        assert post(new, "/free", part=seat)[0] == 200
        assert seat not in phones.rights.holders
