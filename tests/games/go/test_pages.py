"""The pages of ¡Go!: played by hand to the end, entered on phones, put right, never cut off."""

import itertools
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Locator, Page, expect

from companion.events import Place, Player, Pressed, Said, Tapped
from companion.games.go.bots import choose
from companion.live.simulation import Simulation
from companion.live.table import Live
from tests.chromium import Opened
from tests.games.go.table import COLOURS, cards
from tests.games.playing import PHONE, button, misplays, on_paper, playing
from tests.on_paper import Phone
from tests.web.table import PEOPLE, app_of, living, serving

ROW = "grey-11"
# With a grey row: a series of orange and pink leaves 9; green and blue leave the violet 11; the others 15 and more.
ANA = "O1 O2 P4 O5 P6 P11 O8 P9 K10 K3 R2 Y7"
BO = "B1 B2 B3 G4 G5 G6 B7 B8 G9 O10 K4 V11"
CLEO = "T1 T2 T5 V6 V7 V8 N9 N10 Y3 P3 R4 K7"


def tap(live: Live, place: Place, written: str) -> None:
    live.enter(*(Tapped(0, 0.0, place, card) for card in cards(written)))


def call(live: Live, seat: int, hand: str) -> None:
    """Call, tell the row card, read the caller's hand."""
    live.enter(Pressed(0, 0.0, seat), Tapped(0, 0.0, "row", ROW))
    tap(live, f"seat-{seat}", hand)  # type: ignore[arg-type]


def click(page: Page | Locator, name: str) -> None:
    button(page, name).click()


def hand_of(live: Live, seat: int) -> int:
    return live.ask(lambda match: match.state.call.hands[seat].bit_count())


def tick(page: Page, written: str) -> None:
    for card in cards(written):
        page.locator(f"input[value={card}]").check()


def ticked(page: Page) -> str:
    """What a style sheet counts stands in no element: look for it in what is read aloud."""
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    texts = [node["name"]["value"].strip() for node in nodes if node.get("role", {}).get("value") == "StaticText"]
    at = texts.index("of 12")
    return "".join(texts[at - 1 : at + 1])


def faces(group: Locator) -> list[str]:
    return group.locator(".face").evaluate_all("all => all.map(one => one.ariaLabel)")


@pytest.mark.parametrize("tracking", ["calls", "turns"])
def test_a_match_is_played_by_hand_to_its_end(tmp_path: Path, paper: Page, tracking: str) -> None:
    with on_paper("go", tmp_path, paper, tracking=tracking, target=1) as (live, phone):
        table = phone("/table")
        if tracking == "turns":
            take_turns(table)
        table.press("Ana calls ¡Go!")
        if tracking == "calls":
            table.press(table.look().locator(".hand .offer").first)
        for name in ("Ana", "Bo", "Cléo"):
            table.press(f"Lay {name}’s twelve cards")
        table.press("Take the proposed series")
        expect(table.look().locator(".won .headline")).to_have_count(1)
        assert misplays(live) == []


def take_turns(table: Phone) -> None:
    """Everybody takes a card, from wherever one can be taken, until it is Bo's turn again."""

    def asked(*questions: str) -> Locator:
        expect(table.look().locator(".hand h3")).to_have_text(questions)
        return page.locator(".hand .offer")

    page = table.look()
    table.press(asked("Which card opens the discard pile?", "Which card is open on the row?").first)
    table.press(asked("Which card is open on the row?").first)
    for name, source in (("Ana", "pile"), ("Bo", "discard pile"), ("Cléo", "row"), ("Ana", "pile")):
        offers = asked(f"Which card does {name} take?")
        if source == "pile":
            table.press(offers.filter(has_text="from the pile").first)
        else:
            table.press(page.locator(".touch").and_(page.get_by_label(f"from the {source}")))
        if source == "row":
            table.press(asked("Which card is open on the row?", f"Which card does {name} discard?").first)
        table.press(asked(f"Which card does {name} discard?").first)


def test_a_whole_round_is_entered_on_phones(tmp_path: Path, paper: Page) -> None:
    with on_paper("go", tmp_path, paper) as (live, phone):
        ana, bo, cleo = (phone(f"/seat/{seat}") for seat in (1, 3, 5))
        ana.press(ana.look().locator(".buzzer"))
        ana.press("grey 11")
        expect(cleo.look().locator(".now")).to_have_text("Tap your twelve cards.")
        for player_phone, hand in ((bo, BO), (cleo, CLEO), (ana, ANA)):
            player_phone.press("These are my cards", *(f"input[value={card}]" for card in cards(hand)))
        expect(ana.look().locator(".groups")).to_contain_text("Penalty points: 2 + 7 = 9")
        expect(cleo.look().locator(".now")).to_contain_text("Ana’s turn: choose a series")
        ana.press("Take this series (penalty points: 9)")
        expect(cleo.look().locator("#last-hand")).to_contain_text("Penalty points of your last hand: 15")
        expect(ana.look().locator(".me .points")).to_have_text("1")
        assert misplays(live) == []


