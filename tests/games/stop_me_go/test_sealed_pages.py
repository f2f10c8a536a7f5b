"""No page of STOP me GO, no answer and no phone left on the table tells GO from STOP before its time."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from PIL import Image, ImageChops
from playwright.sync_api import Page, expect

from tests.chromium import Opened
from tests.games.playing import PHONE
from tests.games.stop_me_go.live_table import LiveTable, evening
from tests.web.table import SCRIPT, app_of

ROUNDED = 4
"""Of 255: no eye sees that. Where a picture is put together from tiles, the rounded corners' edges differ by less."""
PATHS = ("/", "/big", "/seat/1", "/seat/3", "/host/1", "/host/3", "/table", "/story/3")


def after(page: Page, chosen: int) -> tuple[str, str, Image.Image]:
    """Choose, and give what the page answers and what a neighbour sees of the phone afterwards."""
    page.locator(".smg-pair:visible button").nth(chosen).tap()
    toast = page.locator("#toast")
    expect(toast).not_to_be_empty()
    expect(page.locator(".smg-note")).to_be_visible()
    said = toast.inner_text()
    if not page.locator(".smg-again[open]").count():
        page.locator(".smg-again summary").tap()
    page.evaluate("document.getElementById('toast').textContent = ''; scrollTo(0, 0)")
    expect(page.locator("button:active")).to_have_count(0)
    return said, page.locator("body").inner_html(), Image.open(io.BytesIO(still(page))).convert("RGB")


def furthest_apart(one: Image.Image, other: Image.Image) -> float:
    """Give how far the two pictures' colours are apart where they differ most, of 255."""
    return max(most for _, most in ImageChops.difference(one, other).getextrema())  # type: ignore[misc]


def still(page: Page) -> bytes:
    """Photograph the phone once nothing on it moves any more: a highlight fades when the browser has time for it."""
    pictures: list[bytes] = []
    while len(pictures) < 4 or len({*pictures[-4:]}) > 1:
        page.evaluate("document.activeElement?.blur(); scrollTo(0, 0)")  # where the finger was is no sign of the choice
        page.wait_for_timeout(100)
        pictures.append(page.screenshot())
    return pictures[-1]


def test_a_phone_bears_no_sign_of_the_choice(tmp_path: Path, opened: Opened) -> None:
    seen = []
    for chosen in (0, 1):
        with evening(tmp_path / str(chosen)) as (table, address):
            table.four({}, 7)
            table.gangster(3)
            phone = opened(f"{address}/seat/3", viewport=PHONE, has_touch=True)
            seen.append([after(phone, chosen), after(phone, 1 - chosen)])
    for (said, body, picture), (other_said, other_body, other_picture) in zip(*seen, strict=True):
        assert (said, body) == (other_said, other_body)
        assert furthest_apart(picture, other_picture) <= ROUNDED


def answers(client: FlaskClient) -> Iterator[bytes]:
    """What can be had of every page."""
    for path in PATHS:
        answer = client.get(path)
        assert answer.status_code == 200
        yield "".join(f"{name}: {value}\n" for name, value in answer.headers).encode() + answer.data


def looks(table: LiveTable, first: str, change: str | None) -> Iterator[list[bytes]]:
    """Seat 3 lays this card from its phone, changes it, and tries to once nothing can be changed; what is seen then."""
    client = app_of(table.live).test_client()

    def lay(card: str, to: str = "/enter") -> bytes:
        form = {"kind": "tapped", "place": "seat-3", "card": f"yellow-{card}", "page": "seat-3"}
        return client.post(to, data=form, headers=SCRIPT).data

    table.gangster(7)
    yield [lay(first), *answers(client)]
    if change:
        yield [lay(change, "/table/lay"), *answers(client)]
    table.lay("go-1", 1, 5)
    yield [*answers(client)]
    yield [lay("go"), *answers(client)]
    yield [lay("stop"), *answers(client)]
    table.gangster(2)
    yield [*answers(client)]


@pytest.mark.parametrize(("allow_change", "change"), [(True, True), (True, False), (False, True)])
def test_no_page_and_no_answer_tells_go_from_stop(tmp_path: Path, allow_change: bool, change: bool) -> None:
    with (
        evening(tmp_path / "one", allow_change=allow_change) as (one, _),
        evening(tmp_path / "other", allow_change=allow_change) as (other, _),
    ):
        go, stop = looks(one, "go", "stop" if change else None), looks(other, "stop", "go" if change else None)
        assert all(this == that for this, that in zip(go, stop, strict=True))


@pytest.mark.parametrize("card", ["go-1", "stop"])
def test_naming_a_card_to_take_back_tells_nothing(tmp_path: Path, card: str) -> None:
    with evening(tmp_path) as (table, _):
        client = app_of(table.live).test_client()
        table.gangster(7)
        table.lay(card, 3)
        before = [*answers(client)]
        told = client.post("/take-back", data={"seat": "3", "card": "yellow-stop"}, headers=SCRIPT)
        assert told.status_code == 200
        assert [*answers(client)] == before
