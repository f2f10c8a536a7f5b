"""What a game's code returns that is no verdict, no outcome or no card costs what a fault of its code does."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion import games
from companion.devices import sensing
from companion.events import Player, Said
from companion.game import AnyGame, Outcome, Ruling
from companion.live import game_code_faults
from companion.live.table import Live
from tests.waiting import until
from tests.web.table import app_of, living, post

PEOPLE = (Player(1, "Ana"), Player(2, "Bo"))
PAGES = ("/", "/big", "/seat/1", "/host", "/table", "/story", "/results/1", "/api/1/public", "/api/1/matches/1")
NONSENSE: tuple[Any, ...] = (None, "x", 3.5, object(), [object()], {"x": object()})
WRONG: dict[str, tuple[Any, ...]] = {
    "judge": (*NONSENSE, *((..., answer) for answer in (None, "x", (None,), (Ruling("x", 99),)))),
    "outcome": (
        *NONSENSE,
        *(Outcome(*arguments) for arguments in (({}, ()), ({1: 0}, ()), ({1: "x", 2: 0}, ()), ({1: 0, 2: 0}, ("x",)))),
    ),
}
"""What is asked at every event, and what it must not return; `...` stands for the state."""


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    with living(tmp_path) as live:
        live.begin("stop-it", PEOPLE, {})
        yield live


@pytest.mark.parametrize(("part", "value"), [(part, value) for part, wrong in WRONG.items() for value in wrong])
def test_the_match_goes_on_every_page_is_there_and_the_fault_is_told(
    live: Live, monkeypatch: pytest.MonkeyPatch, part: str, value: Any
) -> None:
    def judge(state: Any, event: Any) -> Any:
        return (state, value[1]) if isinstance(value, tuple) and value[0] is ... else value

    good = games.known()["stop-it"]
    assert good.moves.presses
    moves = replace(
        good.moves,
        taps=replace(good.moves.taps, judge=judge),
        presses=replace(good.moves.presses, judge=judge),
        words={name: replace(word, judge=judge) for name, word in good.moves.words.items()},
    )
    bad: AnyGame = replace(good, **({"moves": moves} if part == "judge" else {part: lambda *_: value}))
    known_games = {**games.known(), "stop-it": bad}
    monkeypatch.setattr(games, "known", lambda: known_games)
    live.ask(lambda match: setattr(match, "game", bad))
    client = app_of(live).test_client()
    for place in ("centre", "seat-1"):
        live.tell(sensing.Appeared(place, "virtual:stop-it/red-7", live.clock()))
    live.tell(sensing.Buzzed(1, live.clock(), 0.0, "box:1"))
    live.enter(Said(0, 0.0, "host", "piles-empty"))
    post(client, "/enter", kind="tapped", place="seat-1", card="red-7", page="seat-1")
    assert live.ask(lambda match: len(match.events)) == 6
    assert [client.get(page).status_code for page in PAGES] == [200] * len(PAGES)
    until(lambda: part in {fault.what for fault in game_code_faults.load(live.kept_in)})
