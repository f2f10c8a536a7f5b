"""What whoever plays here for the first time looks for is where they look."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.events import Pressed, Tapped
from companion.kit.in_chromium import Glass, Rendered
from companion.languages import LANGUAGES
from companion.live.simulation import Simulation
from tests.chromium import PHONE, TELEVISION
from tests.web.table import ANAS, BOS, PEOPLE, Clock, app_with, client_of, living, phones_of, post

OUT_OF_SIGHT = """() => {
  const { top, bottom } = document.querySelector(".lesson").getBoundingClientRect();
  return top > 0 && bottom <= innerHeight ? [] : [`the rule lies from ${top} to ${bottom} of ${innerHeight}`];
}"""
IN_A_THUMBS_WAY = (
    """() => getComputedStyle(document.querySelector(".lesson")).pointerEvents === "none" ? [] : ["it takes taps"]"""
)
SMALL = """() => {
  const part = document.querySelector(".stage").getBoundingClientRect().height / innerHeight;
  return part > 0.45 ? [] : [`the table has ${part} of the screen`];
}"""

OUT_OF_REACH = """() => {
  const acts = [...document.querySelector(".mine form").querySelectorAll("button")];
  const ends = Math.max(...acts.map(act => act.getBoundingClientRect().bottom));
  return document.querySelector(".lesson") && ends <= innerHeight ? [] : [`what there is to do ends at ${ends}`];
}"""


@pytest.fixture
def racing(tmp_path: Path) -> Iterator[FlaskClient]:
    """Ana's phone, while she and two bots collect."""
    with living(tmp_path, Clock(), simulated=True) as live:
        simulation = Simulation(live, seed=lambda: "always the same")
        app = app_with(live, phones_of(live, {}), simulation=simulation)
        ana = client_of(app, None)
        assert post(ana, "/play", game="stop-it", name="Ana", bots=2)[0] == 200
        assert post(ana, "/play/move", seat=1, what="start")[0] == 200
        yield ana


def test_a_races_rule_is_in_sight_and_in_no_thumbs_way(racing: FlaskClient, glass: Glass) -> None:
    page = Rendered("/seat/1", "en", racing.get("/seat/1").text)
    assert 'class="lesson' in page.html
    both = f"() => [...({OUT_OF_SIGHT})(), ...({IN_A_THUMBS_WAY})()]"
    assert glass.ask([page], both, PHONE) == []


def test_what_people_ask_each_other_leaves_the_table_nearly_as_large(tmp_path: Path, glass: Glass) -> None:
    with living(tmp_path, Clock()) as live:
        live.begin("stop-it", PEOPLE, {})
        ana = client_of(app_with(live, phones_of(live, {0: ANAS, 1: ANAS, 3: BOS}), virtual=False), ANAS)
        alone = Rendered("/big", "en", ana.get("/big").text)
        assert post(ana, "/end")[0] == 200
        asked_screen = Rendered("/big, asked", "en", ana.get("/big").text)
    assert 'id="question"' in asked_screen.html
    assert 'class="lesson' not in asked_screen.html
    assert glass.ask([alone, asked_screen], SMALL, TELEVISION) == []


def test_a_rule_leaves_what_there_is_to_do_in_reach_of_a_thumb(tmp_path: Path, glass: Glass) -> None:
    pages = []
    clock = Clock()
    with living(tmp_path, clock) as live:
        phone = client_of(app_with(live, phones_of(live, {0: ANAS, 1: ANAS}), virtual=False), ANAS)
        for game in ("go", "stop-me-go", "stop-it"):
            people = {"seat-1": "Ana", "seat-3": "Bo", "seat-5": "Cléo"}
            assert post(phone, "/start", game=game, **people)[0] == 200
            pages += _in_every_language(phone, f"{game}, at its start")
        for act in (Pressed(0, 0.0, 1), Pressed(0, 0.0, 1)):
            clock.now += 2
            live.enter(act)
        pages += _in_every_language(phone, "whoever was first shows a card")
        live.enter(Tapped(0, 0.0, "centre", "red-stop-1"))
        pages += _in_every_language(phone, "all count")
    assert glass.ask(pages, OUT_OF_REACH, PHONE) == []


def _in_every_language(phone: FlaskClient, moment: str) -> list[Rendered]:
    return [Rendered(moment, language, phone.get(f"/seat/1?lang={language}").text) for language in LANGUAGES]


def test_a_host_who_looks_after_a_match_finds_the_next_one_before_what_was(racing: FlaskClient) -> None:
    assert post(racing, "/end")[0] == 200
    page = racing.get("/host").text
    again = page.index('action="/again"')
    assert again < page.index('id="last-act"')
    assert 'class="alarm"' not in page


def test_whoever_asks_for_the_people_finds_everybody_who_has_played_here(racing: FlaskClient) -> None:
    answer = racing.get("/people")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/season#standings")
    assert 'id="standings"' in racing.get("/season").text
