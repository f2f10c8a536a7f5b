"""The sealed reveal across the room: it shows what an act laid open, once, and never what still lies face down."""

from pathlib import Path

from playwright.sync_api import Page, ViewportSize, expect

from companion.devices.sensing import Failed
from companion.events import Player
from companion.kit.in_chromium import Glass, Rendered
from companion.live.demo import Telling
from tests.chromium import Opened
from tests.games.playing import rendering
from tests.games.stop_me_go.live_table import evening
from tests.on_paper import lay
from tests.web.table import TestDemo, app_of

MOVING = "document.getAnimations().filter(one => one.animationName.startsWith('smg-')).length"
BIG: ViewportSize = {"width": 1280, "height": 720}
NARROW = """() => [...document.querySelectorAll(".smg-agents small:not(:empty)")]
  .filter((one) => one.offsetWidth < 3 * parseFloat(getComputedStyle(one).fontSize)).map((one) => one.innerText)"""
SEEN = """() => [...document.querySelector(".smg-agents").children]
  .filter((one) => one.checkVisibility({ opacityProperty: true })).map((one) => one.id)"""


def test_every_card_is_turned_up_in_the_order_of_the_seats_and_the_gangster_is_stamped(
    tmp_path: Path, paper: Page
) -> None:
    with evening(tmp_path) as (table, _):
        show = rendering(table.live)
        table.four({1: 7, 3: 1, 5: 1}, 7, 1, 10, 4)
        lay(paper, show("/big"))
        expect(paper.locator(".smg-reveal")).to_have_count(0)
        expect(paper.locator(".smg-left")).to_contain_text("worth 0–3")
        table.flip()
        lay(paper, show("/big"))
        # The table behind tells nothing of what came of it.
        expect(paper.locator("#spot-1 .smg-fan li")).to_have_count(3)
        expect(paper.locator(".smg-agents .smg-gangster")).to_have_count(0)
        cards = paper.locator(".smg-turn")
        labels = cards.evaluate_all("all => all.map(one => one.ariaLabel)")
        assert labels == ["Ana: STOP", "Bo: GO", "Cléo: GO"]
        expect(paper.locator(".smg-stamp")).to_have_text("CAPTUREDby Ana")
        assert paper.locator(".smg-counts li").all_text_contents()[1:] == ["One STOP so far…"] * 2 + ["One STOP!"]
        table.flip()
        lay(paper, show("/big"))
        expect(paper.locator(".smg-stamp")).to_have_text("GOT AWAY")


def test_a_reveal_plays_once_and_the_next_act_ends_it(tmp_path: Path, opened: Opened) -> None:
    with evening(tmp_path) as (table, address):
        table.four({}, 7, 1, 10, 4)
        big = opened(f"{address}/big", viewport=BIG)
        expect(big.locator("#now")).to_be_visible()
        table.flip()
        reveal = big.locator(".smg-reveal")
        expect(reveal).to_have_count(1)
        reveal.evaluate("one => { one.same = true; }")
        table.live.tell(Failed("reader seat-2", "no answer", 0.0))
        expect(big.locator(".broken").first).to_be_visible()
        assert reveal.evaluate("one => one.same")
        table.gangster(9)
        expect(reveal).to_have_count(0)


def test_a_page_that_comes_later_shows_how_it_ended(tmp_path: Path, opened: Opened) -> None:
    with evening(tmp_path) as (table, address):
        table.four({3: 7}, 7, 1, 10, 4)
        table.flip()
        big = opened(f"{address}/big", viewport=BIG)
        expect(big.locator(".smg-stamp")).to_be_visible()
        assert big.evaluate(MOVING) == 0


def test_in_a_demonstration_the_cards_of_whoever_is_followed_lie_open_and_nobody_elses(
    tmp_path: Path, glass: Glass
) -> None:
    with evening(tmp_path) as (table, _):
        table.gangster(7)
        table.lay("stop", 3)
        table.lay("go-1", 1)
        demo = TestDemo(table.live)
        hand_of_seat = {"hand": ["yellow-go-1"] * 4, "colour": "yellow", "laid": {"gangster-7": "yellow-stop"}}
        demo.telling = Telling("stop-me-go", opening="", hands={1: hand_of_seat, 3: hand_of_seat}, followed=3)
        app = app_of(table.live, demo=demo)
        big, score = (app.test_client().get(path).text for path in ("/big", "/"))
    lines = glass.ask([Rendered("big", "en", big)], SEEN, BIG)
    assert [line.partition(": ")[2] for line in lines] == ["s1", "s3", "s5"]
    fan, hand = (big.partition(f'class="smg-{name}')[2].partition("</ol>")[0] for name in ("fan", "hand"))
    assert fan.count("#smg-stop") == fan.count('class="smg-face-up"') == fan.count("#smg-back") == 1
    assert hand.partition("</small>")[0].count("#smg-go") == 4
    assert '#smg-stop"' not in score.partition('class="smg-fan')[2]


