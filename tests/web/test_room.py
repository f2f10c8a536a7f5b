"""A room of phones in a real browser: they join, play, agree to a correction, hand a seat on, pass on the host."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.access.phones import Phones
from companion.live.table import Live
from tests.chromium import Opened
from tests.web.table import ANAS, BOS, Clock, app_with, living, phones_of, serving, to_count

PHONE = {"width": 360, "height": 740}


def button(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def code_at(host: Page, seat: int) -> str:
    return host.locator(f"#code-{seat} strong").inner_text().replace(" ", "")


def start(page: Page, address: str, names: dict[int, str]) -> None:
    page.goto(f"{address}/host/match")
    page.check("[name=game][value=stop-it]")
    for seat, name in names.items():
        page.locator(".who").get_by_label(f"seat {seat}").fill(name)
    page.on("dialog", lambda asked: asked.accept())
    button(page, "Start the match")
    page.wait_for_url("**/host/codes")


def test_an_evening_with_phones(tmp_path: Path, opened: Opened) -> None:
    clock = Clock()
    with (
        living(tmp_path, clock) as live,
        serving(app_with(live, phones_of(live, {}), virtual=False)) as port,
    ):
        address = f"http://127.0.0.1:{port}"
        host, bo, cleo, looker = (opened(f"{address}/", token=None, viewport=PHONE) for _ in range(4))
        start(host, address, {1: "Ana", 3: "Bo", 5: "Cléo"})
        # Bo scans, Cléo types, Ana sits at the host's phone.
        bo.goto(f"{address}/join/{code_at(host, 3)}")
        bo.wait_for_url("**/seat/3")
        expect(host.locator("#code-3 .state")).to_have_text("a phone holds it")
        cleo.goto(f"{address}/seat/5")
        expect(cleo.locator(".now")).to_contain_text("Who sits at seat 5?")
        typed = code_at(host, 5).lower()
        cleo.get_by_label("Code").fill(f"{typed[:3]} {typed[3:]}")
        button(cleo, "That is me")
        expect(cleo.locator(".me")).to_contain_text("Cléo")
        host.goto(f"{address}/join/{code_at(host, 1)}")
        host.wait_for_url("**/seat/1")
        looker.goto(f"{address}/seat/3")
        expect(looker.locator(".now")).to_contain_text("Who sits at seat 3?")
        looker.goto(f"{address}/host")
        expect(looker.locator(".now")).to_contain_text("Only the host's phone")

        to_count(live, clock)
        button(bo, "4")
        expect(bo.locator(".done")).to_contain_text("Your count is in")
        # Ana, the host, has seen that it is wrong; Cléo agrees.
        looker.goto(f"{address}/")
        host.goto(f"{address}/host")
        host.locator("#last-act", has_text="Bo has counted").get_by_role("button", name="Undo that").click()
        expect(host.locator("#toast")).to_contain_text("another player must agree")
        expect(looker.locator("#question")).to_contain_text("Take back “Bo has counted.”")
        expect(looker.locator("#question button")).to_have_count(0)
        button(cleo, "I agree")
        expect(bo.locator(".now")).to_have_text("Count your red cards.")
        expect(bo.get_by_role("button", name="5", exact=True)).to_be_visible()
        expect(looker.locator("#question")).to_have_count(0)
        assert live.ask(lambda match: dict(match.state.counts)) == {}

        # Bo goes home and hands his seat on to who looked on.
        bo.get_by_text("Hand my seat on").click()
        button(bo, "Show the code")
        code = bo.locator(".ticket strong").inner_text()
        looker.goto(f"{address}/join/{code.replace(' ', '')}")
        looker.wait_for_url("**/seat/3")
        expect(bo.locator(".now")).to_contain_text("Who sits at seat 3?")
        button(looker, "5")
        expect(looker.locator(".done")).to_contain_text("Your count is in")

        # Ana passes on the host's part and goes on playing.
        host.goto(f"{address}/host/table")
        host.get_by_text("Make another phone the host").click()
        button(host, "Show the code")
        code = host.locator(".ticket strong").inner_text()
        cleo.goto(f"{address}/join/{code.replace(' ', '')}")
        cleo.wait_for_url("**/host")
        expect(host.locator(".now")).to_contain_text("Only the host's phone")
        host.goto(f"{address}/seat/1")
        button(host, "2")
        cleo.goto(f"{address}/seat/5")
        button(cleo, "1")
        expect(cleo.locator(".now")).to_contain_text("hit your buzzer to start again")
        assert live.snapshot.views[None]["table"]["rounds"][0]["counts"] == {"1": 2, "3": 5, "5": 1}


def test_at_the_virtual_table_two_commands_and_a_press_are_enough(tmp_path: Path, opened: Opened) -> None:
    with living(tmp_path, Clock(), simulated=True) as live, serving(app_with(live, phones_of(live, {}))) as port:
        address = f"http://127.0.0.1:{port}"
        page = opened(f"{address}/", token=None)
        button(page, "Play stop it! yourself")
        page.wait_for_url("**/table")
        button(page, "Press Ana's buzzer")
        expect(page.locator(".now")).to_contain_text("See a stop card?")
        other = opened(f"{address}/table", token=None)
        expect(other.locator(".now")).to_contain_text("Only the host's phone")


def test_a_phone_that_slept_while_its_seat_went_sees_so_when_it_wakes(
    live: Live, opened: Opened, tmp_path: Path
) -> None:
    phones = phones_of(live, {3: BOS})
    app = app_with(live, phones)
    with serving(app) as port:
        page = opened(f"http://127.0.0.1:{port}/seat/3", token=BOS)
        expect(page.locator(".me")).to_contain_text("Bo")
        page.evaluate("source.close(); dropped = true; heard = -20000")
        phones.change(lambda now: type(now)(now.codes))
        expect(page.locator(".now")).to_contain_text("Who sits at seat 3?")


def test_a_hostile_name_and_code_are_only_text(live: Live, opened: Opened, tmp_path: Path) -> None:
    nasty = "<img src=x onerror=1>"[:20]
    app = app_with(live, phones_of(live, {}), virtual=False)
    with serving(app) as port:
        address = f"http://127.0.0.1:{port}"
        host = opened(f"{address}/host/match", token=None)
        start(host, address, {1: nasty, 3: "{seat}&amp;", 5: ""})
        expect(host.locator("#code-1")).to_contain_text(nasty)
        host.goto(f"{address}/join")
        expect(host.locator(".round-table")).to_contain_text(nasty)
        expect(host.locator(".round-table")).to_contain_text("{seat}&amp;")
        host.goto(f"{address}/join/%3Cimg%20src=x%3E")
        expect(host.locator("#toast")).to_contain_text("No seat here has that code")
        assert host.locator("img[src=x]").count() == 0


def test_codes_are_printed_for_the_seats_alone(live: Live, phones: Phones, opened: Opened) -> None:
    with serving(app_with(live, phones)) as port:
        page = opened(f"http://127.0.0.1:{port}/host/codes", token=ANAS)
        page.emulate_media(media="print")
        expect(page.locator(".codes .ticket svg")).to_have_count(6)
        for ticket in page.locator(".codes .ticket").all():
            expect(ticket).to_be_visible()
        expect(page.locator("nav, button:visible, footer:visible")).to_have_count(1)
        assert not page.locator("nav").is_visible()


@pytest.fixture
def phones(live: Live) -> Phones:
    return phones_of(live, {0: ANAS})
