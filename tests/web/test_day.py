"""Where nobody has set the machine's clock, the host's page asks which day it is, and the matches get their dates."""

from pathlib import Path

import pytest

from companion.versions import host_wishes
from companion.wall_clock import Trust
from tests.live.table import PLAYERS
from tests.wall_clock import in_hand
from tests.web.table import app_of, living, post

QUESTION = "Which day is it?"


@pytest.fixture(autouse=True)
def _unsynchronised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_wishes, "is_synchronised", lambda: False)


def test_the_host_is_asked_and_what_they_say_dates_the_evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_hand(monkeypatch, "1970-01-01T00:03:00", Trust.UNKNOWN)
    with living(tmp_path) as live:
        phone = app_of(live).test_client()
        live.begin("stop-it", PLAYERS, {})
        assert QUESTION in phone.get("/host").text
        assert "date not known" in phone.get("/results").text
        assert "date not known" in phone.get("/results/1").text
        assert "1969" not in phone.get("/results").text + phone.get("/season").text
        assert QUESTION in phone.get("/host/day").text
        assert post(phone, "/host/day", at="2026-12-04T20:15")[0] == 200
        assert "Evening of 4 December 2026" in phone.get("/results").text
        assert QUESTION not in phone.get("/host").text


@pytest.mark.parametrize("day", ["", "1970-01-01T00:00", "yesterday", "2026-13-01T00:00"])
def test_what_is_no_day_dates_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, day: str) -> None:
    in_hand(monkeypatch, "1970-01-01T00:03:00", Trust.UNKNOWN)
    with living(tmp_path) as live:
        phone = app_of(live).test_client()
        live.begin("stop-it", PLAYERS, {})
        assert post(phone, "/host/day", at=day)[0] == 409
        assert live.snapshot.is_undated


def test_nobody_is_asked_where_the_clock_is_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_hand(monkeypatch, "2026-12-04T20:15:00")
    with living(tmp_path) as live:
        phone = app_of(live).test_client()
        live.begin("stop-it", PLAYERS, {})
        assert QUESTION not in phone.get("/host").text
        monkeypatch.setattr(host_wishes, "is_synchronised", lambda: True)
        assert post(phone, "/host/day", at="2026-12-05T20:15")[0] == 409