def test_what_is_ticked_survives_a_renewal_and_is_counted_until_the_next_round(tmp_path: Path, opened: Opened) -> None:
    with playing("go", tmp_path) as (live, address):
        bo = opened(f"{address}/seat/3", viewport=PHONE)
        live.enter(Pressed(0, 0.0, 1))
        tick(bo, "B1 B2 G11")
        assert ticked(bo) == "3of 12"
        live.enter(Tapped(0, 0.0, "row", ROW))
        tap(live, "seat-3", "B3 G4")
        tap(live, "seat-1", ANA)
        expect(bo.locator(".now")).to_have_text("Tap your twelve cards.")
        assert [box.input_value() for box in bo.locator(".ticks input:checked").all()] == cards("B1 B2 G11")
        expect(bo.locator(".ticks .read")).to_have_count(2)
        assert ticked(bo) == "5of 12"
        click(bo, "These are my cards")
        expect(bo.locator(".ticks .read")).to_have_count(5)
        assert ticked(bo) == "5of 12"
        assert hand_of(live, 3) == 5
        tick(bo, "B7")
        live.enter(Said(0, 0.0, "host", "void"), Pressed(0, 0.0, 5))
        expect(bo.locator(".now")).to_contain_text("Cléo’s turn: tap the row card")
        expect(bo.locator(".ticks input:checked")).to_have_count(0)


def test_a_wrong_card_is_taken_out_and_a_hand_begun_again(tmp_path: Path, paper: Page) -> None:
    with on_paper("go", tmp_path, paper) as (live, phone):
        bo = phone("/seat/3")
        score = phone("/")
        call(live, 1, ANA)
        tap(live, "seat-3", BO.replace("V11", "V10"))

        def read(text: str) -> None:
            expect(score.look().locator("#h3")).to_contain_text(text)

        read("✓ twelve cards")
        bo.press("Take out: violet 10")
        read("… still to read")
        bo.press("These are my cards", "input[value=violet-11]")
        read("✓ twelve cards")
        bo.press("Begin this hand again")
        read("… still to read")
        expect(bo.look().locator(".ticks .read")).to_have_count(0)
        assert hand_of(live, 3) == 0
        assert misplays(live) == []


def test_the_caller_chooses_a_worse_series(tmp_path: Path, paper: Page) -> None:
    with on_paper("go", tmp_path, paper) as (live, phone):
        ana = phone("/seat/1")
        bo = phone("/seat/3")
        score = phone("/")
        call(live, 1, ANA)
        expect(bo.look().locator(".now")).to_have_text("Tap your twelve cards.")
        expect(bo.look().get_by_text("Take this series")).to_have_count(0)
        boxes = ana.look().locator(".ticks:has(b)")
        expect(boxes).to_have_count(4)  # grey is eliminated
        orange_one, two, twice = (f""".ticks [value='"{card}"']""" for card in ("orange-1", "orange-2", "red-2"))
        assert "One value twice" in ana.press("This is the series", orange_one, two, twice)
        ana.press("This is the series", orange_one, two)
        expect(ana.look().locator(".groups")).to_contain_text("Penalty points: 2 + 4 + 5 + 6 + 7 + 8 + 9 + 11 = 52")
        assert faces(bo.look().locator(".mine")) == []
        assert score.look().locator("#h1 .gap").all_text_contents() == ["3", "4", "5", "6", "7", "8", "9", "10", "11"]


def test_after_the_round_everybody_can_follow_how_each_hand_was_divided(tmp_path: Path, paper: Page) -> None:
    with on_paper("go", tmp_path, paper) as (live, phone):
        call(live, 1, ANA)
        live.enter(Said(0, 0.0, 1, "series", "best"))
        tap(live, "seat-3", BO)
        tap(live, "seat-5", CLEO)
        score = phone("/").look()
    assert score.locator(".players > li").evaluate_all("all => all.map(one => one.id)") == ["h1", "h3", "h5"]
    groups = score.locator("#h3 .group")
    expect(groups.locator("dt")).to_have_text(["Series", "Out: grey", "Added to Ana’s series", "Penalty points: 11"])
    assert [faces(group)[:2] for group in groups.all()] == [
        ["blue 1", "blue 2"],
        ["grey 4"],
        ["orange 10"],
        ["violet 11"],
    ]
    expect(score.locator(".bar")).to_have_text(["9", "21 → 11", "18 → 15"])
    expect(score.locator("#h1 .plus")).to_have_text("+1")
    expect(score.locator(".rounds tbody td")).to_have_text(["9+1", "11", "15"])


