"""What people see of a club: on a phone, on the wall, and at the keeper's."""

import json
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from companion import threads
from companion.club.hub.bracket_book import BracketBook
from companion.club.hub.hub import Hub
from companion.club.hub.tournament import TablesThen
from companion.club.hub.tournament_book import TournamentBook
from companion.club.invitation import decode
from companion.web.hub import create_hub, wall
from tests.club.hub.conftest import Joined
from tests.club.hub.pages import ONE_OF_EACH, RECORDS, shown, shown_by_itself, view_of
from tests.club.hub.paper import paper
from tests.club.hub.tables import ONE, OTHER, SpeakingTable, about
from tests.club.hub.test_store import full
from tests.waiting import until

ROOT = Path(__file__).parents[3]


def code_in(text: str) -> str:
    hit = re.search(r"CLUB-[A-Z2-7-]+", text)
    assert hit
    return hit[0]


def stored_matches(hub: Hub) -> list[int]:
    return [stored.match for stored in hub.store.results()]


@pytest.mark.parametrize("record", ONE_OF_EACH, ids=lambda record: record.parts[-3])
def test_a_tile_says_the_news_and_draws_the_table_of_every_game(
    record: Path, hub: Hub, page: FlaskClient, joined: Joined
) -> None:
    view = view_of(record)
    table = joined(ONE)
    table.say("about", about("Window <table>"), retain=True)
    table.shows(1, 1.0, view)
    until(lambda: "Window &lt;table&gt;" in shown_by_itself(page))
    until(lambda: 'class="small"' in shown_by_itself(page))
    text = shown(page)
    assert all(player["name"] in text for player in view["players"])
    assert len(text) < 60_000
    assert 'class="small"' in shown(page, f"/table/{ONE}")


def test_what_a_hub_looks_like_changes_nothing_that_a_game_draws() -> None:
    """A class of its own alone, as `.gone`, would colour whatever a game calls so."""
    look = (ROOT / "web/static/club.css").read_text(encoding="utf-8")
    classes = set(re.findall(r"(?:^|[,}])\s*\.([\w-]+)\s*(?=[,{])", look, re.MULTILINE))
    for drawn in ROOT.glob("companion/games/*/pages/*.css"):
        assert not classes & set(re.findall(r"\.([a-z][\w-]*)", drawn.read_text(encoding="utf-8"))), drawn


def test_a_view_that_cannot_be_drawn_costs_its_picture_alone(hub: Hub, page: FlaskClient, joined: Joined) -> None:
    table = joined(ONE)
    view = view_of(RECORDS[0])
    for broken in ({"table": []}, {"told": 3}, {"game": "whist"}, {"table": {**view["table"], "now": None}}):
        table.shows(1, 1.0, view)
        until(lambda: 'class="small"' in shown_by_itself(page))
        table.shows(1, 1.0, {**view, **broken})
        until(lambda: 'class="small"' not in shown_by_itself(page))
        assert view["players"][0]["name"] in shown(page)
        assert page.get(f"/table/{ONE}").status_code == 200


def test_a_simulated_table_is_named_so_wherever_it_is_shown(hub: Hub, page: FlaskClient, joined: Joined) -> None:
    joined(ONE).say("about", {**about("Window table"), "simulated": True}, retain=True)
    until(lambda: "SIMULATED" in shown_by_itself(page))
    page.post("/keeper", data={"code": hub.keeper.now.code})
    assert all("SIMULATED" in shown(page, path) for path in ("/", f"/table/{ONE}", "/keeper"))


def test_a_match_that_was_ended_early_is_shown_so(hub: Hub, page: FlaskClient, joined: Joined) -> None:
    """By its result, which the hub remembers; what programs are told stays what the view says."""
    table = joined(ONE)
    table.shows(1, 1.0, view_of(RECORDS[0]) | {"over": False})
    until(lambda: 'class="small"' in shown_by_itself(page))
    assert "This match was ended early." not in shown(page)
    table.ends(1, over=False, winners=[])
    until(lambda: "This match was ended early." in shown_by_itself(page))
    assert "This match was ended early." in shown(page, f"/table/{ONE}")
    assert [told_table["over"] for told_table in page.get("/api/1/tables").json] == [False]


def test_only_the_tile_that_changed_is_sent(hub: Hub, page: FlaskClient, joined: Joined) -> None:
    ours = joined(ONE)
    other = joined(OTHER)
    for table in (ours, other):
        table.say("about", about(f"Table {table.table}"), retain=True)
    until(lambda: f"Table {ONE}" in (screen := shown_by_itself(page)) and f"Table {OTHER}" in screen)
    assert b'data-many="2"' in next(iter(page.get("/stream/wall").response))
    feed = page.application.extensions["board"].feed("en", 0)
    feed_before = feed.now()
    other.shows(1, 1.0, view_of(RECORDS[0]))
    until(lambda: shown_by_itself(page) and feed.now() is not feed_before)
    part = feed.now().step
    since = feed.now().since
    assert part.startswith(b"event: part")
    assert since is feed_before.whole
    assert OTHER.encode() in part
    assert ONE.encode() not in part


