"""Every page of tables in many states, as it is rendered: once a worker, for whatever tests ask of it."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask.testing import FlaskClient
from gevent.event import Event

from companion import games
from companion.access import lobby
from companion.access.lobby import Playing
from companion.access.people import Guest
from companion.access.player_looks import Face
from companion.access.seat_rights import phone_of
from companion.acts.told import mark as mark_of
from companion.devices.check.checkup import Checkup
from companion.devices.check.walk import around
from companion.devices.sensing import Appeared, Crowded, Failed, Working
from companion.history.profile import mark
from companion.kit.in_chromium import Rendered
from companion.live.simulation import Simulation
from companion.measuring.figures_file import Figure, FiguresFile
from companion.network.wifi import Wifi
from companion.storage.log import Log
from companion.storage.opening import LogFault
from companion.versions import launcher
from companion.versions.host_wishes import Machine
from companion.web.render.page_names import Page
from companion.web.site import site
from tests.access.codes import hand_on
from tests.network.test_wifi import OURS, RECORDED, Manager
from tests.web.bots.sitting import begin_with_bots
from tests.web.evenings import EVE, NIGHT, close_shouts, evenings, late, store_match, turning
from tests.web.scenes import BEFORE, SCENES, STARTED, Scene, pages_of, stood
from tests.web.setting_up import Stages, staged
from tests.web.table import (
    ANAS,
    BOS,
    CLEOS,
    PEOPLE,
    Clock,
    app_of,
    app_with,
    client_of,
    count,
    living,
    phones_of,
    post,
    to_count,
)

STILL = ("/host/codes", "/join", "/season", "/tags", "/not-there")
"""Pages that no match changes: they are looked at before the first one and once in a match."""
HOW = tuple(f"/how/{slug}" for slug in games.known())


Look = tuple[FlaskClient | Stages, tuple[str, ...]]
"""A phone, and where it looks."""


@contextmanager
def _scene(scene: Scene, folder: Path) -> Iterator[Look]:
    """With devices that fail: what a driver says is English on every page."""
    with stood(scene, folder) as live:
        live.tell(Failed("reader seat-2", "no answer: is it plugged in?", 0.0), Crowded("seat-3", 0.0))
        live.tell(Working("buzzers", "box 1.0 and what it is", 0.0))
        still = {BEFORE.name: (*STILL, *HOW), STARTED.name: STILL}.get(scene.name, ())
        yield app_of(live).test_client(), (*pages_of(live), "/big", "/story", "/results", *still)


@contextmanager
def _only_looking_on(folder: Path) -> Iterator[Look]:
    with stood(STARTED, folder) as live:
        yield client_of(app_with(live, phones_of(live, {})), None), ("/", "/seat/1", "/host", "/table", "/tags")


@contextmanager
def _sitting_down(folder: Path) -> Iterator[Look]:
    """Two have sat down by phone, one is the host, and people are known from earlier evenings; an update failed."""
    with living(folder) as live:
        phones = phones_of(live, {0: ANAS})
        people = dict(enumerate(("Ana", "Maximilian-Alexander", "Ἀλέξανδρος", "Zoé"), 1))
        phones.change(lambda rights: lobby.leave(lobby.begin(rights, people), people))
        bo = Guest("Bo", Face("owl", "violet"))
        ana = Guest("Ana", Face("fox", "red"))
        for phone, seat, guest in ((BOS, 3, bo), (ANAS, 1, ana)):
            phones.change(
                lambda rights, phone=phone, seat=seat, guest=guest: lobby.sit(  # type: ignore[misc]
                    rights, phone_of(phone), seat, guest, Playing(), by_code=False
                )
            )
        launcher.say(folder, "back", new="1.1", old="1.0")
        figures = FiguresFile(folder / "figures.json")
        figures.tell(Figure("volts-reader", 4.9, "board 2"))
        figures.tell(Figure("reach", 12))
        app = app_with(live, phones, virtual=False, machine=Machine(folder, folder, "1.0"), figures=figures)
        paths = ("/", "/big", "/join", "/lobby/1", "/host", "/host/table", "/host/upkeep", "/measure")
        yield client_of(app, ANAS), paths


@contextmanager
def _in_trouble(folder: Path) -> Iterator[Look]:
    """A full disk, a reader that fails, stickers being put on, somebody walking around the table."""

    def full(*event: object) -> None:
        raise LogFault("the disk is full")

    with living(folder, tags=folder / "tags.toml") as live, pytest.MonkeyPatch.context() as patch:
        checkup = Checkup([], around((1, 3), ("centre",)), live.clock, "2.0", live.tell, lambda: None)
        live.withhold_while(lambda: checkup.walking)
        client = app_of(live, virtual=False, checkup=checkup).test_client()
        live.begin("stop-it", PEOPLE, {})
        live.enrol(lambda enrolment: enrolment.begin("kartel", {}))
        live.tell(Appeared("centre", "04A1B2C3D4E5F6", live.clock()), Crowded("seat-3", 0.0))
        live.tell(Failed("reader seat-2", "no answer: is it plugged in?", 0.0), Working("buzzers", "box 1.0", 0.0))
        checkup.begin()
        patch.setattr(Log, "append", full)
        patch.setattr(Log, "try_to_write", full)
        client.post("/enter", data={"kind": "pressed", "seat": "1"})
        yield client, ("/", "/seat/1", "/host", "/check", "/tags")


@contextmanager
def with_open_question(folder: Path) -> Iterator[Look]:
    """A question is open, and two parts are handed on."""
    with living(folder, Clock()) as live:
        live.begin("stop-it", PEOPLE, {})
        phones = phones_of(live, {0: ANAS, 1: ANAS, 3: BOS})
        hand_on(phones, 0)
        hand_on(phones, 1)
        to_count(live)
        count(live, 3, 4)
        client = client_of(app_with(live, phones, virtual=False), ANAS)
        last = len(live.ask(lambda match: match.public)) - 1
        assert post(client, "/take-back", entry=str(last), code="counted")[0] == 200
        assert 'id="question"' in client.get("/").text
        paths = ("/", "/host", "/host/codes", "/host/3", "/seat/1", "/seat/3", "/join", "/join/ZZZZZZ")
        yield client, paths


@contextmanager
def _beside_play(folder: Path) -> Iterator[Look]:
    """Cléo wants to see the count again, and people cheer; a big screen shows the table."""
    with living(folder, Clock()) as live:
        live.begin("stop-it", PEOPLE, {})
        phones = phones_of(live, {0: ANAS, 1: ANAS, 3: BOS, 5: CLEOS})
        to_count(live)
        count(live, 3, 4)
        app = app_with(live, phones, virtual=False, clock=Clock())
        with app.app_context():
            site().feeds[Page("big"), "en"] = SimpleNamespace(heard=True)  # type: ignore[assignment]
        cleo = client_of(app, CLEOS)
        last = live.ask(lambda match: len(match.public) - 1)
        for client in (cleo, client_of(app, BOS), client_of(app, None)):
            assert post(client, "/cheer")[0] == 200
        ruling = live.ask(lambda match: match.public[last])
        assert post(cleo, "/look-again", entry=str(last), mark=mark_of(ruling.code, ruling.facts))[0] == 200
        yield client_of(app, ANAS), ("/", "/big", "/seat/1", "/host", "/host/table")


@contextmanager
def _read_aloud(folder: Path) -> Iterator[Look]:
    """Phones that read their seats aloud to their players."""
    with stood(SCENES[4], folder) as live:
        client = app_of(live).test_client()
        client.set_cookie("aloud", "everything")
        yield client, tuple(path for path in pages_of(live) if path.startswith("/seat"))


@contextmanager
def _hearing(folder: Path) -> Iterator[Look]:
    """A seat hears its cards, and another could."""
    with living(folder, Clock()) as live:
        live.begin("stop-it", PEOPLE, {})
        live.tell(*(Working(f"reader seat-{seat}", "", 0.0) for seat in (1, 3)))
        live.listen(lambda hearing: hearing.begin(3))
        live.tell(Appeared("seat-3", "virtual:stop-it/special-stop-1", 0.0))
        client = app_of(live, virtual=False).test_client()
        client.set_cookie("aloud", "normal")
        yield client, ("/", "/seat/1", "/seat/3")


@contextmanager
def _evenings(folder: Path) -> Iterator[Look]:
    """Also of six people with long names and close shouts; one turned in the game with the longest title."""
    matches = evenings(folder)
    with closing(Log(folder / "log.sqlite", writes=True)) as log:
        matches.append(store_match(log, NIGHT, close_shouts()))
        for events in turning():
            store_match(log, EVE, events)
    with living(folder, simulated=True) as live:
        of = [f"/results/{match}" for match in matches]
        client = app_of(live).test_client()
        unfinished = [path for path in of if "Not finished" in client.get(path).text]
        yield (
            client,
            (
                "/results",
                "/season",
                *of,
                *(f"{path}/enter/{part}" for path in (of[1], *unfinished) for part in (0, 1)),
                f"{of[1]}/then/5",
                f"/otherwise/{matches[3]}",
                f"/otherwise/{matches[4]}",
                "/otherwise/2026-11-20",
                "/evening/2026-11-19",
                f"/people/{mark('Bo')}",
            ),
        )


@contextmanager
def _late(slug: str, folder: Path) -> Iterator[Look]:
    """An act before the end of a match of as many as can play."""
    late(slug, folder)
    with living(folder, simulated=True) as live:
        seat = live.snapshot.views[None]["players"][0]["seat"]
        match = live.snapshot.match
        of_seat = (f"/seat/{seat}", f"/host/{seat}", f"/story/{seat}", f"/results/{match}")
        yield app_of(live).test_client(), ("/", "/big", "/host", "/table", "/story", "/results", "/season", *of_seat)


@contextmanager
def _dealt(folder: Path) -> Iterator[Look]:
    """Ana, who is the host, and two bots at a simulated table."""
    with living(folder, Clock(), simulated=True) as live:
        simulation = Simulation(live, seed=lambda: "always the same")
        ana = begin_with_bots(app_with(live, phones_of(live, {}), simulation=simulation), "stop-it")
        yield ana, ("/", "/big", "/table", "/host", "/host/match", "/seat/1")


@contextmanager
def _dealt_and_ended(folder: Path) -> Iterator[Look]:
    """She has ended it early."""
    with _dealt(folder) as (ana, paths):
        assert isinstance(ana, FlaskClient)
        assert post(ana, "/end")[0] == 200
        yield ana, paths


@contextmanager
def _being_set_up(folder: Path) -> Iterator[Look]:
    """Each stage, for the phone that does it, and what everybody else sees."""
    with staged(folder) as stages:
        yield stages, stages.paths


@contextmanager
def _in_its_own_network(folder: Path) -> Iterator[Look]:
    """The host looks for another, and could not join one; the table could be set up anew."""
    manager = Manager()
    wifi = Wifi(OURS, lambda words, seconds: RECORDED if words[-1] == "list" else manager(words, seconds), Clock())
    wifi.open()
    wifi.join("Home", "wrong")
    with living(folder) as live:
        app = app_with(live, phones_of(live, {0: ANAS}), virtual=False, wifi=wifi, set_up=Event(), name="Our table")
        yield client_of(app, ANAS), ("/network", "/host/table", "/setup", "/big", "/")


TABLES: dict[str, Callable[[Path], AbstractContextManager[Look]]] = {
    # First where there is most to see.
    **{f"late in {game.title}": partial(_late, slug) for slug, game in games.known().items()},
    "evenings ago": _evenings,
    **{scene.name: partial(_scene, scene) for scene in SCENES},
    "sitting down": _sitting_down,
    "only looking on": _only_looking_on,
    "in trouble": _in_trouble,
    "asked to agree": with_open_question,
    "beside play": _beside_play,
    "read aloud": _read_aloud,
    "hearing cards": _hearing,
    "dealt": _dealt,
    "dealt and ended": _dealt_and_ended,
    "being set up": _being_set_up,
    "in its own network": _in_its_own_network,
}


@cache
def rendered(table: str) -> tuple[Rendered, ...]:
    """Return the pages of a table, in French and English."""
    with tempfile.TemporaryDirectory() as folder, TABLES[table](Path(folder)) as (client, paths):
        return tuple(
            Rendered(f"{path}, {table}", language, client.get(path, query_string={"lang": language}).text)
            for path in paths
            for language in ("fr", "en")
        )
