"""Who sits at the simulated table: people in bots' places, and bots in theirs who leave."""

import random
import re
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from companion.access.player_looks import ANIMALS, COLOURS
from companion.access.presence import AFTER_A_START, HAS_A_SAY
from companion.access.rights_file import Phones
from companion.access.seat_rights import Rights
from companion.acts.question import AGAIN
from companion.kit.in_chromium import Glass, Rendered
from companion.live.bots import Bots
from companion.live.simulation import Simulation
from companion.live.table import Live
from companion.player_names import BOTS
from tests.access.codes import hand_on
from tests.chromium import PHONE, TELEVISION, Opened
from tests.on_paper import lay
from tests.web.bots.sitting import ANY, begin_with_bots, look_at, names, sit
from tests.web.table import Clock, client_of, post, question


def test_a_bot_goes_on_for_who_leaves(app: Flask, simulation: Simulation) -> None:
    ana = begin_with_bots(app, ANY)
    assert "A bot plays on for you." in ana.get("/seat/1").text
    bots_before = dict(simulation.bots)
    post(ana, "/free", part=1)
    assert (set(simulation.bots), {*simulation.bots.values()}) == ({1, *bots_before}, {*bots_before.values()})
    Bots(simulation, chance=random.Random(1)).step(0.0)
    assert ">Ana<" not in ana.get("/big").text  # a bot that plays is called a bot
    assert post(ana, "/play/sit", seat=1, name="Ana")[0] == 200
    assert 1 not in simulation.bots


def test_where_a_bot_plays_a_seats_page_says_so_and_offers_its_place(app: Flask, ana: FlaskClient) -> None:
    bo = sit(app, ana)
    assert post(bo, "/free", part=3)[0] == 200
    for phone in (bo, client_of(app, None)):
        answer = phone.get("/seat/3")
        page = answer.text.partition("<main")[2]
        assert (answer.status_code, "Bot Kim plays here." in page) == (403, True)
        assert re.findall(r'<button name="seat" value="(\d)"', page) == ["3"]
        assert 'name="code"' not in page
    assert 'name="code"' in client_of(app, None).get("/seat/1").text
    assert post(ana, "/end")[0] == 200
    assert "plays here" not in bo.get("/seat/3").text


def test_after_a_match_no_bot_goes_on_for_who_leaves_and_nobody_asks_for_a_bots_place(
    app: Flask, phones: Phones, simulation: Simulation, ana: FlaskClient
) -> None:
    bo = sit(app, ana)
    cleo = client_of(app, None)
    assert post(cleo, "/play/sit", seat=4, name="Cléo")[0] == 200
    question_name = question(ana, "/seat/1")
    assert post(ana, "/end")[0] == 200
    assert post(bo, "/answer", question=question(bo, "/seat/3"), answer="yes")[0] == 200
    assert post(ana, "/answer", question=question_name, answer="yes")[0] == 409
    assert post(client_of(app, None), "/play/sit", seat=4, name="Dan")[0] == 409
    bots_before = dict(simulation.bots)
    assert "A bot plays on for you." not in bo.get("/seat/3").text
    assert post(bo, "/free", part=3) == (200, "You have left the table.")
    assert (simulation.bots, 3 in phones.rights.people.seated) == (bots_before, False)


def test_whoever_leaves_hears_it_and_the_others_too_until_somebody_takes_the_seat(app: Flask, ana: FlaskClient) -> None:
    bo = sit(app, ana)
    assert post(bo, "/hand-on", part=3)[0] == 200
    assert "Leave the table" in bo.get("/seat/3").text
    assert post(bo, "/free", part=3) == (200, "You have left the table.")
    for path in ("/seat/1", "/host", "/"):
        assert "Bo has gone; Bot Kim plays on." in ana.get(path).text
    sit(app, ana, "Cléo")
    assert "has gone" not in ana.get("/seat/1").text
    assert post(ana, "/again")[0] == 200
    assert "has gone" not in ana.get("/seat/1").text


def test_everybody_reads_who_has_come_in_whose_place(app: Flask, ana: FlaskClient) -> None:
    def arrivals(path: str, language: str = "en") -> list[str]:
        page = ana.get(path, headers={"Accept-Language": language}).text
        return re.findall(r'<p id="came-\d"[^>]*>(.*?)</p>', page)

    assert arrivals("/big") == []
    bo = sit(app, ana)
    assert [arrivals("/"), arrivals("/big"), arrivals("/big", "fr")] == [
        *[["Bo takes over from Bot Kim."]] * 2,
        ["Bo remplace Bot Kim."],
    ]
    assert post(bo, "/free", part=3)[0] == 200
    assert arrivals("/big") == []
    assert post(ana, "/free", part=1)[0] == 200
    assert post(client_of(app, None), "/play/sit", seat=1, name="Dan")[0] == 200
    assert post(ana, "/answer", question=question(ana, "/host"), answer="yes")[0] == 200
    assert arrivals("/big") == ["Dan takes over from Ana."]


