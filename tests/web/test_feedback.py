"""Cards tapped at a seat are answered on its page: large, at once, gone by itself, and told to nobody else."""

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion.devices.sensing import Appeared, Crowded, Failed, Hurried, Uncrowded
from companion.devices.sensing import Buzzed as Buzzed
from companion.events import Pressed, Tapped
from companion.live.table import Live
from companion.web.render.page_names import named
from tests.chromium import LONGER_THAN_ANY_TICK, PHONE, Opened, in_still_time, until_news
from tests.web.table import PEOPLE, Clock, app_of, living, serving, to_count


def lay(live: Live, seat: int, card: str) -> None:
    game = live.snapshot.views[None]["game"]
    live.tell(Appeared(f"seat-{seat}", f"virtual:{game}/{card}", live.clock()))


def see_flash(page: Page, kind: str, text: str) -> None:
    expect(page.locator("#flash")).to_have_text(text)
    expect(page.locator("#flash")).to_have_class(kind)


def let_flash_go(page: Page) -> None:
    page.clock.fast_forward(4000)
    expect(page.locator("#flash")).to_be_hidden()


def test_a_count_by_tapping_is_answered_card_by_card(live: Live, clock: Clock, look: Opened) -> None:
    to_count(live)
    page = look("/seat/3", viewport=PHONE, go=in_still_time)
    lay(live, 3, "red-4")
    see_flash(page, "read", "read (1)")
    lay(live, 3, "red-5")
    see_flash(page, "read", "read (2)")
    let_flash_go(page)
    lay(live, 3, "red-5")
    see_flash(page, "read", "read (2)")
    let_flash_go(page)
    lay(live, 3, "blue-4")
    see_flash(page, "wrong", re.sub(r"\s+", " ", "wrong: " + page.locator("#private").inner_text()))
    lay(live, 3, "red-6")
    see_flash(page, "read", "read (3)")
    live.tell(Buzzed(3, clock.now, 0.0, ""))
    see_flash(page, "complete", "complete")


def test_a_hand_of_twelve_is_counted_to_its_owner(tmp_path: Path, opened: Opened) -> None:
    clock = Clock()
    with living(tmp_path, clock, simulated=True) as live:
        live.begin("go", PEOPLE, {})
        live.enter(Pressed(0, 0.0, 1), Tapped(0, 0.0, "row", "red-1"))
        with serving(app_of(live)) as port:
            page = opened(f"http://127.0.0.1:{port}/seat/3", viewport=PHONE, locale="fr-FR", go=in_still_time)
            for value in range(1, 8):
                lay(live, 3, f"blue-{value}")
            see_flash(page, "read", "lue (7 sur 12)")
            for value in range(8, 12):
                lay(live, 3, f"blue-{value}")
            lay(live, 3, "green-1")
            see_flash(page, "complete", "au complet")


def test_cards_that_lie_on_each_other_are_unread_until_they_are_sorted_out(live: Live, client: FlaskClient) -> None:
    def unread(seat: int) -> str:
        return client.get(f"/seat/{seat}").text.partition('id="unread"')[2].partition("</p>")[0]

    live.tell(Crowded("seat-3", 0.0))
    assert ("lay one at a time" in unread(3), unread(1)) == (True, "")
    assert '<p class="crowded">One card at a time: Bo.</p>' in client.get("/seat/1").text
    live.tell(Uncrowded("seat-3", 0.0))
    assert unread(3) == ""
    live.tell(Failed("reader seat-3", "no answer", 0.0))
    assert "does not answer" in unread(3)


def test_a_card_that_may_not_have_counted_is_asked_for_again_until_the_next_comes(
    live: Live, clock: Clock, client: FlaskClient, look: Opened
) -> None:
    to_count(live)
    page = look("/seat/3", viewport=PHONE)
    until_news(page)
    for times in (1, 2):
        live.tell(Hurried("seat-3", clock.now))
        expect(page.locator("#answered")).to_have_attribute("data-answer", f"again-{times} wrong")
        see_flash(page, "wrong", "Too quick to be sure: tap the last card again, more slowly.")
    expect(page.locator("#unread")).to_be_in_viewport()
    other = client.get("/seat/1").text
    assert '<p class="crowded">Tap the last card again, more slowly: Bo.</p>' in other
    assert "data-hurried" not in other
    live.tell(Hurried("centre", clock.now))
    assert '"crowded" data-hurried="3">Tap the last card again, more slowly: centre.' in client.get("/seat/1").text
    lay(live, 3, "red-4")
    see_flash(page, "read", "read (1)")
    expect(page.locator("#unread")).to_have_count(0)


