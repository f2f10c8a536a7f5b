"""Every page for whoever looks at it: each kind of phone, at each kind of table, with each kind of question open."""

import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.access.seat_rights import HOST, Rights
from companion.devices.check.checkup import Checkup
from companion.devices.check.walk import around
from companion.live.pause import Why
from companion.live.simulation import Simulation
from companion.live.table import Live
from companion.network.wifi import Wifi
from tests.network.test_wifi import OURS, Manager
from tests.web.bots.sitting import begin_with_bots, sit
from tests.web.table import (
    ANAS,
    BOS,
    CLEOS,
    PEOPLE,
    SCRIPT,
    Clock,
    app_with,
    client_of,
    count,
    living,
    phones_of,
    post,
    to_count,
)

HOLDING: Mapping[str, Mapping[int, str]] = {
    "a host who plays": {HOST: ANAS, 1: ANAS, 3: BOS, 5: CLEOS},
    "a host without a seat": {HOST: ANAS, 3: BOS, 5: CLEOS},
    "a host with the only phone": {HOST: ANAS, 1: ANAS, 3: ANAS, 5: ANAS},
    "seats without a host": {1: ANAS, 3: BOS},
    "nobody with a right": {},
}
"""Who holds what."""
LOOKING = (ANAS, BOS, CLEOS, None)
"""Their phones, and one that is new."""
LAST = "last"
"""Stands for the last entry of the story: Bo's count."""
ASKED: Mapping[str, tuple[str, str, Mapping[str, object]] | None] = {
    "nothing": None,
    "to end": (ANAS, "/end", {}),
    "to start another match": (ANAS, "/start", {"game": "kartel", "seat-1": "Ana", "seat-3": "Bo"}),
    "to enter for somebody": (ANAS, "/enter", {"kind": "said", "seat": "5", "what": "count", "value": "2"}),
    "to press for somebody": (ANAS, "/table/press", {"seat": "3"}),
    "to take back": (ANAS, "/take-back", {"entry": LAST, "code": "counted"}),
    "to count anew": (ANAS, "/take-back", {"seat": "3"}),
    "to free a seat": (ANAS, "/free", {"part": "3"}),
    "to put a name right": (ANAS, "/rename", {"part": "3", "name": "Boris"}),
    "something of the host": (CLEOS, "/take-back", {"entry": LAST, "code": "counted"}),
}
"""What is asked for, if that needs agreement there: by whom, and how."""
PAST = (
    "history",
    "seasons",
    "souvenirs",
    "under_other_rules",
    "people",
    "bg_stats",
    "how",
    "api",
    "brought",
    "streams",
)
"""Routes that don't tell how the table stands."""


def pages(app: Flask) -> Iterator[str]:
    """Yield the address of every page about the table as it stands."""
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and rule.endpoint.partition(".")[0] not in (*PAST, "static"):
            address = rule.rule.replace("<code>", "ABCDEF").replace("<int:number>", "0")
            yield from (
                address.replace("<int:seat>", seat) for seat in ("1", "3", "6") if "<" in address or seat == "1"
            )
    yield from ("/own?page=results-1", "/own?page=seat-3", "/join?bot=3", "/join?seat=2", "/join?name=Bo")


def look_everywhere(app: Flask, *phones: FlaskClient) -> None:
    """Open all pages on all phones. A page that fails raises; those that everybody has are there."""
    for phone, address in itertools.product(phones, pages(app)):
        with phone.get(address) as answer:
            assert "<" not in address
            assert answer.status_code < 500, address
            assert answer.status_code == 200 or address not in ("/", "/join", "/big", "/story"), address


def table_of(live: Live, holding: str, *, virtual: bool) -> Flask:
    """Make the page of a table at which these hold something."""
    checkup = Checkup([], around((1, 3), ("centre",)), live.clock, "2.0", live.tell, lambda: None)
    phones = phones_of(live, HOLDING[holding])
    wifi = Wifi(OURS, Manager(), Clock())
    return app_with(live, phones, virtual=virtual, checkup=checkup, wifi=wifi)


@pytest.mark.parametrize("question_kind", ASKED)
@pytest.mark.parametrize("holding", [name for name, held in HOLDING.items() if HOST in held])
def test_every_page_opens_whatever_is_asked_and_whoever_looks(live: Live, holding: str, question_kind: str) -> None:
    app = table_of(live, holding, virtual=question_kind == "to press for somebody")
    to_count(live)
    count(live, 3, 4)
    if (act := ASKED[question_kind]) is not None:
        token, path, form = act
        last = len(live.ask(lambda match: match.public)) - 1
        filled = {field: last if value == LAST else value for field, value in form.items()}
        client_of(app, token).post(path, data=filled, headers=SCRIPT)
        opens = holding == "a host who plays" and path != "/table/press"  # elsewhere nobody needs to be asked
        assert opens <= ('id="question"' in client_of(app, None).get("/").text), question_kind
    look_everywhere(app, *(client_of(app, token) for token in LOOKING))


@pytest.mark.parametrize("stands", ["in play", "in a break", "ended", "in a demo"])
@pytest.mark.parametrize("holding", HOLDING)
def test_every_page_opens_however_the_table_stands(live: Live, holding: str, stands: str) -> None:
    app = table_of(live, holding, virtual=True)
    match stands:
        case "in a break":
            live.pause(Why.BREAK)
        case "ended":
            live.pause(Why.ENDED)
        case "in a demo":
            live.begin_demo("kartel", PEOPLE, {})
    look_everywhere(app, *(client_of(app, token) for token in LOOKING))


@pytest.mark.parametrize("visitor", ["a newcomer", "a host without a seat", "somebody who has left"])
def test_every_page_opens_beside_bots(tmp_path: Path, clock: Clock, visitor: str) -> None:
    with living(tmp_path / "dealt", clock, simulated=True) as dealt:
        phones = phones_of(dealt, {})
        app = app_with(dealt, phones, simulation=Simulation(dealt, seed=lambda: "always the same"))
        ana = begin_with_bots(app, "kartel")
        bo = sit(app, ana)
        zoe = client_of(app, None)
        match visitor:
            case "a newcomer":
                post(zoe, "/play/sit", seat=2, name="Zoé")
            case "a host without a seat":
                phones.change(lambda rights: Rights(rights.codes, {part: rights.holders[part] for part in (HOST, 3)}))
                post(ana, "/end")
            case "somebody who has left":
                post(bo, "/free", part=3)
                post(bo, "/play/sit", seat=2, name="Bo")
        look_everywhere(app, ana, bo, zoe, client_of(app, None))
