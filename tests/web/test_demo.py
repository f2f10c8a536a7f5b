"""A match that plays itself: how it is told, and the whole of one in a real browser."""

import html
import itertools
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import ViewportSize

from companion import games
from companion.access import lobby
from companion.access.seat_rights import HOST
from companion.events import Player, Tapped
from companion.history.souvenir import Highlight
from companion.kit.in_chromium import Glass, Rendered
from companion.live import demo_script
from companion.live.demo import HOW, Demo, Telling
from companion.live.pause import Why
from companion.live.table import Live
from companion.web.render.podium import theirs
from companion.web.render.words import PageWords
from tests.games.go.table import BEGINNING
from tests.waiting import until
from tests.web.table import (
    ANAS,
    BOS,
    CLEOS,
    PEOPLE,
    Clock,
    TestDemo,
    TestHand,
    app_of,
    app_with,
    client_of,
    living,
    phones_of,
    post,
)


def test_a_demo_is_paused_stepped_and_hurried_and_every_page_says_so(live: Live) -> None:
    demo = TestDemo(live)
    client = app_of(live, demo=demo).test_client()
    live.pause(Why.ENDED)
    client.post("/demo/start", data={"game": "stop-it"})
    assert demo.telling
    for act, form, sentence in (
        ("pause", {}, "Demo, paused"),
        ("go-on", {}, ">Demo<"),
        ("pace", {"speed": "0.5"}, "Demo, ½×"),
        ("pace", {"speed": "4"}, "Demo, 4×"),
        ("step", {}, "Demo, paused"),
    ):
        assert client.post(f"/demo/{act}", data=form).status_code == 303
        assert all(sentence in client.get(path).text for path in ("/", "/big", "/host", "/table")), act
        for path in ("/", "/host", "/host/match", "/table"):
            assert client.get(path).text.count('class="telling"') == 1, path
    assert demo.steps == 1
    for speed in ("3", "nan", "x", ""):
        assert client.post("/demo/pace", data={"speed": speed}).status_code == 400


def test_in_a_demonstration_alone_all_hands_lie_open_with_what_would_be_left_over(live: Live) -> None:
    live.begin_demo("go", PEOPLE, {"tracking": "turns"})
    live.enter(Tapped(0, 0.0, "discard", "red-1"), Tapped(0, 0.0, "row", "grey-1"))
    series = ["blue-2", "blue-3"]
    left = ["pink-4", "brown-5"]
    hand = [*series, *left, "grey-7", "blue-11"]
    held = {"series": series, "left": left, "penalty": 9}
    hand_of_seat = {"hand": hand, "row": ["grey-1"], "drawn": "blue-11", "penalty": 9, "held": held}
    demo = TestDemo(live)
    demo.telling = Telling("go", opening="", hands=dict.fromkeys((1, 3, 5), hand_of_seat), followed=3)
    client = app_of(live, demo=demo).test_client()

    def lies(seat: int) -> str:
        return client.get("/big").text.partition(f'id="h{seat}"')[2].partition("</li>")[0]

    for seat in (1, 3, 5):
        labels = re.findall(r'aria-label="([^"]+)"', lies(seat))
        assert labels[-6:] == ["blue 2", "blue 3", "grey 7", "pink 4", "brown 5", "Penalty points 9"]
    assert " →" not in lies(3)
    demo.telling = replace(demo.telling, before={3: {**hand_of_seat, "held": {**held, "penalty": 16}}})
    assert '<tspan class="was">16 → </tspan>9<' in lies(3)
    assert "<small>new</small>" not in lies(3)
    demo.telling = replace(demo.telling, before={3: {**hand_of_seat, "drawn": "blue-3"}})
    assert re.findall(r'"([^"]+)">\d+<i class="symbol"></i></b><small>new</small>', lies(3)) == ["blue 3"]
    demo.telling = None
    assert all("blue 2" not in lies(seat) for seat in (1, 3, 5))