def test_the_keeper_alone_changes_every_screen(hub: Hub, page: FlaskClient, joined: Joined) -> None:
    joined(ONE).say("about", about("Window table"), retain=True)
    until(lambda: "Window table" in shown_by_itself(page))
    assert page.post("/scene", data={"scene": "standings"}).status_code == 403
    assert page.post("/keeper", data={"code": "WRONG"}).status_code == 403
    assert 'id="standings"' not in shown(page)
    assert page.post("/keeper", data={"code": hub.keeper.now.code.lower()}).status_code == 303
    assert page.post("/scene", data={"scene": "standings"}).status_code == 303
    assert 'id="standings"' in shown(page)
    page.post("/scene", data={"scene": "table", "table": ONE})
    assert "felt large" in shown(page)
    assert page.post("/scene", data={"scene": "fireworks"}).status_code == 400


def test_a_new_code_turns_every_other_phone_of_the_keeper_away(hub: Hub, page: FlaskClient) -> None:
    old = hub.keeper.now.code
    phone, other, stranger = (page.application.test_client() for _ in range(3))
    for keepers in (phone, other):
        keepers.post("/keeper", data={"code": old})
        assert old in shown(keepers, "/keeper")
    assert stranger.post("/keeper/code").status_code == 403
    assert hub.keeper.now.code == old
    assert phone.post("/keeper/code").status_code == 303
    new = hub.keeper.now.code
    assert new != old
    assert new in shown(phone, "/keeper")
    assert new not in shown(other, "/keeper")
    assert other.post("/keeper", data={"code": old}).status_code == 403
    assert other.post("/keeper", data={"code": new}).status_code == 303


def test_no_club_card_is_in_the_public_list_of_results(hub: Hub, page: FlaskClient, joined: Joined) -> None:
    table = joined(ONE)
    until(lambda: table.asked)
    with_card = {"seat": 1, "name": "Ana", "card": "q6t3hdv4hnhl5xdi6c42v6hspk"}
    table.ends(1, players=[with_card, {"seat": 2, "name": "Bo"}])
    until(lambda: stored_matches(hub) == [1])
    (listed,) = json.loads(shown(page, "/api/1/results"))
    assert listed["players"] == [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "Bo"}]
    everywhere = "".join(shown(page, path) for path in ("/", "/season", "/api/1/tables", "/join", "/tournament"))
    assert with_card["card"] not in everywhere


def test_programs_are_told_how_the_hub_does(hub: Hub, page: FlaskClient) -> None:
    until(lambda: hub.follower.connected)
    answer = page.get("/health")
    assert (answer.status_code, answer.json["status"]) == (200, "pass")
    assert answer.json["checks"].keys() == {"file", "broker", "program"}


def test_what_a_thread_raised_is_shown_to_the_keeper(hub: Hub, page: FlaskClient) -> None:
    try:
        threads.keep("season", ValueError("the words of whoever raised it"))
        page.post("/keeper", data={"code": hub.keeper.now.code})
        page_text = shown(page, "/keeper")
    finally:
        threads.forget_faults()
    assert "season: ValueError" in page_text
    assert "the words of whoever raised it" not in page_text


def test_what_was_not_understood_is_shown_to_the_keeper_alone(hub: Hub, page: FlaskClient, joined: Joined) -> None:
    joined(ONE).say("public", b"{", retain=True)  # as tables do: also a hub that connects later hears it
    until(lambda: hub.follower.ignored)
    assert "unreadable payload" not in shown(page, "/keeper")
    page.post("/keeper", data={"code": hub.keeper.now.code})
    assert "unreadable payload" in shown(page, "/keeper")


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/season", "/join", "/keeper", "/tournament", "/bracket", "/find", "/nowhere", "/table/nobody"),
        *("/schedule", "/overlay", "/tournament/certificates"),
    ],
)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_page_of_an_empty_club_is_there_in_both_languages(page: FlaskClient, path: str, language: str) -> None:
    answer = page.get(f"{path}?lang={language}")
    assert answer.status_code == (404 if path.startswith(("/nowhere", "/table")) else 200)
    assert f'<html lang="{language}">' in answer.get_data(as_text=True)


def test_an_empty_season_says_what_would_count(page: FlaskClient) -> None:
    assert "at a real table, not at a simulated one" in shown(page, "/season")


