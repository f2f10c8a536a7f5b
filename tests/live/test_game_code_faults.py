"""What a game's code raises costs the picture it was raised for, and nothing else."""

import io
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace

from companion import games
from companion.devices import sensing
from companion.errors import NotNow
from companion.events import Event, Player, Said
from companion.game import AnyGame, Chart, Game, GameMoves, KnownCards, Misplay, Presses, Ruling, RulingKind, Taps, Wait
from companion.live import game_code_faults
from companion.live.pause import Why
from companion.live.table import Live
from tests.waiting import until
from tests.web.table import Clock, app_of, living, post

PEOPLE = (Player(1, "Ana"), Player(2, "Bo"))


@pytest.fixture
def journal() -> Iterator[io.StringIO]:
    """What is logged, from before the table is there: the judge may ask for a delay before a test has begun."""
    journal = io.StringIO()
    handler = logging.StreamHandler(journal)
    logging.getLogger().addHandler(handler)
    yield journal
    logging.getLogger().removeHandler(handler)


@pytest.fixture
def live(tmp_path: Path, journal: io.StringIO) -> Iterator[Live]:
    with living(tmp_path) as live:
        live.begin("stop-it", PEOPLE, {})
        yield live


def broken(*_: Any) -> Any:
    raise ZeroDivisionError("a fault in the game's code")


def damage(app: Flask, template: str) -> FlaskClient:
    """Damage a template and return a phone that looks at pages."""
    whole = app.jinja_env.loader.get_source  # type: ignore[union-attr]

    def damaged(env: Any, name: str) -> Any:
        return ("{{ table.no_such_name }}", None, None) if name == template else whole(env, name)

    app.jinja_env.loader.get_source = damaged  # type: ignore[union-attr,method-assign]
    return app.test_client()


def with_a_broken(part: str, game: AnyGame) -> AnyGame:
    """Return the game with one part of its code broken."""
    moves = game.moves
    match part:
        case "judge":
            assert moves.presses is not None
            presses = replace(moves.presses, judge=broken)
            return replace(game, moves=replace(moves, taps=replace(moves.taps, judge=broken), presses=presses))
        case "meant" | "whose":
            return replace(game, moves=replace(moves, taps=replace(moves.taps, **{part: broken})))
        case "delay":
            return replace(game, moves=replace(moves, waits={"last-calls": Wait(broken, broken)}))
    return replace(game, **{part: broken})


@pytest.fixture(params=["judge", "view", "outcome", "knows", "delay", "whose", "charts"])
def part(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, live: Live) -> str:
    """Break one part of the game that is on."""
    name: str = request.param
    wrong = with_a_broken(name, live.ask(lambda match: match.game))
    live.ask(lambda match: setattr(match, "game", wrong))
    live.listen(lambda hearing: hearing.begin(2))
    known_games = {**games.known(), "stop-it": wrong}
    monkeypatch.setattr(games, "known", lambda: known_games)
    return name


def test_what_happens_is_recorded_and_every_source_goes_on(live: Live, part: str) -> None:
    for number in range(3):
        live.tell(sensing.Buzzed(1 + number % 2, live.clock(), 0.0, f"box:{number}"))
        for place in ("centre", "seat-1", "seat-2"):  # seat 2 hears its cards
            live.tell(sensing.Appeared(place, "virtual:stop-it/red-7", live.clock()))
    live.enter(Said(0, 0.0, "host", "piles-empty"))
    assert live.ask(lambda match: len(match.events)) == 11
    assert live.snapshot.views[None]["told"] is not None


def test_no_game_is_asked_who_may_hear_a_card_that_is_not_its_own(live: Live) -> None:
    game = live.ask(lambda match: match.game)
    kinds_asked: list[str] = []

    class Deck(frozenset[str]):
        def __contains__(self, card: object) -> bool:
            kinds_asked.append(game.deck[str(card)].kind)
            return True

    careless = replace(game, knows=lambda state, observer: KnownCards(nothing=Deck()))
    live.ask(lambda match: setattr(match, "game", careless))
    live.listen(lambda hearing: hearing.begin(2))
    for place in ("seat-1", "seat-2"):
        for uid in ("040404FF", "virtual:kartel/red-boss", "virtual:stop-it/red-7"):
            live.tell(sensing.Appeared(place, uid, live.clock()))
    assert kinds_asked == ["plain", "plain"]
    assert not live.faults.known


def test_every_page_is_there(live: Live, part: str) -> None:
    client = app_of(live).test_client()
    live.tell(sensing.Buzzed(1, live.clock(), 0.0, "box:1"))
    for page in ("/", "/big", "/seat/1", "/host", "/table", "/story", "/results/1"):
        assert client.get(page).status_code == 200, page


