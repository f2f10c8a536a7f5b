"""The big screen across the room: all there without a touch, whatever the game, the names and the state."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace
from playwright.sync_api import ViewportSize

from companion import games
from companion.events import Player, Started, Tapped
from companion.judge import corrections, views
from companion.judge.match import Match
from companion.kit.in_chromium import Glass, Rendered, at_every_moment
from companion.kit.random_matches import secrets
from companion.languages import LANGUAGES
from companion.live.snapshot import Snapshot
from companion.live.table import Live
from tests.chromium import PHONE, TELEVISION
from tests.web.states import TABLES, rendered
from tests.web.table import app_of, living, scored
from tests.web.test_long_names import broken
from tests.web.test_states import all_of_scripts

SIZES: list[ViewportSize] = [
    {"width": width, "height": height} for width, height in ((1366, 768), (3840, 2160), (1280, 1024))
]
UPRIGHT: ViewportSize = {"width": 768, "height": 1024}
LONG = tuple(Player(seat, f"{seat}WWWWWWWWWWWWWWWWWWW") for seat in range(1, 7))
WORDS = ("Zoë ♥ the Unstoppable Gr", "<b>Léa</b> & fils", "Grandmother Elizabeth", "Maximilian-Alexander", "Bo", "Ana")
SHOWN = [(slug, options) for slug, game in games.known().items() for options in getattr(secrets(game), "SHOWN", ({},))]
"""Every game, with options that look different across the room."""
# What scrolls, lies outside, is cut off, or too small to be read across the room: a sentence is a 40th of the screen.
AMISS = """() => {
  const wrong = [], all = (css) => [...document.querySelectorAll(css)].filter((one) => one.offsetParent);
  const root = document.scrollingElement, box = (one) => one.getBoundingClientRect();
  if (root.scrollHeight > innerHeight || root.scrollWidth > innerWidth) wrong.push("it scrolls");
  for (const one of all(".felt > *, .stage > *, .way-in, .ledge > *, .rail > *")) {
    const own = box(one), inside = one.closest(".rail, .felt, .ledge"), outer = box(inside);
    if (own.bottom > outer.bottom + 1 || own.right > outer.right + 1 || own.top < outer.top - 1)
      wrong.push(`outside: ${one.id || one.className || one.tagName}`);
  }
  for (const one of all(".ledge > *"))
    if (one.scrollWidth > one.clientWidth + 1) wrong.push(`cut off: ${one.className}`);
  for (const one of all(".news .headline, .now, .hint, .way-in b, .counts")) {
    const smallest = Math.min(innerHeight, innerWidth * 9 / 16) / (one.matches(".way-in b, .counts") ? 60 : 40);
    if (parseFloat(getComputedStyle(one).fontSize) < smallest) wrong.push(`too small: ${one.className || one.tagName}`);
  }
  return wrong;
}"""


def states(live: Live, slug: str, options: dict[str, Any], players: tuple[Player, ...] = LONG) -> Iterator[str]:
    """Show a random match to its end, at whatever is new: what is waited for, or has to be put right."""
    chance = random.Random(7)
    codes = set()
    game = games.known()[slug]
    slip = getattr(secrets(game), "SLIP", next(iter(game.deck)))
    match = Match(Started(1, 100.0, slug, players[: game.most_players], options))
    for number in range(600):
        view = views.view(match, None)
        late = min(5, number // 40)
        code = f"{view['table']['now']['code']}-{late}-{view['told'][-1]['misplay'] if view['told'] else ''}"
        if code not in codes:
            codes.add(code)
            live.snapshot = Snapshot(1, simulated=True, views={None: view}, misread=corrections.offered(match))
            yield code
        if view["over"]:
            return
        acts = game.moves.likely(match.state)
        at = match.events[-1].at + 2
        kinds = sorted({type(act).__name__ for act in acts})
        kind = chance.choices(kinds, [{"Tapped": 12, "Pressed": 4, "Said": 3}.get(kind, 1) for kind in kinds])[0]
        act = chance.choice([act for act in acts if type(act).__name__ == kind])
        match.add(replace(act, seq=len(match.events) + 1, at=at))
        if number % 9 == 8:
            match.add(Tapped(len(match.events) + 1, at, "seat-2", slip))


@pytest.mark.parametrize(("slug", "options"), SHOWN)
def test_all_is_there_in_every_state(tmp_path: Path, glass: Glass, slug: str, options: dict[str, Any]) -> None:
    with living(tmp_path, simulated=True) as live:
        pages = at_every_moment(app_of(live).test_client(), ["/big"], states(live, slug, options))
        assert live.snapshot.views[None]["over"]
    assert glass.ask(pages, AMISS, *SIZES) == []


# What everybody must read, and is written smaller than a 30th of the screen, or as small as anything there.
HARDLY_READ = """() => {
  const size = (one) => parseFloat(getComputedStyle(one).fontSize), wrong = [];
  const seen = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !one.closest("svg, [aria-hidden=true], .unseen, .decided, .wordmark") && one.offsetWidth > 1;
  const said = (one) => [...one.childNodes].some((part) => part.nodeType === 3 && part.data.trim());
  const all = [...document.querySelectorAll("main *")].filter((one) => said(one) && seen(one));
  const least = Math.min(...all.map(size));
  const read = ".felt :is(.crowded, .broken, .trouble, .hint, .question > p, .news .headline, .now)";
  const parts = (one) => [one, ...one.querySelectorAll("*")].filter((part) => all.includes(part));
  for (const one of document.querySelectorAll(read))
    for (const part of parts(one).filter((part) => !part.matches("small")))
      if (size(part) < innerHeight / 30 - 0.1 || (size(part) <= least && size(part) < innerHeight / 24))
        wrong.push(`${size(part)}: ${part.textContent.trim().slice(0, 60)}`);
  return wrong;
}"""


@pytest.mark.parametrize("table", TABLES)
def test_the_line_that_everybody_must_read_is_never_the_smallest(glass: Glass, table: str) -> None:
    screens = [page for page in rendered(table) if page.path.startswith("/big")]
    assert glass.ask(screens, HARDLY_READ, TELEVISION) == []


@pytest.mark.parametrize(("slug", "options"), SHOWN)
def test_in_play_neither(tmp_path: Path, glass: Glass, slug: str, options: dict[str, Any]) -> None:
    with living(tmp_path, simulated=True) as live:
        pages = at_every_moment(app_of(live).test_client(), ["/big"], states(live, slug, options))
    assert glass.ask(pages, HARDLY_READ, TELEVISION) == []


# Where a line of text lies on somebody's row, a token or a legend that is not its own, or sticks out of its own.
COVERED = """() => {
  const wrong = new Set(), felt = document.querySelector(".felt"), edge = felt.getBoundingClientRect();
  const seen = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !one.closest(".decided, .once-more, svg, [aria-hidden=true]") && one.offsetWidth !== 1;
  const rows = [...felt.querySelectorAll(".stage ol > li, .stage .ka-legend")].filter(seen);
  const lies = (line, said, own) => {
    const { left, right } = line, [top, bottom] = [0.2, 0.8].map((part) => line.top + part * line.height);
    if (bottom > edge.bottom || right > edge.right + 1) wrong.add(`over the edge: ${said}`);
    for (const row of rows) {
      const box = row.getBoundingClientRect(), name = row.id || row.className;
      if (row.contains(own)) {
        const beside = left < box.left - 16 || box.right + 16 < right;
        if (beside || top < box.top - 1 || box.bottom + 1 < bottom) wrong.add(`sticks out of ${name}: ${said}`);
      } else if (box.left + 1 < right && left + 1 < box.right && box.top < bottom && top < box.bottom)
        wrong.add(`lies on ${name}: ${said}`);
    }
  };
  const all = document.createTreeWalker(felt, NodeFilter.SHOW_TEXT), range = document.createRange();
  while (all.nextNode()) {
    const text = all.currentNode, own = text.parentElement;
    if (!text.data.trim() || !seen(own)) continue;
    range.selectNodeContents(text);
    for (const line of range.getClientRects()) lies(line, text.data.trim(), own);
  }
  for (const one of felt.querySelectorAll(".ka-choices .ka-token"))
    lies(one.getBoundingClientRect(), one.ariaLabel ?? "a token", one);
  return [...wrong];
}"""


@pytest.mark.parametrize("many", [2, 3, 4, 6])
@pytest.mark.parametrize(("slug", "options"), SHOWN)
def test_nothing_lies_on_another_however_far_the_match_and_however_many_play(
    tmp_path: Path, glass: Glass, slug: str, options: dict[str, Any], many: int
) -> None:
    most = min(many, games.known()[slug].most_players)
    people = tuple(Player(seat, name) for seat, name in enumerate(WORDS[:most], 1))
    with living(tmp_path, simulated=True) as live:
        pages = at_every_moment(app_of(live).test_client(), ["/big"], states(live, slug, options, people))
    long = [word for name in WORDS for word in re.findall(r"\w{8,}", name)]
    assert glass.ask(pages, all_of_scripts(COVERED, broken(*long)), TELEVISION) == []


OUT_OF_ORDER = """() => {
  const box = (one) => one.getBoundingClientRect(), wrong = [];
  const ring = [...document.querySelectorAll(".ka-ring li:not(.gone, .ka-onward)")].filter(one => one.offsetParent);
  for (const [at, one] of ring.entries())
    for (const other of ring.slice(at + 1)) {
      const [a, b] = [box(one), box(other)];
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (Math.min(across, down) > a.width * 0.3) wrong.push(`${one.id} lies on ${other.id}`);
    }
  if (ring.length && box(ring.at(-1)).width * 21 < innerHeight) wrong.push("tokens are small");
  return wrong;
}"""
"""Where a token of Kartel's ring lies on the next, or is too small to be followed from three metres."""


