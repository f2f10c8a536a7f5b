"""A phone of 360 × 640 with letters twice as large: words stay whole, and the hand is near the beginning."""

import random
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import ViewportSize

from companion import games
from companion.access.rights_file import Phones
from companion.kit.in_chromium import Glass, Rendered
from companion.kit.page_laws import show_each_stage, table, tablet
from companion.live.simulation import Simulation
from companion.live.table import Live
from tests.web.bots.sitting import begin_with_bots, bots_move, look_at
from tests.web.table import Clock, client_of

MOVES = 24
LETTERS_OF_A_LONG_NAME = "W" * 19
"""Of those at the table that `page_laws` shows: nobody has room for it."""
SMALL_PHONE: ViewportSize = {"width": 360, "height": 640}
AT_TWICE_THE_SIZE = """() => {
  document.documentElement.style.fontSize = "200%";
  const wrong = [];
  const isSeen = (element) =>
    element.checkVisibility() && element.offsetWidth !== 1 && !element.closest(".unseen, svg");
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    if (!isSeen(texts.currentNode.parentElement)) continue;
    for (const word of texts.currentNode.data.matchAll(/[\\p{L}\\p{N}!¡?:.,]{2,10}(?![\\p{L}\\p{N}])/gu)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, word.index);
      range.setEnd(texts.currentNode, word.index + word[0].length);
      const tops = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
      if (tops.size > 1) wrong.push(`broken: ${word[0]}`);
    }
  }
  const boxOf = (css) => document.querySelector(css)?.getBoundingClientRect();
  const [points, mark] = [boxOf(".points"), boxOf(".me .simulated")];
  if (points && mark) {
    const isBeside = points.left >= mark.right || mark.left >= points.right;
    if (!isBeside && points.top < mark.bottom && mark.top < points.bottom) wrong.push("the score is covered");
  }
  for (const css of [".hand-held", ".mine .move:enabled:not(.hand-held *)"]) {
    const first = [...document.querySelectorAll(css)].find(isSeen)?.getBoundingClientRect();
    if (first?.top > innerHeight * 1.5) wrong.push(`${css} lies at ${Math.round(first.top)}`);
  }
  const edge = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > edge) wrong.push(`${document.documentElement.scrollWidth} wide`);
  document.documentElement.style.fontSize = "";
  return [...new Set(wrong)];
}"""


@pytest.mark.parametrize("slug", sorted(games.known()))
def test_at_a_seat_words_stay_whole_and_the_hand_is_near(
    slug: str, app: Flask, live: Live, simulation: Simulation, clock: Clock, glass: Glass
) -> None:
    ana = begin_with_bots(app, slug)
    chance = random.Random(5)
    pages: dict[str, Rendered] = {}
    for number in range(MOVES):
        html = ana.get("/seat/1").text
        pages.setdefault(html, Rendered(f"/seat/1, {slug}, {number} moves", "en", html))
        clock.now += 1.0
        live.ask(lambda match: None)
        move = next(filter(None, (bots_move(slug, sight, chance) for sight in simulation.sights.values())), None)
        if move:
            simulation.play(move)
    assert glass.ask([*pages.values()], AT_TWICE_THE_SIZE, SMALL_PHONE) == []


def test_in_the_lobby_names_and_seats_stay_whole(app: Flask, phones: Phones, glass: Glass) -> None:
    phone = client_of(app, None)
    look_at(phone, 3, "Oma", "owl", "violet")
    pages = [Rendered(path, "en", phone.get(path).text) for path in ("/lobby/3", "/join?seat=3", "/seat/3")]
    assert glass.ask(pages, AT_TWICE_THE_SIZE, SMALL_PHONE) == []


@pytest.mark.parametrize("slug", sorted(games.known()))
def test_what_is_entered_at_a_real_table_stays_whole(slug: str, tmp_path: Path, glass: Glass) -> None:
    with table(tmp_path) as live:
        phone = tablet(live)
        pages: dict[str, Rendered] = {}
        for waited_for in show_each_stage(live, games.known()[slug]):
            html = phone.get("/seat/1").text.replace(LETTERS_OF_A_LONG_NAME, " Ana")
            pages.setdefault(html, Rendered(f"/seat/1, {slug}, {waited_for}", "en", html))
    faults = glass.ask([*pages.values()], AT_TWICE_THE_SIZE, SMALL_PHONE)
    assert [fault for fault in faults if " lies at " not in fault] == []
