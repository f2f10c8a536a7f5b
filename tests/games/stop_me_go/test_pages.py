"""The pages of STOP me GO: played by hand to both ends, entered on phones, put right, never cut off."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.events import Said
from tests.chromium import Opened, at, in_still_time
from tests.games.playing import PHONE, button, undo
from tests.games.stop_me_go.live_table import evening
from tests.waiting import until
from tests.web.table import Clock, app_of


def lay(page: Page, kind: str) -> None:
    page.locator(f".smg-pair [value$={kind}]:visible").click()


def play_round(page: Page, clock: Clock) -> None:
    """By hand: Bo alone lays STOP, on the first of four gangsters."""
    for number in (7, 1, 10, 4):
        expect(page.locator(".hand h3")).to_have_text("Which gangster is turned up?")
        button(page, f"gangster {number}").click()
        expect(page.locator(".hand")).to_contain_text(f"Everybody lays on gangster {number}")
        if number == 7:
            for name, card in (("Ana", "GO"), ("Bo", "STOP"), ("Cléo", "GO")):
                button(page, f"{name} lays {card}").click()
        else:
            button(page, "All others: GO").click()
    for number in (7, 1, 10, 4):
        flip = button(page, f"Press, and turn over the cards on gangster {number}")
        expect(flip).to_be_visible()  # so the press before has been judged, and this one is no echo of it
        clock.now += 1
        flip.click()


def test_a_match_is_played_by_hand_to_its_end(tmp_path: Path, opened: Opened) -> None:
    with evening(tmp_path) as (table, address):
        for winner in (1, 3, 5, 1):
            table.win(winner)
        page = opened(f"{address}/table")
        play_round(page, table.clock)
        page.get_by_text("A token with a tag").click()
        button(page, "worth 2").click()
        worths = {"Ana, token 1": 1, "Ana, token 2": 0, "Bo, token 1": 2, "Bo, token 2": 3, "Cléo, token 1": 3}
        for token, worth in worths.items():
            page.get_by_role("group", name=token).get_by_role("radio", name=str(worth)).check()
        button(page, "These are the values").click()
        expect(page.locator(".won .headline")).to_have_text("Bo wins!")
        assert table.live.ask(lambda match: match.outcome.scores) == {1: 1, 3: 5, 5: 3}
        assert table.misplays == []
        page.goto(address)
        expect(page.locator("#s3 .smg-tokens .won")).to_have_text(["2", "3"])
        expect(page.locator("#s3 strong")).to_have_text("5")


def test_who_has_laid_stands_beside_the_gangster(tmp_path: Path, opened: Opened) -> None:
    with evening(tmp_path) as (table, address):
        table.gangster(8)
        table.lay("go-1", 3)
        phone = opened(f"{address}/seat/1", viewport=PHONE)
        shown, laid = phone.locator(".smg-shown").bounding_box(), phone.locator(".smg-chips").bounding_box()
        assert shown
        assert laid
        assert laid["x"] > shown["x"] + shown["width"] / 2
        assert laid["y"] + laid["height"] < shown["y"] + shown["height"]


def test_the_score_shows_what_was_turned_up(tmp_path: Path, opened: Opened) -> None:
    with evening(tmp_path) as (table, address):
        score = opened(f"{address}/")
        table.four({1: 7, 3: 7, 5: 1}, 7, 1, 10, 4)
        expect(score.locator(".smg-places .due .smg-number")).to_have_text("7")
        table.flip()
        expect(score.locator("#spot-1")).to_contain_text("got away")
        expect(score.locator("#spot-1 .smg-open li")).to_have_text(["Ana: STOP", "Bo: STOP", "Cléo: GO"])
        expect(score.locator(".smg-gone .smg-number")).to_have_text(["7"])
        table.gangster(9)
        table.lay("go-1", 5)
        table.lay("stop", 1, 3)
        expect(score.locator("#spot-1 .smg-fan li")).to_have_count(3)
        table.flip()
        expect(score.locator("#spot-2")).to_contain_text("Cléo")
        expect(score.locator("#spot-2 .smg-open li")).to_have_text(["Ana: GO", "Bo: GO", "Cléo: STOP"])
        expect(score.locator("#s5 .smg-number")).to_have_text("1")
        table.flip(3)
        expect(score.locator("#spot-1")).to_contain_text("got away")
        expect(score.locator("#s5")).to_contain_text("wins the round")
        table.live.enter(Said(0, 0.0, 5, "token"))
        expect(score.locator("#agents .lead .smg-name")).to_have_text(["Cléo"])
        expect(score.locator("#s5 .smg-tokens .won")).to_have_text(["?"])
        expect(score.locator("#rounds .star")).to_have_text(["1"])


def seen_on(page: Page, time: int, **parts: str) -> set[str]:
    """Name the parts that are seen so many milliseconds after the moment."""
    at(page, time)
    seen = "one => { while (one && getComputedStyle(one).opacity > .5) one = one.parentElement; return !one; }"
    return {name for name, css in parts.items() if page.locator(css).evaluate(seen)}


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
def test_what_is_counted_changes_with_each_card(tmp_path: Path, opened: Opened, motion: str) -> None:
    with evening(tmp_path) as (table, address):
        table.four({3: 7, 5: 1}, 7, 1, 10, 4)
        phone = opened(f"{address}/seat/1", viewport=PHONE, reduced_motion=motion, go=in_still_time)
        until(lambda: not phone.evaluate("first"))
        table.flip()
        expect(phone.locator(".smg-turned li")).to_have_count(3)
        for time in (100, 890, 930, 1290, 1330, 1690, 1730, 2000):
            at(phone, time)
            said, shown = phone.evaluate(COUNTED)
            assert said == shown, time


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_without_a_big_screen_a_phone_shows_the_reveal_itself(tmp_path: Path, opened: Opened, motion: str) -> None:
    parts = {"first": ".smg-counts > :first-child", "stamp": ".smg-stamp", "verdict": ".slip .headline:not(.soon)"}
    with evening(tmp_path) as (table, address):
        table.four({3: 7, 5: 1}, 7, 1, 10, 4)
        phone = opened(f"{address}/seat/1", viewport=PHONE, reduced_motion=motion, go=in_still_time)
        until(lambda: not phone.evaluate("first"))  # what comes from now on is played
        for number in (1, 2):  # the second is played as the first was
            table.flip()
            expect(phone.locator(".smg-turned li")).to_have_count(3)
            expect(phone.locator(".smg-wanted")).to_contain_text(("7", "1")[number - 1])
            assert seen_on(phone, 100, **parts) == {"first"}
            assert seen_on(phone, 2700, **parts) == {"stamp"}
            assert seen_on(phone, 9000, **parts) == {"verdict"}


def test_a_phone_waits_calmly_for_a_big_screen_that_plays_the_reveal(tmp_path: Path, opened: Opened) -> None:
    parts = {"asked": ".soon", "verdict": ".slip .headline:not(.soon)"}
    with evening(tmp_path) as (table, address):
        table.four({3: 7}, 7, 1, 10, 4)
        big, phone = opened(f"{address}/big"), opened(f"{address}/seat/1", viewport=PHONE, go=in_still_time)
        until(lambda: not (big.evaluate("first") or phone.evaluate("first")))
        table.flip()
        expect(phone.locator(".soon")).to_have_count(1)
        expect(phone.locator(".smg-reveal")).to_have_count(0)
        assert seen_on(phone, 100, **parts) == seen_on(phone, 2200, **parts) == {"asked"}
        assert seen_on(phone, 9000, **parts) == {"verdict"}


def test_a_notice_above_a_moment_plays_it_no_second_time(tmp_path: Path, opened: Opened) -> None:
    with evening(tmp_path) as (table, address):
        table.four({3: 7}, 7, 1, 10, 4)
        phone = opened(f"{address}/seat/1", viewport=PHONE, go=in_still_time)
        until(lambda: not phone.evaluate("first"))
        table.flip()
        expect(phone.locator(".soon")).to_have_count(1)
        assert phone.evaluate("""() => {
          const moment = () => document.querySelector(".slip [data-moment]"), with_more = live.cloneNode(true);
          moment().stays = true;
          with_more.querySelector(".slip").before(document.createElement("div"));
          show(with_more.innerHTML);
          return moment().stays;
        }""")


def test_colours_are_chosen_on_phones(tmp_path: Path, opened: Opened) -> None:
    with evening(tmp_path) as (table, address):
        ana, bo = (opened(f"{address}/seat/{seat}", viewport=PHONE) for seat in (1, 3))
        button(ana, "green").click()
        expect(bo.locator("button").filter(has_text="green")).to_have_count(0)
        button(bo, "red").click()
        undo(bo)
        button(ana, "gangster 9").click()
        expect(ana.locator(".smg-pair button")).to_have_text(["capture it", "let it go"])
        expect(bo.locator("#pick-violet")).to_be_visible()
        expect(bo.locator(".smg-pair:visible")).to_have_count(0)
        bo.get_by_text("violet").click()
        table.lay("go-1", 5)  # that takes blue away, and leaves the choice as it is
        expect(bo.locator(".now")).to_have_text("Lay a card on gangster 9, in secret.")
        lay(bo, "go")
        expect(bo.locator(".smg-note")).to_contain_text("Laid on gangster 9")
        assert table.live.ask(lambda match: dict(match.state.holders)) == {"green": 1, "violet": 3, "blue": 5}
        assert table.misplays == []


def test_a_card_laid_before_the_others_is_changed_or_taken_back_by_its_owner_alone(
    tmp_path: Path, opened: Opened
) -> None:
    with evening(tmp_path) as (table, address):
        table.four({}, 7)
        table.gangster(3)
        bo, score = opened(f"{address}/seat/3", viewport=PHONE), opened(f"{address}/")
        lay(bo, "go")
        bo.get_by_text("It was the wrong card").click()
        lay(bo, "stop")
        expect(bo.locator("#toast")).to_have_text("Noted.")
        assert table.live.ask(lambda match: dict(match.state.laying)) == {3: "yellow-stop"}
        expect(score.locator("#s3")).to_contain_text("✓ laid")
        ana = opened(f"{address}/seat/1", viewport=PHONE)
        expect(ana.locator(".smg-chips")).to_contain_text("Bo")
        expect(ana.locator(".just-done button")).to_have_count(0)
        button(bo, "I have laid nothing: take it back").click()
        expect(bo.locator(".smg-pair button:visible")).to_have_count(2)
        expect(score.locator("#s3")).to_contain_text("… choosing")
        assert table.live.ask(lambda match: dict(match.state.laying)) == {}


def test_a_laid_card_that_must_stay_is_not_offered_anew(tmp_path: Path, opened: Opened) -> None:
    with evening(tmp_path, allow_change=False) as (table, address):
        table.gangster(7)
        table.lay("go-1", 3)
        bo, hand = opened(f"{address}/seat/3", viewport=PHONE), opened(f"{address}/table")
        bo.get_by_text("It was the wrong card").click()
        expect(button(bo, "I have laid nothing: take it back")).to_be_visible()
        expect(bo.locator(".smg-pair")).to_have_count(0)
        expect(button(hand, "Bo lays GO")).to_be_disabled()
        expect(button(hand, "Ana lays GO")).to_be_enabled()


def test_cards_are_turned_up_and_tokens_taken_on_phones(tmp_path: Path, opened: Opened) -> None:
    with evening(tmp_path) as (table, address):
        table.four({3: 7}, 7, 8, 9, 10)
        ana, bo = (opened(f"{address}/seat/{seat}", viewport=PHONE) for seat in (1, 3))
        for number, phone in zip((7, 8, 9, 10), (ana, bo, ana, bo), strict=True):
            flip = button(phone, f"Turn over {number}")
            expect(flip).to_be_visible()
            table.clock.now += 1
            flip.click()
        expect(ana.locator(".now")).to_have_text("Bo’s turn: take a token.")
        expect(ana.get_by_role("button", name="I have taken a token")).to_have_count(0)
        button(bo, "I have taken a token").click()
        expect(bo.locator(".smg-own .won")).to_have_count(1)
        expect(button(ana, "gangster 7")).to_be_enabled()
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


def test_the_host_gives_everybody_a_colour_beforehand(tmp_path: Path, opened: Opened) -> None:
    with evening(tmp_path) as (table, address):
        host = opened(f"{address}/host/match")
        host.get_by_text("Options of STOP me GO").click()
        colours = host.get_by_role("group", name="Who plays which colour")
        colours.get_by_label("seat 1").select_option("violet")
        colours.get_by_label("seat 5").select_option(label="green")
        host.once("dialog", lambda asked: asked.accept())
        button(host, "Start the match").click()
        expect(host.locator("#s1 .player-chip")).to_have_class(re.compile("c-violet"))
        expect(host.locator("#s3")).to_contain_text("no card yet")
        options = table.live.ask(lambda match: match.started.options)
        assert options == {"colours": {"1": "violet", "5": "green"}}
        table.gangster(3)
        phone = opened(f"{address}/seat/5", viewport=PHONE)
        lay(phone, "go")
        expect(phone.locator(".smg-note")).to_be_visible()
        assert table.live.ask(lambda match: dict(match.state.laying)) == {5: "green-go-1"}


def test_a_match_that_goes_on_tells_its_tokens_and_no_dashes(tmp_path: Path, opened: Opened) -> None:
    with evening(tmp_path) as (table, address):
        table.win(3)
        page = opened(f"{address}/results/1", viewport=PHONE)
        expect(page.locator("#final .smg-won")).to_have_count(3)
        assert page.locator("#final .smg-won").evaluate_all("all => all.map(one => one.ariaLabel)") == [
            "tokens: 0 of 3",
            "tokens: 1 of 3",
            "tokens: 0 of 3",
        ]
        assert "–" not in page.locator("#final").inner_text()


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "All others share second place."), ("fr", "Tous les autres partagent la deuxième place.")],
)
def test_where_tokens_alone_decide_the_result_says_that_all_others_are_equal(
    tmp_path: Path, language: str, said: str
) -> None:
    with evening(tmp_path) as (table, _):
        phone = app_of(table.live).test_client()
        for _ in range(3):
            assert said not in phone.get(f"/results/1?lang={language}").text
            table.win(3)
        assert said in phone.get(f"/results/1?lang={language}").text
