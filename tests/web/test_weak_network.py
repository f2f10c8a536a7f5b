"""A phone that sleeps, loses its network or has a wrong clock: it says what is old, and counts nothing twice."""

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, Route, ViewportSize, expect

from companion.live.table import Live
from companion.web.http import once
from tests.chromium import LONGER_THAN_ANY_TICK, PHONE, TELEVISION, Opened, in_still_time, module
from tests.web.relay import Air, Relay, relayed
from tests.web.table import BOS, TABLET, Clock, acts, app_of, app_with, count, counts, phones_of, serving, to_count

CLOCK_OF_1998 = """
const now = Date.now.bind(Date);
Date.now = () => now() - 9e11 + Number(window.set ?? 0);
"""


@pytest.fixture
def relay(live: Live) -> Iterator[Relay]:
    with serving(app_of(live)) as port, relayed(port) as relay:
        yield relay


def address_at(relay: Relay, path: str) -> str:
    return f"http://127.0.0.1:{relay.port}{path}"


def fresh(page: Page, text: str) -> None:
    expect(page.locator(".now")).to_contain_text(text)
    expect(page.locator("#old")).to_be_hidden()


def test_offline_is_said_and_what_was_missed_comes_by_itself(relay: Relay, live: Live, opened: Opened) -> None:
    page = opened(address_at(relay, "/"), go=in_still_time)
    fresh(page, "hits the buzzer")
    page.context.set_offline(True)
    page.clock.fast_forward(LONGER_THAN_ANY_TICK)
    expect(page.locator("#old")).to_contain_text("Offline")
    to_count(live)
    page.context.set_offline(False)
    fresh(page, "Count your red cards")


def test_a_stream_that_stalls_without_closing_is_old_at_once_in_full_contrast(
    relay: Relay, live: Live, opened: Opened
) -> None:
    page = opened(address_at(relay, "/seat/3"), viewport=PHONE, go=in_still_time)
    to_count(live)
    fresh(page, "Count your red cards")
    relay.air = Air.STALLED
    count(live, 1, 4)
    page.clock.fast_forward(LONGER_THAN_ANY_TICK)
    old = page.locator("#old")
    expect(old).to_be_visible()
    assert old.evaluate("one => [getComputedStyle(one).opacity, one.getAnimations().length]") == ["1", 0]
    expect(page.locator(".news.fresh")).to_be_visible()
    relay.air = Air.CLEAR
    expect(page.locator(".news.fresh")).to_have_count(0)
    expect(old).to_be_hidden()


def test_a_page_that_was_frozen_shows_the_newest_when_it_wakes(relay: Relay, live: Live, opened: Opened) -> None:
    page = opened(address_at(relay, "/"), go=in_still_time)
    fresh(page, "hits the buzzer")
    phone = page.context.new_cdp_session(page)
    phone.send("Page.setWebLifecycleState", {"state": "frozen"})
    to_count(live)
    phone.send("Page.setWebLifecycleState", {"state": "active"})
    fresh(page, "Count your red cards")


def test_a_clock_that_is_years_wrong_and_is_set_changes_nothing(relay: Relay, live: Live, opened: Opened) -> None:
    page = opened(address_at(relay, "/seat/3"), viewport=PHONE, go=in_still_time)
    page.add_init_script(CLOCK_OF_1998)
    page.reload()
    to_count(live)
    fresh(page, "Count your red cards")
    with page.expect_request("**/stream/**"):  # it may as well have slept
        page.evaluate("window.set = 9e11")
        page.clock.run_for(1000)
    page.get_by_role("button", name="4", exact=True).click()
    expect(page.locator(".done")).to_contain_text("Got it")
    fresh(page, "Ana")


SHOWN = """old => {
  old.hidden = false;
  const felt = document.querySelector(".felt").getBoundingClientRect().top;
  return [old.getBoundingClientRect().bottom, felt, old.scrollWidth <= old.clientWidth];
}"""
"""All at once: a page that hears from its table hides it again."""


@pytest.mark.parametrize("viewport", [TELEVISION, {"width": 768, "height": 1024}])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_on_a_big_screen_what_is_old_can_still_be_read(look: Opened, language: str, viewport: ViewportSize) -> None:
    page = look(f"/big?lang={language}", viewport=viewport)
    bottom, felt, fits = page.locator("#old").evaluate(SHOWN)
    assert 0 < bottom <= felt
    assert fits


def test_what_was_tapped_shows_that_it_is_under_way_until_the_answer_comes(
    relay: Relay, live: Live, opened: Opened
) -> None:
    to_count(live)
    page = opened(address_at(relay, "/seat/3"), viewport=PHONE)
    held = list[Route]()
    page.route("**/enter", lambda route: held.append(route))
    three = page.get_by_role("button", name="3", exact=True)
    form = page.locator("form").filter(has=three)
    three.click()
    expect(form).to_have_attribute("data-sending", "")
    held.pop().fulfill(status=409, json={"message": "not now", "go": None})
    expect(form).not_to_have_attribute("data-sending", "")


