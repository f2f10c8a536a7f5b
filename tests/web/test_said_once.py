"""What an observer may know of a match is said once: pages, programs, the club and a replay show the same value."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.access.people import People
from companion.club.outbox import Outbox
from companion.club.to_publish import Noticed
from companion.game import Observer
from companion.judge import views
from companion.judge.views import View, Views
from companion.live.table import Live
from companion.web.render.page_names import Page
from tests.web.table import PEOPLE, app_of, living


@pytest.fixture
def said_in_the_view(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fact that nobody has heard of yet, added in the one place where a view is built up."""
    build = Views.build

    def with_it(self: Views, observer: Observer) -> View:
        view: Any = {**build(self, observer), "held": {"1": 7, "2": 5, "3": 0}}
        return view

    monkeypatch.setattr(Views, "build", with_it)


@pytest.mark.usefixtures("said_in_the_view")
def test_a_new_fact_of_a_view_reaches_pages_programs_the_club_and_a_replay(tmp_path: Path) -> None:
    with living(tmp_path, simulated=True) as live:
        live.begin("stop-it", PEOPLE, {})
        app = app_of(live)
        screens = app.extensions["companion"].screens
        with app.test_request_context():
            on_pages = [screens.frame(page, "en")["view"] for page in (Page("score"), Page("big"), Page("seat", 1))]
        of_programs = app.test_client().get("/api/1/public").get_json()["view"]
        of_a_replay = live.ask(lambda match: views.view(match, None))
        facts = [view["held"] for view in (*on_pages, of_programs, _of_the_club(live, tmp_path), of_a_replay)]
        assert facts == [{"1": 7, "2": 5, "3": 0}] * len(facts)


def _of_the_club(live: Live, folder: Path) -> dict[str, Any]:
    noticed = Noticed(live, People)
    with closing(Outbox(folder / "outbox.sqlite")) as outbox:
        noticed.look(outbox, 0.0)
    view: dict[str, Any] = json.loads(noticed.public)["view"]
    return view