def test_kartels_ring_is_followed_across_the_room(tmp_path: Path, glass: Glass) -> None:
    people = tuple(Player(seat, name) for seat, name in enumerate(WORDS[:4], 1))
    with living(tmp_path, simulated=True) as live:
        pages = at_every_moment(app_of(live).test_client(), ["/big"], states(live, "kartel", {"ring": True}, people))
    assert glass.ask(pages, OUT_OF_ORDER, TELEVISION) == []


OVER_THE_EDGE = """() => {
  const edge = document.querySelector(".felt").getBoundingClientRect().bottom;
  return [...document.querySelectorAll(".stage ol > li")].filter((one) => one.getBoundingClientRect().bottom > edge)
    .map((one) => `over the edge: ${one.innerText}`);
}"""


def test_six_of_stop_me_go_stand_on_the_felt_of_a_screen_that_stands_upright(tmp_path: Path, glass: Glass) -> None:
    six = tuple(Player(seat, f"Maximilienne {seat}") for seat in range(1, 7))
    with living(tmp_path, simulated=True) as live:
        pages = at_every_moment(app_of(live).test_client(), ["/big"], states(live, "stop-me-go", {}, six))
    assert glass.ask(pages, OVER_THE_EDGE, UPRIGHT) == []


LIES_ON_ANOTHER = """() => {
  const box = (one) => one.getBoundingClientRect(), wrong = [];
  const groups = [".gone .face, .sitter", ".hand-of > :is(.player, .groups), .go .legend"];
  for (const all of groups.map((css) => [...document.querySelectorAll(`.big .stage :is(${css})`)]))
    for (const [at, one] of all.entries())
      for (const other of all.slice(at + 1)) {
        const [a, b] = [box(one), box(other)];
        if (a.left + 1 < b.right && b.left + 1 < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom)
          wrong.push(`${one.className} lies on ${other.className}`);
      }
  return wrong;
}"""


