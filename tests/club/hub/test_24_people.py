"""Two tournaments of 24 people, played at the keeper's page, with every total worked out by hand."""

import re
import secrets
from collections.abc import Mapping, Sequence

import pytest
from flask.testing import FlaskClient

from companion.club.hub.hub import Hub
from companion.club.hub.tournament import DrawnRound
from companion.club.hub.tournament_book import TournamentNow
from tests.club.hub.pages import shown
from tests.club.hub.paper import paper

PEOPLE = "Ada Ben Cleo Dan Eva Finn Gro Hal Ida Jon Kim Leo Mia Nils Ola Pia Quin Rae Sam Tea Uli Vera Wim Zoe"

SWISS_ROUNDS = (
    "Dan Ben Kim Nils; Quin Ida Jon Rae; Ola Hal Ada Eva; Cleo Leo Pia Zoe; Tea Gro Uli Vera; Finn Sam Wim Mia",
    "Cleo Dan Quin Ola; Ben Tea Ida Finn; Hal Leo Sam Gro; Ada=Pia Jon Kim; Uli Rae Nils Wim; Zoe=Eva Mia Vera",
    "Hal Uli Cleo Ben; Tea=Leo Dan Rae; Finn Quin Pia Eva; Ada Zoe Sam Ida; Ola Vera Wim Kim; Gro Mia=Jon Nils",
    "Ida Hal Dan Wim; Tea Cleo Ada Mia; Uli Leo=Eva Kim; Quin=Sam Nils Vera; Ola Zoe=Finn Jon; Gro Pia Rae=Ben",
    "Pia Tea Ola Nils; Hal=Kim Rae Mia; Ida Gro=Cleo Eva; Uli Dan Jon=Sam; Quin Ben Zoe=Wim; Leo Vera Ada Finn",
)
"""Who finished in which order at each table of four; `=` is between those who tie. Nobody meets anybody twice."""

SWISS_TOTALS = (
    "1 Tea 120+80+100+120+80=500 (1020+960+940+860+860)/3=1547 2",
    "2 Hal 80+120+120+80+100=500 (900+1100+1200+820+380)/3=1467 2",
    "3 Uli 40+120+80+120+120=480 (1040+320+1220+740+800)/3=1373 3",
    "4 Quin 120+40+80+100+120=460 (660+1180+840+520+660)/3=1287 2",
    "5 Leo 80+80+100+60+120=440 (1060+1160+1000+780+800)/3=1600 1",
    "6 Cleo 120+120+40+80+60=420 (1080+1220+1280+940+900)/3=1807 2",
    "7 Ola 120+0+120+120+40=400 (1000+1240+400+720+960)/3=1440 3",
    "8 Pia 40+100+40+80+120=380 (1120+640+920+820+980)/3=1493 1",
    "9 Gro 80+0+120+120+60=380 (1140+1220+340+820+940)/3=1487 2",
    "10 Dan 120+80+40+40+80=360 (520+1280+1080+960+920)/3=1587 1",
    "11 Ida 80+40+0+120+120=360 (760+1100+880+960+960)/3=1553 2",
    "12 Ada 40+100+120+40+40=340 (1060+680+900+1020+900)/3=1520 1",
    "13 Ben 80+120+0+20+80=300 (580+1160+1400+900+820)/3=1620 1",
    "14 Finn 120+0+120+60+0=300 (480+1160+1000+820+940)/3=1467 2",
    "15 Sam 80+40+40+100+20=280 (500+1320+960+700+1000)/3=1493 0",
    "16 Zoe 0+100+80+60+20=260 (1240+420+980+860+860)/3=1453 0",
    "17 Eva 0+100+0+60+0=160 (1240+520+1140+1060+1160)/3=1707 0",
    "18 Jon 40+40+60+0+20=160 (960+860+560+960+1120)/3=1487 0",
    "19 Vera 0+0+80+0+80=160 (1360+520+640+820+1080)/3=1473 0",
    "20 Rae 0+80+0+20+40=140 (980+660+1300+1060+740)/3=1580 0",
    "21 Kim 40+0+0+0+100=140 (740+880+660+1080+740)/3=1367 0",
    "22 Wim 40+0+40+0+20=100 (680+700+700+1220+1020)/3=1440 0",
    "23 Mia 0+40+60+0+0=100 (680+580+620+1260+780)/3=1307 0",
    "24 Nils 0+40+0+40+0=80 (800+720+640+900+1280)/3=1447 0",
)
"""Place and name; points of each round (120, 80, 40, 0, ties halved) and their sum; the sums of the three
opponents' points at each table, their third, rounded; tables won.
"""

