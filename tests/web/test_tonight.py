"""Between matches the big screen lives: slowly, without a touch, and never burnt in."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page, ViewportSize, expect

from companion import games
from companion.access.lobby import Playing, sit
from companion.access.people import Guest
from companion.access.player_looks import ANIMALS, COLOURS, Face
from companion.access.rights_file import Phones
from companion.events import Player
from companion.kit.in_chromium import Glass, Rendered
from companion.kit.random_matches import play
from companion.languages import LANGUAGES
from companion.live.table import Live
from companion.storage.log import Log
from tests.chromium import TELEVISION, Opened, in_still_time
from tests.web.evenings import NIGHT, store_match, turning
from tests.web.table import Clock, app_of, app_with, client_of, living, phones_of

STANDS = 45_000
SCENE = 20_000
"""Milliseconds."""
SIZES: tuple[ViewportSize, ...] = (TELEVISION, {"width": 3840, "height": 2160}, {"width": 1280, "height": 1024})
LONG = ("Maximilian-Alexander", "Wilhelmina-Magdalena", "Ottomar-Quirin-Georg", "MMMMMMMMMMMM", "Bo", "Ἀλέξανδρος")
AMISS = """() => {
  const wrong = [], box = (one) => one.getBoundingClientRect();
  const root = document.querySelector("#tonight");
  document.body.dataset.scene = "scene-all";
  root.style.cssText = "inset: 3.5rem 1.08rem 5.67rem; width: auto; height: auto";
  for (const scene of root.children) {
    scene.classList.add("on");
    const edge = box(scene), parts = [...scene.querySelectorAll("h2, li, p.slip")];
    for (const [at, part] of parts.entries()) {
      const own = box(part), said = `${scene.id}: ${part.textContent.trim()}`;
      if (own.bottom > edge.bottom + 1 || own.right > edge.right + 1) wrong.push(`over the edge: ${said}`);
      if (!part.matches("h2") && part.scrollHeight > part.clientHeight + 6) wrong.push(`too high: ${said}`);
      if (part.scrollWidth > part.clientWidth + 1) wrong.push(`too wide: ${said}`);
      for (const other of parts.slice(at + 1).map(box)) {
        const beside = own.right < other.left + 1 || other.right < own.left + 1;
        if (!beside && own.bottom > other.top + 1 && other.bottom > own.top + 1) wrong.push(`lies on another: ${said}`);
      }
    }
    for (const part of scene.querySelectorAll("li > img, p.slip > *")) {
      const [own, around] = [part, part.parentElement].map(box);
      if (own.top < around.top - 1 || own.bottom > around.bottom + 1) wrong.push(`sticks out: ${part.outerHTML}`);
    }
    for (const code of scene.querySelectorAll("p.slip > img"))
      if (code.offsetHeight * 5 < Math.min(innerHeight, innerWidth)) wrong.push(`too small: ${code.offsetHeight} px`);
    for (const said of scene.querySelectorAll("h2, b, span, strong")) {
      const smallest = Math.min(innerHeight, (innerWidth * 9) / 16) / 27;
      if (said.textContent.trim() && parseFloat(getComputedStyle(said).fontSize) < smallest)
        wrong.push(`too small: ${scene.id}: ${said.textContent.trim()}`);
    }
  }
  return wrong;
}"""
"""What lies on another, sticks out, is cut off, or too small for three metres."""

UNCOVERED = """() => {
  const [felt, scenes] = ["[data-rests]", "#tonight"].map((one) => document.querySelector(one).getBoundingClientRect());
  return Math.max(...["top", "left", "right", "bottom"].map((edge) => Math.abs(felt[edge] - scenes[edge])));
}"""
"""By how many px an edge of the scenes lies beside the felt's."""


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Live]:
    """Two games have been played, one by six with long names."""
    log = Log(tmp_path / "log.sqlite", writes=True)
    six = tuple(Player(seat, name) for seat, name in enumerate(LONG, 1))
    race = play(games.known()["stop-it"], random.Random(5), {}, most=5000, noise=0.0, undo=0.0, people=six)
    for events in (race, *turning()):
        store_match(log, NIGHT, events)
    log.close()
    with living(tmp_path, Clock(), simulated=True) as live:
        yield live