def test_the_host_calls_a_round_void(tmp_path: Path, paper: Page) -> None:
    with on_paper("go", tmp_path, paper) as (live, phone):
        call(live, 3, BO)
        void = "This round is void: deal again"
        phone("/host").press(void)
        expect(phone("/host").look().locator(".now")).to_contain_text("Ana starts")
        expect(phone("/").look().locator(".rounds tbody")).to_contain_text("called void by the host")
        phone("/table").press(void)
        expect(phone("/").look().locator(".rounds tbody tr")).to_have_count(2)


def test_the_last_cards_are_told_on_a_phone(tmp_path: Path, paper: Page) -> None:
    with on_paper("go", tmp_path, paper) as (live, phone):
        bo = phone("/seat/3")
        bo.press("Bo took the last row card: void")
        expect(bo.look().locator(".now")).to_contain_text("You start")
        bo.press("Bo took the last card of the pile: ¡Go!")
        expect(bo.look().locator(".now")).to_have_text("Tap the open row card.")
        assert misplays(live) == []


def test_a_turn_is_entered_on_a_phone(tmp_path: Path, paper: Page) -> None:
    with on_paper("go", tmp_path, paper, tracking="turns") as (live, phone):
        ana, bo, score = (phone(path) for path in ("/seat/1", "/seat/3", "/"))
        for step, card in (("#tell-discard", "red 7"), ("#tell-row", "grey 11")):
            ana.press(button_of_card(ana, step, card))
            expect(ana.look().locator(step)).to_have_count(0)
        ana.press("red 7, from the discard pile")
        expect(score.look().locator("#centre").get_by_label("red 7")).to_have_count(1)
        ana.press(button_of_card(ana, "#discarding", "red 7"))
        expect(ana.look().locator(".buzzer")).to_have_count(1)
        bo.press(button_of_card(bo, "#taking", "green 3"))
        page = score.look()
        expect(page.locator("#centre div", has_text="Taken by Bo").locator(".back")).to_have_count(1)
        assert page.get_by_text("green 3").count() + page.get_by_label("green 3").count() == 0
        bo.press(button_of_card(bo, "#discarding", "green 3"))
        bo.press(bo.look().locator(".buzzer"))
        expect(score.look().locator(".now")).to_contain_text("Tap your twelve cards.")
        assert misplays(live) == []


def button_of_card(phone: Phone, step: str, card: str) -> Locator:
    """What tells this card, in this step: what is folded offers it once more."""
    return phone.look().locator(step).get_by_role("button", name=card, exact=True, include_hidden=True).first


def test_whoever_waits_sees_what_may_be_taken_and_what_was(tmp_path: Path) -> None:
    def lies(live: Live) -> list[tuple[str, str]]:
        page = app_of(live).test_client().get("/seat/5").text
        lies = page.partition('<dl class="to-take">')[2].partition("</dl>")[0]
        return re.findall(r'aria-label="([^"]+)"|class="(back[^"]*)"', lies)

    with living(tmp_path) as live:
        live.begin("go", PEOPLE, {"tracking": "turns"})
        assert lies(live) == []
        tap(live, "discard", "R7")
        tap(live, "row", "N11")
        assert lies(live) == [("brown 11", ""), ("red 7", ""), ("", "back pile")]
        tap(live, "seat-1", "G3")
        assert lies(live) == [("", "back"), ("brown 11", ""), ("red 7", "")], "of the pile: sealed"
        tap(live, "discard", "G3")
        tap(live, "seat-3", "G3")
        assert lies(live) == [("green 3", ""), ("brown 11", ""), ("red 7", "")]
        assert misplays(live) == []


def test_hands_are_entered_without_a_script(tmp_path: Path, opened: Opened) -> None:
    with playing("go", tmp_path) as (live, address):
        page = opened(f"{address}/seat/1", java_script_enabled=False)
        page.locator(".buzzer").click()
        page.get_by_text("grey", exact=True).first.click()
        click(page, "grey 11")
        tap(live, "seat-1", ANA[:-9])
        tick(page, ANA[-8:])
        click(page, "These are my cards")
        page.get_by_text("Choose another series").click()
        page.get_by_role("group", name="pink").get_by_label("4").check()
        click(page, "This is the series")
        expect(page.locator(".answer")).to_contain_text("Ana’s series stands")
        assert live.ask(lambda match: match.state.call.division.penalty) == 51
        assert misplays(live) == []


LAID = re.compile(r'name="place" value="(seat-\d)">\s*((?:<input type="hidden" name="card" value="[^"]+">\s*)+)')


