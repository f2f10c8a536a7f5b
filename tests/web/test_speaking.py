"""A seat that speaks: its own phone reads aloud what is new, to its player alone, in their language."""

import random
import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion import games
from companion.devices.sensing import Appeared
from companion.events import Said, Tapped
from companion.kit.random_matches import play
from companion.live.table import Live
from tests.chromium import PHONE, Opened, in_still_time
from tests.web.table import BOS, PEOPLE, SCRIPT, Clock, app_of, client_of, living, to_count

LISTEN = """
speechSynthesis.speak = (said) => {
  const html = document.documentElement;
  html.setAttribute("spoken", `${html.getAttribute("spoken") ?? ""}[${said.lang}] ${said.text}`);
  queueMicrotask(() => said.onend());
};
"""
HOLD = LISTEN.replace("queueMicrotask(() => said.onend())", "window.end = said.onend")
HOLD += "Object.defineProperty(speechSynthesis, 'speaking', { value: true });"
DEAF = "Object.defineProperty(window, 'speechSynthesis', { value: undefined });"
SPEAKS = 'data-speaker="page"'
LANGUAGES = {"en-GB": ("I am wearing an earphone", "Short"), "fr-FR": ("Je porte un écouteur", "L’essentiel")}


def lay(live: Live, seat: int, *cards: str) -> None:
    game = live.snapshot.views[None]["game"]
    for card in cards:
        live.tell(Appeared(f"seat-{seat}", f"virtual:{game}/{card}", live.clock()))


def reading(opened: Opened, path: str, script: str = LISTEN, locale: str = "en-GB", wish: str = "") -> Page:
    """Open a seat's page and have it read aloud; what it says first is left out."""

    def go(page: Page, url: str) -> None:
        page.add_init_script(script)
        in_still_time(page, url)

    page = opened(path, go=go, viewport=PHONE, locale=locale)
    earphone, short = LANGUAGES[locale]
    page.locator("#reading summary").click()
    page.locator("#reading [name=speaker][value=page]").check()
    page.get_by_label(earphone).check()
    page.get_by_role("button", name=wish or short, exact=True).click()
    expect(page.locator("#asking")).to_be_visible()
    if script != DEAF:
        expect(page.locator("html")).to_have_attribute("spoken", re.compile("."))
    page.evaluate("document.documentElement.removeAttribute('spoken')")
    return page


def spoken(page: Page, *sentences: str) -> None:
    """Wait until this was said, and see that nothing else was."""
    expect(page.locator("html")).to_have_attribute("spoken", "".join(sentences))


@pytest.mark.parametrize(
    ("locale", "sentences"),
    [("en-GB", ("[en] red 4, read (1)", "[en] red 5, read (2)")), ("fr-FR", ("[fr] 4 rouge, lue (1)",))],
)
def test_whoever_lays_a_card_hears_it_in_their_language_and_nobody_sees_it(
    live: Live, look: Opened, locale: str, sentences: tuple[str, ...]
) -> None:
    to_count(live)
    page = reading(look, "/seat/3", locale=locale)
    for number, card in enumerate(("red-4", "red-5")[: len(sentences)], 1):
        lay(live, 3, card)
        spoken(page, *sentences[:number])
    assert not re.search("red 4|4 rouge", page.locator("body").inner_text())


def test_no_card_is_left_out_that_was_laid_between_two_looks(live: Live, look: Opened) -> None:
    to_count(live)
    page = reading(look, "/seat/3")
    page.context.set_offline(True)
    lay(live, 3, "red-4", "blue-4", "red-5")
    page.context.set_offline(False)
    expect(page.locator("html")).to_have_attribute("spoken", re.compile(r"red 4.*blue 4.*red 5, read \(2\)"))


def test_ones_own_card_goes_before_what_waits_but_cuts_nothing_short(live: Live, look: Opened) -> None:
    to_count(live)
    page = reading(look, "/seat/3", HOLD)
    page.get_by_role("button", name="Where do I stand?").click()
    first = page.locator("html").get_attribute("spoken")
    lay(live, 3, "red-4")
    expect(page.locator("#answered")).to_have_attribute("data-answer", "1 read")
    page.evaluate("end()")
    spoken(page, first or "", "[en] red 4, read (1)")


