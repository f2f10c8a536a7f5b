"""After the match: the pages of a match, an evening and the season, and what can be taken along."""

import csv
import io
import random
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from companion import games
from companion.events import Player, Pressed, Started
from companion.live.table import Live
from companion.storage.log import Log
from tests.chromium import Opened
from tests.games.matches import play
from tests.games.stop_it.table import Table
from tests.web.table import app_of, living, serving
from web.render import charts

TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
NIGHT = "2026-11-20T23:10:00+01:00"
LATER = "2026-11-21T01:40:00+01:00"
SLUGS = list(games.known())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A log: last week a match, one night every game to its end, one that was not finished, one that is damaged."""
    log = Log(tmp_path / "log.sqlite", writes=True)
    chance = random.Random(20)
    kept = [
        ("2026-11-13T20:00:00+01:00", SLUGS[0], 5000),
        *((NIGHT, slug, 5000) for slug in SLUGS),
        (LATER, SLUGS[1], 9),
    ]
    for began, slug, most in kept:
        events = play(games.known()[slug], chance, {}, most=most, noise=0.02, undo=0.01)
        number = log.open_match(began, True, events[0])
        log.append(number, [(event, "") for event in events[1:]])
    log.open_match(LATER, True, Pressed(1, 0.0, 1))
    people = (Player(1, "=1+1"), Player(3, "Bo"))
    log.open_match(LATER, True, Started(1, 0.0, SLUGS[1], people, {}))
    log.close()
    return tmp_path


@pytest.fixture
def past(folder: Path) -> Iterator[Live]:
    with living(folder, simulated=True) as live:
        yield live


@pytest.fixture
def looking(past: Live) -> FlaskClient:
    return app_of(past).test_client()


def test_the_latest_evening_is_shown_also_on_the_morning_after(looking: FlaskClient) -> None:
    page = looking.get("/results").text
    assert "Evening of 2026-11-20" in page
    assert re.findall(r'<li id="m(\d)">', page) == ["8", "7", "6", "5", "4", "3", "2"]
    assert "Evening of 2026-11-13" in looking.get("/evening/2026-11-13").text


def test_what_was_not_finished_is_said_and_counts_for_nothing(looking: FlaskClient) -> None:
    page = looking.get("/results").text
    assert page.count("not finished") == 1
    assert page.count("under way") == 1
    assert page.count("This match can&#39;t be read") == 1
    assert "Matches that count: 4." in page
    assert "Matches that count: 5." in looking.get("/season").text


def test_at_a_real_table_simulated_matches_are_marked_and_count_for_nothing(folder: Path) -> None:
    with living(folder) as live:
        page = app_of(live, virtual=False).test_client().get("/results").text
    assert page.count("SIMULATED") == 7
    assert "Matches that count: 0." in page
    assert "No match was played to its end yet." in page


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("number", [*range(1, 7), 8])
def test_every_match_has_its_page(looking: FlaskClient, number: int, language: str) -> None:
    answer = looking.get(f"/results/{number}", query_string={"lang": language})
    assert answer.status_code == 200
    assert answer.text.count("<svg") == answer.text.count('<table class="rounds figures">')
    assert f"companion export {number}" in answer.text
    assert not re.search(r"<style| style=| on[a-z]+=", answer.text)


@pytest.mark.parametrize("path", ["/results", "/season", "/results.csv", "/season.csv"])
def test_before_the_first_match(tmp_path: Path, path: str) -> None:
    with living(tmp_path) as live:
        assert app_of(live).test_client().get(path).status_code == 200


@pytest.mark.parametrize(
    "path", ["/results/7", "/results/99", "/results/99.csv", f"/results/{10**30}", "/evening/x", "/evening/x.csv"]
)
def test_what_is_not_there_is_told(looking: FlaskClient, path: str) -> None:
    answer = looking.get(path)
    assert answer.status_code == 404
    assert 'class="now refused"' in answer.text


@pytest.mark.parametrize("day", ["0001-01-01", "2020-02-29", "9999-12-31"])
def test_an_evening_nobody_played_is_empty(looking: FlaskClient, day: str) -> None:
    assert "No match was played" in looking.get(f"/evening/{day}").text


@pytest.mark.parametrize("path", ["/results.csv", "/season.csv", "/evening/2026-11-20.csv", "/results/2.csv"])
def test_every_export_is_read_back(looking: FlaskClient, path: str) -> None:
    for language, delimiter in (("en", ","), ("fr", ";")):
        answer = looking.get(path, query_string={"lang": language})
        assert answer.mimetype == "text/csv"
        assert ".csv" in answer.headers["Content-Disposition"]
        lines = list(csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig"), newline=""), delimiter=delimiter))
        assert lines
        assert all(None not in line and None not in line.values() for line in lines)
        assert not any(value.startswith(("=", "+", "@")) for line in lines for value in line.values())


def test_the_record_is_not_handed_out(looking: FlaskClient) -> None:
    assert looking.get("/results/2.jsonl").status_code == 404


def test_switching_the_language_stays_on_the_page(looking: FlaskClient) -> None:
    for path in ("/results", "/results/2", "/evening/2026-11-13", "/season"):
        (name,) = re.findall(
            r'action="/language" data-plain><input type="hidden" name="page" value="([^"]+)"', looking.get(path).text
        )
        assert looking.post("/language", data={"language": "fr", "page": name}).location == path


def test_no_stream_keeps_these_pages_fresh(looking: FlaskClient) -> None:
    for name in ("results", "results-2", "evening-2026-11-13", "season"):
        assert looking.get(f"/stream/{name}").status_code == 404


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_without_a_script(past: Live, opened: Opened, scheme: str) -> None:
    with serving(app_of(past)) as port:
        phone = {"viewport": {"width": 360, "height": 740}, "java_script_enabled": False, "color_scheme": scheme}
        page = opened(f"http://127.0.0.1:{port}/results", **phone)
        for number in range(2, 6):
            page.locator(f"#m{number} a").click()
            expect(page.locator("#final")).to_be_visible()
            figures = page.locator(".figures").last
            expect(figures).to_be_hidden()
            page.get_by_text("The figures as a table").last.click()
            expect(figures).to_be_visible()
            page.get_by_text("The whole story").click()
            expect(page.locator("#story li").first).to_be_visible()
            page.get_by_role("link", name="The evening", exact=True).click()
        page.get_by_role("link", name="Whole season").click()
        expect(page.locator(".places").first).to_be_visible()


@pytest.mark.parametrize("language", ["en-GB", "fr-FR"])
def test_everything_fits_a_phone(past: Live, opened: Opened, language: str) -> None:
    with serving(app_of(past)) as port:
        page = opened(f"http://127.0.0.1:{port}/results", locale=language, viewport={"width": 360, "height": 740})
        for path in ("/results", "/season", *(f"/results/{number}" for number in range(1, 7))):
            page.goto(f"http://127.0.0.1:{port}{path}")
            page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
            assert not page.evaluate(TOO_WIDE), path
            texts = page.locator(".chart svg text").evaluate_all(
                "all => all.map(one => [one.getBoundingClientRect().left, one.getBoundingClientRect().right])"
            )
            assert all(left >= 0 and right <= 360 for left, right in texts), path


def test_six_long_names_and_their_times_fit_a_phone_too(tmp_path: Path, opened: Opened) -> None:
    table = Table(1, 2, 3, 4, 5, 6)
    people = tuple(Player(seat, letter * 20) for seat, letter in enumerate("WMOQGw", 1))
    table.press(1)
    for caller, ahead in ((2, 0.0871), (6, 0.0123), (4, 1.25)):
        began = table.now
        for late, seat in enumerate((caller, *({*table.seats} - {caller}))):
            table.press(seat, at=round(began + 40 + (ahead + late if late else 0), 6))
        table.tap(caller, table.stops.pop())
        table.counts(*(int(seat != caller) for seat in table.seats))
        table.press(caller)
    with living(tmp_path, simulated=True) as live:
        number = live.begin("stop-it", people, {})
        live.ask_any(lambda: live._recorder._log.append(number, [(event, "") for event in table.match.events[1:]]))
        with serving(app_of(live)) as port:
            address = f"http://127.0.0.1:{port}/results/{number}"
            page = opened(address, locale="fr-FR", viewport={"width": 360, "height": 740})
            page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
            assert page.locator(".chart").count() == 3
            assert not page.evaluate(TOO_WIDE)
            page.goto(f"http://127.0.0.1:{port}/results")
            assert not page.evaluate(TOO_WIDE)


def test_from_the_score_to_how_it_went(past: Live, opened: Opened) -> None:
    game = games.known()[SLUGS[1]]
    first, *rest = play(game, random.Random(1), {}, most=5000, noise=0.0, undo=0.0)
    number = past.begin(game.slug, first.players, {})
    for event in rest:
        past.enter(event)
    with serving(app_of(past)) as port:
        for path in ("/", "/host"):
            page = opened(f"http://127.0.0.1:{port}{path}")
            page.get_by_role("link", name="How it went").click()
            page.wait_for_url(f"**/results/{number}")
            expect(page.locator(".now.won")).to_be_visible()


def test_names_at_the_lines_ends_never_lie_over_each_other() -> None:
    for wished in ([50.0] * 6, [10.0, 11, 12, 190, 191, 192], [200.0] * 6, [10.0] * 6):
        placed = sorted(charts.apart(wished))
        assert all(other - one >= charts.NAME_APART - 1e-9 for one, other in pairwise(placed))
        assert placed[0] >= 0
        assert placed[-1] <= charts.TOP + charts.HEIGHT
