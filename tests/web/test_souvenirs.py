"""What stays of a match and an evening on the pages: leafing through it, and one picture to send around."""

import random
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from companion import games
from companion.history.standings import evening_of
from companion.kit.in_chromium import LANGUAGES, Glass, Rendered
from companion.kit.random_matches import play
from companion.storage.log import Log
from companion.web.render.words import PageWords
from tests.chromium import PHONE, Opened
from tests.waiting import until
from tests.web.evenings import SLUGS, store_match
from tests.web.table import PEOPLE, app_of, living

Served = Callable[..., Opened]


@pytest.fixture
def opened_there(looking: FlaskClient, served: Served) -> Opened:
    return served(looking.application)


def test_a_match_tells_what_to_remember_and_leads_there(looking: FlaskClient) -> None:
    pages = {match: looking.get(f"/results/{match}").text for match in range(1, 6)}
    for match, page in pages.items():
        assert not ("The finish" in page and "Never behind" in page)
        for then in re.findall(rf'href="(/results/{match}/then/[^"]+)"', page):
            assert looking.get(then).status_code == 200
    finished = [page for page in pages.values() if "The finish" in page]
    assert any(re.search(r"<strong>\+\d+ (point|token)s?</strong>", page) for page in finished)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_what_a_slip_says_is_whole_before_its_figure(language: str) -> None:
    words = PageWords(None, language)
    sentences = [words.say(f"souvenir-{kind}-where") for kind in ("last", "turning", "led", "turning-evening")]
    assert not [
        sentence for sentence in sentences if sentence.split()[-1] in ("since", "from", "at", "depuis", "à", "de")
    ]


def test_an_evening_tells_who_won_it(looking: FlaskClient) -> None:
    assert "wins the evening!" in looking.get("/evening/2026-11-20").text


@pytest.mark.parametrize(
    ("matches", "another", "verb"), [(1, False, "leads?"), (2, False, "(wins|share)"), (2, True, "leads?")]
)
def test_tonight_nobody_has_won_the_evening_while_it_goes_on(
    tmp_path: Path, matches: int, another: bool, verb: str
) -> None:
    log = Log(tmp_path / "log.sqlite", writes=True)
    chance = random.Random(20)
    began = datetime.now().astimezone().isoformat("T", "seconds")
    for _ in range(matches):
        store_match(log, began, play(games.known()[SLUGS[0]], chance, {}, most=5000))
    log.close()
    with living(tmp_path, simulated=True) as live:
        if another:
            live.begin(SLUGS[0], PEOPLE, {})
        phone = app_of(live).test_client()
        for path in ("/results", f"/evening/{evening_of(began)}/picture.svg"):
            assert re.search(f"{verb} the evening", phone.get(path).text)


@pytest.mark.parametrize("path", ["/results/3", "/evening/2026-11-20"])
def test_a_picture_needs_nothing_beside_it(looking: FlaskClient, path: str) -> None:
    (at,) = re.findall(r'<img src="([^"]+picture.svg[^"]*)"', looking.get(path).text)
    drawn = looking.get(at)
    assert drawn.mimetype == "image/svg+xml"
    assert "SIMULATED" in drawn.text
    assert not re.search(r"""(href="|url\()(?!#|data:)""", drawn.text)


def test_a_picture_says_what_its_winner_has_that_much_of(looking: FlaskClient) -> None:
    pictures = {
        match: looking.get(f"/results/{match}/picture.svg", query_string={"lang": "fr"}).text for match in (3, 4)
    }
    assert re.search(r">\d+\u00a0points?<", pictures[3])
    assert re.search(r">\d+\u00a0cartes? négatives?<", pictures[4])


@pytest.mark.parametrize("path", ["/results/6", "/results/99", "/evening/2020-01-01", "/evening/x"])
def test_what_nobody_won_has_no_picture(looking: FlaskClient, path: str) -> None:
    assert looking.get(f"{path}/picture.svg").status_code == 404


@pytest.mark.parametrize(("moment", "leads"), [("1", 0), ("0", 0), ("x", 0), ("9999", -1)])
def test_a_slider_leads_to_a_moment_also_beyond_its_ends(looking: FlaskClient, moment: str, leads: int) -> None:
    steps = re.findall(r'href="(/results/3/then/\d+)" data-step', looking.get("/results/3/then/5").text)
    answer = looking.get("/results/3/then", query_string={"moment": moment})
    assert (answer.status_code, answer.location.partition("?")[0]) == (302, steps[leads])


def test_a_match_is_leafed_through_without_a_script(looking: FlaskClient) -> None:
    def follow(page: str, name: str) -> str:
        (way,) = re.findall(rf'href="([^"]+)"(?: data-step="\d+" aria-label="{name}">|[^>]*>{name}<)', page)
        return looking.get(way).text

    first = follow(looking.get("/results/3").text, "Watch it again")
    assert "Moment 1 of" in first
    assert "Moment 2 of" in follow(first, "Next moment")
    assert re.search(r'<form [^>]*action="/results/3/then".*<button[^>]*>Show this moment<', first, re.DOTALL)
    last = looking.get("/results/3/then", query_string={"moment": "9999"}, follow_redirects=True).text
    assert re.search(r'class="[^"]*\bwon\b', last)