def test_a_slow_voice_says_every_card_in_the_end(live: Live, look: Opened) -> None:
    to_count(live)
    page = reading(look, "/seat/3", HOLD)
    for number, card in enumerate(("red-4", "red-5", "red-6"), 1):
        lay(live, 3, card)
        expect(page.locator("#answered")).to_have_attribute("data-answer", f"{number} read")
    for _ in range(3):
        page.evaluate("end()")
    spoken(page, "[en] red 4, read (1)", "[en] red 5, read (2)", "[en] red 6, read (3)")


def test_where_the_phone_speaks_the_live_region_is_silent(live: Live, look: Opened) -> None:
    to_count(live)
    page = reading(look, "/seat/3")
    lay(live, 3, "red-4")
    spoken(page, "[en] red 4, read (1)")
    expect(page.locator("#voice")).not_to_contain_text("red 4")


def test_where_a_screen_reader_speaks_the_phone_is_silent(live: Live, look: Opened) -> None:
    to_count(live)

    def go(page: Page, url: str) -> None:
        page.add_init_script(LISTEN)
        in_still_time(page, url)

    page = look("/seat/3", go=go, viewport=PHONE)
    page.locator("#reading summary").click()
    page.locator("#reading [name=speaker][value=reader]").check()
    page.get_by_role("button", name="Short", exact=True).click()
    expect(page.locator("#asking")).to_be_visible()
    lay(live, 3, "red-4")
    expect(page.locator("#voice")).to_contain_text("red 4, read (1)")
    assert page.locator("html").get_attribute("spoken") is None


def test_the_way_to_reading_opens_its_fold_and_leads_to_its_first_control(live: Live, look: Opened) -> None:
    page = look("/seat/3", viewport=PHONE)
    page.locator("#to-reading").press("Enter")
    expect(page.get_by_label("My screen reader")).to_be_focused()


def test_the_phone_says_nothing_before_an_earphone_is_worn(bo: FlaskClient) -> None:
    wish = {"aloud": "short", "speaker": "page", "page": "seat-3"}
    assert bo.post("/aloud", data=wish, headers=SCRIPT).status_code == 409
    assert SPEAKS not in bo.get("/seat/3").text
    bo.post("/aloud", data=dict(wish, earphone="on"))
    assert SPEAKS in bo.get("/seat/3").text
    bo.post("/aloud", data={"aloud": "stop", "page": "seat-3"})
    assert SPEAKS not in bo.get("/seat/3").text


def test_who_leaves_it_to_their_screen_reader_needs_no_earphone_until_the_phone_speaks(bo: FlaskClient) -> None:
    wish = {"aloud": "short", "page": "seat-3"}
    assert bo.post("/aloud", data=wish, headers=SCRIPT).status_code == 400
    assert bo.post("/aloud", data=dict(wish, speaker="reader"), headers=SCRIPT).status_code == 200
    assert 'id="asking"' in bo.get("/seat/3").text
    assert SPEAKS not in bo.get("/seat/3").text
    assert bo.post("/aloud", data=dict(wish, speaker="page"), headers=SCRIPT).status_code == 409


def test_where_one_stands_is_told_when_asked_and_told_again(live: Live, look: Opened) -> None:
    to_count(live)
    page = reading(look, "/seat/3")
    page.get_by_role("button", name="Where do I stand?").click()
    expect(page.locator("html")).to_have_attribute("spoken", re.compile(r"Your turn.*You: 0\."))
    standing = page.locator("html").get_attribute("spoken")
    page.get_by_role("button", name="Say it again").click()
    spoken(page, standing, standing)


def test_where_no_voice_is_to_be_had_the_one_live_region_tells_a_screen_reader(live: Live, look: Opened) -> None:
    to_count(live)
    page = reading(look, "/seat/3", DEAF)
    lay(live, 3, "red-4")
    expect(page.locator("#voice")).to_contain_text("red 4, read (1)")
    assert page.locator("[role=status], [role=alert]:not(#old), [role=log], [aria-live]").evaluate_all(
        "all => all.map(one => one.id)"
    ) == ["voice"]