def test_what_was_typed_stays_when_it_could_not_be_sent(relay: Relay, live: Live, opened: Opened) -> None:
    to_count(live, "special-stop-1")
    page = opened(address_at(relay, "/seat/3"), viewport=PHONE, go=in_still_time)
    page.get_by_label("How many cards").fill("31")
    page.context.set_offline(True)
    page.get_by_role("button", name="That many").click()
    expect(page.locator("#toast")).to_contain_text("No answer from the table")
    page.locator("#old").evaluate("old => { old.hidden = false; scrollTo(0, 999) }")
    above = page.locator("#old").bounding_box()
    below = page.locator("#toast").bounding_box()
    assert above
    assert below
    assert above["y"] + above["height"] <= below["y"]
    expect(page.get_by_label("How many cards")).to_have_value("31")
    page.context.set_offline(False)
    page.get_by_role("button", name="That many").click()
    expect(page.locator(".done")).to_contain_text("Got it")
    assert counts(live) == {3: 31}


def test_what_was_tapped_is_marked_until_something_is_sent(relay: Relay, live: Live, opened: Opened) -> None:
    to_count(live)
    page = opened(address_at(relay, "/seat/3"), viewport=PHONE, go=in_still_time)
    page.context.set_offline(True)
    page.get_by_role("button", name="2", exact=True).click()
    expect(page.locator(".unsent")).to_have_text("2")
    page.context.set_offline(False)
    page.get_by_role("button", name="3", exact=True).click()
    expect(page.locator(".done")).to_contain_text("Got it")
    expect(page.locator(".unsent")).to_have_count(0)
    assert counts(live) == {3: 3}


def test_a_start_whose_answer_was_lost_is_no_shout_when_it_is_sent_again(
    relay: Relay, live: Live, clock: Clock, opened: Opened
) -> None:
    page = opened(address_at(relay, "/seat/3"), viewport=PHONE, go=in_still_time)
    start = page.locator(".buzzer.go")
    expect(start).to_be_visible()
    relay.air = Air.ANSWERS_LOST
    clock.now += 1
    start.click()
    expect(page.locator("#toast")).to_contain_text("never counts twice")
    assert phase(live) == "collecting"
    clock.now += 2
    relay.air = Air.STALLED  # the stream brings nothing yet
    start.click()
    silent = "connection.source.close(); connection.source = { close() {} };"
    page.evaluate(f"async () => {{ const {{ connection }} = {module('stream')}; {silent} }}")
    relay.air = Air.CLEAR
    expect(page.locator("#toast")).to_contain_text("Bo started")
    assert phase(live) == "collecting"


def phase(live: Live) -> str:
    phase_now: str = live.snapshot.views[None]["table"]["phase"]
    return phase_now


def test_an_act_under_the_same_number_is_done_once_and_answered_alike(client: FlaskClient, live: Live) -> None:
    form = {"kind": "pressed", "seat": "3", "page": "seat-3", "once": "17"}
    script = {"Accept": "application/json"}
    answer, again = (client.post("/enter", data=form, headers=script) for _ in range(2))
    assert (answer.status_code, answer.data) == (again.status_code, again.data)
    assert len(live.ask(lambda match: match.events[1:])) == 1
    client.post("/enter", data={**form, "once": "18"}, headers=script)
    client.post("/enter", data={**form, "once": ""}, headers=script)
    client.post("/enter", data={**form, "once": ""}, headers=script)
    assert len(live.ask(lambda match: match.events[1:])) == 4


def test_what_was_refused_may_be_tried_again_under_its_number(client: FlaskClient, live: Live) -> None:
    form = {"kind": "said", "seat": "3", "what": "", "page": "seat-3", "once": "17"}
    assert client.post("/enter", data=form).status_code == 400
    assert client.post("/enter", data={**form, "what": "piles-empty"}).status_code == 303
    assert len(live.ask(lambda match: match.events[1:])) == 1


def test_another_phone_under_the_same_number_is_another_act(live: Live) -> None:
    phones = phones_of(live, {0: TABLET, 1: TABLET, 3: BOS})
    app = app_with(live, phones)
    form = {"kind": "said", "seat": "host", "what": "fault", "page": "score", "once": "17"}
    host = app.test_client()
    bo = FlaskClient(app, app.response_class)
    bo.set_cookie("phone", BOS)
    assert host.post("/enter", data=form).status_code == 303
    assert bo.post("/enter", data=form).status_code == 403


def test_only_so_many_answers_are_remembered(client: FlaskClient, live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(once, "MOST", 2)
    form = {"kind": "said", "seat": "3", "what": "hello", "page": "seat-3"}
    for number in ("1", "2", "3", "2", "1"):
        client.post("/enter", data={**form, "once": number})
    assert len(live.ask(lambda match: match.events[1:])) == 4


def test_anothers_flood_of_forms_has_no_act_count_twice(
    live: Live, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(once, "MOST", 20)
    to_count(live)
    form = {"kind": "said", "seat": "3", "what": "count", "value": "4", "once": "1"}
    assert client.post("/enter", data=form).status_code == 303
    elsewhere = client.application.test_client()
    for number in range(40):
        flood = {"language": "fr", "page": "score", "once": f"{number}"}
        elsewhere.post("/language", data=flood, environ_base={"REMOTE_ADDR": "10.0.0.66"})
    acts_before = acts(live)
    assert client.post("/enter", data=form).status_code == 303
    assert acts(live) == acts_before