TOLD = """() => [7000, 8000].filter((time) => {
  for (const one of document.getAnimations()) { one.pause(); one.currentTime = time; }
  return document.getElementById("came-3").checkVisibility({ visibilityProperty: true });
})"""


def test_who_has_come_is_told_for_a_moment(app: Flask, ana: FlaskClient, glass: Glass) -> None:
    sit(app, ana)
    page = Rendered("big", "en", client_of(app, None).get("/big").text)
    assert [line.rpartition(" ")[2] for line in glass.ask([page], TOLD, TELEVISION)] == ["7000"]


def test_what_is_preselected_for_who_comes_next_is_nobodys(app: Flask, ana: FlaskClient) -> None:
    page = ana.get("/seat/1").text
    chosen = re.findall(r'value="([a-z]+)" required checked', client_of(app, None).get("/join").text)
    assert len(chosen) == 2
    assert not any(f'#chip-{animal}"' in page for animal in chosen)
    assert not any(f'player-chip c-{colour}"' in page for colour in chosen)


def test_who_looks_at_their_look_finds_it_chosen(ana: FlaskClient) -> None:
    chosen = re.findall(r'value="([a-z]+)" required checked', ana.get("/join").text)
    top = ana.get("/seat/1").text.partition('class="top me')[2].partition("</header>")[0]
    assert [f'#chip-{chosen[0]}"' in top, f'player-chip c-{chosen[1]}"' in top] == [True, True]


def test_somebody_sits_down_in_the_place_of_a_bot_if_somebody_who_plays_agrees(
    app: Flask, ticks: Clock, simulation: Simulation, ana: FlaskClient
) -> None:
    mallory = client_of(app, None)
    assert "Waiting for a yes." in post(mallory, "/play/sit", seat=3, name="Mallory")[1]
    assert (list(simulation.bots), mallory.get("/seat/3").status_code) == ([3, 4], 403)
    assert post(ana, "/answer", question=question(ana, "/seat/1"), answer="no")[0] == 200
    sentence = "Nobody agreed: Bot Kim plays on."
    assert [
        sentence in phone.get(path).text for phone, path in ((mallory, "/"), (mallory, "/join"), (ana, "/seat/1"))
    ] == [
        True,
        True,
        False,
    ]
    assert post(mallory, "/play/sit", seat=3, name="Mallory")[0] == 409
    ticks.now += AGAIN
    bo = sit(app, ana)
    assert list(simulation.bots) == [4]
    assert "Bo" in bo.get("/seat/3").text
    assert post(client_of(app, None), "/play/sit", seat=3, name="Cléo")[0] == 409


def test_whoever_agrees_hears_who_plays_and_the_page_of_who_asked_finds_its_seat(app: Flask, ana: FlaskClient) -> None:
    bo = client_of(app, None)
    body = re.compile(r"<body[^>]* data-held=")
    assert not body.search(bo.get("/").text)
    post(bo, "/play/sit", seat=3, name="Bo")
    assert body.search(bo.get("/").text)  # it loads anew when another holds a seat
    assert post(ana, "/answer", question=question(ana, "/seat/1"), answer="yes")[1] == "Bo takes the bot’s place."
    assert 'href="/seat/3">' in bo.get("/").text.partition('class="own-seats"')[2].partition("</nav>")[0]


def test_a_phone_of_several_seats_goes_from_one_to_the_other(app: Flask, phones: Phones) -> None:
    ana = begin_with_bots(app, ANY)
    strip = 'class="own-seats many"'
    assert strip not in ana.get("/seat/1").text
    sit(app, ana)
    hand_on(phones, 3)
    assert post(ana, "/join", code=phones.rights.passing[3])[0] == 200
    assert [f'href="/seat/{seat}"' in ana.get("/seat/1").text.partition(strip)[2] for seat in (1, 3)] == [True, True]


def test_whoever_leaves_a_table_full_of_bots_has_one_more_play_on_under_a_name_of_its_own(
    app: Flask, simulation: Simulation
) -> None:
    ana = client_of(app, None)
    assert post(ana, "/play", game=ANY, name="Ana", bots=5)[0] == 200
    assert post(ana, "/free", part=1)[0] == 200
    assert len(simulation.bots) == 6
    page = ana.get("/").text
    assert all(f">{bot}<" in page for bot in BOTS)


