"""A phone of 360 × 640 with letters twice as large: words stay whole, and the hand is near the beginning."""

import random

import pytest
from flask import Flask
from playwright.sync_api import ViewportSize

from companion.access.rights_file import Phones
from companion.kit.in_chromium import Glass, Rendered
from companion.live.simulation import Simulation
from companion.live.table import Live
from tests.web.bots.sitting import begun, bots_move, look_at
from tests.web.table import Clock, client_of

SMALL_PHONE: ViewportSize = {"width": 360, "height": 640}
AT_TWICE_THE_SIZE = """() => {
  document.documentElement.style.fontSize = "200%";
  const wrong = [];
  const kept = ".me :is(h2, span, small), .round-table :is(b, span), .news .headline, .now, .deck-name, .shout";
  for (const element of document.querySelectorAll(kept)) {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (texts.nextNode())
      for (const word of texts.currentNode.data.matchAll(/[\\p{L}\\p{N}!¡?:.,]{2,10}(?![\\p{L}\\p{N}])/gu)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, word.index);
        range.setEnd(texts.currentNode, word.index + word[0].length);
        const tops = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
        if (element.checkVisibility() && tops.size > 1) wrong.push(`broken: ${word[0]}`);
      }
  }
  for (const [points, mark] of [[document.querySelector(".points"), document.querySelector(".me .simulated")]]) {
    if (!points || !mark) continue;
    const [a, b] = [points, mark].map((element) => element.getBoundingClientRect());
    const apart = a.left >= b.right || b.left >= a.right || a.top >= b.bottom || b.top >= a.bottom;
    if (!apart) wrong.push("the score is covered");
  }
  const hand = document.querySelector(".hand-held");
  if (hand && hand.getBoundingClientRect().top > innerHeight * 1.5)
    wrong.push(`the hand lies at ${Math.round(hand.getBoundingClientRect().top)}`);
  document.documentElement.style.fontSize = "";
  return [...new Set(wrong)];
}"""


@pytest.mark.parametrize("slug", ["crazy-eights", "hearts", "speed-snap"])
def test_at_a_seat_words_stay_whole_and_the_hand_is_near(
    slug: str, app: Flask, live: Live, simulation: Simulation, clock: Clock, glass: Glass
) -> None:
    ana = begun(app, slug)
    chance = random.Random(5)
    pages: dict[str, Rendered] = {}
    for number in range(12):
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
