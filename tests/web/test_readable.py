"""What must be readable where it is read: an undo on a phone, the count on a late screen, whose fault."""

from collections.abc import Callable

import pytest
from flask import Flask
from playwright.sync_api import ViewportSize

from companion.live.table import Live
from tests.chromium import TELEVISION, Opened
from tests.web.table import PEOPLE, app_of, count, scored, to_count

NARROW: ViewportSize = {"width": 390, "height": 844}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_what_can_be_undone_has_room_for_words_on_a_phone(
    live: Live, served: Callable[[Flask], Opened], language: str
) -> None:
    to_count(live)
    count(live, 1, 4)
    page = served(app_of(live, virtual=False))(f"/host?lang={language}", viewport=NARROW)
    page.locator("#earlier > summary").click()
    widths = page.locator("#earlier .undone li > span").evaluate_all("all => all.map(one => one.offsetWidth)")
    assert widths
    assert min(widths) > NARROW["width"] / 2


def test_a_screen_that_is_opened_late_shows_the_count_and_no_backs_before_it(
    live: Live, served: Callable[[Flask], Opened]
) -> None:
    scored(live)
    page = served(app_of(live))("/big", viewport=TELEVISION, reduced_motion="no-preference")
    assert page.locator("#live[data-ended] .stop-it.counting .number").count() == len(PEOPLE)
    opacities = "all => all.map(one => Number(getComputedStyle(one).opacity))"
    assert page.locator(".counting .number").evaluate_all(opacities) == [1] * len(PEOPLE)
    assert page.locator(".counting .held").evaluate_all(opacities) == [0] * len(PEOPLE)


@pytest.mark.parametrize("path", ["/host/3", "/seat/3"])
def test_a_fault_goes_to_the_seat_from_which_it_was_reported(
    live: Live, served: Callable[[Flask], Opened], path: str
) -> None:
    to_count(live)
    page = served(app_of(live))(path, viewport=NARROW)
    page.get_by_text("Report a fault").click()
    names = page.locator(".faults div:visible b").all_inner_texts()
    assert names == ["Bo"]
    page.get_by_text("By somebody else").click()
    assert page.locator(".faults div:visible b").all_inner_texts() == ["Bo", "Ana", "Cléo"]