def test_a_slider_shows_the_table_as_it_is_moved(opened_there: Opened) -> None:
    page = opened_there("/results/3/then/5", viewport=PHONE)
    slider = page.get_by_role("slider")
    slider.press("End")
    expect(page.locator("#live .won")).to_be_visible()
    slider.press("Home")
    expect(page.locator("#replay-where")).to_contain_text("Moment 1 of")
    page.get_by_role("button", name="Play").click()
    expect(page.locator("#replay-where")).to_contain_text("Moment 2 of")
    page.get_by_role("button", name="Stop").click()


def test_a_picture_that_is_opened_by_itself_has_its_own_letters(opened_there: Opened) -> None:
    """The page would also say in its console that they are refused."""
    page = opened_there("/results/3/picture.svg", viewport=PHONE)
    until(lambda: page.evaluate("document.fonts.check('800 20px Display') && document.fonts.size") == 1)


OVER_ANOTHER = """() => {
  const drawn = [...document.querySelectorAll("svg > text")];
  const texts = drawn.map((one) => [one.textContent, one.getBoundingClientRect()]);
  return texts.flatMap(([said, own], at) => texts.slice(at + 1).filter(([, its]) =>
    own.left < its.right && its.left < own.right && own.top < its.bottom - 8 && its.top < own.bottom - 8)
    .map(([other]) => `${said} lies on ${other}`));
}"""


def test_what_a_picture_says_never_lies_on_its_figure_however_long(looking: FlaskClient, glass: Glass) -> None:
    """Of every slip of every match and the evening, in every language."""
    drawn = []
    for path in (*(f"/results/{match}" for match in range(1, 6)), "/evening/2026-11-20"):
        for language in LANGUAGES:
            picture = looking.get(f"{path}/picture.svg", query_string={"lang": language}).text
            drawn.append(Rendered(path, language, f"<!doctype html><body>{picture}</body>"))
    assert glass.ask(drawn, OVER_ANOTHER, {"width": 1100, "height": 1400}) == []


# A browser on a desk shares nothing: this stands where a phone's own sheet would open.
SHEET = """
window.sheet = [];
navigator.canShare = ({ files }) => files.every((file) => file.type === "image/png");
navigator.share = async ({ files: [file], title }) => {
  sheet.push([file.name, title, [...new Uint8Array(await file.slice(0, 4).arrayBuffer())]]);
  if (window.refuses) throw new DOMException("", refuses);
};
"""


def test_a_picture_is_drawn_on_the_phone_itself_and_shared_where_it_can_else_kept(opened_there: Opened) -> None:
    page = opened_there("/results/1", locale="en")
    with page.expect_download() as download:
        page.get_by_role("link", name="Save the picture").click()
    name = download.value.suggested_filename
    assert name.endswith(".png")
    assert Path(download.value.path()).read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    page.add_init_script(SHEET)
    page.reload()
    share = page.get_by_role("link", name="Share the picture")
    share.click()
    until(lambda: page.evaluate("sheet.length") == 1)
    shared, title, begins = page.evaluate("sheet[0]")
    assert (shared, title != "", begins) == (name, True, [*b"\x89PNG"])
    page.evaluate("window.refuses = 'AbortError'")  # its owner has changed their mind
    share.click()
    until(lambda: page.evaluate("sheet.length") == 2)
    page.evaluate("window.refuses = 'NotAllowedError'")
    with page.expect_download() as download:
        share.click()
    assert download.value.suggested_filename == name


def test_an_evening_is_printed_on_one_page(opened_there: Opened) -> None:
    page = opened_there("/evening/2026-11-20", viewport=PHONE)
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    paper = page.pdf(format="A4", print_background=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1


def test_no_text_of_a_picture_is_smaller_than_can_be_read(looking: FlaskClient) -> None:
    for path in ("/evening/2026-11-20", *(f"/results/{match}" for match in range(1, 6))):
        drawn = looking.get(f"{path}/picture.svg").text
        assert all(float(size) >= 18 for size in re.findall(r'font-size="([\d.]+)"', drawn)), path


def test_on_a_picture_no_title_is_smaller_than_what_stands_below_it(looking: FlaskClient) -> None:
    for path in ("/evening/2026-11-20", *(f"/results/{match}" for match in range(1, 6))):
        for language in LANGUAGES:
            drawn = looking.get(f"{path}/picture.svg", query_string={"lang": language}).text
            sizes = [*map(float, re.findall(r'<text x="184"[^>]*font-size="([\d.]+)"', drawn))]
            assert all(title >= below for title, below in zip(sizes[::2], sizes[1::2], strict=True)), (path, language)
