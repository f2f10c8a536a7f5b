"""Every page in every state (game, phase, observer), in French and English: rendered once, and asked all that follows.

axe-core (`axe.py`) says nothing of targets for fingers, of a page that scrolls sideways,
or of what moves: those are measured here.
"""

import gzip
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal

import msgspec
import pytest
from flask.testing import FlaskClient
from playwright.sync_api import ViewportSize
from werkzeug.test import TestResponse

from companion import games
from companion.access.player_looks import COLOURS
from companion.kit.in_chromium import NARROW_TO_WIDE, UNFIT, Glass, Rendered
from tests.chromium import DESK, PHONE, TELEVISION
from tests.needs import needs
from tests.web.axe import BUT_INK, CHECK, FLAT, INK, INK_AT_ITS_BEST, THIN, UNCOLOURED
from tests.web.elements import Elements, with_all
from tests.web.languages import ENGLISH, FRENCH, foreign, words_of_page
from tests.web.states import TABLES, rendered

NU = Path(__file__).parents[2] / "build/floor/node_modules/vnu-jar/build/dist/vnu.jar"
HEAVIEST = 100_000
"""Bytes."""
OF_THE_SERVER = "HTTP/1.1 200 OK\r\nDate: Sat, 28 Nov 2026 12:00:00 GMT\r\n\r\n"

TOO_SMALL = """() => [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, summary')]
    .filter(one => one.checkVisibility() && !one.disabled && getComputedStyle(one).display != 'inline')
    .map(one => [one, (one.closest('label') ?? one).getBoundingClientRect()])
    .filter(([, box]) => box.width < 43.9 || box.height < 43.9)
    .map(([one, box]) => `${box.width} x ${box.height}: ${one.outerHTML.slice(0, 120)}`)"""
MOVING = """() => {
  const still = ['offset', 'computedOffset', 'easing', 'composite', 'opacity', 'pointerEvents'];
  const moves = one => one.effect.getKeyframes().some(frame => Object.keys(frame).some(key => !still.includes(key)));
  return document.getAnimations().filter(moves).map(one => `moves: ${one.animationName ?? one.transitionProperty}`)
    .concat([...document.querySelectorAll('*')].filter(one => getComputedStyle(one).transitionDuration != '0s')
      .map(one => `changes slowly: ${one.outerHTML.slice(0, 80)}`));
}"""
"""What only fades moves nothing, nor does what keeps a finger's second tap from what has just appeared under it."""
TWICE = """() => {
  const ids = [...document.querySelectorAll("[id]")].map(one => one.id);
  return ids.filter((one, at) => ids.indexOf(one) < at).map(one => `twice: ${one}`);
}"""
LARGER = """() => {
  document.documentElement.style.fontSize = "133%";
  const edge = document.documentElement.clientWidth;
  const wide = document.documentElement.scrollWidth <= edge ? [] : [...document.querySelectorAll("main *")]
    .filter(one => one.checkVisibility() && one.scrollWidth > one.clientWidth).slice(-2)
    .map(one => one.outerHTML.slice(0, 150)).concat("too wide with larger letters");
  document.documentElement.style.fontSize = "";
  return wide;
}"""
"""On the narrowest phone: on one 360 pixels wide there is room for half as large again."""


BELOW = """() => [...document.querySelectorAll(".mine :is(button, summary), .slip button")]
    .filter(one => one.checkVisibility() && !one.closest("details:not([open]) > :not(summary), .mend, .just-done"))
    .slice(0, 1).filter(one => one.getBoundingClientRect().bottom > innerHeight + 1)
    .map(one => `below the edge: ${one.outerHTML.slice(0, 120)}`)"""
STARTS = """() => {
  const end = document.querySelector(".posters").getBoundingClientRect().bottom / innerHeight;
  return innerWidth > innerHeight && end < 0.8 || end > 2 ? [`the games end at ${end} screens`] : [];
}"""
OFF_THE_FELT = """() => {
  const felt = document.querySelector(".felt").getBoundingClientRect();
  return [...document.querySelectorAll(".podium li")].filter(one => {
    const box = one.getBoundingClientRect();
    return box.top < felt.top || box.bottom > felt.bottom || box.left < felt.left || box.right > felt.right;
  }).map(one => `off the felt: ${one.outerHTML.slice(0, 120)}`);
}"""
ENDS_SMALL = """() => {
  const high = document.getElementById("ends").getBoundingClientRect().height / innerHeight;
  return high < 0.25 ? [`who played takes ${high} of the screen`] : [];
}"""
LOST = """() => {
  const wide = Math.max(...[...document.querySelectorAll("main > *, .phone > *")].map(one => one.offsetWidth));
  return wide < innerWidth * 0.45 ? [`all is ${wide} wide of ${innerWidth}`] : [];
}"""
OFF_THE_DOME = """() => [...document.querySelectorAll("button.buzzer")].filter(one => {
    const said = document.createRange();
    said.selectNodeContents(one);
    const box = said.getBoundingClientRect();
    return Math.hypot(box.width, box.height) > one.offsetWidth * 0.88 || one.scrollWidth > one.offsetWidth;
  }).map(one => `runs over the dome's edge: ${one.textContent}`)"""
