"""A break, as the big screen and a phone show it."""

from collections.abc import Callable

from flask import Flask
from playwright.sync_api import expect

from companion.live.pause import Why
from companion.live.table import Live
from tests.chromium import TELEVISION, Opened, leave_time, until_news
from tests.waiting import until
from tests.web.table import app_of, scored

PLAYING = "document.getAnimations().filter(one => one.effect.target.matches('.watched')).length"


def test_what_the_big_screen_played_before_a_break_it_does_not_play_again_after_it(
    live: Live, served: Callable[[Flask], Opened]
) -> None:
    page = served(app_of(live))("/big", viewport=TELEVISION, reduced_motion="no-preference")
    leave_time(page)
    until_news(page)
    scored(live)
    until(lambda: page.evaluate(PLAYING) > 0)
    live.pause(Why.BREAK)
    expect(page.locator(".news.break")).to_be_visible()
    live.go_on()
    expect(page.locator(".news.break")).to_have_count(0)
    assert page.evaluate(PLAYING) == 0
    expect(page.locator(".news .headline").first).to_contain_text("Cléo")