def test_a_broker_without_passwords_has_one_code_for_all_tables(hub: Hub, page: FlaskClient) -> None:
    text = shown(page, "/join")
    assert "companion club join CLUB-" in text
    assert not decode(code_in(text)).cards  # anybody may see it
    page.post("/keeper", data={"code": hub.keeper.now.code})
    assert decode(code_in(shown(page, "/join"))).cards == hub.keeper.card_secret
    assert "--name" in text
    assert "start the table again" in text


def test_a_page_of_another_site_sees_nothing(page: FlaskClient) -> None:
    assert page.get("/api/1/tables", headers={"Host": "evil.example"}).status_code == 403
    assert page.post("/keeper", data={}, headers={"Origin": "http://evil.example"}).status_code == 403


def test_what_was_typed_stays_when_a_tournament_cannot_begin(hub: Hub, page: FlaskClient) -> None:
    page.post("/keeper", data={"code": hub.keeper.now.code})
    for people, rounds, message in (
        ("Ana\nBo\nCy", "x", "from 1 to 20"),
        ("Ana\nBo\nana\nbo", "7", "twice: ana, bo"),
        (f"Ana\n{41 * 'B'}\nCy", "7", f"“{41 * 'B'}”"),
    ):
        answer = page.post("/tournament/new", data={"people": people, "rounds": rounds, "pod": 5})
        text = answer.get_data(as_text=True)
        assert answer.status_code == 400
        assert all(part in text for part in (message, people, f'value="{rounds}"', "<option selected>5"))


def test_a_tournament_is_kept_by_its_keeper_and_scored_by_its_tables(
    hub: Hub, page: FlaskClient, table: SpeakingTable
) -> None:
    assert page.post("/tournament/new", data={"people": "Ana", "rounds": 1, "pod": 3}).status_code == 403
    page.post("/keeper", data={"code": hub.keeper.now.code})
    assert page.post("/tournament/new", data={"people": "Ana\nBo\nCy", "rounds": 1, "pod": 3}).status_code == 303
    assert page.post("/tournament/enter", data={"name": "bo"}).status_code == 400
    assert page.post("/tournament/draw", data={"round": 1}).status_code == 303
    assert page.post("/tournament/draw", data={"round": 2}).status_code == 400
    page.post("/scene", data={"scene": "round"})
    assert ONE in shown(page)
    table.ends(1, simulated=True)
    until(lambda: stored_matches(hub))
    cup = hub.tournament.now()
    assert cup
    assert [(standing.name, standing.points) for standing in cup.standings] == [("Ana", 120), ("Bo", 60), ("Cy", 0)]
    assert page.post("/tournament/places", data=paper(page, ["3", "1", "9"])).status_code == 400
    assert page.post("/tournament/places", data=paper(page, ["3", "2", "1"])).status_code == 303
    for path in ("/tournament", "/tournament/sheet"):
        assert "Ana" in shown(page, path)
    assert TournamentBook(hub.store, hub.people, lambda: TablesThen(0.0, {})).now() == hub.tournament.now()
    page.post("/tournament/end")
    assert hub.tournament.now() is None


def test_a_bracket_is_kept_by_its_keeper_and_goes_on_by_its_tables(
    hub: Hub, page: FlaskClient, table: SpeakingTable
) -> None:
    form = {"people": "Ana\nBo\nCy", "order": "written"}
    assert page.post("/bracket/new", data={**form, "people": "Ana", "code": hub.keeper.now.code}).status_code == 400
    assert page.post("/bracket/new", data=form).status_code == 303
    table.ends(1, players=[{"seat": 1, "name": "Bo"}, {"seat": 2, "name": "Cy"}], scores={"1": 1, "2": 2}, winners=[2])
    until(lambda: stored_matches(hub))
    page.post("/scene", data={"scene": "bracket"})
    for path in ("/", "/bracket", "/bracket/sheet"):
        assert '<p class="on">Cy</p>' in shown(page, path)
    assert page.post("/bracket/won", data={"winner": "Cy", "loser": "Dee"}).status_code == 400
    page.post("/bracket/leave", data={"name": "Ana"})
    assert "Cy wins the duels!" in shown(page)
    page.post("/bracket/won", data={"winner": "Bo", "loser": "Cy"})
    assert "Bo wins the duels!" in shown(page)
    assert BracketBook(hub.store, hub.people, lambda: TablesThen(0.0, {})).now() == hub.bracket.now()
    page.post("/bracket/end")
    assert hub.bracket.now() is None