HOLES = """() => {
  const all = [...document.querySelectorAll(".chairs .sitter")];
  const across = new Set(all.map(one => one.offsetLeft)).size, down = new Set(all.map(one => one.offsetTop)).size;
  return across * down > all.length ? ["places stand empty beside those who play"] : [];
}"""
SITTER = re.compile(r'<li class="sitter.*?</li>', re.DOTALL)
FAR = """() => [...document.querySelectorAll(".ka-people > li")].filter(one => {
    const [name, figure] = [".ka-name", "strong"].map(css => one.querySelector(css).getBoundingClientRect());
    return figure.right - name.left > innerWidth * 0.4;
  }).map(one => `far from its figure: ${one.textContent.trim()}`)"""
CUT = """() => [...document.querySelectorAll("select")].flatMap(one => {
    const style = getComputedStyle(one), pen = document.createElement("canvas").getContext("2d");
    pen.font = style.font;
    const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 16;
    return [...one.options].filter(each => room > 0 && pen.measureText(each.text).width > room).map(each => each.text);
  })"""
"""What may be chosen, beside its arrow."""
FADED = """() => [...document.querySelectorAll("*")].filter(one => {
    const style = getComputedStyle(one, "::before"), said = /^"[^"]*[a-z0-9]/i.test(style.content);
    return said && one.checkVisibility() && getComputedStyle(one).opacity * style.opacity < 1;
  }).map(one => `faded: ${one.outerHTML.slice(0, 120)}`)"""
"""What a style sheet writes before an element, where axe does not look."""
LAID_OUT_ITSELF = """() => [...document.querySelectorAll("fieldset")].filter(
    one => !["block", "none"].includes(getComputedStyle(one).display),
  ).map(one => `${getComputedStyle(one).display}: ${one.outerHTML.slice(0, 60)}`)"""
ACROSS: tuple[ViewportSize, ...] = ({"width": 844, "height": 390}, {"width": 667, "height": 375})
"""Phones that lie across."""


def all_of_scripts(*scripts: str) -> str:
    return f"() => [{', '.join(f'...({script})()' for script in scripts)}]"


@pytest.fixture(scope="module")
def states(once: Callable[[str, Callable[[Path], None]], Path]) -> tuple[Rendered, ...]:
    """Those of every table: a law asks them all in one test, or each worker would ask again what is alike."""

    def render(path: Path) -> None:
        path.write_bytes(msgspec.msgpack.encode([state for table in TABLES for state in rendered(table)]))

    return msgspec.msgpack.decode(once("states", render).read_bytes(), type=tuple[Rendered, ...])


@pytest.fixture(scope="module")
def few(once: Callable[[str, Callable[[Path], None]], Path], states: tuple[Rendered, ...]) -> dict[str, list[Rendered]]:
    """Few pages by what stands on them: in French all elements, or their roles alone; all words in each language."""

    def choose(path: Path) -> None:
        fr, en = (
            [(Elements(state.html), state) for state in in_language(language, states)] for language in ("fr", "en")
        )
        chosen = {"all": with_all((elements.found, state) for elements, state in fr)}
        chosen["roles"] = with_all((elements.roles, state) for elements, state in fr)
        chosen |= {
            name: with_all((elements.inks, state) for elements, state in of) for name, of in (("fr", fr), ("en", en))
        }
        path.write_bytes(msgspec.msgpack.encode(chosen))

    return msgspec.msgpack.decode(once("few", choose).read_bytes(), type=dict[str, list[Rendered]])


def in_language(language: str, states: Iterable[Rendered]) -> list[Rendered]:
    """Return the pages in one language; French needs more room."""
    return [state for state in states if state.language == language]


