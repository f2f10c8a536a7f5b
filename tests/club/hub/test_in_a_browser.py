"""The hub's pages as phones and screens show them."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from companion.club.hub.hub import Hub
from companion.kit.in_chromium import Glass, Rendered
from companion.web.hub import board, create_hub
from tests.chromium import Opened
from tests.club.hub.conftest import Joined
from tests.club.hub.tables import SpeakingTable, about
from tests.club.hub.test_pages import ONE_OF_EACH, view_of
from tests.needs import needs
from tests.waiting import until
from tests.web.table import serving
from tests.web.test_long_names import broken
from tests.web.test_states import AXE, CHECK, TOO_SMALL, WHOLE, both

IDS = ("abcdefgh234567ab", "bbbbbbbb234567bb", "cccccccc234567cc", "dddddddd234567dd")
WIDER = "() => document.documentElement.scrollWidth > innerWidth ? ['too wide'] : []"
NARROW: ViewportSize = {"width": 320, "height": 700}


@pytest.fixture
def tables(hub: Hub, joined: Joined, monkeypatch: pytest.MonkeyPatch) -> list[SpeakingTable]:
    """Four, which have told the hub what they show."""
    monkeypatch.setattr(board, "COALESCED", 0.01)
    tables = [joined(table) for table in IDS]
    for at, table in enumerate(tables):
        table.say("about", about(f"La grande table ronde du fond {at}"), retain=True)
        table.shows(1, 1.0, view_of(ONE_OF_EACH[at % len(ONE_OF_EACH)]))
    until(lambda: all(one.view for one in hub.follower.tables().values()) and len(hub.follower.tables()) == len(IDS))
    return tables


@pytest.mark.usefixtures("tables")
def test_every_page_is_for_everybody(hub: Hub, browser: Browser) -> None:
    needs("axe-core", Path(AXE).exists())
    hub.tournament.begin(["Ana", "Bo", "Cléo", "Dédé"], 2, 4)
    hub.tournament.draw([IDS[0]])
    hub.bracket.begin(["Ana", "Bo", "Cléo"], [IDS[0]], by_lot=False)
    keeper = create_hub(hub).test_client()
    assert keeper.post("/keeper", data={"code": hub.keeper.now.code}).status_code == 303
    paths = ("/", f"/table/{IDS[0]}", "/season", "/tournament", "/bracket", "/find?name=a", "/keeper", "/join")
    pages = [Rendered(path, "en", keeper.get(path).text) for path in paths]
    page = browser.new_page()
    glass = Glass(page, keeper)
    glass.know(AXE.read_text(encoding="utf-8"))
    check = CHECK.format(thin="const thin = () => {};", leave="thin", asked=WHOLE)
    assert glass.ask(pages, both(WIDER, TOO_SMALL), NARROW) + glass.ask(pages, check, NARROW) == []
    assert glass.ask(pages[:1], broken("grande", "ronde", "stop", "Kartel", "STOP"), NARROW) == []
    page.close()


def test_only_the_tile_that_changed_is_touched(hub: Hub, tables: list[SpeakingTable], opened: Opened) -> None:
    with serving(create_hub(hub)) as port:
        page = opened(f"http://127.0.0.1:{port}/", token=None, viewport=NARROW)
        page.evaluate(f"document.getElementById('t-{IDS[1]}').kept = true")
        tables[0].say("about", about("Another name"), retain=True)
        expect(page.locator(f"#t-{IDS[0]} h2")).to_have_text("Another name")
        assert page.evaluate(f"document.getElementById('t-{IDS[1]}').kept")
