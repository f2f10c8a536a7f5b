"""Many windows of one browser, which has only six connections to a table: all follow it, and every act is answered."""

import pytest
from playwright.sync_api import Page, expect

from companion.live.table import Live
from companion.web.feed import LOAD_AGAIN
from tests.chromium import Opened, of_connection
from tests.waiting import until
from tests.web.table import app_of, to_count

PATHS = ("/big", "/", "/host", "/seat/1", "/seat/3", "/seat/5", "/table", "/host/3", "/")
HELD = 3
"""Streams that a browser holds."""


def holding(windows: list[Page]) -> int:
    return sum(of_connection(window, "holding") for window in windows)


def follow(windows: list[Page], live: Live) -> None:
    """See that all show what happens now."""
    to_count(live)
    for window in windows:
        expect(window.locator("#live")).to_contain_text("red")


@pytest.fixture
def windows(live: Live, look: Opened) -> list[Page]:
    """Nine windows, all in sight, with different pages."""
    first = look(PATHS[0])
    opened = [first]
    for path in PATHS[1:]:
        opened.append(first.context.new_page())
        opened[-1].goto(first.url.replace(PATHS[0], path))
    return opened


def test_all_windows_of_a_browser_follow_the_table_and_an_act_in_any_is_answered(
    windows: list[Page], live: Live
) -> None:
    assert holding(windows) == HELD
    windows[6].locator("button.buzzer, [data-at-once]").first.click()
    until(lambda: live.ask(lambda match: len(match.events)) > 1)
    follow(windows, live)


def test_when_a_window_that_held_a_stream_closes_another_holds_one(windows: list[Page], live: Live) -> None:
    first, *other_windows = windows
    assert of_connection(first, "holding")
    first.close()
    until(lambda: holding(other_windows) == HELD)
    follow(other_windows, live)


def test_a_window_that_has_fallen_asleep_holds_none_for_long(windows: list[Page]) -> None:
    first, *other_windows = windows
    first.evaluate("setInterval = null; for (let id = 0; id < 9999; id += 1) clearInterval(id)")  # nothing runs there
    until(lambda: holding(other_windows) == HELD)


def test_a_browser_that_keeps_nothing_holds_a_stream_for_each_window(live: Live, look: Opened) -> None:
    page = look("/", go=lambda page, url: (page.add_init_script("delete window.localStorage"), page.goto(url)))
    follow([page], live)


def test_what_a_window_is_told_when_it_asks_moves_as_what_is_streamed(windows: list[Page], live: Live) -> None:
    asking = next(window for window in windows if window.url.endswith("/") and not of_connection(window, "holding"))
    notes = "live.addEventListener('fresh', ({ detail }) => { window.missed = Boolean(detail.missed); })"
    asking.locator("#live").evaluate(f"live => {notes}")
    to_count(live)
    until(lambda: asking.evaluate("window.missed") is False)


def test_a_page_that_asks_once_is_told_what_a_stream_begins_with(live: Live) -> None:
    client = app_of(live).test_client()
    with client.get("/stream/score") as stream:
        begins = next(iter(stream.response))
    assert client.get("/stream/score?once").data == begins
    assert client.get("/stream/nobody?once").data == LOAD_AGAIN