def test_the_codes_page_asks_before_the_host_leaves_their_own_seat(app: Flask, ana: FlaskClient) -> None:
    sit(app, ana)
    page = ana.get("/host/codes").text
    own_part, theirs = (page.partition(f'id="code-{seat}"')[2].partition("</li>")[0] for seat in (1, 3))
    assert 'data-sure="Leave the table? A bot plays on for you."' in own_part
    assert ["Free this seat" in part for part in (own_part, theirs)] == [False, True]


@pytest.mark.parametrize("path", ["/", "/join"])
def test_whoever_is_let_in_is_taken_to_their_seat(
    app: Flask, ana: FlaskClient, served: Callable[[Flask], Opened], path: str
) -> None:
    phone = served(app)(path, token=None)
    if path == "/":
        phone.locator("#for-a-bot summary").click()
    phone.locator("#for-a-bot").get_by_label("Your name").fill("Bo")
    phone.locator("#for-a-bot button").first.click()
    expect(phone.locator("#own-seats")).to_contain_text("You asked for Bot Kim’s place. Waiting for a yes.")
    assert post(ana, "/answer", question=question(ana, "/seat/1"), answer="yes")[0] == 200
    expect(phone).to_have_url(re.compile("/seat/3$"))


FORMS = ("#question", "#for-a-bot", "#for-the-next", "a[href='/join']")
UNSEEN = """() => {
  document.getElementById("for-a-bot").open = true;
  return ["#question", "#for-a-bot button"].filter((css) => !document.querySelector(css).checkVisibility());
}"""


def test_a_simulated_table_has_a_door_for_whoever_comes_during_a_match(app: Flask) -> None:
    ana = begin_with_bots(app, ANY)
    door = '<a class="meanwhile" href="/join">Sit down</a>'
    assert door in client_of(app, None).get("/").text
    assert door not in ana.get("/").text


def test_whoever_comes_while_bots_play_is_first_offered_to_play_now(app: Flask, ana: FlaskClient) -> None:
    now_part, _, then = client_of(app, None).get("/join").text.partition('id="for-the-next"')
    assert [part.count('name="name"') for part in (now_part, then)] == [1, 1]
    assert 'id="for-a-bot" open' in now_part


def test_who_is_seated_finds_their_own_form_and_the_way_back_but_no_bots_place(ana: FlaskClient) -> None:
    page = ana.get("/join").text
    assert ['id="for-a-bot"' in page, 'id="for-the-next"' in page, page.count('name="name"')] == [False, False, 1]
    assert '<a href="/lobby/1">Back to my seat</a>' in page
    assert ana.get("/lobby/1").location == "/seat/1"


def test_the_place_of_a_bot_is_asked_for_by_its_name_above_the_table(
    app: Flask, ana: FlaskClient, paper: Page, glass: Glass
) -> None:
    sit(app, ana)
    page = client_of(app, None).get("/").text
    low = """() => [...document.querySelectorAll("#for-a-bot summary")].map((one) => one.getBoundingClientRect().y)
      .filter((y) => y >= innerHeight / 2)"""
    assert glass.ask([Rendered("score", "en", page)], low, PHONE) == []
    lay(paper, page)
    offer = paper.locator("#for-a-bot")
    expect(offer.locator("summary")).to_have_text("Join in: take Bot Max’s place")
    expect(offer.get_by_role("button", name="Take Bot Max’s place", include_hidden=True)).to_have_count(1)
    expect(offer).to_contain_text("One of the players has to agree.")


def test_whoever_asks_for_a_bots_place_reads_it_in_their_own_words(app: Flask, ana: FlaskClient) -> None:
    bo = client_of(app, None)
    answer = post(bo, "/play/sit", seat=3, name="Bo")[1]
    assert answer == "You asked for Bot Kim’s place. Waiting for a yes."
    assert "Bo asks for Bot Kim’s place." in bo.get("/").text


def test_whoever_wants_a_bots_place_under_a_name_of_the_table_is_told_who_has_it(app: Flask, ana: FlaskClient) -> None:
    assert "Ana already sits at seat 1" in post(client_of(app, None), "/play/sit", seat=3, name="Ana")[1]


def test_nobody_plays_on_under_a_bots_name(app: Flask, simulation: Simulation, ana: FlaskClient) -> None:
    for name in ("Bot Kim", "bot KIM", "B0t Kim"):
        assert "is a bot’s name" in post(client_of(app, None), "/play/sit", seat=3, name=name)[1]
    assert list(simulation.bots) == [3, 4]
    assert ana.get("/seat/3").status_code == 403