def test_what_was_answered_before_the_page_came_is_not_shown_again(live: Live, look: Opened) -> None:
    to_count(live)
    lay(live, 3, "red-4")
    page = look("/seat/3", viewport=PHONE, go=in_still_time)
    page.context.set_offline(True)
    page.clock.fast_forward(LONGER_THAN_ANY_TICK)
    expect(page.locator("#old")).to_be_visible()
    lay(live, 3, "red-5")
    page.context.set_offline(False)
    expect(page.locator("[data-answer]")).to_have_attribute("data-answer", "2 read")
    expect(page.locator("#old")).to_be_hidden()
    expect(page.locator("#flash")).to_be_hidden()
    live.begin("go", PEOPLE, {})
    expect(page.locator("[data-answer]")).to_have_count(0)


@pytest.mark.parametrize("cards", [["red-4"], ["red-4", "red-5"]])
def test_nobody_else_is_told_of_a_card_that_counts(live: Live, cards: list[str]) -> None:
    to_count(live)
    site = app_of(live).extensions["companion"]
    pages = [named(name) for name in ("score", "big", "seat-1", "seat-5", "host", "host-3", "table", "tags")]
    fragments_before = [site.screens.fragment(page, "en") for page in pages]
    for card in cards:
        lay(live, 3, card)
    assert [site.screens.fragment(page, "en") for page in pages] == fragments_before


def test_another_seats_sealed_taps_change_no_answer(tmp_path: Path) -> None:
    answers = []
    for theirs in ("red-4", "red-5"):
        clock = Clock()
        folder = tmp_path / theirs
        folder.mkdir()
        with living(folder, clock) as live:
            live.begin("stop-it", PEOPLE, {})
            to_count(live)
            lay(live, 3, theirs)
            lay(live, 1, "red-4")  # counted elsewhere already, or not: nobody may know yet
            lay(live, 1, "red-4")
            answers.append(live.snapshot.feedback[1])
    assert answers[0] == answers[1]


def test_a_wrong_card_is_as_wrong_when_it_is_read_again(live: Live) -> None:
    to_count(live)
    lay(live, 3, "blue-4")
    lay(live, 3, "blue-4")
    answer = live.snapshot.feedback[3]
    assert (answer.number, answer.read) == (2, 0)
    assert answer.wrong is not None


def test_a_card_that_was_wrong_before_the_call_counts_when_it_is_read_again_after_it(tmp_path: Path) -> None:
    with living(tmp_path) as live:
        live.begin("go", PEOPLE, {})
        live.enter(Tapped(0, 0.0, "centre", "grey-11"))
        kinds = []
        for act in (Tapped(0, 0.0, "seat-3", "yellow-5"), Pressed(0, 0.0, 5), Tapped(0, 0.0, "seat-3", "yellow-5")):
            live.enter(act)
            kinds.append(live.snapshot.feedback[3].kind.value)
    assert kinds == ["wrong", "wrong", "read"]


def test_what_is_entered_by_phone_is_answered_there(live: Live) -> None:
    to_count(live)
    live.enter(Tapped(0, 0.0, "seat-3", "red-4", by="phone"))
    assert 3 not in live.snapshot.feedback


def test_a_card_that_is_read_again_after_ones_own_count_is_as_wrong_as_its_lamp_is_red(
    live: Live, clock: Clock, look: Opened
) -> None:
    to_count(live)
    page = look("/seat/3", viewport=PHONE, go=in_still_time)
    lay(live, 3, "red-4")
    live.tell(Buzzed(3, clock.now, 0.0, ""))
    see_flash(page, "complete", "complete")
    lay(live, 3, "red-4")
    see_flash(page, "wrong", "Bo: your count is in, so that card does not count. Wrong? Lay UNDO, then count again.")