def test_a_view_that_fails_says_so_and_shows_the_plain_page(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    live.ask(lambda match: setattr(match, "game", replace(match.game, view=broken)))
    live.tell(sensing.Buzzed(1, live.clock(), 0.0, "box:1"))
    client = app_of(live).test_client()
    assert "can’t be shown" in client.get("/seat/1?lang=en").text
    assert 'class="buzzer"' in client.get("/seat/1").text


@pytest.fixture(params=[Ruling, Misplay])
def unworded(request: pytest.FixtureRequest, live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tell something that is news, and for which the game has no words."""

    def judge(state: Any, event: Event) -> Any:
        return state, (request.param("no-such-word", event.seq, {"seat": 1}),)

    stop_it = games.known()["stop-it"]
    wordless = replace(
        stop_it,
        moves=GameMoves(taps=Taps(judge), presses=Presses(judge)),
        rulings={**stop_it.rulings, "no-such-word": RulingKind(1)},
    )
    known_games = {**games.known(), "stop-it": wordless}
    monkeypatch.setattr(games, "known", lambda: known_games)
    live.ask(lambda match: setattr(match, "game", wordless))
    live.tell(sensing.Buzzed(1, live.clock(), 0.0, "box:1"))
    live.tell(sensing.Appeared("seat-1", "virtual:stop-it/red-7", live.clock()))


@pytest.mark.usefixtures("unworded")
def test_what_a_game_has_no_words_for_costs_no_page(live: Live) -> None:
    client = app_of(live).test_client()
    for page in ("/", "/big", "/seat/1", "/host", "/table", "/story", "/results/1"):
        assert client.get(page).status_code == 200, page
    for path in ("/api/1/public", "/api/1/matches/1"):
        assert client.get(path).status_code == 200, path
    assert client.get("/no-such-page").status_code == 404
    assert 'class="buzzer"' in client.get("/seat/1").text
    assert "can’t be shown as it should" in client.get("/seat/1?lang=en").text
    assert "can’t be shown" in client.get("/story?lang=en").text
    assert {fault.what for fault in live.faults.known} == {"words"}
    assert "no-such-word" in live.faults.known[0].trace


@pytest.mark.usefixtures("unworded")
def test_an_act_that_a_game_has_no_words_for_is_noted(live: Live) -> None:
    client = app_of(live).test_client()
    assert post(client, "/enter", kind="pressed", seat=1, page="seat-1") == (200, "Noted.")


def test_a_chart_that_cannot_be_drawn_costs_itself_alone(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    nameless = Chart("no-such-chart", "bars", ({"number": 1},), {1: (3,), 2: (4,)})
    known_games = {**games.known(), "stop-it": replace(games.known()["stop-it"], charts=lambda table: (nameless,))}
    monkeypatch.setattr(games, "known", lambda: known_games)
    assert app_of(live).test_client().get("/results/1").status_code == 200
    assert [fault.what for fault in live.faults.known] == ["charts"]


def test_what_a_game_fails_to_show_is_not_taken_back_by_its_name(live: Live) -> None:
    live.ask(lambda match: setattr(match, "game", replace(match.game, view=broken)))
    client = app_of(live).test_client()
    assert post(client, "/take-back", seat=1, card="red-7", page="seat-1")[0] == 200


def test_a_card_is_meant_as_it_is_offered_where_its_game_fails_to_say(live: Live) -> None:
    live.ask(lambda match: setattr(match, "game", with_a_broken("meant", match.game)))
    client = app_of(live).test_client()
    assert post(client, "/enter", kind="tapped", place="seat-1", card="red-7", page="seat-1")[0] == 200
    assert live.ask(lambda match: len(match.events)) == 2


def test_how_a_game_is_played_is_refused_in_words_where_its_page_fails(live: Live) -> None:
    app = app_of(live)
    page = damage(app, "stop-it/how.html").get("/how/stop-it?lang=en")
    assert page.status_code == 500
    assert "can’t be shown as it should" in page.text
    assert [fault.what for fault in live.faults.known] == ["page"]


def test_a_page_of_a_game_that_fails_is_the_plain_one(live: Live) -> None:
    page = damage(app_of(live), "stop-it/seat.html").get("/seat/1?lang=en")
    assert page.status_code == 200
    assert 'class="buzzer"' in page.text
    assert "can’t be shown as it should" in page.text
    assert [fault.what for fault in live.faults.known] == ["page"]


def test_the_traceback_is_in_the_journal_once_and_kept(live: Live, part: str, journal: io.StringIO) -> None:
    client = app_of(live).test_client()
    for number in range(3):
        live.tell(sensing.Buzzed(1, live.clock(), 0.0, f"box:{number}"))
        for place in ("centre", "seat-1", "seat-2"):
            live.tell(sensing.Appeared(place, f"virtual:stop-it/red-{number + 1}", live.clock()))
        client.get("/results/1")
    last_line = "ZeroDivisionError: a fault in the game's code"
    until(lambda: 0 < journal.getvalue().count(last_line) == len(game_code_faults.load(live.kept_in)))
    [code_fault] = [fault for fault in game_code_faults.load(live.kept_in) if fault.what == part]
    assert "in broken" in code_fault.trace


@pytest.fixture
def kartel_cannot_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong: Game = replace(games.known()["kartel"], begin=broken)
    known_games = {**games.known(), "kartel": wrong}
    monkeypatch.setattr(games, "known", lambda: known_games)


@pytest.mark.usefixtures("kartel_cannot_begin")
def test_a_game_that_cannot_begin_begins_nothing(live: Live) -> None:
    with pytest.raises(NotNow, match="can't begin"):
        live.begin("kartel", PEOPLE, {})
    assert live.snapshot.match == 1
    live.tell(sensing.Buzzed(1, live.clock(), 0.0, "box:1"))
    assert live.ask(lambda match: len(match.events)) == 2


@pytest.mark.usefixtures("kartel_cannot_begin")
def test_who_starts_a_game_that_cannot_begin_reads_why(live: Live) -> None:
    form = {"game": "kartel", "seat-1": "Ana", "seat-2": "Bo"}
    live.pause(Why.ENDED)
    for path in ("/start", "/demo/start"):
        status, message = post(app_of(live).test_client(), path, **form)
        assert (status, "kartel can't begin: a fault in its code" in message) == (409, True), path


def test_a_delay_whose_code_fails_leaves_the_judge_alive(tmp_path: Path) -> None:
    clock = Clock()
    with living(tmp_path, clock) as live:
        live.begin("stop-it", PEOPLE, {})
        live.ask(lambda match: setattr(match, "game", with_a_broken("delay", match.game)))
        until(lambda: bool(live.faults.known))
        assert live.ask(lambda match: match.over) is False
