"""Every game in a real browser: a demonstration plays a whole match by itself while phones look on."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion import games
from companion.game import AnyGame
from companion.live.demo import Demo
from tests.chromium import Opened
from tests.web.table import TestHand, app_of, living, serving

TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"

FAST = "button => { button.form.pace.value = '0.005'; button.form.requestSubmit(button); }"
"""In one go: a fresh fragment would bring the form's own pace back."""


@pytest.mark.parametrize("game", games.known().values(), ids=games.known().keys())
def test_the_demo_plays_by_itself_to_the_end(game: AnyGame, tmp_path: Path, opened: Opened) -> None:
    with living(tmp_path, simulated=True) as live, serving(app_of(live, demo=Demo(live, TestHand(live)))) as port:
        address = f"http://127.0.0.1:{port}"
        table = opened(f"{address}/table", viewport={"width": 360, "height": 740})
        table.get_by_role("button", name=f"Watch a demo match of {game.title}").evaluate(FAST)
        score = opened(f"{address}/", locale="fr-FR", viewport={"width": 360, "height": 740})
        seat = opened(f"{address}/seat/1", viewport={"width": 768, "height": 1024})
        big = opened(f"{address}/big", viewport={"width": 1920, "height": 1080})
        for page in (table, score, seat, big):
            expect(page.locator(".now.won")).to_be_visible(timeout=120_000)
            assert not page.evaluate(TOO_WIDE)
        expect(table.get_by_role("button", name=f"Watch a demo match of {game.title}")).to_be_visible()
    assert live.snapshot.views[None]["over"]