SHOWN = """() => {
  const box = (one) => one.getBoundingClientRect(), felt = box(document.querySelector(".felt"));
  const seen = [...document.querySelectorAll(".opening ol > li")].filter((one) => one.checkVisibility());
  if (seen.length !== 1) return [`${seen.length} pictures`];
  const [picture, says] = [...seen[0].children].map(box), key = document.querySelector(".opening .key"), wrong = [];
  const lower = (one, other) => Math.min(one.bottom, other.bottom) > Math.max(one.top, other.top) + 1;
  for (const one of [picture, says]) {
    if (one.left < felt.left || one.right > felt.right || one.bottom > felt.bottom) wrong.push("over the edge");
    if (key && lower(one, box(key)) && box(key).left < one.right) wrong.push("lies on what the demonstration shortens");
  }
  if (lower(picture, says) && says.left < picture.right) wrong.push("the sentence lies on its picture");
  if (picture.height * picture.width < 0.2 * felt.height * felt.width) wrong.push("the picture is small");
  return wrong;
}"""


@pytest.mark.parametrize("slug", sorted(games.known()))
def test_before_a_demonstration_each_picture_of_how_it_is_played_fills_the_big_screen(
    live: Live, glass: Glass, slug: str
) -> None:
    live.begin_demo(slug, PEOPLE[: games.known()[slug].most_players], {})
    demo = TestDemo(live)
    client = app_of(live, demo=demo).test_client()
    pages = []
    for opening in HOW:
        demo.telling = Telling(slug, opening=opening)
        pages.append(Rendered(f"big, {opening}", "fr", client.get("/big?lang=fr").text))
    sizes: list[ViewportSize] = [{"width": 1280, "height": 720}, {"width": 768, "height": 1024}]
    assert glass.ask(pages, SHOWN, *sizes) == []


def test_before_the_first_turn_a_demonstration_explains_a_hand(live: Live) -> None:
    live.begin_demo("go", PEOPLE, {"tracking": "turns"})
    demo = TestDemo(live)
    held = {"series": ["blue-2"], "left": [], "penalty": 0}
    hand_of_seat = {"hand": ["blue-2"], "row": ["grey-1"], "drawn": None, "penalty": 0, "held": held}
    demo.telling = Telling("go", opening="", hands=dict.fromkeys((1, 3, 5), hand_of_seat), followed=3)
    client = app_of(live, demo=demo).test_client()
    explained = []
    for card in BEGINNING:
        live.enter(card)
        explained.append(" lesson" in client.get("/big").text)
    assert explained == [True, True, False]


def test_in_a_demonstration_a_row_card_is_seen_to_go_before_the_next_one_changes_what_counts(live: Live) -> None:
    live.begin_demo("go", PEOPLE, {"tracking": "turns"})
    live.enter(Tapped(0, 0.0, "discard", "red-1"), Tapped(0, 0.0, "row", "grey-1"), Tapped(0, 0.0, "seat-1", "grey-1"))
    demo = TestDemo(live)
    client = app_of(live, demo=demo).test_client()
    held = {"series": [], "left": ["pink-2"], "penalty": 2}
    hand_before = {"hand": ["pink-2"], "drawn": None, "penalty": 2, "held": held}
    for left, lies in ((["pink-4"], ["pink 4"]), ([], [])):
        hand_meanwhile = {**hand_before, "row": [*left, "grey-1"]}
        hand_after = {**hand_meanwhile, "row": left, "held": {"series": ["pink-2"], "left": [], "penalty": 0}}
        hands = {
            name: dict.fromkeys((1, 3, 5), content)
            for name, content in (("before", hand_meanwhile), ("hands", hand_after))
        }
        demo.telling = Telling("go", opening="", followed=3, **hands)
        page = client.get("/big").text
        row = page.partition('id="centre"')[2].partition("</dd>")[0]
        assert '<i class="gap">?</i>' in row
        assert re.findall(r'aria-label="([^"]+)"', row) == lies
        assert 'aria-label="Penalty points 2"' in page


