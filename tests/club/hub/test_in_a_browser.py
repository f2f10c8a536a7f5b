"""The hub's pages as phones and screens show them."""

import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from companion.club.hub.hub import Hub
from companion.club.hub.tournament import Kind
from companion.kit.in_chromium import Glass, Rendered
from companion.web.hub import board, create_hub
from tests.chromium import Opened
from tests.club.hub.conftest import Joined
from tests.club.hub.pages import ONE_OF_EACH, RECORDS, view_of
from tests.club.hub.tables import SpeakingTable, about
from tests.needs import needs
from tests.waiting import until
from tests.web.axe import AXE, CHECK, WHOLE
from tests.web.table import serving
from tests.web.test_long_names import broken
from tests.web.test_states import TOO_SMALL, all_of_scripts

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
    until(
        lambda: (
            all(known_table.view for known_table in hub.follower.tables().values())
            and len(hub.follower.tables()) == len(IDS)
        )
    )
    return tables


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize(("kind", "size"), [("groups", 4), ("swiss", 2), ("round-robin", 3)])
def test_every_page_is_for_everybody(kind: Kind, size: int, hub: Hub, browser: Browser) -> None:
    needs("axe-core", Path(AXE).exists())
    hub.tournament.begin(["Ana", "Bo", "Cléo", "Dédé", "Eve"], 2, size, kind)
    hub.tournament.draw(1, [IDS[0]])
    hub.bracket.begin(["Ana", "Bo", "Cléo"], [IDS[0]], by_lot=False)
    keeper = create_hub(hub).test_client()
    assert keeper.post("/keeper", data={"code": hub.keeper.now.code}).status_code == 303
    hub.keeper.call(hub.tournament.now().of.drawn[0].pods[0].people, time.time())
    paths = ["/", f"/table/{IDS[0]}", "/season", "/tournament", "/bracket", "/find?name=a", "/keeper", "/join"]
    paths += ["/schedule?name=a", "/tournament/certificates?name=a", "/tournament/standings", "/overlay"]
    paths += ["/tournament?round=0&pod=0&name=a"]
    pages = [Rendered(path, "en", keeper.get(path).text) for path in paths]
    page = browser.new_page()
    glass = Glass(page, keeper)
    glass.know(AXE.read_text(encoding="utf-8"))
    check = CHECK.format(thin="const thin = () => {};", leave="thin", asked=WHOLE)
    assert glass.ask(pages, all_of_scripts(WIDER, TOO_SMALL), NARROW) + glass.ask(pages, check, NARROW) == []
    assert glass.ask(pages[:1], broken("grande", "ronde", "stop", "Kartel", "STOP"), NARROW) == []
    page.close()


def test_a_keeper_at_a_phone_reads_how_to_forget_a_table_and_downloads_the_hubs_file(
    hub: Hub, browser: Browser, tables: list[SpeakingTable]
) -> None:
    needs("axe-core", Path(AXE).exists())
    tables[-1].crash()
    until(lambda: hub.follower.tables()[IDS[-1]].state == "lost")
    keeper = create_hub(hub).test_client()
    keeper.post("/keeper", data={"code": hub.keeper.now.code})
    opened = keeper.get("/keeper").text.replace("<details>", "<details open>")
    assert "Forget this table" in opened
    glass = Glass(browser.new_page(), keeper)
    glass.know(AXE.read_text(encoding="utf-8"))
    check = CHECK.format(thin="const thin = () => {};", leave="thin", asked=WHOLE)
    pages = [Rendered("/keeper", "en", opened)]
    assert glass.ask(pages, all_of_scripts(WIDER, TOO_SMALL), NARROW) + glass.ask(pages, check, NARROW) == []
    page = browser.new_page()
    with serving(create_hub(hub)) as port:
        page.goto(f"http://127.0.0.1:{port}/keeper")
        page.fill("input[name=code]", hub.keeper.now.code)
        page.keyboard.press("Enter")
        with page.expect_download() as downloading:
            page.get_by_text("Back up to this phone").click()
        assert downloading.value.path().read_bytes().startswith(b"SQLite format 3")
    page.close()