def in_every_colour(states: Iterable[Rendered]) -> list[Rendered]:
    """Return the phones of those whose turn it is in each colour that somebody may have chosen."""
    own_turn = re.compile(r'(<div class="phone[^"]*) c-\w+([^"]*" id="phone" data-state="turn")')
    return [
        Rendered(f"{state.path}, in {colour}", state.language, own_turn.sub(rf"\1 c-{colour}\2", state.html))
        for state in states
        if own_turn.search(state.html)
        for colour in COLOURS
    ]


@pytest.mark.long
def test_a_page_can_be_used_by_everybody_on_a_phone(few: dict[str, list[Rendered]], axe: Glass) -> None:
    assert axe.ask(few["roles"], CHECK.format(thin=THIN, leave="thin", asked=BUT_INK), PHONE) == []


@pytest.mark.long
@pytest.mark.parametrize(("language", "scheme", "size"), [("fr", "light", PHONE), ("en", "dark", DESK)])
def test_a_page_can_be_read_by_day_on_a_phone_and_in_the_dark_on_a_desk(
    few: dict[str, list[Rendered]], axe: Glass, language: str, scheme: Literal["light", "dark"], size: ViewportSize
) -> None:
    script = CHECK.format(thin=THIN + FLAT, leave="leaveInk", asked=INK)
    assert axe.ask(few[language] + in_every_colour(few[language]), script, size, scheme=scheme) == []


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_who_asks_for_more_contrast_reads_the_pages_of_an_evening_at_seven_to_one(
    few: dict[str, list[Rendered]], axe: Glass, scheme: Literal["light", "dark"]
) -> None:
    script = CHECK.format(thin=THIN + FLAT + UNCOLOURED, leave="leaveUncoloured", asked=INK_AT_ITS_BEST)
    evening = [page for page in few["en"] if page.path.startswith(("/seat/", "/big", "/join", "/results", "/ "))]
    assert axe.ask(evening + in_every_colour(evening), script, PHONE, scheme=scheme, contrast="more") == []


@pytest.mark.long
def test_a_narrow_page_fits_is_hit_with_a_thumb_stands_still_and_has_room_for_larger_letters(
    states: tuple[Rendered, ...], glass: Glass
) -> None:
    """All asked at once: what costs is to put the page there."""
    amiss = all_of_scripts(UNFIT, TOO_SMALL, MOVING, TWICE, LARGER)
    assert glass.ask(in_language("fr", states), amiss, NARROW_TO_WIDE[0]) == []


@pytest.mark.long
def test_a_page_fits_every_width(few: dict[str, list[Rendered]], glass: Glass) -> None:
    """Where there is more room, few do for all that stands on any."""
    assert glass.ask(few["all"], UNFIT, *NARROW_TO_WIDE[2::2]) == []


def test_what_is_done_at_a_seat_is_seen_at_once_on_a_phone_that_lies_across(
    states: tuple[Rendered, ...], glass: Glass
) -> None:
    own_pages = [state for state in in_language("fr", states) if state.path.startswith("/seat/")]
    assert glass.ask(own_pages, BELOW, *ACROSS) == []


def test_the_games_to_begin_with_fill_a_desk_and_are_seen_at_a_glance_on_a_phone(
    states: tuple[Rendered, ...], glass: Glass
) -> None:
    first = [state for state in in_language("fr", states) if re.match(r"/, (before|in its own)", state.path)]
    assert first
    assert glass.ask(first, STARTS, PHONE, DESK, {"width": 1920, "height": 1080}) == []


def test_all_who_played_stand_on_the_felt_also_where_nothing_was_best(
    states: tuple[Rendered, ...], glass: Glass
) -> None:
    best = re.compile(r'class="podium((?: over-four| with-others)*)"')
    over = [state for state in in_language("fr", states) if best.search(state.html)]
    slips = re.compile(r'<div class="slip best">.*?</div>', re.DOTALL)
    bare = [Rendered(page.path, "fr", best.sub(r'class="podium bare\1"', slips.sub("", page.html))) for page in over]
    assert any('class="others' in state.html for state in bare)
    assert glass.ask(over + bare, OFF_THE_FELT, PHONE, DESK, {"width": 1920, "height": 1080}) == []


