"""A seat's own page: how large the news is, whom its player waits for, and what they may take back."""

from typing import Any

import pytest

from companion.events import Pressed
from companion.game.rulings import REVEAL
from companion.live.table import Live
from companion.web.render.news import News
from companion.web.render.page_names import Page
from companion.web.render.subjects.seat_page import HEAVY, SeatPage, how_shown
from tests.web.table import Clock, app_of, count, to_count

LIGHT = News("told", 4, ("Bo lays a card",), (), (), 1)


def seat_page(live: Live, seat: int) -> SeatPage:
    page = app_of(live).extensions["companion"].screens.frame(Page("seat", seat), "en")["seat_page"]
    assert isinstance(page, SeatPage)
    return page


@pytest.mark.parametrize(
    ("state", "changes", "waits_for_first", "shown_as"),
    [
        ("wait", {}, False, "brief"),
        ("all", {"own": True}, False, "brief"),
        ("wait", {"own": True}, False, "verdict"),
        ("wait", {"own": True}, True, "brief"),
        ("turn", {}, False, "verdict"),
        ("wait", {"weight": HEAVY}, False, "verdict"),
        ("wait", {"stage": REVEAL.name}, False, "verdict"),
        ("wait", {"code": "corrected"}, False, "verdict"),
    ],
)
def test_what_another_did_is_a_line_while_one_waits_unless_it_is_large(
    state: Any, changes: dict[str, Any], waits_for_first: bool, shown_as: str
) -> None:
    values = {**{name: getattr(LIGHT, name) for name in LIGHT.__struct_fields__}, **changes}
    assert how_shown(News(**values), (), state, waits_for_first=waits_for_first) == shown_as
    assert how_shown(None, (), state, waits_for_first=waits_for_first) == ""


def test_who_does_not_play_has_a_page_with_the_number_of_their_seat(live: Live) -> None:
    guest = seat_page(live, 2)
    assert (guest.plays, guest.name, guest.state, guest.points) == (False, "seat 2", "done", None)


def test_only_who_did_the_latest_act_is_offered_to_take_it_back(live: Live, clock: Clock) -> None:
    clock.now += 1
    live.enter(Pressed(0, 0.0, 1))
    (offered,) = seat_page(live, 1).undo
    assert offered.code == "started"
    assert seat_page(live, 3).undo == ()


def test_who_has_counted_sees_who_else_has(live: Live) -> None:
    to_count(live)
    count(live, 1, 4)
    assert (seat_page(live, 1).state, seat_page(live, 1).have_done) == ("done", (1,))
    assert (seat_page(live, 3).state, seat_page(live, 3).have_done) == ("turn", ())
