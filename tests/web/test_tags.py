"""The page on which stickers are put on cards: in a real browser, with tags that come onto readers."""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion.devices.sensing import Appeared, Gone, TagKind
from companion.events import PHONE
from companion.languages import LANGUAGES
from companion.live.table import Live
from companion.tags.deck_file import Decks
from tests.chromium import Opened
from tests.web.table import PEOPLE, app_of, living, serving
from tests.web.test_long_names import broken

PHONE_SIZE = {"width": 360, "height": 740}


@pytest.fixture
def tags(tmp_path: Path) -> Path:
    return tmp_path / "tags.toml"


@pytest.fixture
def table(tmp_path: Path, tags: Path) -> Iterator[Live]:
    with living(tmp_path, tags=tags) as live:
        yield live


@pytest.fixture
def enrolling(table: Live) -> FlaskClient:
    return app_of(table, virtual=False).test_client()


def lay(live: Live, uid: str, kind: TagKind = TagKind.STICKER) -> None:
    live.tell(Appeared("centre", uid, live.clock(), kind), Gone("centre", uid, live.clock()))


def uid(number: int) -> str:
    return f"04{number:012X}"


def wanted(page: Page, card: str) -> None:
    expect(page.locator("#next")).to_have_text(card)


def fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_deck_gets_all_its_stickers(table: Live, tags: Path, opened: Opened) -> None:
    with serving(app_of(table, virtual=False)) as port:
        page = opened(f"http://127.0.0.1:{port}/host/table", viewport=PHONE_SIZE)
        page.get_by_role("link", name="Stickers").click()
        page.get_by_role("button", name="Begin with Kartel").click()
        wanted(page, "red boss")
        fits(page)
        lay(table, uid(0))
        wanted(page, "red money")
        expect(page.locator("#said")).to_contain_text("red boss: the sticker is on.")
        expect(page.locator("progress")).to_have_js_property("value", 1)
        page.get_by_role("button", name="Skip").click()
        wanted(page, "red 1")
        lay(table, uid(0))
        expect(page.locator("#odd")).to_contain_text("red boss")
        lay(table, PHONE, TagKind.PHONE)
        expect(page.locator("#said")).to_contain_text("a phone, a bank card or a kind of sticker")
        expect(page.locator("#odd")).to_contain_text("Phones, bank cards and passes: 1")
        every = [uid(number) for number in range(1, 41)]
        laid = [(Appeared("centre", sticker, 0.0, TagKind.STICKER), Gone("centre", sticker, 0.0)) for sticker in every]
        table.tell(*chain.from_iterable(laid))
        wanted(page, "red money")
        expect(page.locator("#count")).to_contain_text("41 of 42")
        lay(table, uid(41))
        expect(page.locator("#all-done")).to_contain_text("every card has its sticker")
        page.get_by_role("button", name="Take back").click()
        wanted(page, "red money")
        lay(table, uid(42))
        expect(page.locator("#count")).to_contain_text("42 of 42")
        page.get_by_role("button", name="End").click()
        expect(page.get_by_role("button", name="Go on with Kartel")).to_be_visible()
        fits(page)
    deck = Decks(tags).deck("kartel")
    assert deck.missing == ()
    assert (deck.tags["red-boss"], deck.tags["red-money"]) == (uid(0), uid(42))


def test_one_card_during_a_match_and_then_the_match_goes_on(
    table: Live, enrolling: FlaskClient, opened: Opened
) -> None:
    table.enrol(lambda enrolment: enrolment.begin("kartel"))
    lay(table, uid(0))
    table.begin("kartel", PEOPLE, {})
    with serving(app_of(table, virtual=False)) as port:
        page = opened(f"http://127.0.0.1:{port}/tags", viewport=PHONE_SIZE)
        page.get_by_text("A sticker is lost or broken").click()
        page.get_by_role("button", name="red boss").click()
        expect(page.locator("#next")).to_have_text("red boss")
        assert "does not count" in enrolling.get("/").text.partition('id="enrolling"')[2]
        lay(table, uid(0))
        expect(page.locator("#said")).to_contain_text("which one is not said while a match is on")
        lay(table, uid(1))
        expect(page.locator("#said")).to_contain_text("red boss has its new sticker")
    assert 'id="enrolling"' not in enrolling.get("/").text
    lay(table, uid(1))
    assert "red boss" in enrolling.get("/").text


