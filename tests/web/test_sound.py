"""What the pages sound like, in a real browser: silent until asked, never late, and only what is for these ears."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from companion.access.seat_rights import HOST
from companion.access.table_voice import TableVoice, VoiceKind
from companion.devices.sensing import Appeared
from companion.events import Pressed, Retracted, Said, Tapped
from companion.judge.views import sound
from companion.live.table import Live
from tests.chromium import LONGER_THAN_ANY_TICK, Opened, in_still_time
from tests.web.table import ANAS, PEOPLE, Clock, app_of, app_with, count, living, phones_of, serving, to_count

LISTEN = """
const note = (what, text) => document.documentElement.setAttribute(what, [document.documentElement.getAttribute(what), text].join(" ").trim());
const make = BaseAudioContext.prototype.createOscillator;
BaseAudioContext.prototype.createOscillator = function () {
  const tone = make.call(this);
  const start = tone.start;
  tone.start = function (at) { note("heard", tone.frequency.value.toFixed()); return start.call(tone, at); };
  return tone;
};
speechSynthesis.speak = (said) => note("spoken", `[${said.lang}] ${said.text}`);
"""  # noqa: E501


class Told:
    """Stands for a loudspeaker that is well."""

    name = "loudspeaker default"
    trouble = ""


SOON = 1_500
"""Milliseconds after which what comes to a page that was old is news again."""
FIRST = [1175, 1568]
START = [523, 784]
READ = [988]
END = [784, 988, 1175, 1568]
WRONG = [196, 440, 165, 370]


def listening(opened: Opened, url: str, **more: object) -> Page:
    def go(page: Page, url: str) -> None:
        page.add_init_script(LISTEN)
        in_still_time(page, url)

    return opened(url, go=go, **more)


def turn_on(page: Page) -> None:
    if page.url.endswith("/big"):
        page.keyboard.press("m")
    else:
        page.get_by_role("button", name="Turn sound on").click()
    expect(page.locator("[data-aloud=sound]")).to_have_text("Sound is on: turn it off")
    see_that_sounded(page, READ)
    page.evaluate("document.documentElement.removeAttribute('heard')")


def see_that_sounded(page: Page, *sequences: list[int]) -> None:
    """Wait for these sounds, and see that there were no others."""
    tones = " ".join(str(tone) for sequence in sequences for tone in sequence)
    expect(page.locator("html")).to_have_attribute("heard", tones)


def silent_so_far(page: Page) -> bool:
    return page.locator("html").get_attribute("heard") is None


def press(live: Live, seat: int) -> None:
    assert isinstance(live.clock, Clock)
    live.clock.now += 1
    live.enter(Pressed(0, 0.0, seat))


@pytest.mark.parametrize("path", ["/big", "/seat/3"])
def test_a_start_and_a_first_shout_sound_where_it_was_asked_for_and_not_before(
    live: Live, look: Opened, path: str
) -> None:
    page = listening(look, path)
    press(live, 1)
    expect(page.locator(".now")).to_contain_text("stop card")
    assert silent_so_far(page)
    live.begin("stop-it", PEOPLE, {})
    expect(page.locator(".now")).not_to_contain_text("stop card")
    turn_on(page)
    press(live, 1)
    see_that_sounded(page, START)
    press(live, 1)
    see_that_sounded(page, START, FIRST)
    live.enter(Tapped(0, 0.0, "centre", "red-stop-1"))
    expect(page.locator(".now")).to_contain_text("Count")
    see_that_sounded(page, START, FIRST)


def test_the_end_of_a_match_sounds_once(tmp_path: Path, opened: Opened) -> None:
    clock = Clock()
    with living(tmp_path, clock, simulated=True) as live:
        live.begin("stop-it", PEOPLE, {"empty": "end-now"})
        with serving(app_of(live)) as port:
            page = listening(opened, f"http://127.0.0.1:{port}/")
            turn_on(page)
            press(live, 1)
            see_that_sounded(page, START)
            live.enter(Said(0, 0.0, 1, "piles-empty"))
            expect(page.locator(".won .headline")).to_be_visible()
            see_that_sounded(page, START, END)
            press(live, 3)
            live.begin("stop-it", PEOPLE, {})
            press(live, 3)
            see_that_sounded(page, START, END, START)


def test_a_page_loaded_anew_says_that_its_sound_sleeps_until_it_is_touched(live: Live, look: Opened) -> None:
    page = listening(look, "/")
    turn_on(page)
    page.reload()
    asleep = page.get_by_role("button", name="Silent until you touch the page")
    expect(asleep).to_be_visible()
    press(live, 1)
    expect(page.locator(".now")).to_contain_text("stop card")
    assert silent_so_far(page)
    page.locator("h1").click()
    expect(page.get_by_role("button", name="Sound is on")).to_be_visible()
    press(live, 1)
    see_that_sounded(page, FIRST)
    page.get_by_role("button", name="Sound is on").click()
    page.reload()
    expect(page.get_by_role("button", name="Turn sound on")).to_be_visible()


def test_what_a_page_has_missed_does_not_sound(live: Live, opened: Opened) -> None:
    app = app_of(live)
    with serving(app) as port:
        page = listening(opened, f"http://127.0.0.1:{port}/")
        turn_on(page)
        press(live, 1)
        see_that_sounded(page, START)
    page.clock.fast_forward(LONGER_THAN_ANY_TICK)
    expect(page.locator("#old")).to_be_visible()
    press(live, 3)
    with serving(app, port):
        expect(page.locator(".now")).to_contain_text("Bo")
        expect(page.locator("#old")).to_be_hidden()
        see_that_sounded(page, START)
        page.clock.fast_forward(SOON)
        live.enter(Retracted(0, 0.0, 3))
        expect(page.locator(".now")).to_contain_text("stop card")
        see_that_sounded(page, START)
        press(live, 5)
        see_that_sounded(page, START, FIRST)


def test_a_sealed_act_of_another_seat_makes_no_sound(live: Live, clock: Clock, look: Opened) -> None:
    to_count(live)
    ana, bo = (listening(look, f"/seat/{seat}") for seat in (1, 3))
    for page in (ana, bo):
        turn_on(page)
    live.tell(Appeared("seat-3", "virtual:stop-it/red-4", clock.now))
    see_that_sounded(bo, READ)
    live.tell(Appeared("seat-3", "virtual:stop-it/blue-4", clock.now))
    see_that_sounded(bo, READ, WRONG)
    count(live, 3, 4)
    expect(ana.locator(".news.fresh")).to_have_count(0)
    assert silent_so_far(ana)


def test_the_big_screen_sounds_for_each_card_that_does_not_count(live: Live, clock: Clock, look: Opened) -> None:
    to_count(live)
    page = listening(look, "/big")
    turn_on(page)
    for number, card in enumerate(("blue-1", "blue-2", "red-1"), 1):
        clock.now += 1.3
        live.tell(Appeared("seat-3", f"virtual:stop-it/{card}", clock.now))
        expect(page.locator("#refused-seat-3")).to_have_count(int(number < 3))
        see_that_sounded(page, *[WRONG] * min(number, 2))


def test_the_big_screen_reads_news_aloud_in_its_language(live: Live, look: Opened) -> None:
    page = listening(look, "/big", locale="fr-FR")
    press(live, 1)
    expect(page.locator(".now")).to_contain_text("Une carte stop ?")
    page.keyboard.press("s")
    press(live, 3)
    html = page.locator("html")
    headline = page.locator(".headline")
    expect(html).to_have_attribute("spoken", re.compile(r"^\[fr\] Bo"))
    assert html.get_attribute("spoken") == f"[fr] {headline.text_content()}"
    live.enter(Tapped(0, 0.0, "centre", "red-stop-1"))
    expect(html).to_have_attribute("spoken", re.compile(r"^\[fr\] Bo.*\[fr\] "))


def test_only_what_everybody_was_told_sounds() -> None:
    rulings = [
        {"entry": 4, "code": "restarted", "misplay": False, "facts": {"seat": 1}},
        {"entry": 5, "code": "shouted", "misplay": True, "facts": {}},
        {"entry": None, "code": "shouted", "misplay": False, "facts": {}},
    ]
    played = sound({"game": "stop-it", "over": False, "told": rulings})
    assert played is not None
    assert (played.name, played.entry) == ("start", 4)
    assert sound({"game": "stop-it", "over": False, "told": rulings[1:]}) is None


def test_where_the_table_itself_is_heard_its_big_screen_is_silent(live: Live, opened: Opened) -> None:
    phones = phones_of(live, {HOST: ANAS})
    with serving(app_with(live, phones, loudspeaker=Told())) as port:
        page = listening(opened, f"http://127.0.0.1:{port}/big")
        turn_on(page)
        phones.change(lambda rights: replace(rights, voice=TableVoice(VoiceKind.SOUNDS)))
        expect(page.locator("[data-aloud=sound]")).to_have_attribute("hidden", "")
        press(live, 1)
        expect(page.locator(".now")).to_contain_text("stop card")
        phones.change(lambda rights: replace(rights, voice=TableVoice()))
        expect(page.locator("[data-aloud=sound]")).not_to_have_attribute("hidden", "")
        press(live, 1)
        see_that_sounded(page, FIRST)
