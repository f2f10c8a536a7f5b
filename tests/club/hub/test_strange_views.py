"""Whatever a table says its view is, every page of the hub is there, and no traceback is in its journal."""

import copy
import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.club.hub.hub import Hub
from companion.club.hub.known_table import KnownTable
from companion.club.hub.table_messages import TableMessages
from companion.web.hub import board, create_hub
from tests.club.hub.pages import ONE_OF_EACH, view_of

VIEWS = [view_of(record) for record in ONE_OF_EACH]
ODD = st.sampled_from(
    [
        None,
        True,
        0,
        -1,
        2**53,
        2**63,
        1e308,
        "",
        "a" * 5000,
        "\u202e",
        "\x00",
        "{{ 1 }}",
        [],
        {},
        [[]],
        [None],
        {"": {}},
    ]
)
Path = tuple[str | int, ...]
NAMES = map("strange-{}".format, itertools.count())
"""A tile is drawn once for each state of a table."""


def paths(part: Any, above: Path = ()) -> Iterator[Path]:
    """Yield where each part of a view stands."""
    match part:
        case dict():
            keys: list[Any] = [*part]
        case list():
            keys = [*range(len(part))]
        case _:
            return
    for key in keys:
        yield (*above, key)
        yield from paths(part[key], (*above, key))


@st.composite
def strange_views(draw: st.DrawFn) -> dict[str, Any]:
    """Take a real view, and put something odd in the place of one to three of its parts, or leave them out."""
    view = copy.deepcopy(draw(st.sampled_from(VIEWS)))
    for _ in range(draw(st.integers(1, 3))):
        *above, key = draw(st.sampled_from([*paths(view)] or [("game",)]))
        part = view
        for step in above:
            part = part[step]
        if draw(st.booleans()):
            part.pop(key, None) if isinstance(part, dict) else part.pop(key)
        else:
            part[key] = draw(ODD)
    return view


@pytest.fixture
def page(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> Iterator[FlaskClient]:
    monkeypatch.setattr(board, "COALESCED", 0.0)
    with create_hub(hub).test_client() as client:
        yield client


@given(view=strange_views())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_every_page_shows_a_table_whatever_its_view_says(
    hub: Hub, page: FlaskClient, caplog: pytest.LogCaptureFixture, view: dict[str, Any]
) -> None:
    caplog.clear()
    payload = json.dumps({"match": 1, "at": 1.0, "view": view}).encode()
    name = next(NAMES)
    table = TableMessages(hub.store).apply(KnownTable(name), "public", payload, 1.0, retained=False)
    assert table
    hub.follower.tables = lambda: {name: table}  # type: ignore[method-assign]
    for path in ("/?page=1", f"/table/{name}", f"/table/{name}?lang=fr", "/find?name=strange", "/api/1/tables"):
        assert page.get(path).status_code == 200, path
    assert "Traceback" not in caplog.text


def test_a_view_without_its_story_is_shown_without_a_picture_and_in_silence(
    hub: Hub, page: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    view = {key: part for key, part in VIEWS[0].items() if key != "told"}
    payload = json.dumps({"match": 1, "at": 1.0, "view": view}).encode()
    table = TableMessages(hub.store).apply(KnownTable("strange"), "public", payload, 1.0, retained=False)
    assert table
    hub.follower.tables = lambda: {"strange": table}  # type: ignore[method-assign]
    assert page.get("/table/strange").status_code == 200
    assert caplog.text == ""