def test_what_a_box_holds_is_told_once(table: Live, tags: Path, opened: Opened) -> None:
    with serving(app_of(table, virtual=False)) as port:
        page = opened(f"http://127.0.0.1:{port}/tags", viewport=PHONE_SIZE)
        game = page.locator("#deck-stop-me-go")
        game.get_by_label("Reward tokens worth 2").fill("3")
        game.get_by_role("button", name="Begin with").click()
        expect(page.locator("#count")).to_contain_text("0 of 43 cards")
        page.get_by_role("button", name="End").click()
        expect(game.get_by_label("Reward tokens worth 2")).to_have_value("3")
        brown = page.locator("#deck-stop-it")
        brown.get_by_label("brown").uncheck()
        brown.get_by_role("button", name="Begin with").click()
        expect(page.locator("#count")).to_contain_text("0 of 131 cards")
    assert Decks(tags).deck("stop-me-go").box.tokens_2 == 3


def test_the_page_works_without_a_script(enrolling: FlaskClient, table: Live) -> None:
    begun = enrolling.post("/tags/begin", data={"page": "tags", "game": "kartel", "kartel.box.": ""})
    assert (begun.status_code, begun.location) == (303, "/tags")
    assert b'http-equiv="refresh"' in enrolling.get("/tags").data
    lay(table, uid(0))
    assert b"red money" in enrolling.get("/tags?lang=en").data
    for act in ("skip", "take-back", "end"):
        assert enrolling.post(f"/tags/{act}", data={"page": "tags"}).status_code == 303
    assert table.snapshot.stickers.progress is None


def test_no_uid_is_on_any_page(enrolling: FlaskClient, table: Live, tags: Path) -> None:
    enrolling.post("/tags/begin", data={"page": "tags", "game": "kartel"})
    lay(table, uid(0xABCDEF))
    assert uid(0xABCDEF) in tags.read_text(encoding="utf-8")
    for path in ("/tags", "/host", "/", "/big", "/seat/1"):
        assert b"ABCDEF" not in enrolling.get(path).data.upper()


@pytest.mark.parametrize(
    ("path", "form", "status", "words"),
    [
        ("begin", {"game": "chess"}, 400, "No such game"),
        ("begin", {"game": "kartel", "card": "red-9"}, 400, "no such card"),
        ("begin", {"game": "stop-me-go", "stop-me-go.box.": "", "stop-me-go.box.tokens_0": "99"}, 400, "can’t be"),
        ("choose", {"card": "?"}, 400, "no such card"),
    ],
)
def test_what_cannot_be_done_is_told(
    enrolling: FlaskClient, path: str, form: dict[str, str], status: int, words: str
) -> None:
    if path != "begin":
        enrolling.post("/tags/begin", data={"game": "kartel"})
    answer = enrolling.post(
        f"/tags/{path}", data=form, headers={"Accept": "application/json"}, query_string={"lang": "en"}
    )
    assert answer.status_code == status
    assert answer.json
    assert re.search(words, answer.json["message"])