CROSS_TABLES = (
    (
        "Kim Quin Dan Jon Nils Ben",
        "1 Kim . 1 0 1 1 1 120+0+120+120+120=480 120 4",
        "2 Quin 0 . 1 1 1 1 0+120+120+120+120=480 0 4",
        "3 Dan 1 0 . 0 1 1 120+0+0+120+120=360 0 3",
        "4 Jon 0 0 1 . = 1 0+0+120+60+120=300 0 2",
        "5 Nils 0 0 0 = . 1 0+0+0+60+120=180 0 1",
        "6 Ben 0 0 0 0 0 . 0+0+0+0+0=0 0 0",
    ),
    (
        "Ola Ada Rae Eva Ida Hal",
        "1 Ola . 1 1 1 1 = 120+120+120+120+60=540 0 4",
        "2 Ada 0 . = 1 1 1 0+60+120+120+120=420 0 3",
        "3 Rae 0 = . 1 = = 0+60+120+60+60=300 0 1",
        "4 Eva 0 0 0 . 1 = 0+0+0+120+60=180 180 1",
        "5 Ida 0 0 = 0 . 1 0+0+60+0+120=180 120 1",
        "6 Hal = 0 = = 0 . 60+0+60+60+0=180 60 0",
    ),
    (
        "Leo Cleo Vera Pia Zoe Tea",
        "1 Leo . 1 1 1 0 1 120+120+120+0+120=480 0 4",
        "2 Cleo 0 . 1 1 1 0 0+120+120+120+0=360 120 3",
        "3 Vera 0 0 . 1 1 1 0+0+120+120+120=360 0 3",
        "4 Pia 0 0 0 . 1 1 0+0+0+120+120=240 120 2",
        "5 Zoe 1 0 0 0 . 1 120+0+0+0+120=240 0 2",
        "6 Tea 0 1 0 0 0 . 0+120+0+0+0=120 0 1",
    ),
    (
        "Wim Gro Sam Finn Mia Uli",
        "1 Wim . 1 0 1 1 = 120+0+120+120+60=420 120 3",
        "2 Gro 0 . = 1 1 1 0+60+120+120+120=420 0 3",
        "3 Finn 0 0 = . 1 1 0+0+60+120+120=300 60 2",
        "4 Sam 1 = . = = 0 120+60+60+60+0=300 60 1",
        "5 Mia 0 0 = 0 . 1 0+0+60+0+120=180 120 1",
        "6 Uli = 0 1 0 0 . 60+0+120+0+0=180 0 1",
    ),
)
"""The groups of a round robin: who won (1), lost (0) or tied (=) against each in the order of the first line; points of
these matches (120, 0, 60) and their sum; those scored against others with the same sum; matches won.
"""


