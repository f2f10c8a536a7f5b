"""Fixtures: a live table of three with its page, and their phones."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.access.rights_file import Phones
from companion.access.seat_rights import HOST
from companion.kit.in_chromium import Glass
from companion.live.table import Live
from tests.chromium import Opened
from tests.needs import needs
from tests.web.axe import AXE
from tests.web.evenings import evenings
from tests.web.table import ANAS, BOS, CLEOS, PEOPLE, Clock, app_of, app_with, client_of, living, phones_of, serving


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Evenings ago: a log that nothing changes."""
    folder = tmp_path_factory.mktemp("evenings")
    evenings(folder)
    return folder


@pytest.fixture(scope="session")
def looking(played: Path) -> Iterator[FlaskClient]:
    """A phone that looks back, and changes nothing."""
    with living(played, simulated=True) as live:
        yield app_of(live).test_client()


@pytest.fixture(scope="module")
def axe(glass: Glass) -> Glass:
    """The page in which others are shown, with axe-core at hand."""
    needs("axe-core", AXE.exists())
    glass.know(AXE.read_text(encoding="utf-8"))
    return glass


@pytest.fixture(autouse=True)
def _looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that a test sets goes on by leaps, and no table wakes for that."""
    monkeypatch.setattr("companion.live.judging.LOOKS_AT_LEAST", 0.1)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def live(tmp_path: Path, clock: Clock) -> Iterator[Live]:
    with living(tmp_path, clock, simulated=True) as live:
        live.begin("stop-it", PEOPLE, {})
        yield live


@pytest.fixture
def client(live: Live) -> FlaskClient:
    return app_of(live).test_client()


@pytest.fixture
def served(opened: Opened) -> Iterator[Callable[[Flask], Opened]]:
    """Serve an app until the test is over; what it gives opens a page by its path."""
    with ExitStack() as end:

        def serve(app: Flask) -> Opened:
            port = end.enter_context(serving(app))
            return lambda path, **more: opened(f"http://127.0.0.1:{port}{path}", **more)

        yield serve


@pytest.fixture
def look(served: Callable[[Flask], Opened], live: Live) -> Opened:
    """Open a page of the virtual table."""
    return served(app_of(live))


@pytest.fixture
def ticks() -> Clock:
    """When phones were seen last, and when questions lapse."""
    return Clock()


@pytest.fixture
def phones(live: Live, ticks: Clock) -> Phones:
    """Ana is host and sits at seat 1; Bo and Cléo have phones of their own."""
    return phones_of(live, {HOST: ANAS, 1: ANAS, 3: BOS, 5: CLEOS}, ticks)


@pytest.fixture
def app(live: Live, phones: Phones, ticks: Clock) -> Flask:
    """The page of a real table with these phones."""
    return app_with(live, phones, virtual=False, clock=ticks)


@pytest.fixture
def host(app: Flask) -> FlaskClient:
    return client_of(app, ANAS)


@pytest.fixture
def bo(app: Flask) -> FlaskClient:
    return client_of(app, BOS)


@pytest.fixture
def cleo(app: Flask) -> FlaskClient:
    return client_of(app, CLEOS)
