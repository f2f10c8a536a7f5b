"""The hub's pages as phones and screens show them."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion.club.hub.hub import Hub
from companion.web.hub import board, create_hub
from tests.chromium import Opened
from tests.club.hub.conftest import Joined
from tests.club.hub.tables import about
from tests.club.hub.test_pages import ONE_OF_EACH, view_of
from tests.needs import needs
from tests.waiting import until
from tests.web.table import serving
from tests.web.test_long_names import broken
from tests.web.test_states import AXE, CHECK, TOO_SMALL, WHOLE

IDS = ("abcdefgh234567ab", "bbbbbbbb234567bb", "cccccccc234567cc", "dddddddd234567dd")
WIDER = "document.documentElement.scrollWidth - innerWidth"


def test_every_page_is_for_everybody_and_only_the_tile_that_changed_is_touched(
    hub: Hub, joined: Joined, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs("axe-core", Path(AXE).exists())
    monkeypatch.setattr(board, "COALESCED", 0.01)
    tables = [joined(table) for table in IDS]
    for at, table in enumerate(tables):
        table.say("about", about(f"La grande table ronde du fond {at}"), retain=True)
        table.shows(1, 1.0, view_of(ONE_OF_EACH[at % len(ONE_OF_EACH)]))
    until(lambda: all(one.view for one in hub.follower.tables().values()) and len(hub.follower.tables()) == len(IDS))
    hub.tournament.begin(["Ana", "Bo", "Cléo", "Dédé"], 2, 4)
    hub.tournament.draw([IDS[0]])
    hub.bracket.begin(["Ana", "Bo", "Cléo"], [IDS[0]], by_lot=False)
    with serving(create_hub(hub)) as port:
        page = opened(f"http://127.0.0.1:{port}/", token=None, viewport={"width": 320, "height": 700}, bypass_csp=True)
        assert page.evaluate(broken("grande", "ronde", "stop", "Kartel", "STOP")) == []
        page.evaluate(f"document.getElementById('t-{IDS[1]}').kept = true")
        tables[0].say("about", about("Another name"), retain=True)
        expect(page.locator(f"#t-{IDS[0]} h2")).to_have_text("Another name")
        assert page.evaluate(f"document.getElementById('t-{IDS[1]}').kept")
        page.goto(f"http://127.0.0.1:{port}/keeper")
        page.fill("input[name=code]", hub.keeper.now.code)
        page.get_by_role("button", name="Enter").click()
        for path in ("/", f"/table/{IDS[0]}", "/season", "/tournament", "/bracket", "/find?name=a", "/keeper", "/join"):
            page.goto(f"http://127.0.0.1:{port}{path}")
            assert page.evaluate(WIDER) <= 0, path
            assert page.evaluate(TOO_SMALL) == [], path
            page.add_script_tag(path=AXE)
            assert page.evaluate(CHECK.format(thin="const thin = () => {};", leave="thin", asked=WHOLE)) == [], path