def test_a_demo_that_was_stopped_leaves_the_doors_open(live: Live) -> None:
    live.begin_demo("kartel", PEOPLE, {})
    live.pause(Why.ENDED)
    score = client_of(app_of(live, demo=TestDemo(live)), None).get("/").text
    assert "That was a demo." in score
    assert "Ana" not in score
    assert score.index('href="/join"') < score.index("Watch a demo of Kartel")


@pytest.mark.parametrize("sits", [False, True])
def test_after_a_demo_that_was_stopped_the_big_screen_is_as_before_any_match(tmp_path: Path, sits: bool) -> None:
    with living(tmp_path, Clock(), simulated=True) as live:
        client = client_of(app_with(live, phones_of(live, {}), demo=TestDemo(live)), None)
        if sits:
            assert post(client, "/sit", seat=3, name="Bo", animal="owl", colour="pink")[0] == 200
        page_before = client.get("/stream/big").text
        live.begin_demo("kartel", PEOPLE, {})
        assert "Cléo" in client.get("/stream/big").text
        live.pause(Why.ENDED)
        assert without_game(client.get("/stream/big").text) == without_game(page_before)


def without_game(page: str) -> str:
    return re.sub(r' data-(game|sheet|sound)="[^"]*"| data-shows="kartel"', "", page)


def test_a_demo_that_has_played_to_its_end_says_that_it_was_one_and_opens_the_doors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo_script, "MATCHES", 1)  # whichever it shows
    with living(tmp_path, itertools.count(0.0, 1.0).__next__, simulated=True) as live:
        demo = Demo(live, TestHand(live), random.Random(1))
        app = app_with(live, phones_of(live, {}), demo=demo)
        assert "Watch a demo of Kartel" in client_of(app, None).get("/").text
        demo.start("kartel")
        until(lambda: not demo.running)
        score, big, table = (client_of(app, None).get(path).text for path in ("/", "/big", "/table"))
        assert live.snapshot.views[None]["over"]
    assert "That was a demo." in score
    assert 'href="/join"' in score
    assert "That was a demo." in big
    assert "Again?" not in big
    assert "Watch again" in table


def test_nobodys_own_seat_is_that_of_a_demo(live: Live) -> None:
    bo = client_of(app_with(live, phones_of(live, {3: BOS}), demo=TestDemo(live)), BOS)
    live.begin("kartel", PEOPLE, {})
    assert "To my seat" in bo.get("/").text
    live.begin_demo("kartel", PEOPLE, {})
    assert "To my seat" not in bo.get("/").text


def test_after_a_demo_no_seat_speaks_of_it(live: Live) -> None:
    phones = phones_of(live, {HOST: ANAS, 1: ANAS, 3: BOS})
    app = app_with(live, phones, demo=TestDemo(live))
    phones.change(lambda rights: lobby.resume(rights, {1: "Lena", 3: "Omar"}))
    live.begin_demo("kartel", PEOPLE, {})
    live.pause(Why.ENDED)
    lena = client_of(app, ANAS).get("/seat/1").text
    omar = client_of(app, BOS).get("/seat/3").text
    assert [name in page for page in (lena, omar) for name in ("Lena", "Omar", ">Ana<", "That was a demo")] == [
        True, True, False, False
    ] * 2  # fmt: skip
    assert ["Choose the game and start" in page for page in (lena, omar)] == [True, False]
    assert "To my seat" in client_of(app, BOS).get("/").text