@pytest.fixture
def lot(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same one for every draw of this evening."""
    monkeypatch.setattr(secrets, "randbelow", lambda _: 24)


def begin_tournament(page: FlaskClient, hub: Hub, kind: str, size: int) -> None:
    page.post("/keeper", data={"code": hub.keeper.now.code})
    page.post("/tournament/new", data={"people": PEOPLE.replace(" ", "\n"), "rounds": 5, "pod": size, "kind": kind})


def draw(page: FlaskClient, hub: Hub) -> DrawnRound:
    assert page.post("/tournament/draw", data={"round": len(standing(hub).of.drawn) + 1}).status_code == 303
    return standing(hub).of.drawn[-1]


def enter(page: FlaskClient, number: int, at: int, places: Sequence[int]) -> None:
    form = paper(page, [*map(str, places)], number, at)
    assert page.post("/tournament/places", data=form).status_code == 303


def standing(hub: Hub) -> TournamentNow:
    tournament = hub.tournament.now()
    assert tournament
    return tournament


def places_of(line: str) -> Mapping[str, int]:
    """Return everybody's place, as a table's line tells it."""
    places: dict[str, int] = {}
    for tied in line.split(" "):
        place = len(places) + 1
        places.update(dict.fromkeys(tied.split("="), place))
    return places


def rows_shown(text: str) -> list[str]:
    """Return the rows of the standings on a page, as text."""
    rows = re.findall("<tr><th scope=.row.>(.*?)</tr>", text)
    return [" ".join(re.sub("<[^>]*>", " ", row).replace(". ", " ").split()) for row in rows]


@pytest.mark.usefixtures("lot")
def test_five_swiss_rounds_at_tables_of_four(hub: Hub, page: FlaskClient) -> None:
    begin_tournament(page, hub, "swiss", 4)
    for number, tables in enumerate(SWISS_ROUNDS):
        drawn = draw(page, hub)
        by_people = {frozenset(places): places for places in map(places_of, tables.split("; "))}
        assert {frozenset(pod.people) for pod in drawn.pods} == {*by_people}
        assert drawn.again == 0
        for at, pod in enumerate(drawn.pods):
            places = by_people[frozenset(pod.people)]
            assert 'id="missing"' in shown(page, "/tournament")
            enter(page, number, at, [places[name] for name in pod.people])
    totals = [re.sub(r" [+\d]*=(\d+) \([+\d]*\)/3=(\d+)", r" \1 \2", line) for line in SWISS_TOTALS]
    assert rows_shown(shown(page, "/tournament/standings")) == [f"{line} 5" for line in totals]
    assert 'id="missing"' not in shown(page, "/tournament")
    assert "Tea wins the tournament!" in shown(page, "/tournament")


@pytest.mark.parametrize("line", SWISS_TOTALS)
def test_the_sums_of_the_swiss_rounds_are_right(line: str) -> None:
    points, opponents = re.findall(r"(?<![\d(])[+\d]+=\d+|\([+\d]*\)/3=\d+", line)
    summands, total = points.split("=")
    thirds, strength = opponents.split("=")
    assert sum(map(int, summands.split("+"))) == int(total)
    assert round(sum(map(int, thirds[1:-3].split("+"))) / 3) == int(strength)


@pytest.mark.usefixtures("lot")
def test_a_round_robin_in_groups_of_six(hub: Hub, page: FlaskClient) -> None:
    begin_tournament(page, hub, "round-robin", 6)
    results: dict[tuple[str, str], str] = {}
    for first, *lines in CROSS_TABLES:
        for line in lines:
            _, name, *signs = line.split()[:8]
            results |= {(name, rival): sign for rival, sign in zip(first.split(), signs, strict=True)}
    for number in range(5):
        for at, pod in enumerate(draw(page, hub).pods):
            enter(page, number, at, {"1": (1, 2), "0": (2, 1), "=": (1, 1)}[results[pod.people[0], pod.people[1]]])
    assert standing(hub).of.rounds == 5
    totals = [re.sub(r"( [.10=]){6} [+\d]*=", " ", line) + " 5" for _, *lines in CROSS_TABLES for line in lines]
    assert rows_shown(shown(page, "/tournament/standings")) == totals
    assert "First in their groups: Kim, Ola, Leo, Wim" in shown(page, "/tournament")