def test_on_a_squarer_screen_four_have_room_for_what_is_said_of_them(tmp_path: Path, glass: Glass) -> None:
    four = tuple(Player(seat, f"Sushi {seat}") for seat in (1, 3, 4, 6))
    with evening(tmp_path, people=four) as (table, _):
        table.gangster(7)
        table.lay("go-1", 1)
        page = app_of(table.live).test_client().get("/big?lang=fr").text
    assert glass.ask([Rendered("four", "fr", page)], NARROW, {"width": 1024, "height": 768}) == []


def test_what_whoever_is_followed_lays_lies_open_until_the_next_gangster_and_is_turned_up_with_the_others(
    tmp_path: Path, paper: Page
) -> None:
    """People see why it was laid, and wait for every card all the same."""
    with evening(tmp_path) as (table, _):
        demo = TestDemo(table.live)
        screen = app_of(table.live, demo=demo).test_client()
        hand_of_seat = {"hand": ["yellow-go-1"] * 4, "colour": "yellow", "laid": {"gangster-7": "yellow-stop"}}
        demo.telling = Telling("stop-me-go", opening="", hands={3: hand_of_seat}, followed=3)
        table.gangster(7)
        for seat, card in ((3, "stop"), (1, "go-1"), (5, "go-1")):
            table.lay(card, seat)
            lay(paper, screen.get("/big").text)
            expect(paper.locator("#spot-1 .smg-face-up")).to_have_count(1)
        table.gangster(1)
        lay(paper, screen.get("/big").text)
        expect(paper.locator("#spot-1 .smg-fan li")).to_have_count(3)
        expect(paper.locator(".smg-face-up")).to_have_count(0)
    with evening(tmp_path / "revealed") as (table, _):
        demo = TestDemo(table.live)
        demo.telling = Telling(
            "stop-me-go", opening="", hands={3: {**hand_of_seat, "laid": {}}}, before={3: hand_of_seat}, followed=3
        )
        table.four({3: 7}, 7, 1, 10, 4)
        table.flip()
        lay(paper, app_of(table.live, demo=demo).test_client().get("/big").text)
    expect(paper.locator(".smg-face-up")).to_have_count(0)
    assert paper.locator(".smg-counts li").all_text_contents()[1:] == [
        "No STOP so far…",
        "One STOP so far…",
        "One STOP!",
    ]


def test_what_can_change_nothing_any_more_is_turned_up_in_one_go(tmp_path: Path) -> None:
    """Below a gangster that is captured, but for the 1: it beats a 10 that may yet be."""
    with evening(tmp_path) as (table, _):
        table.four({1: 7}, 7, 1, 4, 10)
        phone = app_of(table.live).test_client()
        idle = []
        for _ in range(4):
            table.flip()
            idle.append('data-shows="reveal idle"' in phone.get("/big").text)
        assert idle == [False, False, True, False]


def test_while_cards_are_laid_all_see_who_has_laid_and_whose_card_is_still_to_come(tmp_path: Path, paper: Page) -> None:
    with evening(tmp_path) as (table, _):
        show = rendering(table.live)
        lay(paper, show("/big"))
        expect(paper.locator("#agents .smg-held use")).to_have_count(15)
        table.gangster(7)
        lay(paper, show("/big"))
        expect(paper.locator("#spot-1 .smg-due .player-chip")).to_have_count(3)
        table.lay("go-1", 3)
        lay(paper, show("/big"))
        expect(paper.locator("#spot-1 .smg-due .player-chip")).to_have_count(2)
        expect(paper.locator("#spot-1 li:nth-child(2):not(.smg-due) :is(.smg-tick, .player-chip)")).to_have_count(2)


NOBODYS = """() => ["b", ".smg-gangster"].map((css) => {
  const { left, width } = document.querySelector(`.newest > ${css}`).getBoundingClientRect();
  return `${Math.round(left + width / 2)}`;
})"""


def test_where_to_lay_is_said_over_the_gangster_and_over_nobodys_place(tmp_path: Path, glass: Glass) -> None:
    with evening(tmp_path) as (table, _):
        table.gangster(7)
        page = Rendered("/big", "en", rendering(table.live)("/big"))
    over, gangster = (line.partition(": ")[2] for line in glass.ask([page], NOBODYS, BIG))
    assert over == gangster
