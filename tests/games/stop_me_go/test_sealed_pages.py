"""A phone left on the table does not tell GO from STOP before its time; of all other bytes a trial sees to that."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Browser, Page, Playwright, expect

from tests.chromium import CHROMIUM, Opened
from tests.games.playing import PHONE
from tests.games.stop_me_go.live_table import evening

ROUNDED = 4
"""Of 255: no eye sees that. Where a picture is put together from tiles, the rounded corners' edges differ by less."""


@pytest.fixture
def browser(playwright: Playwright) -> Iterator[Browser]:
    """One that paints."""
    with playwright.chromium.launch(**CHROMIUM) as browser:
        yield browser


def answer_and_look_after(page: Page, chosen: int) -> tuple[str, str, Image.Image]:
    """Choose, and give what the page answers and what a neighbour sees of the phone afterwards."""
    page.locator(".smg-pair:visible button").nth(chosen).tap()
    toast = page.locator("#toast")
    expect(toast).not_to_be_empty()
    expect(page.locator(".smg-note")).to_be_visible()
    expect(page.locator("#own-3")).to_have_class("button own quiet")  # not awaited any more
    message = toast.inner_text()
    if not page.locator(".smg-again[open]").count():
        page.locator(".smg-again summary").tap()
    page.evaluate("document.getElementById('toast').textContent = ''; scrollTo(0, 0)")
    expect(page.locator("button:active")).to_have_count(0)
    # Whether the task has had the focus yet, or has it no more, hangs on when the next update comes, not on the choice.
    body = page.evaluate("document.getElementById('now').removeAttribute('tabindex'), document.body.innerHTML")
    return message, body, Image.open(io.BytesIO(photograph_at_rest(page))).convert("RGB")


def furthest_apart(picture: Image.Image, other: Image.Image) -> float:
    """Return how far the two pictures' colours are apart where they differ most, of 255."""
    return max(most for _, most in ImageChops.difference(picture, other).getextrema())  # type: ignore[misc]


def photograph_at_rest(page: Page) -> bytes:
    """Photograph the phone once nothing on it moves any more: a highlight fades when the browser has time for it."""
    pictures: list[bytes] = []
    while len(pictures) < 4 or len({*pictures[-4:]}) > 1:
        page.evaluate("document.activeElement?.blur(); scrollTo(0, 0)")  # where the finger was is no sign of the choice
        page.wait_for_timeout(100)
        pictures.append(page.screenshot())
    return pictures[-1]


def test_a_phone_bears_no_sign_of_the_choice(tmp_path: Path, opened: Opened) -> None:
    looks_seen = []
    for chosen in (0, 1):
        with evening(tmp_path / str(chosen)) as (table, address):
            table.four({}, 7)
            table.gangster(3)
            phone = opened(f"{address}/seat/3", viewport=PHONE, has_touch=True)
            looks_seen.append([answer_and_look_after(phone, chosen), answer_and_look_after(phone, 1 - chosen)])
    for (message, body, picture), (other_said, other_body, other_picture) in zip(*looks_seen, strict=True):
        assert (message, body) == (other_said, other_body)
        assert picture.getcolors(maxcolors=100) is None, "it is painted"
        assert furthest_apart(picture, other_picture) <= ROUNDED