def test_a_phone_shows_where_everybody_ended(states: tuple[Rendered, ...], glass: Glass) -> None:
    over = [page for page in in_language("fr", states) if re.match(r"/seat/.*, over$", page.path)]
    assert len({page.path.partition(", ")[2] for page in over}) == len(games.known())
    for state in over:
        _, _, ends = state.html.partition('<ol class="ends"')
        winner = re.search(r'class="news[^>]*>.*?<b>(\w+)', state.html, re.DOTALL)
        ended = re.findall(r"<b>(.*?)</b>", ends.partition("</ol>")[0])
        assert len(ended) == len(set(ended)) >= 2, str(state)
        assert winner is None or winner[1] == ended[0], str(state)
    assert glass.ask(over, ENDS_SMALL, PHONE, {"width": 768, "height": 1024}, TELEVISION) == []


def test_what_is_one_column_is_not_lost_on_a_large_screen(few: dict[str, list[Rendered]], glass: Glass) -> None:
    columns = ("/seat", "/host", "/story", "/results/", "/season", "/people", "/lobby", "/setup", "/network")
    own_pages = [page for page in few["all"] if page.path.startswith(columns) and "/then/" not in page.path]
    assert all(any(page.path.startswith(column) for page in own_pages) for column in columns)
    assert glass.ask(own_pages, LOST, TELEVISION) == []


def test_words_stay_within_their_dome(states: tuple[Rendered, ...], glass: Glass) -> None:
    pressed = [page for page in states if page.path.startswith("/seat") and "buzzer" in page.html]
    assert any("Start again" in page.html for page in pressed)
    assert glass.ask(pressed, OFF_THE_DOME, PHONE, {"width": 768, "height": 1024}, TELEVISION) == []


def test_no_place_stands_empty_beside_three_or_four_where_a_page_is_narrow(
    states: tuple[Rendered, ...], glass: Glass
) -> None:
    few = [
        page
        for page in in_language("fr", states)
        if re.match("/(table)?, ", page.path) and len(SITTER.findall(page.html)) == 3
    ]
    assert {page.path.partition(",")[0] for page in few} == {"/", "/table"}
    few += [Rendered(page.path, "fr", SITTER.sub(lambda sitter: sitter[0] * 2, page.html, count=1)) for page in few]
    assert glass.ask(few, HOLES, PHONE, {"width": 768, "height": 1024}) == []


def test_a_figure_stands_near_its_name_on_a_wide_page(states: tuple[Rendered, ...], glass: Glass) -> None:
    people = [
        page for page in in_language("fr", states) if re.match(r"/(table)?, ", page.path) and "ka-people" in page.html
    ]
    assert people
    assert glass.ask(people, FAR, TELEVISION) == []


def test_a_choice_is_read_whole_on_a_phone(states: tuple[Rendered, ...], glass: Glass) -> None:
    with_choices = [page for page in states if "<select" in page.html]
    assert any(page.path.startswith("/otherwise") for page in with_choices)
    assert glass.ask(with_choices, CUT, PHONE) == []


def test_what_a_fieldset_holds_is_laid_out_by_another_element(states: tuple[Rendered, ...], glass: Glass) -> None:
    """Chromium 87 laid all seats upon each other where the fieldset itself was the grid."""
    grouping = [page for page in in_language("en", states) if "<fieldset" in page.html]
    assert len(grouping) > 10
    assert glass.ask(grouping, LAID_OUT_ITSELF, PHONE) == []


def test_a_figure_that_a_style_sheet_writes_is_not_faded(states: tuple[Rendered, ...], glass: Glass) -> None:
    gaps = [page for page in in_language("fr", states) if "data-value" in page.html]
    assert gaps
    assert glass.ask(gaps, FADED, PHONE) == []


def test_a_page_has_one_heading_of_its_own_and_tables_say_what_their_headings_head(
    states: tuple[Rendered, ...],
) -> None:
    assert [str(state) for state in states if state.html.count("<h1") != 1] == []
    assert [str(state) for state in states if re.search("<th(?=[ >])(?![^>]* scope=)", state.html)] == []


def test_a_time_can_be_read_by_a_machine(states: tuple[Rendered, ...]) -> None:
    times = re.compile("<time(?![^>]* datetime=)[^>]*>")
    assert [str(state) for state in states if times.search(state.html)] == []


def test_whose_chips_lie_on_the_rim_is_said(states: tuple[Rendered, ...]) -> None:
    rims = [page.html.partition('class="ledge')[2] for page in states if page.path.startswith("/, ")]
    bare = [rim for rim in rims if re.search('class="who[ "]', rim) and not re.search('class="(?:awaited|now)', rim)]
    assert any('class="awaited"' in rim for rim in rims)
    assert bare == []