def test_no_code_alone_opens_a_bots_seat(app: Flask, phones: Phones) -> None:
    codes = phones.rights.codes
    early = client_of(app, None)
    late = client_of(app, None)
    assert post(early, "/join", code=codes[3])[0] == 200
    begin_with_bots(app, ANY)
    assert post(late, "/join", code=codes[4])[0] == 200
    assert "A bot plays at seat 4. Say who you are" in late.get("/join").text
    assert [early.get("/seat/3").status_code, late.get("/seat/4").status_code] == [403, 403]


def test_a_code_of_an_empty_seat_leads_into_the_next_match(app: Flask, phones: Phones, ana: FlaskClient) -> None:
    late = client_of(app, None)
    assert post(late, "/join", code=phones.rights.codes[5])[0] == 200
    page = late.get("/seat/5").text
    assert "You play from the next match on." in page
    assert 'href="/join?seat=5">Say who you are' in page
    look_at(late, 5, "Léo", "owl", "pink")
    assert "Say who you are" not in late.get("/seat/5").text
    assert post(ana, "/end")[0] == 200
    assert post(ana, "/play", game=ANY, bots=0)[0] == 200
    assert ">Léo</h2>" in late.get("/seat/5").text


def test_of_two_who_play_on_for_a_bot_at_once_the_first_holds_its_seat(
    app: Flask, phones: Phones, ticks: Clock, ana: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks.now += HAS_A_SAY  # nobody is there to agree
    cleo = client_of(app, None)
    change = phones.change

    def outrun(step: Callable[[Rights], Rights]) -> Rights:
        monkeypatch.undo()
        change(lambda rights: replace(rights, holders={**rights.holders, 3: "bo"}))
        return change(step)

    monkeypatch.setattr(phones, "change", outrun)
    assert post(cleo, "/play/sit", seat=3, name="Cléo")[0] == 409
    assert (phones.rights.holders[3], cleo.get("/seat/3").status_code) == ("bo", 403)


def test_whoever_has_just_begun_is_in_the_room_and_asked_who_may_play(
    app: Flask, simulation: Simulation, ticks: Clock
) -> None:
    """Though they have asked for no page yet by what they are known by now."""
    ana = client_of(app, None)
    bo = client_of(app, None)
    ticks.now += AFTER_A_START
    assert post(ana, "/play", game=ANY, name="Ana", bots=1)[0] == 200
    assert "Waiting for a yes." in post(bo, "/play/sit", seat=min(simulation.bots), name="Bo")[1]


def test_whoever_has_no_seat_sits_down_for_the_next_match(app: Flask, live: Live, ana: FlaskClient) -> None:
    """Also where a bot has played: nobody really sits there."""
    bo = client_of(app, None)
    assert "data-after" not in bo.get("/").text
    assert post(ana, "/end")[0] == 200
    doors = bo.get("/").text
    assert "data-after" in doors
    assert 'href="/join">Sit down' in doors
    assert 'href="/join">Sit down' not in ana.get("/").text
    assert re.findall(r'name="seat" value="(\d)" required checked', bo.get("/join").text) == [
        "2"
    ]  # where no bot has been
    assert post(bo, "/sit", seat=3, name="Bo", animal=ANIMALS[5], colour=COLOURS[5])[0] == 200
    assert post(ana, "/again")[0] == 200
    assert "Bo" in names(live)
    assert bo.get("/seat/3").status_code == 200


def test_whoever_looks_at_the_score_when_a_match_ends_is_shown_the_way_to_the_next(
    served: Callable[[Flask], Opened], app: Flask, live: Live, ana: FlaskClient
) -> None:
    page = served(app)("/", token=None, viewport=PHONE)
    sit_down = page.locator(".after").get_by_role("link", name="Sit down")
    expect(sit_down).not_to_be_visible()
    page.evaluate("scrollTo(0, 1e6)")
    assert page.evaluate("scrollY") > 0
    assert post(ana, "/end")[0] == 200
    expect(sit_down).to_be_visible()
    page.wait_for_function("scrollY === 0")


OWN = 'href="/seat/1"><svg'


@pytest.mark.parametrize(
    "path",
    ["/", "/host", "/host/match", "/host/table", "/join", "/story", "/results", "/results/1", "/season", f"/how/{ANY}"],
)
def test_every_page_shows_who_sits_here_the_way_to_their_seat(app: Flask, ana: FlaskClient, path: str) -> None:
    assert ana.get(path).text.count(OWN) == 1
    assert OWN not in client_of(app, None).get(path).text


def test_a_seats_own_page_leads_nowhere_else(ana: FlaskClient) -> None:
    assert OWN not in ana.get("/seat/1").text
