"""Kartel's pages: played by hand to the end, entered on phones, put right, never cut off."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from companion.events import Place, Player, Said, Tapped
from companion.games.kartel.cards import TOKENS
from companion.kit.in_chromium import Glass, Rendered
from companion.live.table import Live
from tests.chromium import TELEVISION, Opened
from tests.games.playing import PHONE, button, misplays, on_paper, papers, playing, undo, watched
from tests.web.table import PEOPLE, app_of, living

CENTRE: Place = "centre"
SMALL: ViewportSize = {"width": 1280, "height": 720}


def tap(live: Live, *tokens: str) -> None:
    """Take these tokens, whosever turn it is."""
    live.enter(*(Tapped(0, 0.0, CENTRE, token) for token in tokens))


def lay_ring(live: Live, *first: str) -> None:
    """Read the ring, these first and then in the order of the box, and begin."""
    tap(live, *first, *(token for token in TOKENS if token not in first))
    live.enter(Said(0, 0.0, "host", "ring-done"))


def offered(page: Page) -> int:
    return page.locator("button[name=card]:enabled").count()


def test_a_match_is_played_by_hand_to_its_end(tmp_path: Path, paper: Page) -> None:
    with on_paper("kartel", tmp_path, paper) as (live, phone):
        table = phone("/table")
        turns = ("red 3", "red 2", "red boss", "green money", "blue 1", "violet boss", "red 2", "blue boss")
        for turn, token in enumerate((*turns, "yellow boss", "turquoise boss")):
            expect(table.look().locator(".hand h3")).to_contain_text(
                f"{('Ana', 'Bo', 'Cléo')[turn % 3]}: on which token"
            )
            table.press(token)
        expect(table.look().locator(".won .headline")).to_have_text("Ana wins!")
        assert misplays(live) == []


def test_with_the_ring_every_move_is_played_by_hand_to_the_end(tmp_path: Path, paper: Page) -> None:
    bosses = [token for token in TOKENS if token.endswith("boss")]
    with on_paper("kartel", tmp_path, paper, ring=True) as (live, phone):
        lay_ring(live, "red-1", *bosses)
        table = phone("/table")
        for boss in bosses[:5]:
            table.press("rolled a 4")
            table.press(boss.replace("-", " "))
        expect(table.look().locator(".won .headline")).to_have_count(1)
        assert misplays(live) == []


def test_the_ring_is_laid_differently_in_the_next_match_and_each_token_once(tmp_path: Path, paper: Page) -> None:
    rings = []
    with on_paper("kartel", tmp_path, paper, ring=True, money=False) as (live, phone):
        table = phone("/table")
        for _ in range(2):
            table.press("blue 2")
            expect(table.look().locator(".now")).to_contain_text("1 of 35")
            table.press("Lay all tokens, shuffled")
            expect(table.look().get_by_role("button", name="The ring is complete")).to_have_count(1)
            rings.append(live.ask(lambda match: match.state.ring))
            assert misplays(live) == []
            live.begin("kartel", PEOPLE, {"ring": True, "money": False})
            expect(table.look().locator(".now")).to_contain_text("0 of 35")
    assert len({*rings[0]}) == len(rings[0]) == 35
    assert rings[0] != rings[1]


def test_a_token_that_was_missed_is_read_in_after_the_one_before_it(tmp_path: Path, paper: Page) -> None:
    first, second, *rest_of_ring = TOKENS
    with on_paper("kartel", tmp_path, paper, ring=True) as (live, phone):
        tap(live, first, *rest_of_ring)
        table = phone("/table")
        table.look().get_by_text("One was missed").click()
        table.press("after: " + first.replace("-", " "))
        table.press(second.replace("-", " "))
        table.press("The ring is complete: begin")
        expect(table.look().locator(".now")).to_contain_text("Ana")
        assert live.ask(lambda match: match.state.ring) == TOKENS


def test_only_the_active_players_phone_offers_tokens_and_none_that_is_gone(tmp_path: Path, paper: Page) -> None:
    with on_paper("kartel", tmp_path, paper) as (live, phone):
        ana = phone("/seat/1")
        bo = phone("/seat/3")
        assert offered(bo.look()) == 0
        assert offered(ana.look()) == 35  # the two 2s of a gang are one choice
        ana.press("red 2")
        expect(bo.look().locator(".now")).to_contain_text("Your turn. Roll")
        assert offered(bo.look()) == 35
        assert offered(ana.look()) == 0
        bo.press("red 2")
        expect(bo.look().locator(".now")).to_contain_text("Cléo’s turn: roll")
        tap(live, "red-3")
        page = ana.look()
        expect(button(page, "red 2")).to_be_disabled()
        expect(button(page, "red 3")).to_be_disabled()
        assert offered(page) == 33
        assert misplays(live) == []


def test_a_jailed_boss_has_everybody_turn_his_tokens_and_a_slip_is_taken_back(
    tmp_path: Path, opened: Opened, paper: Page
) -> None:
    with playing("kartel", tmp_path) as (live, address):
        tap(live, "red-3", "red-money")
        cleo = opened(f"{address}/seat/5", viewport=PHONE)
        button(cleo, "red boss").click()
        expect(cleo.locator(".just-done button")).to_have_count(1)
        score = papers(live, paper)("/").look()
        expect(score.locator(".news .more")).to_contain_text("Ana +6 and Bo −3.")
        expect(score.locator("#turn-over")).to_contain_text("1\u00a0of\u00a0Ana’s, 1\u00a0of\u00a0Bo’s")
        expect(score.locator(".ka-cells .taken")).to_have_text(["Cléo"])
        expect(score.locator("#s1 strong")).to_have_text("3")
        expect(score.locator("#s1 .closed")).to_have_attribute("aria-label", "red: 3, boss in prison: gangsters +3")
        expect(score.locator("#s3 .closed")).to_have_attribute("aria-label", "red: $, boss in prison: money 0")
        undo(cleo)
        expect(button(cleo, "red boss")).to_be_enabled()
        papers(live, paper)("/").look()
        expect(score.locator(".ka-cells .taken")).to_have_count(0)
        expect(score.locator("#s1 strong")).to_have_text("−3")
        expect(score.locator("#s3 strong")).to_have_text("3")


def test_the_die_and_the_tokens_in_reach_on_a_phone(tmp_path: Path, paper: Page) -> None:
    with on_paper("kartel", tmp_path, paper, ring=True) as (live, phone):
        ana = phone("/seat/1")
        score = phone("/")
        undo = ".just-done button"
        ana.press("red boss")
        expect(ana.look().locator(".now")).to_contain_text("1 of 42")
        ana.press(ana.look().locator(undo))
        expect(ana.look().locator(".now")).to_contain_text("0 of 42")
        lay_ring(live)
        ana.press("rolled a 2")
        expect(ana.look().locator(".ka-reach span")).to_have_text(["red boss", "red money"])
        expect(score.look().locator(".ka-rolled")).to_have_attribute("aria-label", "rolled a 2")
        near = score.look().locator(".ka-ring .near")
        assert near.evaluate_all("all => all.map(one => one.id)") == ["red-boss", "red-money"]
        ana.press(ana.look().locator(undo))
        expect(score.look().locator(".ka-ring .near")).to_have_count(0)
        ana.press("rolled a 3")
        ana.press("red 1")
        expect(score.look().locator(".ka-ring li").nth(1)).to_have_attribute("id", "red-2a")
        expect(score.look().locator(".ka-ring [id]").last).to_have_attribute("id", "red-money")
        assert misplays(live) == []


AROUND = """() => {
  const measured = (css) => [...document.querySelectorAll(css)].map((one) => one.getBoundingClientRect());
  const tokens = measured(".ka-ring .ka-token"), wide = tokens[1].width, wrong = [];
  const middles = tokens.map(({ x, y, width, height }) => [x + width / 2, y + height / 2]);
  const { left, right, top, bottom } = measured(".ka-cells")[0];
  if (tokens.length !== 43) wrong.push(`${tokens.length} tokens`);
  if (wide <= (document.body.matches(".big") ? 60 : 45)) wrong.push(`${wide} wide`);
  if (middles.some(([x, y]) => left < x && x < right && top < y && y < bottom)) wrong.push("in the prison");
  const covers = ([x, y], [u, v]) => Math.max(Math.abs(x - u), Math.abs(y - v)) < 0.77 * wide;
  if (middles.some((one, at) => middles.slice(0, at).some((other) => covers(one, other)))) wrong.push("one on another");
  const ways = measured(".ka-ring .ka-onward").filter((one) => one.width);
  if (ways.length !== 2) wrong.push("no way round");
  const off = (from, long, at) => Math.abs(from + long / 2 - at) - long / 2;
  if (ways.some((one) => middles.some(([x, y]) =>
    Math.max(off(one.x, one.width, x), off(one.y, one.height, y)) < 0.46 * wide))) wrong.push("a way on a token");
  if (middles[0][1] >= top) wrong.push("the commissioner does not stand at the top");
  if (middles[0][0] >= middles[1][0]) wrong.push("the next token does not stand to their right");
  return wrong;
}"""


@pytest.mark.parametrize("path", ["/table", "/big"])
def test_every_token_of_the_ring_has_a_place_of_its_own_around_the_prison(
    tmp_path: Path, glass: Glass, path: str
) -> None:
    """Across the room it is larger; at the corners neighbours may touch."""
    with watched("kartel", tmp_path, ring=True) as (live, show):
        lay_ring(live)
        page = show(path)
    assert glass.ask([Rendered(path, "en", page)], AROUND, TELEVISION) == []


def test_the_row_that_is_lit_is_whose_turn_it_is(tmp_path: Path, paper: Page) -> None:
    with on_paper("kartel", tmp_path, paper, ring=True) as (live, phone):
        lay_ring(live, "blue-1")
        page = phone("/big").look()
        lit = page.locator(".ka-people .active .ka-name")
        live.enter(Said(0, 0.0, 1, "roll", 4))
        for path in ("/big", "/"):
            phone(path).look()
            expect(page.locator(".headline")).to_have_text("Ana rolls a 4.")
            expect(lit).to_have_text("Ana")
        tap(live, "blue-1")
        for path in ("/big", "/"):
            phone(path).look()
            expect(page.locator(".headline")).to_have_text("Ana takes the blue 1: −1")
            expect(lit).to_have_text("Bo")
        phone("/big").look()
        expect(page.locator(".ledge .now")).to_have_text("Bo, roll the die.")


def choices(live: Live) -> list[str]:
    """What the big screen writes at each token in reach; "[]" where it goes to prison."""
    page = app_of(live).test_client().get("/big").text
    of = page.partition('class="ka-choices"')[2].partition("</ol>")[0].split("<li>")[1:]
    texts = (
        re.sub(r"<svg.*?</svg>|<[^>]*>|\s+", "", re.split('<span(?: class="several")?>', choice)[1], flags=re.DOTALL)
        for choice in of
    )
    return [f"[]{text}" if "ka-cell" in whole else text for whole, text in zip(of, texts, strict=True)]


def test_the_big_screen_says_what_each_token_in_reach_would_bring_and_to_whom(tmp_path: Path) -> None:
    def takes(seat: int, token: str) -> None:
        live.enter(Said(0, 0.0, seat, "roll", 2))
        tap(live, token)

    bosses = [f"{colour}-boss" for colour in ("red", "green", "yellow", "orange")]
    with living(tmp_path, simulated=True) as live:
        live.begin("kartel", PEOPLE, {"ring": True})
        lay_ring(live, "blue-2a", "blue-money", "violet-2a", "blue-1", "violet-money", "blue-boss", *bosses)
        for seat, token in ((1, "blue-2a"), (3, "blue-money"), (5, "violet-2a")):
            takes(seat, token)
        live.enter(Said(0, 0.0, 1, "roll", 4))
        assert choices(live) == ["−1", "+3", "[]+4−3", "[]0"]
        tap(live, "blue-boss")
        for seat, boss in zip((3, 5, 1), bosses, strict=False):
            takes(seat, boss)
        live.enter(Said(0, 0.0, 3, "roll", 2))
        assert choices(live)[0] == "[]0theend"


@pytest.mark.parametrize("path", ["/seat/1", "/big"])
def test_the_blue_plus_does_not_follow_the_points_of_a_blue_token(tmp_path: Path, path: str) -> None:
    with living(tmp_path, simulated=True) as live:
        live.begin("kartel", PEOPLE, {})
        tap(live, "blue-2a")
        page = app_of(live).test_client().get(path, query_string={"lang": "en"}).text
    headline = page.partition('class="headline"')[2].partition("</p>")[0]
    assert "−2" in headline.partition('class="sign c-blue"')[2]


def test_what_a_jailed_boss_does_to_a_gang_is_shown_from_minus_to_plus(tmp_path: Path, paper: Page) -> None:
    with on_paper("kartel", tmp_path, paper) as (live, phone):
        tap(live, "red-3", "red-money", "blue-money", "green-boss")
        page = phone("/big").look()
        expect(page.locator(".ka-turned > p")).to_have_count(0)  # above it stands that nobody has any
        expect(page.locator(".ka-gains strong")).to_have_text(["−3", "3", "3"])
        tap(live, "red-boss")
        phone("/big").look()
        expect(page.locator(".ka-turned > p")).to_have_text("Boss in prison: losses turn to points, money to nothing!")
        expect(page.locator(".ka-gains strong")).to_have_text(["−3 → 3", "3 → 0", "3"])
        expect(page.locator(".ka-gains .lead .ka-name")).to_have_text(["Ana", "Cléo"])
        expect(page.locator(".ka-turns b")).to_have_text(["−3", "+3", "+3", "0"])
        expect(page.locator(".ka-caught")).to_contain_text("Prison: 2 of 5")
        tap(live, "blue-boss")
        phone("/big").look()
        expect(page.locator(".ka-turned > p")).to_have_text("Boss in prison: the money is worth nothing!")
        expect(page.locator(".news .headline:not(.soon)")).to_have_text("Ana takes the lead with 3")


TOLD = """() => [".headline .sign", ".ka-legend", ".ka-people .ka-name"].map((css) =>
  [...document.querySelectorAll(css)].filter((one) => one.checkVisibility())
    .map((one) => [...one.classList].filter((name) => name.startsWith("c-")).join() || one.innerText).join("; "))"""


def test_across_the_room_everybody_keeps_their_row_and_what_tokens_bring_stays(tmp_path: Path, glass: Glass) -> None:
    tokens = ("red-3", "orange-money", "blue-2a", "red-1", "green-1", "blue-money", "violet-1", "red-money")
    pages = []
    with watched("kartel", tmp_path) as (live, show):
        for token in tokens:
            tap(live, token)
            pages.append(Rendered(token, "en", show("/big")))
    lines = [line.partition(": ")[2] for line in glass.ask(pages, TOLD, SMALL)]
    assert lines[::3] == [f"c-{token.partition('-')[0]}" for token in tokens]
    assert all(re.search("Boss in prison:.*−2 → \\+2.*\\+3 → 0", legend, re.DOTALL) for legend in lines[1::3])
    assert {*lines[2::3]} == {"Ana; Bo; Cléo"}
    assert len(re.findall(r'<li [^>]*class="[^"]*\blead\b', pages[-1].html)) == 1


LIES_OVER = """() => {
  const gangs = [...document.querySelectorAll(".ka-people > li .ka-hold > span")], most = Math.max(...gangs.map(
    (gang) => gang.parentElement.childElementCount));
  return most < 5 ? [`${most} gangs at most`] : gangs.filter((gang) => {
    const row = gang.closest("li"), { bottom, right } = gang.getBoundingClientRect();
    return bottom > row.getBoundingClientRect().bottom ||
      right > row.querySelector("strong").getBoundingClientRect().left;
  }).map((gang) => gang.outerHTML);
}"""


@pytest.mark.parametrize("many", [4, 5, 6])
def test_across_the_room_no_gang_lies_on_the_next_players_row(tmp_path: Path, glass: Glass, many: int) -> None:
    people = (*PEOPLE, Player(6, "Dédé"), Player(2, "Maximilienne"), Player(4, "Renée"))[:many]
    with watched("kartel", tmp_path, people) as (live, show):
        for number in ("1", "2", "3"):
            for colour in ("red", "blue", "green", "yellow", "orange", "violet", "turquoise"):
                tap(live, *(token for token in TOKENS if token.startswith(f"{colour}-{number}")))
        page = show("/big")
    assert glass.ask([Rendered(f"{many}", "en", page)], LIES_OVER, SMALL) == []


MIDDLES = """() => [JSON.stringify(Object.fromEntries([...document.querySelectorAll(".ka-ring [id]")].map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [one.id, [Math.round(x + width / 2), Math.round(y + height / 2)]];
})))]"""


def test_across_the_room_the_star_moves_and_nothing_else(tmp_path: Path, glass: Glass) -> None:
    tokens = (1, "red-1"), (3, "orange-boss"), (5, "orange-money")
    with watched("kartel", tmp_path, ring=True) as (live, show):
        lay_ring(live)
        pages = [show("/big")]
        for seat, token in tokens:
            live.enter(Said(0, 0.0, seat, "roll", 4))
            assert "ka-rolled" in show("/big")
            tap(live, token)
            pages.append(show("/big"))
    lines = glass.ask([Rendered("big", "en", page) for page in pages], MIDDLES, TELEVISION)
    ring, *middles_after = (json.loads(line.partition(": ")[2]) for line in lines)
    for (_, token), middles, page in zip(tokens, middles_after, pages[1:], strict=True):
        assert token not in middles
        if not token.endswith("boss"):  # that is played on the whole stage
            assert middles["commissioner"] == ring[token]
            assert {**ring, **middles, "commissioner": ring["commissioner"]} == ring
            assert page.count(" fresh") == 1


LONG = "Maximilian-Alexander"
LARGE_NEWS = """() => {
  const high = (css) => document.querySelector(css).getBoundingClientRect().height;
  const [slip, news, whom] = [".slip", ".slip .player-chip", ".whom .player-chip"].map(high);
  return slip < innerHeight / 6 && whom > news * 1.8 ? [] : [`${slip} high, ${news} and ${whom}`];
}"""


def test_whom_one_waits_for_is_larger_than_what_another_did_and_when_one_is_next_is_told(
    tmp_path: Path, glass: Glass
) -> None:
    with living(tmp_path) as live:
        live.begin("kartel", (*PEOPLE, Player(6, LONG)), {})
        client = app_of(live).test_client()
        live.enter(Tapped(0, 1.0, "centre", "red-3"))
        pages = {seat: client.get(f"/seat/{seat}").text for seat in (1, 3, 5, 6)}
    then = {seat: re.findall(r'class="then-you">(.*?)<', page) for seat, page in pages.items()}
    assert then == {1: [f"Then Cléo and {LONG}, then you."], 3: [], 5: [], 6: ["Then Cléo, then you."]}
    classes = {seat: re.findall(r'class="phone ([^"]*)"', page)[0].split() for seat, page in pages.items()}
    assert {seat for seat, css_classes in classes.items() if "brief" in css_classes} == {5, 6}
    assert {seat for seat, css_classes in classes.items() if "verdict" in css_classes} >= {1}, (
        "what one did is told in full"
    )
    waiting = [Rendered(f"seat {seat}", "en", pages[seat]) for seat in (5, 6)]
    assert glass.ask(waiting, LARGE_NEWS, {"width": 320, "height": 568}, PHONE) == []
