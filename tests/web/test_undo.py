"""The act just done is taken back on the phone that did it."""

import re

from flask.testing import FlaskClient

from companion.events import Pressed, Said, Tapped
from companion.live.table import Live
from companion.web.render.verdicts import mark
from tests.web.table import PEOPLE, Clock, post, to_count


def line(phone: FlaskClient, seat: int) -> dict[str, str]:
    """The form that offers it; {}: none does."""
    hit = re.search(r'<div class="just-done">(.*?)</div>', phone.get(f"/seat/{seat}").text, re.DOTALL)
    assert hit
    return dict(re.findall(r'name="(\w+)" value="([^"]*)"', hit[1]))


def test_only_the_phone_that_acted_offers_it_until_the_next_act(
    live: Live, clock: Clock, bo: FlaskClient, cleo: FlaskClient
) -> None:
    live.enter(Pressed(0, 0.0, 3))
    assert line(cleo, 5) == {}
    assert post(bo, "/take-back", **line(bo, 3))[0] == 200
    assert live.ask(lambda match: match.state.phase.value) == "ready"
    assert line(bo, 3) == {}
    live.enter(Pressed(0, 0.0, 3))
    assert line(bo, 3)
    clock.now += 5
    live.enter(Pressed(0, 0.0, 5))
    assert line(bo, 3) == {}


def test_it_says_what_it_takes_back_in_the_words_that_everybody_was_told(
    live: Live, host: FlaskClient, bo: FlaskClient
) -> None:
    live.enter(Pressed(0, 0.0, 3))
    assert ">Undo: Bo started</button>" in bo.get("/seat/3").text
    assert '<p class="headline">Bo started.</p>' in host.get("/host").text
    assert ' aria-description="Bo started">Undo</button>' in host.get("/host").text


def test_what_another_seat_does_in_secret_leaves_it(live: Live, bo: FlaskClient) -> None:
    to_count(live, caller=3)
    offered = bo.get("/seat/3").data
    assert line(bo, 3)["code"] == "stop-shown"
    live.enter(Tapped(0, 0.0, "seat-5", "red-1"))
    assert bo.get("/seat/3").data == offered


def test_an_end_that_everybody_has_seen_is_taken_back_only_if_another_agrees(live: Live, bo: FlaskClient) -> None:
    live.begin("stop-it", PEOPLE, {"empty": "end-now"})
    live.enter(Pressed(0, 0.0, 1), Said(0, 0.0, 3, "piles-empty"))
    assert live.snapshot.under_way is None
    entry = live.snapshot.views[None]["told"][-1]
    form = {"entry": entry["entry"], "code": entry["code"], "mark": mark(entry["code"], entry["facts"])}
    assert post(bo, "/take-back", **form)[1].startswith("That concerns others")
    assert live.snapshot.under_way is None
