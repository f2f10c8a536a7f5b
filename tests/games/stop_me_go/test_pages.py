"""The pages of STOP me GO: played by hand to both ends, entered on phones, put right, never cut off."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.events import Said
from companion.kit.in_chromium import Glass, Rendered
from tests.chromium import Opened, in_still_time, module, stop_animations_at, until_news
from tests.games.playing import PHONE, button, papers, rendering, undo
from tests.games.stop_me_go.live_table import evening
from tests.on_paper import Phone
from tests.web.table import Clock, app_of


def card(kind: str) -> str:
    """What lays STOP or GO."""
    return f".smg-pair [value$={kind}]"


def play_round(hand: Phone, clock: Clock) -> None:
    """By hand: Bo alone lays STOP, on the first of four gangsters."""
    for number in (7, 1, 10, 4):
        expect(hand.look().locator(".hand h3")).to_have_text("Which gangster is turned up?")
        hand.press(f"gangster {number}")
        expect(hand.look().locator(".hand")).to_contain_text(f"Everybody lays on gangster {number}")
        if number == 7:
            for name, card in (("Ana", "GO"), ("Bo", "STOP"), ("Cléo", "GO")):
                hand.press(f"{name} lays {card}")
        else:
            hand.press("All others: GO")
    for number in (7, 1, 10, 4):
        clock.now += 1
        hand.press(f"Press, and turn over the cards on gangster {number}")


def test_a_match_is_played_by_hand_to_its_end(tmp_path: Path, paper: Page) -> None:
    with evening(tmp_path) as (table, _):
        phone = papers(table.live, paper)
        hand = phone("/table")
        for winner in (1, 3, 5, 1):
            table.win(winner)
        play_round(hand, table.clock)
        hand.press("worth 2")
        worths = {"Ana, token 1": 1, "Ana, token 2": 0, "Bo, token 1": 2, "Bo, token 2": 3, "Cléo, token 1": 3}
        groups = hand.look().locator(".hand").get_by_role("group").filter(has=paper.get_by_role("radio"))
        for token, worth in worths.items():
            groups.and_(paper.get_by_role("group", name=token)).get_by_role("radio", name=str(worth)).check()
        hand.press(button(paper, "These are the values"))
        expect(hand.look().locator(".won .headline")).to_have_text("Bo wins!")
        assert table.live.ask(lambda match: match.outcome.scores) == {1: 1, 3: 5, 5: 3}
        assert table.misplays == []
        expect(phone("/").look().locator("#s3 .smg-tokens .won")).to_have_text(["2", "3"])
        expect(paper.locator("#s3 strong")).to_have_text("5")


OVER_THE_PICTURE = """() => {
  const [shown, laid] = [".smg-shown", ".smg-chips"].map((css) => document.querySelector(css).getBoundingClientRect());
  return laid.left > shown.left + shown.width / 2 && laid.bottom < shown.bottom ? [] : [JSON.stringify([shown, laid])];
}"""


def test_who_has_laid_stands_beside_the_gangster(tmp_path: Path, glass: Glass) -> None:
    with evening(tmp_path) as (table, _):
        table.gangster(8)
        table.lay("go-1", 3)
        page = rendering(table.live)("/seat/1")
    assert glass.ask([Rendered("seat 1", "en", page)], OVER_THE_PICTURE, PHONE) == []


def test_the_score_shows_what_was_turned_up(tmp_path: Path, paper: Page) -> None:
    with evening(tmp_path) as (table, _):
        page = papers(table.live, paper)("/")
        table.four({1: 7, 3: 7, 5: 1}, 7, 1, 10, 4)
        expect(page.look().locator(".smg-places .due .smg-number")).to_have_text("7")
        table.flip()
        score = page.look()
        expect(score.locator("#spot-1")).to_contain_text("got away")
        expect(score.locator("#spot-1 .smg-open li")).to_have_text(["Ana: STOP", "Bo: STOP", "Cléo: GO"])
        expect(score.locator(".smg-gone .smg-number")).to_have_text(["7"])
        table.gangster(9)
        table.lay("go-1", 5)
        table.lay("stop", 1, 3)
        expect(page.look().locator("#spot-1 .smg-fan li")).to_have_count(3)
        table.flip()
        page.look()
        expect(score.locator("#spot-2")).to_contain_text("Cléo")
        expect(score.locator("#spot-2 .smg-open li")).to_have_text(["Ana: GO", "Bo: GO", "Cléo: STOP"])
        expect(score.locator("#s5 .smg-number")).to_have_text("1")
        table.flip(3)
        page.look()
        expect(score.locator("#spot-1")).to_contain_text("got away")
        expect(score.locator("#s5")).to_contain_text("wins the round")
        table.live.enter(Said(0, 0.0, 5, "token"))
        page.look()
        expect(score.locator("#s5 .smg-tokens .won")).to_have_text(["?"])
        expect(score.locator("#rounds .star")).to_have_text(["1"])


def seen_on(page: Page, time: int, **parts: str) -> set[str]:
    """Name the parts that are seen so many milliseconds after the moment."""
    stop_animations_at(page, time)
    is_hidden = "one => { while (one && getComputedStyle(one).opacity > .5) one = one.parentElement; return !one; }"
    return {name for name, css in parts.items() if page.locator(css).evaluate(is_hidden)}


COUNTED = """() => {
  const flat = matchMedia("(prefers-reduced-motion: reduce)").matches, style = getComputedStyle;
  const all = (css) => [...document.querySelectorAll(css)];
  const open = (one) => flat ? style(one.querySelector(".smg-rear")).opacity < .5
    : style(one).transform === "none" || new DOMMatrix(style(one).transform).m11 > 0;
  const said = all(".smg-counts li").flatMap((one, at) => style(one).opacity > .5 ? [at] : []);
  return [said, [all(".smg-turn").filter(open).length]];
}"""
"""Which sentence of the count is seen, and how many cards are."""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_without_a_big_screen_a_phone_shows_the_reveal_itself_and_counts_with_each_card(
    tmp_path: Path, opened: Opened, motion: str
) -> None:
    parts = {"first": ".smg-counts > :first-child", "stamp": ".smg-stamp", "verdict": ".slip .headline:not(.soon)"}
    with evening(tmp_path) as (table, address):
        table.four({3: 7, 5: 1}, 7, 1, 10, 4)
        phone = opened(f"{address}/seat/1", viewport=PHONE, reduced_motion=motion, go=in_still_time)
        for number in (1, 2):  # the second is played as the first was
            table.flip()
            expect(phone.locator(".smg-turned li")).to_have_count(3)
            expect(phone.locator(".smg-wanted")).to_contain_text(("7", "1")[number - 1])
            assert seen_on(phone, 100, **parts) == {"first"}
            for time in (100, 890, 930, 1290, 1330, 1690, 1730, 2000):
                stop_animations_at(phone, time)
                number_said, number_shown = phone.evaluate(COUNTED)
                assert number_said == number_shown, time
            assert seen_on(phone, 2700, **parts) == {"stamp"}
            assert seen_on(phone, 9000, **parts) == {"verdict"}


def test_a_phone_waits_calmly_for_a_big_screen_that_plays_the_reveal(tmp_path: Path, opened: Opened) -> None:
    parts = {"asked": ".soon", "verdict": ".slip .headline:not(.soon)"}
    with evening(tmp_path) as (table, address):
        table.four({3: 7}, 7, 1, 10, 4)
        big = opened(f"{address}/big")
        phone = opened(f"{address}/seat/1", viewport=PHONE, go=in_still_time)
        until_news(big)
        table.flip()
        expect(phone.locator(".soon")).to_have_count(1)
        expect(phone.locator(".smg-reveal")).to_have_count(0)
        assert seen_on(phone, 100, **parts) == seen_on(phone, 2200, **parts) == {"asked"}
        assert seen_on(phone, 9000, **parts) == {"verdict"}


def test_a_notice_above_a_moment_plays_it_no_second_time(tmp_path: Path, opened: Opened) -> None:
    with evening(tmp_path) as (table, address):
        table.four({3: 7}, 7, 1, 10, 4)
        phone = opened(f"{address}/seat/1", viewport=PHONE, go=in_still_time)
        table.flip()
        expect(phone.locator(".soon")).to_have_count(1)
        assert phone.evaluate(f"""async () => {{
          const moment = () => document.querySelector(".slip [data-moment]"), with_more = live.cloneNode(true);
          moment().stays = true;
          with_more.querySelector(".slip").before(document.createElement("div"));
          ({module("stream")}).connection.source.onmessage({{ data: with_more.innerHTML }});
          return moment().stays;
        }}""")


def test_colours_are_chosen_on_phones(tmp_path: Path, opened: Opened, paper: Page) -> None:
    with evening(tmp_path) as (table, address):
        ana = papers(table.live, paper)("/seat/1")
        bo = opened(f"{address}/seat/3", viewport=PHONE)
        ana.press("green")
        expect(bo.locator("button").filter(has_text="green")).to_have_count(0)
        button(bo, "red").click()
        undo(bo)
        ana.press("gangster 9")
        expect(ana.look().locator(".smg-pair button")).to_have_text(["capture it", "let it go"])
        expect(bo.locator("#pick-violet")).to_be_visible()
        expect(bo.locator(".smg-pair:visible")).to_have_count(0)
        bo.get_by_text("violet").click()
        table.lay("go-1", 5)  # that takes blue away, and leaves the choice as it is
        expect(bo.locator(".now")).to_have_text("Lay a card on gangster 9, in secret.")
        bo.locator(f"{card('go')}:visible").click()
        expect(bo.locator(".smg-note")).to_contain_text("Laid on gangster 9")
        assert table.live.ask(lambda match: dict(match.state.holders)) == {"green": 1, "violet": 3, "blue": 5}
        assert table.misplays == []


def test_a_card_laid_before_the_others_is_changed_or_taken_back_by_its_owner_alone(tmp_path: Path, paper: Page) -> None:
    def laid() -> dict[int, str]:
        return table.live.ask(lambda match: dict(match.state.laying))

    with evening(tmp_path) as (table, _):
        table.four({}, 7)
        table.gangster(3)
        ana, bo, score = (papers(table.live, paper)(path) for path in ("/seat/1", "/seat/3", "/"))
        bo.press(bo.look().locator(card("go")))
        expect(bo.look().get_by_text("It was the wrong card")).to_have_count(1)
        assert bo.press(paper.locator(card("stop"))) == "Noted."
        assert laid() == {3: "yellow-stop"}
        expect(score.look().locator("#s3")).to_contain_text("✓ played")
        expect(ana.look().locator(".smg-chips")).to_contain_text("Bo")
        expect(paper.locator(".just-done button")).to_have_count(0)
        bo.press("I have laid nothing: take it back")
        expect(bo.look().locator(".smg-pair button")).to_have_count(2)
        expect(score.look().locator("#s3")).to_contain_text("… choosing")
        assert laid() == {}


def test_a_laid_card_that_must_stay_is_not_offered_anew(tmp_path: Path, paper: Page) -> None:
    with evening(tmp_path, allow_change=False) as (table, _):
        table.gangster(7)
        table.lay("go-1", 3)
        bo, hand = (papers(table.live, paper)(path) for path in ("/seat/3", "/table"))
        expect(bo.look().get_by_text("I have laid nothing: take it back")).to_have_count(1)
        expect(paper.locator(".smg-pair")).to_have_count(0)
        expect(button(hand.look(), "Bo lays GO")).to_be_disabled()
        expect(button(paper, "Ana lays GO")).to_be_enabled()


def test_cards_are_turned_up_and_tokens_taken_on_phones(tmp_path: Path, paper: Page) -> None:
    with evening(tmp_path) as (table, _):
        table.four({3: 7}, 7, 8, 9, 10)
        ana, bo = (papers(table.live, paper)(f"/seat/{seat}") for seat in (1, 3))
        for number, phone in zip((7, 8, 9, 10), (ana, bo, ana, bo), strict=True):
            table.clock.now += 1
            phone.press(f"Turn over {number}")
        expect(ana.look().locator(".now")).to_have_text("Bo’s turn: take a token.")
        expect(paper.get_by_role("button", name="I have taken a token")).to_have_count(0)
        bo.press("I have taken a token")
        expect(bo.look().locator(".smg-own .won")).to_have_count(1)
        expect(button(ana.look(), "gangster 7")).to_be_enabled()
        assert table.misplays == []


def test_values_half_entered_survive_a_renewal(tmp_path: Path, opened: Opened) -> None:
    with evening(tmp_path) as (table, address):
        for winner in (1, 3, 5, 1, 3):
            table.win(winner)
        phone = opened(f"{address}/host", viewport=PHONE)
        choice = phone.get_by_role("group", name="Cléo, token 1").get_by_role("radio", name="3")
        choice.check()
        table.gangster(1)
        expect(phone.locator(".hint")).to_contain_text("No more gangsters come")
        expect(choice).to_be_checked()
        groups = phone.locator("#host-task").get_by_role("group").filter(has=phone.locator("legend"))
        for group in groups.filter(has_not_text="Cléo").all():
            group.get_by_role("radio", name="0").check()
        button(phone, "These are the values").click()
        expect(phone.locator(".won .headline")).to_have_text("Cléo wins!")


def test_the_host_gives_everybody_a_colour_beforehand(tmp_path: Path, paper: Page) -> None:
    with evening(tmp_path) as (table, _):
        phone = papers(table.live, paper)
        host = phone("/host/match")
        host.look().get_by_text("Options of STOP me GO").click()
        colours = paper.get_by_role("group", name="Who plays which colour")
        colours.get_by_label("seat 1").select_option("violet")
        colours.get_by_label("seat 5").select_option(label="green")
        host.press(button(paper, "Start the match"))
        score = phone("/").look()
        expect(score.locator("#s1 .player-chip")).to_have_class(re.compile("c-violet"))
        expect(score.locator("#s3")).to_contain_text("no card yet")
        options = table.live.ask(lambda match: match.started.options)
        assert options == {"colours": {"1": "violet", "5": "green"}}
        table.gangster(3)
        phone("/seat/5").press(phone("/seat/5").look().locator(card("go")))
        assert table.live.ask(lambda match: dict(match.state.laying)) == {5: "green-go-1"}


def test_a_match_that_goes_on_tells_its_tokens_and_no_dashes(tmp_path: Path, paper: Page) -> None:
    with evening(tmp_path) as (table, _):
        table.win(3)
        final = papers(table.live, paper)("/results/1").look().locator("#final")
    tokens = final.locator(".smg-won").evaluate_all("all => all.map(one => one.ariaLabel)")
    assert tokens == ["tokens: 0 of 3", "tokens: 1 of 3", "tokens: 0 of 3"]
    assert "–" not in final.inner_text()


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "All others share second place."), ("fr", "Tous les autres partagent la deuxième place.")],
)
def test_where_tokens_alone_decide_the_result_says_that_all_others_are_equal(
    tmp_path: Path, language: str, sentence: str
) -> None:
    with evening(tmp_path) as (table, _):
        phone = app_of(table.live).test_client()
        for _ in range(3):
            assert sentence not in phone.get(f"/results/1?lang={language}").text
            table.win(3)
        assert sentence in phone.get(f"/results/1?lang={language}").text
