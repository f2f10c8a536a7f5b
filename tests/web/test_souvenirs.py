"""What stays of a match and an evening on the pages: leafing through it, and one picture to send around."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from companion.live.table import Live
from tests.chromium import PHONE, Opened
from tests.web.evenings import evenings
from tests.web.table import app_of, living

Served = Callable[..., Opened]


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder: Path = tmp_path_factory.mktemp("souvenirs")
    evenings(folder)
    with living(folder, simulated=True) as live:
        yield live


@pytest.fixture(scope="module")
def phone(past: Live) -> FlaskClient:
    return app_of(past).test_client()


def test_a_match_tells_what_to_remember_and_leads_there(phone: FlaskClient) -> None:
    page = phone.get("/results/3").text
    assert "The finish" in page
    for then in re.findall(r'href="(/results/3/then/[^"]+)"', page):
        assert phone.get(then).status_code == 200


def test_an_evening_tells_who_won_it(phone: FlaskClient) -> None:
    assert "wins the evening!" in phone.get("/evening/2026-11-20").text


@pytest.mark.parametrize("path", ["/results/3", "/evening/2026-11-20"])
def test_a_picture_needs_nothing_beside_it(phone: FlaskClient, path: str) -> None:
    (at,) = re.findall(r'<img src="([^"]+picture.svg[^"]*)"', phone.get(path).text)
    drawn = phone.get(at)
    assert drawn.mimetype == "image/svg+xml"
    assert not re.search(r"""(href="|url\()(?!#|data:)""", drawn.text)


@pytest.mark.parametrize("path", ["/results/6", "/results/99", "/evening/2020-01-01", "/evening/x"])
def test_what_nobody_won_has_no_picture(phone: FlaskClient, path: str) -> None:
    assert phone.get(f"{path}/picture.svg").status_code == 404


@pytest.mark.parametrize(("moment", "leads"), [("1", 0), ("0", 0), ("x", 0), ("9999", -1)])
def test_a_slider_leads_to_a_moment_also_beyond_its_ends(phone: FlaskClient, moment: str, leads: int) -> None:
    steps = re.findall(r'href="(/results/3/then/\d+)" data-step', phone.get("/results/3/then/5").text)
    found = phone.get("/results/3/then", query_string={"moment": moment})
    assert (found.status_code, found.location.partition("?")[0]) == (302, steps[leads])


def test_a_match_is_leafed_through_without_a_script(past: Live, served: Served) -> None:
    page = served(app_of(past))("/results/3", viewport=PHONE, java_script_enabled=False)
    page.get_by_role("link", name="Watch it again").click()
    expect(page.locator("#replay-where")).to_contain_text("Moment 1 of")
    page.get_by_role("link", name="Next moment").click()
    expect(page.locator("#replay-where")).to_contain_text("Moment 2 of")
    page.get_by_role("slider").press("End")
    page.get_by_role("button", name="Show this moment").click()
    expect(page.locator("#live .won")).to_be_visible()


def test_a_slider_shows_the_table_as_it_is_moved(past: Live, served: Served) -> None:
    page = served(app_of(past))("/results/3/then/5", viewport=PHONE)
    slider = page.get_by_role("slider")
    slider.press("End")
    expect(page.locator("#live .won")).to_be_visible()
    slider.press("Home")
    expect(page.locator("#replay-where")).to_contain_text("Moment 1 of")
    page.get_by_role("button", name="Play").click()
    expect(page.locator("#replay-where")).to_contain_text("Moment 2 of")
    page.get_by_role("button", name="Stop").click()


def test_a_picture_is_drawn_on_the_phone_itself(past: Live, served: Served) -> None:
    page = served(app_of(past))("/results/3", viewport=PHONE)
    with page.expect_download() as kept:
        page.get_by_role("link", name="Save the picture").click()
    assert kept.value.suggested_filename.endswith(".png")
    assert Path(kept.value.path()).read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
