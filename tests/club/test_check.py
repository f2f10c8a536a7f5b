"""The page /check tells how the table stands with its club."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask import Flask

from companion.club.membership import Hindrance, Membership
from companion.devices.check.checkup import Checkup
from tests.web.table import app_of, living


@pytest.fixture
def club() -> SimpleNamespace:
    return SimpleNamespace(membership=Membership("wednesday", "mqtt://hub.local"))


@pytest.fixture
def page(tmp_path: Path, club: SimpleNamespace) -> Iterator[Flask]:
    with living(tmp_path) as live:
        checkup = Checkup([], (), live.clock, "2.0", live.tell, lambda: None)
        yield app_of(live, checkup=checkup, club=club)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_hindrance_has_words(page: Flask, club: SimpleNamespace, language: str) -> None:
    sections = set()
    for hindrance in (None, *Hindrance):
        club.membership = Membership("wednesday", "mqtt://hub.local", "a" * 16, True, hindrance, "Not authorized", 3, 1)
        text = page.test_client().get("/check", query_string={"lang": language}).text
        page.extensions["companion"].devices_page.clear()
        sections.add(text.partition('<section id="club">')[2].partition("</b>")[0])
    assert len(sections) == 1 + len(Hindrance)
    assert all("wednesday" in section for section in sections)