@pytest.mark.parametrize(
    ("path", "message"), [("/tournament", "A tournament is on already."), ("/bracket", "Duels are on already.")]
)
def test_what_is_on_is_replaced_by_no_older_page(hub: Hub, page: FlaskClient, path: str, message: str) -> None:
    page.post("/keeper", data={"code": hub.keeper.now.code})
    form = {"rounds": 1, "pod": 3, "order": "written"}
    assert page.post(f"{path}/new", data={**form, "people": "Ana\nBo\nCy"}).status_code == 303
    refused = page.post(f"{path}/new", data={**form, "people": "Dee\nEve\nFinn"})
    assert refused.status_code == 400
    assert message in refused.get_data(as_text=True)
    assert "Ana" in shown(page, path)
    page.post(f"{path}/end")
    assert page.post(f"{path}/new", data={**form, "people": "Dee\nEve\nFinn"}).status_code == 303


def test_what_a_stranger_typed_is_done_once_they_type_the_code(hub: Hub, page: FlaskClient) -> None:
    typed = {"people": "Ana\nBo\nCy", "rounds": "1", "pod": "3"}
    refused = page.post("/tournament/new", data=typed).get_data(as_text=True)
    assert 'action="/tournament/new"' in refused
    assert all(f'name="{name}" value="{text}"' in refused for name, text in typed.items())
    assert page.post("/tournament/new", data={**typed, "code": hub.keeper.now.code}).status_code == 303
    assert hub.tournament.now()


def test_a_browser_that_keeps_no_cookie_is_told_so(hub: Hub, page: FlaskClient) -> None:
    location = page.post("/keeper", data={"code": hub.keeper.now.code}).location
    assert "cookies" not in shown(page, location)
    page.delete_cookie("keeper")
    assert "keeps no cookies" in shown(page, location)


def test_a_full_disk_is_told_to_the_keeper_and_loses_nothing(hub: Hub, page: FlaskClient) -> None:
    full(hub.store)
    typed = {
        "people": "\n".join(f"Guillaume de la Rochefoucauld {number}" for number in range(400)),
        "rounds": "1",
        "pod": "3",
        "code": hub.keeper.now.code,
    }
    answer = page.post("/tournament/new", data=typed)
    assert answer.status_code == 503
    assert "Make room on its disk" in answer.get_data(as_text=True)
    assert hub.tournament.now() is None


def test_the_keeper_alone_says_who_is_who(hub: Hub, page: FlaskClient, table: SpeakingTable) -> None:
    table.ends(1)
    table.ends(
        2, players=[{"seat": 1, "name": "Anna", "card": "c"}, {"seat": 2, "name": "Bo"}, {"seat": 3, "name": "C"}]
    )
    until(lambda: hub.season.now.played == 2)
    assert page.post("/people", data={"key": "card c", "name": "Ana"}).status_code == 403
    page.post("/keeper", data={"code": hub.keeper.now.code})
    assert page.post("/people", data={"key": "nobody", "name": "Ana"}).status_code == 400
    assert page.post("/people", data={"key": "card c", "name": "Ana"}).status_code == 303
    until(
        lambda: (
            [person.name for _, all_of in hub.season.now.tables for person in all_of if person.played == 2]
            == ["Ana", "Bo"]
        )
    )
    (ana,) = hub.people.now.known
    assert "has a club card" in shown(page, "/keeper")
    page.post("/people/apart", data={"key": ana.id})
    until(lambda: len(hub.season.now.tables[0][1]) == 5)


def test_places_that_are_refused_stay_as_typed(hub: Hub, page: FlaskClient) -> None:
    hub.tournament.begin(["Ana", "Bo", "Cy"], 1, 3)
    hub.tournament.draw(1, [])
    page.post("/keeper", data={"code": hub.keeper.now.code})
    refused = page.post("/tournament/places", data=paper(page, ["3", "1", "3"]))
    assert refused.status_code == 400
    assert re.findall(r'value="(\d)" selected', refused.get_data(as_text=True)) == ["3", "1", "3"]


def test_a_lost_table_says_since_when(hub: Hub, page: FlaskClient, joined: Joined) -> None:
    table = joined(ONE)
    until(lambda: ONE in hub.follower.tables())
    table.crash()
    until(lambda: "not heard since" in shown_by_itself(page))


def test_nothing_of_a_hub_leaves_the_path_of_its_proxy(
    hub: Hub, joined: Joined, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wall, "last_page", lambda _: 1)
    joined(ONE)
    until(lambda: ONE in hub.follower.tables())
    client = create_hub(replace(hub, proxies=("127.0.0.1",))).test_client()
    below = {"X-Forwarded-Prefix": "/club"}
    assert "; url=/club/?page=" in client.get("/?page=0&turn", headers=below).headers["Refresh"]
    for path in ("/", "/season", "/keeper", f"/table/{ONE}", "/not-there", "/stream/wall?once"):
        page = client.get(path, headers=below, buffered=True).text
        assert re.findall(r'(?:href|src|action|data-stream)=\\?"/(?!club/)', page) == [], path
