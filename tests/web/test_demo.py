"""A demonstration in a real browser: it plays a whole match by itself while phones look on."""

from pathlib import Path

from playwright.sync_api import expect

from companion.live.demo import Demo
from tests.chromium import Opened
from tests.web.table import TestHand, app_of, living, serving

FAST = "button => { button.form.pace.value = '0.005'; button.form.requestSubmit(button); }"
"""In one go: a fresh fragment would bring the form's own pace back."""


def test_the_demo_plays_by_itself_to_the_end(tmp_path: Path, opened: Opened) -> None:
    with living(tmp_path, simulated=True) as live:
        with serving(app_of(live, demo=Demo(live, TestHand(live)))) as port:
            table = opened(f"http://127.0.0.1:{port}/table", viewport={"width": 360, "height": 740})
            watch = table.get_by_role("button", name="Watch a demo match of Kartel")
            watch.evaluate(FAST)
            score = opened(f"http://127.0.0.1:{port}/", locale="fr-FR", viewport={"width": 360, "height": 740})
            for page in (table, score):
                expect(page.locator(".won .headline")).to_be_visible()
            expect(watch).to_be_visible()
        assert live.snapshot.views[None]["over"]