def test_another_phone_never_bears_what_is_read_aloud(live: Live) -> None:
    to_count(live)
    lay(live, 3, "red-4")
    client = app_of(live).test_client()
    client.set_cookie("aloud", "everything")
    assert "red 4" in client.get("/seat/3").text
    paths = ("/", "/big", "/seat/1", "/seat/5", "/host", "/host/3", "/table", "/story/3")
    assert [path for path in paths if "red 4" in client.get(path).text] == []
    assert [path for path in paths if "data-aloud>" in client.get(path).text] == ["/seat/1", "/seat/5"]


def test_a_phone_that_lost_its_seat_is_told_nothing(app: Flask) -> None:
    neighbour = client_of(app, BOS)
    neighbour.set_cookie("aloud", "everything")
    assert "data-aloud>" not in neighbour.get("/seat/5").text
    assert neighbour.get("/stream/seat-5").status_code == 403


@pytest.mark.parametrize(
    ("place", "card", "heard"),
    [("seat-3", "yellow-stop", "yellow STOP"), ("seat-3", "red-stop", ""), ("centre", "token-3-1", "")],
)
def test_whoever_may_not_know_a_card_yet_is_not_told_it(tmp_path: Path, place: str, card: str, heard: str) -> None:
    with living(tmp_path, Clock(), simulated=True) as live:
        live.begin("stop-me-go", PEOPLE, {"colours": {"1": "red", "3": "yellow", "5": "blue"}})
        live.tell(Appeared("centre", "virtual:stop-me-go/gangster-7", 0.0))
        live.tell(Appeared(place, f"virtual:stop-me-go/{card}", 0.0))
        answer = live.snapshot.feedback.get(3)
        client = app_of(live).test_client()
        client.set_cookie("aloud", "everything")
        text = client.get("/seat/3").text
        assert (answer.faces[-1] if answer else "") == (card if heard else "")
        assert ("STOP," in text, "token worth" in text) == (bool(heard), False)


def test_at_the_end_a_seat_hears_where_it_came_and_with_whom(tmp_path: Path) -> None:
    first, *later_events = play(games.known()["kartel"], random.Random(0), {}, most=5000, noise=0.0, undo=0.0)
    with living(tmp_path, Clock(), simulated=True) as live:
        live.begin("kartel", first.players, {})
        for event in later_events:
            live.enter(event)
        client = app_of(live).test_client()
        client.set_cookie("aloud", "short")
        heard = [re.findall(r'data-of="place"[^>]*>(.*?)</li>', client.get(f"/seat/{n}").text) for n in (2, 3, 4)]
    assert heard == [["You came joint third of 5."], ["You came second of 5."], []]


def test_what_is_ones_own_is_said_sooner_than_what_is_everybodys(live: Live) -> None:
    to_count(live)
    client = app_of(live).test_client()
    client.set_cookie("aloud", "short")
    spoken_parts = [
        re.findall(r'data-says="(.)" data-of="(news|why|task)"', client.get(f"/seat/{n}").text) for n in (1, 3)
    ]
    assert [lines[-3:] for lines in spoken_parts] == [
        [("1", "news"), ("4", "why"), ("1", "task")],
        [("2", "news"), ("4", "why"), ("1", "task")],
    ]


def test_whoever_has_rolled_hears_which_tokens_are_within_reach(tmp_path: Path, clock: Clock) -> None:
    with living(tmp_path, clock) as live:
        live.begin("kartel", PEOPLE, {"ring": True})
        ring = sorted(games.known()["kartel"].deck, key=lambda card: card not in ("red-boss", "red-money"))
        live.enter(*(Tapped(0, 0.0, "centre", card) for card in ring))
        live.enter(Said(0, 0.0, 1, "ring-done"), Said(0, 0.0, 1, "roll", 2))
        phone = app_of(live).test_client()
        phone.set_cookie("aloud", "short")
        assert re.search(r"Within reach: (red boss and red money|red money and red boss)\.", phone.get("/seat/1").text)
        assert "Within reach" not in phone.get("/seat/3").text