def test_a_second_phone_that_begins_is_told_and_disturbs_nothing(
    enrolling: FlaskClient, table: Live, tags: Path
) -> None:
    enrolling.post("/tags/begin", data={"game": "stop-it", "stop-it.box.": "", "stop-it.box.colours": ["red", "blue"]})
    lay(table, uid(0))
    for game in ("stop-it", "kartel"):
        stale = {"game": game, f"{game}.box.": "", f"{game}.box.colours": ["red", "blue", "green"]}
        answer = enrolling.post(
            "/tags/begin", data=stale, headers={"Accept": "application/json"}, query_string={"lang": "en"}
        )
        assert answer.status_code == 409
        assert "Stickers are being put on already" in answer.get_json()["message"]
    assert Decks(tags).deck("stop-it").box.colours == ("red", "blue")
    progress = table.snapshot.stickers.progress
    assert progress is not None
    assert (progress.game, progress.next, progress.can_take_back) == ("stop-it", "red-2", True)


def test_a_card_that_lay_there_before_must_be_laid_again(enrolling: FlaskClient, table: Live) -> None:
    enrolling.post("/tags/begin", data={"game": "kartel"})
    assert 'id="lies"' not in enrolling.get("/tags").text
    enrolling.post("/tags/end")
    table.tell(Appeared("centre", uid(0), table.clock()))
    enrolling.post("/tags/begin", data={"game": "kartel"})
    assert "lift it and lay it again" in enrolling.get("/tags?lang=en").text
    table.tell(Gone("centre", uid(0), table.clock()), Appeared("centre", uid(0), table.clock()))
    page = enrolling.get("/tags?lang=en").text
    assert "the sticker is on" in page
    assert 'id="lies"' not in page


def test_a_file_that_cannot_be_written_is_told_at_once(enrolling: FlaskClient, tags: Path) -> None:
    (tags.parent / f"{tags.name}.new").mkdir()
    answer = enrolling.post("/tags/begin", data={"game": "kartel"}, headers={"Accept": "application/json"})
    assert answer.status_code == 503
    assert answer.json
    assert "can't write" in answer.json["message"]


def test_a_table_that_names_no_file_of_tags_is_told_what_to_add(tmp_path: Path) -> None:
    with living(tmp_path) as live:
        enrolling = app_of(live, virtual=False).test_client()
        assert b"Add the line tags = &#34;tags.toml&#34;" in enrolling.get("/tags?lang=en").data
        assert enrolling.post("/tags/begin", data={"game": "kartel"}).status_code == 503


def test_a_virtual_table_says_that_there_is_nothing_to_do(tmp_path: Path) -> None:
    with living(tmp_path, simulated=True) as live:
        assert b"its cards need no stickers" in app_of(live).test_client().get("/tags?lang=en").data


def test_cards_that_are_alike_are_told_apart_by_which_of_them_is_wanted(enrolling: FlaskClient, table: Live) -> None:
    """Else "red 2: the sticker is on. Lay red 2" reads as if the first had not been taken."""
    table.enrol(lambda enrolment: enrolment.begin("kartel", card="red-2a"))
    assert "1 of 2 alike" in enrolling.get("/tags").text
    lay(table, uid(1))
    table.enrol(lambda enrolment: enrolment.begin("kartel", card="red-2b"))
    assert "2 of 2 alike" in enrolling.get("/tags").text
    table.enrol(lambda enrolment: enrolment.end())
    table.enrol(lambda enrolment: enrolment.begin("kartel", card="red-3"))
    assert "alike" not in enrolling.get("/tags").text


def test_in_every_language_the_buttons_words_are_whole_and_the_tables_own_cards_have_its_name(
    table: Live, enrolling: FlaskClient, opened: Opened
) -> None:
    assert "<h2>Tisch</h2>" in enrolling.get("/tags?lang=de").text
    assert "Mit Tisch beginnen" in enrolling.get("/tags?lang=de").text
    enrolling.post("/tags/begin", data={"game": "kartel"})
    lay(table, uid(0))
    with serving(app_of(table, virtual=False)) as port:
        for language in LANGUAGES:
            page = opened(f"http://127.0.0.1:{port}/tags", locale=language, viewport={"width": 390, "height": 844})
            texts = page.locator(".enrol .choices button").all_inner_texts()
            assert len(texts) == 3
            assert page.evaluate(broken(*chain.from_iterable(text.split() for text in texts))) == []