@pytest.mark.parametrize("out", [False, True])
@pytest.mark.parametrize("slug", sorted(games.known()))
def test_whoever_sits_where_a_demonstration_plays_only_reads_that_it_is_on(
    tmp_path: Path, slug: str, out: bool
) -> None:
    """Cléo and Ben hold their seats, Zoé has just sat down; invented players sit in all of them."""
    with living(tmp_path, Clock(), simulated=True) as live:
        phones = phones_of(live, {HOST: BOS, 1: CLEOS, 2: BOS})
        demo = TestDemo(live)
        app = app_with(live, phones, demo=demo)
        phones.change(lambda rights: lobby.resume(rights, {1: "Cléo", 2: "Ben"}))
        cleo = client_of(app, CLEOS)
        ben = client_of(app, BOS)
        zoe = client_of(app, None)
        assert post(cleo, "/sit", seat=1, name="Cléo", animal="owl", colour="pink")[0] == 200
        assert post(zoe, "/sit", seat=3, name="Zoé", animal="fox", colour="red")[0] == 200
        if out:
            assert post(cleo, "/sit-out", part=1, out="yes")[0] == 200

        def seen() -> list[str]:
            looks = ((cleo, "/seat/1"), (ben, "/seat/2"), (zoe, "/lobby/3"))
            return [html.unescape(phone.get(path).text) for phone, path in looks]

        pages_saved = seen()
        pages_before = seen()
        assert [name in page for page, name in zip(pages_saved, ("Saved, Cléo", "Ben", "Zoé"), strict=True)] == [
            True
        ] * 3
        players = (Player(1, "Kiwi"), Player(2, "Taco"), Player(3, "Pesto"))[: games.known()[slug].most_players]
        live.begin_demo(slug, players, {})
        for telling in (Telling(slug), Telling(slug, opening="", hands={player.seat: {} for player in players})):
            demo.telling = telling
            during = seen()
            on = f'A demo of {games.known()[slug].title} is on. <a href="/">Watch</a></p>\n'
            assert all(on in page for page in during)
            assert [re.sub(r'<p class="crowded" id="demo-on".*?</p>\n', "", page) for page in during] == pages_before
            assert "Kiwi" not in zoe.get("/seat/1").text, "nor is it the demonstration's to whoever may not see it"
        demo.telling = None
        live.pause(Why.ENDED)
        assert seen() == pages_before


@pytest.mark.parametrize(("begun", "ended"), [(Live.begin_demo, True), (Live.begin_try, False)])
def test_after_a_restart_nobody_waits_for_a_demo_but_a_try_goes_on(
    tmp_path: Path, begun: Callable[..., int], ended: bool
) -> None:
    with living(tmp_path, Clock(), simulated=True) as live:
        begun(live, "kartel", PEOPLE, {})
    with living(tmp_path, Clock(), simulated=True) as live:
        score = client_of(app_of(live, demo=TestDemo(live)), None).get("/").text
    assert ("That was a demo." in score, "roll" not in score) == (ended, ended)


def test_a_demo_takes_no_match_away(live: Live) -> None:
    demo = TestDemo(live)
    live.begin("go", PEOPLE, {})
    answer = post(app_of(live, demo=demo).test_client(), "/demo/start", game="kartel")
    assert answer == (409, "A match is on. End it first, then watch a demo.")
    assert live.snapshot.people_play


def test_before_a_demo_a_card_says_what_the_game_is(live: Live) -> None:
    demo = TestDemo(live)
    client = app_of(live, demo=demo).test_client()
    for slug in games.known():
        demo.start(slug)
        assert PageWords(slug, "en").say("demo-about") in html.unescape(client.get("/").text)
    demo.open()
    assert 'id="opening"' not in client.get("/").text


def test_while_a_demonstration_plays_what_happened_stands_until_something_else_does(live: Live) -> None:
    live.begin_demo("stop-me-go", PEOPLE, {})
    live.enter(Tapped(0, 0.0, "centre", "gangster-7"), Tapped(0, 0.0, "seat-1", "red-go-1"))
    demo = TestDemo(live)
    big = app_of(live, demo=demo).test_client()
    assert 'class="headline"' not in big.get("/big").text
    demo.telling = Telling("stop-me-go", opening="")
    page = big.get("/big").text
    assert "starts with" in page.partition('class="headline"')[2]
    assert "SIMULATED" not in page


@pytest.mark.parametrize(("demo", "codes"), [(True, ["least-margins"]), (False, ["least-margins", "least-reactions"])])
def test_how_long_its_own_pace_took_is_nobodys_best(demo: bool, codes: list[str]) -> None:
    timed = [
        Highlight("least-margins", (1,), 12_000, "microseconds", ("margins", ())),
        Highlight("least-reactions", (1,), 5_500_000, "microseconds", ("reactions", ())),
    ]
    assert [chart.code for chart in theirs(timed, demo=demo)] == codes