def scene(page: Page) -> str:
    return str(page.evaluate("document.body.dataset.scene ?? ''"))


def test_it_goes_through_the_evening_and_comes_back_to_what_it_waits_for(
    evening: Live, served: Callable[[Flask], Opened]
) -> None:
    page = served(app_of(evening))("/big", viewport=TELEVISION, go=in_still_time)
    page.clock.run_for(STANDS - 1000)
    assert scene(page) == ""
    page.clock.run_for(2000)
    expect(page.locator("body")).to_have_attribute("data-scene", "scene-best")
    for following in ("scene-finish", "scene-standings", "scene-next", ""):
        page.clock.run_for(SCENE)
        expect(page.locator("body")).to_have_attribute("data-scene", following)


def test_nothing_of_it_stays_at_one_place(evening: Live, served: Callable[[Flask], Opened]) -> None:
    page = served(app_of(evening))("/big", viewport=TELEVISION, go=in_still_time, reduced_motion="no-preference")
    places = set()
    page.clock.run_for(STANDS + 1)
    for scene_shown in ("scene-best", "scene-finish", "scene-standings"):
        expect(page.locator("body")).to_have_attribute("data-scene", scene_shown)
        page.clock.run_for(SCENE)
        places.add(page.evaluate("document.querySelector('.way-in img').getBoundingClientRect().left"))
    assert len(places) > 2


def test_a_scene_covers_the_felt_wherever_both_have_moved(evening: Live, served: Callable[[Flask], Opened]) -> None:
    page = served(app_of(evening))("/big", viewport=TELEVISION, go=in_still_time)
    page.clock.run_for(STANDS + 1)
    for scene_shown in ("scene-best", "scene-finish", "scene-standings", "scene-next"):
        expect(page.locator("body")).to_have_attribute("data-scene", scene_shown)
        assert page.evaluate(UNCOVERED) < 1
        page.clock.run_for(SCENE)


def test_a_match_that_begins_has_the_screen_at_once(evening: Live, served: Callable[[Flask], Opened]) -> None:
    page = served(app_of(evening))("/big", viewport=TELEVISION, go=in_still_time)
    page.clock.run_for(STANDS + 1)
    expect(page.locator("#scene-best")).to_have_class("scene on")
    evening.begin("stop-it", (Player(1, "Ana"), Player(2, "Bo")), {})
    expect(page.locator("body")).to_have_attribute("data-scene", "")
    page.clock.run_for(STANDS + SCENE)
    assert scene(page) == ""


def test_who_plays_next_stands_there_as_soon_as_they_have_sat_down(evening: Live) -> None:
    phones = phones_of(evening, {})
    phone = client_of(app_with(evening, phones), None)
    assert "Ana" not in phone.get("/big/tonight").text.partition('id="scene-next"')[2]
    seat(phones, 1, "Ana")
    assert "Ana" in phone.get("/big/tonight").text.partition('id="scene-next"')[2]


def seat(phones: Phones, at: int, name: str) -> None:
    face = Face(ANIMALS[at], COLOURS[at])
    phones.change(lambda rights: sit(rights, f"{at}" * 64, at, Guest(name, face), Playing(), by_code=False))


def test_whatever_people_are_called_nothing_lies_on_another_and_all_is_read_across_the_room(
    evening: Live, glass: Glass
) -> None:
    phones = phones_of(evening, {})
    for at, name in enumerate(LONG, 1):
        seat(phones, at, name)
    phone = client_of(app_with(evening, phones), None)
    pages = [scenes_on_big(phone, language) for language in ("fr", "en")]
    assert glass.ask(pages, AMISS, *SIZES) == []


def test_while_nobody_has_sat_down_each_game_has_its_emblem_whole(evening: Live, glass: Glass) -> None:
    phone = client_of(app_of(evening), None)
    assert glass.ask([scenes_on_big(phone, language) for language in LANGUAGES], AMISS, *SIZES) == []


def scenes_on_big(phone: FlaskClient, language: str) -> Rendered:
    scenes = phone.get("/big/tonight", query_string={"lang": language}).text
    page = phone.get("/big", query_string={"lang": language}).text
    empty = '<section id="tonight" aria-hidden="true"></section>'
    assert empty in page
    return Rendered("/big, between matches", language, page.replace(empty, scenes))