def test_one_thing_is_counted_as_one(states: tuple[Rendered, ...]) -> None:
    several = re.compile(r"\b1 (?:cards|tokens|points|matches|players|cartes|jetons|parties|joueurs)\b")
    assert [(str(page), hit[0]) for page in states if (hit := several.search(words_of_page(page.html)))] == []


def parts(text: str) -> set[str]:
    """Return what a page or a style sheet brings along, but icons for a home screen."""
    parts_found = set(re.findall(r'(?:href|src)="(/(?:static/|games/|qr)[^"#]+)', text))
    parts_found |= {f"/static/{name.removeprefix('/static/')}" for name in re.findall(r"url\(([/\w.?-]+)\)", text)}
    return {part for part in parts_found if "icon-" not in part and "manifest" not in part}


def carried(answer: TestResponse) -> int:
    """Return the bytes of an answer with its headers, those of the server too."""
    return len(answer.data) + sum(len(f"{name}: {value}\r\n") for name, value in answer.headers) + len(OF_THE_SERVER)


def test_no_page_weighs_more_than_a_weak_network_carries(states: tuple[Rendered, ...], bare: FlaskClient) -> None:
    """With headers, style, letters, script and pictures, in an empty cache; late in a match as well."""
    weights: dict[str, int] = {}
    inside: dict[str, set[str]] = {}
    with bare.get("/", headers={"Accept-Encoding": "gzip"}) as page:
        headers = carried(page) - len(page.data)
    for state in states:
        parts_needed = parts(state.html)
        all_parts = set[str]()
        while parts_needed - all_parts:
            part = (parts_needed - all_parts).pop()
            all_parts.add(part)
            if part not in weights:
                with bare.get(part, headers={"Accept-Encoding": "gzip"}) as answer:
                    assert answer.status_code == 200, part
                    weights[part] = carried(answer)
                    packed = answer.headers.get("Content-Encoding") == "gzip"
                    css = answer.mimetype == "text/css"
                    inside[part] = (
                        parts((gzip.decompress(answer.data) if packed else answer.data).decode()) if css else set()
                    )
            parts_needed |= inside[part]
        weight = headers + len(gzip.compress(state.html.encode())) + sum(weights[part] for part in all_parts)
        assert 6_000 < weight < HEAVIEST, f"{state}: {weight}"


@pytest.mark.long
def test_every_page_is_valid_html(states: tuple[Rendered, ...], tmp_path: Path) -> None:
    """By the Nu checker, whose only word on a valid page is none."""
    needs("npm's vnu-jar, or Java,", NU.exists() and shutil.which("java"))
    for number, page in enumerate({state.html: state for state in states}.values()):
        (tmp_path / f"{number}.html").write_text(page.html, "utf-8")
    # It runs for seconds: to optimise what it runs, and to collect in threads, takes longer than it saves.
    java = ("java", "-Xss4m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
    checker = [*java, "-jar", NU, "--errors-only", "--format", "gnu", "--skip-non-html", tmp_path]
    checked = subprocess.run(checker, capture_output=True, text=True, check=False)
    assert checked.stderr.splitlines()[:20] == []
    assert checked.returncode == 0


def test_a_page_speaks_one_language(states: tuple[Rendered, ...]) -> None:
    for state in states:
        assert f'<html lang="{state.language}">' in state.html
        assert foreign(words_of_page(state.html), ENGLISH if state.language == "fr" else FRENCH) == [], str(state)


def test_no_page_shows_the_code_it_is_made_of(states: tuple[Rendered, ...]) -> None:
    assert [str(state) for state in states if "&lt;" in state.html] == []


def test_every_page_of_a_table_sounds_alike_and_says_that_it_is_simulated_or_none_does(
    states: tuple[Rendered, ...],
) -> None:
    """What sounds is told to everybody: no seat's page bears another mark."""
    for table in TABLES:
        states_here = [state for state in states if state.path.endswith(f", {table}")]
        of_the_match = [
            state for state in states_here if not state.path.startswith(("/results", "/season", "/otherwise"))
        ]
        tops = {
            top
            for state in of_the_match
            for top in re.findall(r'class="top [^"]+" (data-game="[^"]+"[^>]*>)', state.html)
        }
        assert len(tops) <= 1, table
        assert len({'class="simulated"' in state.html for state in states_here if 'class="top ' in state.html}) == 1, (
            table
        )