def test_a_tables_name_beside_a_long_games_does_not_break_within_a_word(
    hub: Hub, joined: Joined, browser: Browser
) -> None:
    view = view_of(next(record for record in RECORDS if record.parts[-3] == "stop_me_go"))
    for table in (joined(letter * 16) for letter in "abcdefgh"):
        table.say("about", {**about("Library"), "simulated": True}, retain=True)
        table.shows(2, 1.0, view)
    until(
        lambda: (
            [known_table.match for known_table in hub.follower.tables().values() if known_table.name == "Library"]
            == [2] * 8
        )
    )
    page = browser.new_page()
    client = create_hub(hub).test_client()
    glass = Glass(page, client)
    sizes: list[ViewportSize] = [{"width": width, "height": 819} for width in (320, 360, 1456)]
    assert glass.ask([Rendered("/", "en", client.get("/").text)], broken("Library"), *sizes) == []
    page.close()


def test_on_one_table_large_nothing_is_printed_over_its_name_and_game(
    hub: Hub, tables: list[SpeakingTable], browser: Browser
) -> None:
    tables[0].say(
        "about", {**about("The table with the terribly long name beside the kitchen door"), "simulated": True}
    )
    until(lambda: hub.follower.tables()[IDS[0]].name.startswith("The table"))
    page = browser.new_page()
    client = create_hub(hub).test_client()
    over = """() => {
      const boxes = [...document.querySelectorAll(".rail > h1, .rail > .counts, .rail nav, footer button")].map(
        one => [one.textContent, one.getBoundingClientRect()]);
      return boxes.flatMap(([text, a], at) => boxes.slice(at + 1).filter(([, b]) =>
        a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
      ).map(([other]) => `${text} / ${other}`));
    }"""
    sizes: list[ViewportSize] = [{"width": 1920, "height": 1080}, {"width": 1280, "height": 720}, NARROW]
    page_shown = Rendered("large", "en", client.get(f"/table/{IDS[0]}").text)
    assert Glass(page, client).ask([page_shown], over, *sizes) == []
    page.close()


def test_the_round_that_is_chosen_is_marked(hub: Hub, browser: Browser) -> None:
    hub.tournament.begin(["Ana", "Bo", "Cy"], 2, 3)
    hub.tournament.draw(1, [])
    hub.tournament.draw(2, [], given_up=1)
    page = browser.new_page()
    client = create_hub(hub).test_client()
    chosen = """() => [...document.querySelectorAll("main section nav a, main nav a[href*=round]")].map(
      one => getComputedStyle(one).fontWeight)"""
    rounds = Glass(page, client).ask([Rendered("", "en", client.get("/tournament?round=1").text)], chosen, NARROW)
    assert [cells[-3:] for cells in rounds] == ["550", "800"]
    page.close()


def test_only_the_tile_that_changed_is_touched(hub: Hub, tables: list[SpeakingTable], opened: Opened) -> None:
    with serving(create_hub(hub)) as port:
        page = opened(f"http://127.0.0.1:{port}/", token=None, viewport=NARROW)
        page.evaluate(f"document.getElementById('t-{IDS[1]}').kept = true")
        tables[0].say("about", about("Another name"), retain=True)
        expect(page.locator(f"#t-{IDS[0]} h2")).to_have_text("Another name")
        assert page.evaluate(f"document.getElementById('t-{IDS[1]}').kept")


def test_what_fits_on_one_sheet_of_paper_is_printed_on_one(hub: Hub, browser: Browser) -> None:
    hub.tournament.begin(["Ana", "Bo", "Cléo", "Dédé", "Eve"], 2, 2, "swiss")
    hub.tournament.draw(1, [])
    hub.bracket.begin(["Ana", "Bo", "Cléo"], [], by_lot=False)
    page = browser.new_page()
    with serving(create_hub(hub)) as port:
        for path in ("/tournament/sheet", "/tournament/standings", "/bracket/sheet"):
            page.goto(f"http://127.0.0.1:{port}{path}")
            assert page.pdf(format="A4").count(b"/Type /Page\n") == 1, path
    page.close()


def test_all_that_stands_on_a_television_can_be_read_across_the_room(hub: Hub, browser: Browser) -> None:
    hub.tournament.begin([f"Player {number}" for number in range(13)], 2, 2, "swiss")
    hub.tournament.draw(1, [])
    hub.keeper.show("cup")
    page = browser.new_page()
    client = create_hub(hub).test_client()
    small = """() => [...document.querySelectorAll(".leading .rounds :is(th, td, small)")].filter(
      one => one.textContent.trim() && parseFloat(getComputedStyle(one).fontSize) < innerHeight / 60
    ).map(one => one.textContent.trim())"""
    sizes: list[ViewportSize] = [{"width": 1920, "height": 1080}, {"width": 1280, "height": 720}]
    assert Glass(page, client).ask([Rendered("/", "en", client.get("/").text)], small, *sizes) == []
    page.close()