@pytest.mark.parametrize("colour", ["pink", "green"])
def test_the_hands_that_the_virtual_table_lays_are_whole_and_apart(tmp_path: Path, colour: str) -> None:
    with living(tmp_path, simulated=True) as live:
        live.begin("go", tuple(Player(seat, f"P{seat}") for seat in (1, 2, 4, 6)), {})
        client = app_of(live).test_client()
        live.enter(Pressed(0, 0.0, 2), Tapped(0, 0.0, "row", f"{colour}-4"))
        dealt = {
            place: re.findall(r'value="(\w+-\d+)"', hidden_cards)
            for place, hidden_cards in LAID.findall(client.get("/table").text)
        }
        assert [len(hand) for hand in dealt.values()] == [12, 12, 12, 12]
        assert len({f"{colour}-4", *itertools.chain(*dealt.values())}) == 49
        # The caller laid other cards than those: the others' hands make room for them.
        fives = [f"{other}-5" for other in COLOURS] + [f"{other}-7" for other in COLOURS[:2]]
        live.enter(*(Tapped(0, 0.0, "seat-2", card) for card in fives))
        for place, hidden_cards in LAID.findall(client.get("/table").text):
            live.enter(*(Tapped(0, 0.0, place, card) for card in re.findall(r'value="(\w+-\d+)"', hidden_cards)))
        assert live.ask(lambda match: sorted(match.state.call.hands.values(), key=int.bit_count)[0].bit_count()) == 12
        assert misplays(live) == []


@contextmanager
def dealt(folder: Path) -> Iterator[tuple[Simulation, Flask]]:
    """A match at a simulated table at which nobody plays by themselves."""
    with living(folder, simulated=True) as live:
        simulation = Simulation(live, seed=lambda: "always the same")
        simulation.begin("go", PEOPLE, {})
        yield simulation, app_of(live, simulation=simulation)


def show(simulation: Simulation) -> None:
    """Ana calls as soon as she can, and shows her hand."""
    while "best" not in {move.what for move in simulation.sights[1].moves}:
        moves = [move for sight in simulation.sights.values() for move in sight.moves]
        calls = [move for move in moves if move.what == "show" or (move.what == "call" and move.seat == 1)]
        simulation.play((calls or [move for move in moves if move.what not in ("call", "not-yet")])[0])


def test_no_card_moves_while_a_series_is_put_together(tmp_path: Path, opened: Opened) -> None:
    with dealt(tmp_path) as (simulation, app), serving(app) as port:
        show(simulation)
        ana = opened(f"http://127.0.0.1:{port}/seat/1", viewport=PHONE)
        expect(button(ana, "This is my series")).to_be_disabled()
        expect(ana.locator(".left-so-far")).to_contain_text("Penalty points without a series: ")
        lie = """() => [...document.querySelectorAll(".mine :is(li, button:not(.thing))")]
            .map(one => one.getBoundingClientRect().top + scrollY)"""
        places_before = ana.evaluate(lie)
        best = simulation.sights[1].sees["penalty"]
        chosen = ana.locator("[aria-pressed=true]")
        first = ana.locator(".hand-held button").first
        first.click()
        expect(chosen).to_have_count(1)
        expect(chosen).to_be_focused()
        assert ana.evaluate(lie) == places_before
        left = simulation.sights[1].sees["left_so_far"]
        assert left > best
        expect(ana.locator(".left-so-far")).to_have_text(f"Penalty points with this series: {left}")
        messages: list[str] = []
        ana.on("dialog", lambda dialog: (messages.append(dialog.message), dialog.dismiss()))
        click(ana, "This is my series")
        assert messages == [f"Penalty points of your series: {left}. Of the best one: {best}. Keep yours anyway?"]
        first.click()
        expect(chosen).to_have_count(0)
        assert ana.evaluate(lie) == places_before


def test_a_call_is_golden_only_where_little_is_left_over(tmp_path: Path) -> None:
    with dealt(tmp_path) as (simulation, app):
        phone = app.test_client()
        chance = random.Random(1)
        golden_seen = set[bool]()
        while len(golden_seen) < 2:
            sights = [sight for sight in simulation.sights.values() if sight.moves]
            if any(move.what == "call" for move in simulation.sights[1].moves):
                page = phone.get("/seat/1").text
                left = simulation.sights[1].sees["penalty"]
                assert f"Call ¡Go!? Your penalty points: {left}" in page
                looks = re.findall(r'<button class="move ([\w-]+)"[^>]*>(?:Call ¡Go!|Not yet)', page)
                assert looks == (["big-act", "quiet"] if left <= 15 else ["quiet", "quiet"])
                golden_seen.add(left <= 15)
            moves = [choose(sight, "middle", chance) for sight in sights]
            simulation.play(next(move for move in moves if move and move.what != "call"))
