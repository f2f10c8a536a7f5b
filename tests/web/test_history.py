"""After the match: the pages of a match, an evening and the season, and what can be taken along."""

import csv
import io
import random
import re
import shutil
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from companion import games
from companion.access.player_looks import of_seat
from companion.access.seat_rights import phone_of
from companion.events import Started, Tapped
from companion.game import Chart
from companion.history.archive import Archive
from companion.kit.random_matches import play
from companion.live.table import Live
from companion.storage.log import Log
from companion.web.feed import LOAD_AGAIN
from companion.web.render import charts
from companion.web.render.words import PageWords
from tests.chromium import PHONE, Opened
from tests.web.evenings import NIGHT, SLUGS, store_match
from tests.web.table import PEOPLE, TABLET, app_of, client_of, living, serving


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> Path:
    """The same evenings, for a table that goes on."""
    return Path(shutil.copytree(played, tmp_path, dirs_exist_ok=True))


@pytest.fixture
def past(folder: Path) -> Iterator[Live]:
    with living(folder, simulated=True) as live:
        yield live


def test_the_latest_evening_is_shown_also_on_the_morning_after(looking: FlaskClient) -> None:
    page = looking.get("/results").text
    assert "Evening of 20 November 2026" in page
    assert re.findall(r'<li id="m(\d)">', page) == ["8", "7", "6", "5", "4", "3", "2"]
    assert "Evening of 13 November 2026" in looking.get("/evening/2026-11-13").text


def test_what_was_not_finished_is_said_and_counts_for_nothing(looking: FlaskClient) -> None:
    page = looking.get("/results").text
    assert page.count("Not finished") == 1
    assert page.count("Under way") == 1
    assert page.count("This match can’t be read") == 1
    assert "damaged" not in page  # a code is no word of theirs
    assert "Matches that count: 4." in page
    assert "Matches that count: 5." in looking.get("/season").text


def test_at_a_real_table_simulated_matches_are_marked_and_count_for_nothing(folder: Path) -> None:
    with living(folder) as live:
        page = app_of(live, virtual=False).test_client().get("/results").text
    assert page.count("SIMULATED") == 7
    assert "No match counts yet." in page


def test_a_match_says_of_which_evening_it_was(looking: FlaskClient) -> None:
    assert "Evening of 20 November 2026 · began at 23:10" in looking.get("/results/2").text


def test_what_is_told_many_times_over_is_folded(tmp_path: Path) -> None:
    log = Log(tmp_path / "log.sqlite", writes=True)
    tokens = games.known()["kartel"].deck
    read = [Tapped(seq, 100.0 + seq, "centre", token) for seq, token in enumerate(tokens, 2)]  # type: ignore[arg-type]
    store_match(log, NIGHT, [Started(1, 100.0, "kartel", PEOPLE, {"ring": True}), *read])
    log.close()
    with living(tmp_path, simulated=True) as live:
        story = app_of(live).test_client().get("/results/1").text.partition('id="story"')[2]
    head, folded, tail = story.partition(" more like it")
    assert folded
    assert [part.count("in the ring") for part in (head, tail)] == [1, 41]


@pytest.mark.parametrize("number", [*range(1, 7), 8])
def test_every_match_has_its_page(looking: FlaskClient, number: int) -> None:
    answer = looking.get(f"/results/{number}")
    assert answer.status_code == 200
    assert answer.text.count('<svg viewBox="0 0 360') == answer.text.count('<table class="rounds figures by-sign">')
    assert f"companion export {number}" in answer.text


