"""What somebody asks for while others play: it stands on their phones, and is in nobody's way."""

from collections.abc import Callable

import pytest
from flask import Flask
from playwright.sync_api import ViewportSize, expect

from companion.live.simulation import Simulation
from tests.chromium import Opened
from tests.web.bots.sitting import begin_with_bots
from tests.web.table import client_of, post, question, token_of

TOPS = """() => [...document.querySelectorAll(".mine :is(.thing, .shout)")]
    .map((one) => one.getBoundingClientRect().top)"""


@pytest.mark.parametrize("size", [{"width": 390, "height": 844}, {"width": 320, "height": 640}])
def test_a_question_about_something_else_does_not_push_what_a_thumb_is_about_to_hit(
    app: Flask, simulation: Simulation, served: Callable[[Flask], Opened], size: ViewportSize
) -> None:
    ana = begin_with_bots(app, "stop-it")
    simulation.play(next(move for move in simulation.sights[1].moves if move.what == "start"))
    page = served(app)("/seat/1", token=token_of(ana), viewport=size)
    tops = page.evaluate(TOPS)
    assert len(tops) > 1
    assert post(client_of(app, None), "/play/sit", seat=3, name="Tom")[0] == 200
    expect(page.locator("#question")).to_be_in_viewport(ratio=1)
    tops_asked = page.evaluate(TOPS)
    assert tops_asked == pytest.approx(tops, abs=1)
    box = page.locator("#question").bounding_box()
    assert box
    assert box["y"] + box["height"] < min(tops_asked)
    assert post(ana, "/answer", question=question(ana, "/seat/1"), answer="no")[0] == 200
    expect(page.locator("#question")).to_have_count(0)
    assert page.evaluate(TOPS) == pytest.approx(tops, abs=1)
