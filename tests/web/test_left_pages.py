"""One address shows a table, its setup or its first aid: a page that another of them left open loads itself again."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from flask import Flask

from companion.errors import CompanionError
from companion.first_aid.examination import examine
from companion.first_aid.session import FirstAid
from companion.network.page_address import fixed
from companion.web.bell import Bell
from companion.web.feed import NOT_YOURS
from companion.web.first_aid import Ward, create_first_aid
from companion.web.setup import create_setup
from tests.web.setting_up import unconfigured
from tests.web.table import ANAS, app_of, client_of, living

Site = Callable[[Path], AbstractContextManager[Flask]]

STREAMS = ("score", "big", "seat-1", "lobby-2", "host", "table", "tags", "check", "setup", "first-aid", "wall", "newer")


@contextmanager
def table_in_play(folder: Path) -> Iterator[Flask]:
    with living(folder) as live:
        yield app_of(live)


@contextmanager
def table_being_set_up(folder: Path) -> Iterator[Flask]:
    yield create_setup(unconfigured(folder))


@contextmanager
def table_that_cannot_start(folder: Path) -> Iterator[Flask]:
    (folder / "table.toml").write_text("[page]\nprot = 80\n")
    aid = FirstAid(examine(folder / "table.toml"), str(CompanionError("it did not start")))
    yield create_first_aid(Ward(aid, fixed("http://127.0.0.1/"), Bell()))


def streams_of(app: Flask) -> set[str]:
    """Return the streams that an app has itself: those that its rules name, and the pages that a table keeps fresh."""
    streams = {
        rule.rule.removeprefix("/stream/") for rule in app.url_map.iter_rules() if rule.rule.startswith("/stream/")
    }
    return streams | {name for name in STREAMS[:7] if "<name>" in streams}


@pytest.mark.parametrize("site", [table_in_play, table_being_set_up, table_that_cannot_start])
def test_a_page_of_another_site_at_this_address_is_told_to_load_itself_again(tmp_path: Path, site: Site) -> None:
    with site(tmp_path) as app:
        phone = client_of(app, ANAS)
        for stream in set(STREAMS) - streams_of(app):
            for query in ("?lang=en", "?lang=en&once"):
                answer = phone.get(f"/stream/{stream}{query}")
                assert answer.mimetype == "text/event-stream", stream
                assert answer.data.endswith(NOT_YOURS), stream