@pytest.mark.parametrize("path", ["", "/3", "/3.csv"])
def test_who_looks_back_waits_for_who_does_already(
    looking: FlaskClient, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """Else the threads that judge a long match for spectators would leave none to those who play."""
    held = list[str | None]()
    turns = looking.application.extensions["companion"].judging_again
    for name, method in ((name, getattr(Archive, name)) for name in ("latest", "match")):

        def noted(*of: Any, method: Callable[..., Any] = method) -> Any:
            held.append(turns.now)
            return method(*of)

        monkeypatch.setattr(Archive, name, noted)
    spectator = client_of(looking.application, "5" * 32)
    for phone in (looking, spectator):
        assert phone.get(f"/results{path}").status_code == 200
    assert held == [phone_of(TABLET), "127.0.0.1"]


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
    assert "No match counts yet" in looking.get(f"/evening/{day}").text


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


def test_only_the_host_reads_how_the_record_is_got(looking: FlaskClient) -> None:
    host = looking
    guest = client_of(looking.application, "9e" * 16)
    assert ["companion export 2" in phone.get("/results/2").text for phone in (host, guest)] == [True, False]


def test_who_is_ahead_stands_first_also_in_a_match_that_was_not_finished(looking: FlaskClient) -> None:
    final = re.search(r'<section id="final">.*?</section>', looking.get("/results/6").text, re.DOTALL)
    assert final
    points = [int(cell.replace("−", "-")) for cell in re.findall(r"<td>(−?\d+)</td>", final[0])]
    assert points == sorted(points, reverse=True)
    assert len({*points}) > 1


def test_everybody_has_a_look_in_the_standings_of_an_evening(looking: FlaskClient) -> None:
    table = looking.get("/evening/2026-11-20").text.partition('<section id="standings"')[2].partition("</table>")[0]
    assert table.count('<th scope="row">') == table.count('class="player-chip') > 1


def test_switching_the_language_stays_on_the_page(looking: FlaskClient) -> None:
    phone = looking.application.test_client()  # the others' stays English
    for path in ("/results", "/results/2", "/results/3/then/5", "/evening/2026-11-13", "/season", "/how/stop-it"):
        (name,) = re.findall(
            r'action="/language" data-plain><input type="hidden" name="page" value="([^"]+)"', looking.get(path).text
        )
        assert phone.post("/language", data={"language": "fr", "page": name}).location == path


def test_no_stream_keeps_these_pages_fresh(looking: FlaskClient) -> None:
    for name in ("results", "results-2", "evening-2026-11-13", "season"):
        assert looking.get(f"/stream/{name}").data == LOAD_AGAIN


def test_an_evening_leads_to_its_matches_and_the_season_and_they_back(looking: FlaskClient) -> None:
    page = looking.get("/results").text
    for number in range(2, 6):
        assert f'href="/results/{number}"' in page
        assert re.search(r'href="/evening/2026-11-20"[^>]*>The evening<', looking.get(f"/results/{number}").text)
    assert re.search(r'href="/season"[^>]*>Whole season<', page)
    assert re.search(r'class="[^"]*\bplaces\b', looking.get("/season").text)


def test_on_a_phone_without_a_script_what_is_folded_is_opened(past: Live, opened: Opened) -> None:
    with serving(app_of(past)) as port:
        page = opened(f"http://127.0.0.1:{port}/results/2", viewport=PHONE, java_script_enabled=False)
        expect(page.locator("#final")).to_be_visible()
        figures = page.locator(".figures").last
        expect(figures).to_be_hidden()
        page.get_by_text("The figures as a table").last.click()
        expect(figures).to_be_visible()
        page.get_by_text("Everything", exact=True).click()
        expect(page.locator("#story li").first).to_be_visible()


def test_from_the_score_to_how_it_went(past: Live) -> None:
    game = games.known()[SLUGS[1]]
    first, *later_events = play(game, random.Random(1), {}, most=5000, noise=0.0, undo=0.0)
    number = past.begin(game.slug, first.players, {})
    past.enter(*later_events)
    phone = app_of(past).test_client()
    for path in ("/", "/host/match"):
        assert re.search(rf'href="/results/{number}"[^>]*>How it went<', phone.get(path).text), path
    assert 'class="headline' in phone.get(f"/results/{number}").text.partition(" won")[2]


def test_names_at_the_lines_ends_never_lie_over_each_other() -> None:
    for wished in ([50.0] * 6, [10.0, 11, 12, 190, 191, 192], [200.0] * 6, [10.0] * 6):
        for lines in (1, 2):
            placed = sorted(charts.apart(wished, [lines] * 6))
            assert all(other - height >= lines * charts.NAME_APART - 1e-9 for height, other in pairwise(placed))
            assert placed[0] >= 0
            assert placed[-1] + (lines - 1) * charts.NAME_APART <= charts.TOP + charts.HEIGHT


def test_a_bar_tells_what_is_taken_off_it() -> None:
    chart = Chart("worth", "bars", ({"colour": "red"}, {"colour": "blue"}), {1: (6, -2), 3: (0, -3)})
    drawing = charts.drawn(chart, PageWords("kartel", "en", {1: "Ana", 3: "Bo"}), {1: of_seat(1), 3: of_seat(3)})
    assert [bar.total for bar in drawing.bars] == ["6 − 2 = 4", "−3"]


def test_points_below_nought_have_a_true_minus(tmp_path: Path) -> None:
    log = Log(tmp_path / "log.sqlite", writes=True)
    store_match(log, NIGHT, play(games.known()["kartel"], random.Random(6), {}, most=5000, noise=0.0, undo=0.0))
    log.close()
    with living(tmp_path, simulated=True) as live:
        phone = app_of(live).test_client()
        pages = [phone.get(path).text for path in ("/results/1", "/evening/2026-11-20", "/season")]
    assert [set(re.findall(r"<td>([-−]4)<", page)) for page in pages] == [{"−4"}] * 3