def test_late_in_a_match_nothing_lies_on_another(glass: Glass) -> None:
    """Nine stops are gone, and the caller's hand is as long as any, on screens that stand upright too."""
    late = [
        page for game in ("stop it!", "¡Go!") for page in rendered(f"late in {game}") if page.path.startswith("/big")
    ]
    assert len(late) == 4
    sizes = (*SIZES, UPRIGHT, PHONE)
    assert glass.ask(late, LIES_ON_ANOTHER, *sizes) == []


SMALL = "() => document.querySelector('.invite .qr').offsetHeight * 7 > innerHeight ? [] : ['the way in is small']"


POSTERS_AMISS = """() => [...document.querySelectorAll(".poster")].flatMap(poster => {
  const [name, says, emblem] = ["h2", "div", "img"].map(part => poster.querySelector(part)), wrong = [];
  for (const { index, 0: word } of name.textContent.matchAll(/\\S+/g)) {
    const range = document.createRange();
    range.setStart(name.firstChild, index);
    range.setEnd(name.firstChild, index + word.length);
    if (new Set([...range.getClientRects()].map(line => line.top)).size > 1) wrong.push(`broken: ${word}`);
  }
  if (says.getBoundingClientRect().bottom > poster.getBoundingClientRect().bottom + 1)
    wrong.push(`cut off: ${says.textContent}`);
  if (emblem.getBoundingClientRect().height < innerHeight / 25) wrong.push(`small: ${name.textContent}`);
  return wrong;
})"""


def test_before_a_match_each_poster_is_read_whole(tmp_path: Path, glass: Glass) -> None:
    with living(tmp_path, simulated=True) as live:
        phone = app_of(live).test_client()
        pages = [Rendered("/big", language, phone.get(f"/big?lang={language}").text) for language in LANGUAGES]
    assert glass.ask(pages, POSTERS_AMISS, TELEVISION, *SIZES) == []


def test_without_a_match_the_way_in_is_large(tmp_path: Path, glass: Glass) -> None:
    with living(tmp_path) as live:
        phone = app_of(live).test_client()
        assert glass.ask(at_every_moment(phone, ["/big"], ["before"]), all_of_scripts(AMISS, SMALL), *SIZES) == []
        live.begin("stop-it", LONG, {})
        page = phone.get("/big", query_string={"lang": "fr"}).text
        assert "Les bras les plus courts" in page.partition('class="now')[2]
        way_in = page.partition('class="way-in')[2]
        assert "<img" in way_in
        assert re.search("<b>.*192.168.4.1:8000", way_in)


TOUCHED = """() => document.querySelector(".chairs").checkVisibility() ?
  [...document.querySelectorAll("button:not(.aloud *), a, summary")].filter((one) => one.checkVisibility(
    { visibilityProperty: true }) && one.offsetWidth).map((one) => one.outerHTML) : ["nobody sits there"]"""


def test_it_needs_no_touch(client: FlaskClient, glass: Glass) -> None:
    page = client.get("/big").text
    assert glass.ask([Rendered("/big", "en", page)], TOUCHED, SIZES[0]) == []


HELD = """() => document.querySelector('.won > .headline:not(.soon)').getAnimations()
    .map((one) => one.effect.getTiming().delay)"""
"""For how many milliseconds a page holds the winner's name back; [] where it says it at once."""


LATEST = """() => Math.max(...document.querySelector('.decided').getAnimations({subtree: true})
    .filter((one) => one.effect.target.className !== 'decided').map((one) => one.effect.getComputedTiming().endTime))"""
"""After how many milliseconds all that ended the match is seen."""


ASKED = """() => {
  const box = (one) => one.getBoundingClientRect(), wrong = [], felt = box(document.querySelector(".felt"));
  const all = [...document.querySelectorAll(".steps > li, .beside > *")], way = document.querySelector(".come img");
  for (const [at, one] of all.entries()) {
    const own = box(one), said = one.className;
    if (own.bottom > felt.bottom + 1 || own.right > felt.right + 1) wrong.push(`over the edge: ${said}`);
    if (!one.matches("li") && one.scrollWidth > one.clientWidth + 1) wrong.push(`cut off: ${said}`);
    for (const other of all.slice(at + 1).map(box)) {
      const beside = own.right < other.left + 1 || other.right < own.left + 1;
      if (!beside && own.bottom > other.top + 1 && other.bottom > own.top + 1) wrong.push(`lies on another: ${said}`);
    }
  }
  if (box(document.querySelector(".steps")).height < felt.height / 3) wrong.push("the winners are small");
  if (!way || box(way).height < innerHeight / 14) wrong.push("the way in is small");
  for (const one of document.querySelectorAll(".once-more > ol > li"))
    if (getComputedStyle(one).opacity !== "0") wrong.push("it covers the winners");
    else if (getComputedStyle(one).animationIterationCount !== "1") wrong.push("it comes again");
  return wrong;
}"""
"""What is amiss where who has watched a demonstration is asked to the table."""


def test_it_shows_what_everybody_owes_and_who_has_just_paid(live: Live, app: Flask) -> None:
    scored(live)
    phone = app.test_client()
    assert re.findall(r'class="sitter.*?<strong[^>]*>(\d+)', phone.get("/").text, re.DOTALL) == ["0", "0", "1"]
    assert re.findall(r' pays".*?class="name">([^<]+)', phone.get("/big").text, re.DOTALL) == ["Cléo"]


@pytest.mark.parametrize("slug", sorted(games.known()))
def test_in_a_match_only_cards_bear_the_signs_of_colours(live: Live, app: Flask, slug: str) -> None:
    """A player is known by an animal, and never taken for a suit."""
    live.begin(slug, LONG[: min(4, games.known()[slug].most_players)], {})
    page = app.test_client().get("/big").text
    assert "#chip-fox" in page
    assert "#badge-" not in page
