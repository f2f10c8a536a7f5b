"""An undo takes the latest act back; what was told before that act, and had its time, is not told again as if new."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.events import Event, Player, Pressed, Retracted, Said, Tapped
from companion.live.table import Live
from companion.web.render.news import news
from companion.web.render.verdicts import Sentences
from companion.web.render.words import PageWords
from tests.web.table import Clock, app_of, living

PEOPLE = (Player(1, "Ana"), Player(2, "Bo"), Player(3, "Cléo"))
TO_COUNT = (Pressed(0, 1.0, 1), Pressed(0, 3.0, 1), Tapped(0, 4.0, "centre", "red-stop-1"))
SLIP = Tapped(0, 5.0, "centre", "red-2")
"""Cards are counted at one's own seat: everybody is told."""
OWN_SLIP = Said(0, 5.0, 2, "count", 99)
"""More than the box holds: only Bo is told."""


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    with living(tmp_path, Clock()) as live:
        live.begin("stop-it", PEOPLE, {})
        enter(live, *TO_COUNT)
        yield live


def enter(live: Live, *events: Event) -> None:
    for event in events:
        live.clock.now = event.at  # type: ignore[attr-defined]
        live.enter(event)


def undo(live: Live) -> None:
    """Take back the latest act that counts."""
    live.enter(Retracted(0, live.clock(), live.ask(lambda match: match.public[-1].seq)))


def hint(live: Live, seat: int | None = None) -> str | None:
    """What a page says is to be put right: the code."""
    view = live.snapshot.views[seat]
    sentences = Sentences(view["told"], PageWords("stop-it", "en"), seat, live.snapshot.last_said.get(seat))
    sentence = sentences.hint if seat is None else sentences.private
    return None if sentence is None else sentence.code


def is_fresh(live: Live) -> bool:
    latest = news(live.snapshot, live.snapshot.views[None], PageWords("stop-it", "en"), None)
    return latest is not None and latest.fresh


def test_a_refusal_that_had_its_time_is_not_told_again(live: Live) -> None:
    enter(live, SLIP)
    assert hint(live) == "count-at-your-seat"
    enter(live, Said(0, 6.0, 1, "count", 2))
    assert hint(live) is None
    undo(live)
    assert hint(live) is None
    assert "Count your cards at your own seat" not in app_of(live).test_client().get("/big").text


def test_nor_is_one_of_its_own_seat(live: Live) -> None:
    enter(live, OWN_SLIP)
    assert hint(live, 2) == "count-impossible"
    enter(live, Said(0, 6.0, 2, "count", 2))
    assert hint(live, 2) is None
    undo(live)
    assert hint(live, 2) is None


def test_a_refusal_that_still_stands_goes_on_being_told(live: Live) -> None:
    enter(live, OWN_SLIP, Said(0, 6.0, 1, "count", 2))
    undo(live)
    assert hint(live, 2) == "count-impossible"


def test_the_same_refusal_of_a_new_act_is_told(live: Live) -> None:
    enter(live, SLIP, Said(0, 6.0, 1, "count", 2))
    undo(live)
    enter(live, Tapped(0, 8.0, "centre", "red-3"))
    assert hint(live) == "count-at-your-seat"


def test_no_moment_is_played_again(live: Live) -> None:
    assert is_fresh(live)
    enter(live, Said(0, 6.0, 1, "count", 2))
    assert not is_fresh(live)
    undo(live)
    assert not is_fresh(live)


def test_nor_once_the_undo_has_been_told(live: Live) -> None:
    enter(live, *(Said(0, 6.0, seat, "count", 2) for seat in (1, 2, 3)), Pressed(0, 10.0, 1))
    undo(live)  # the restart: the count before it was played already
    enter(live, Tapped(0, 11.0, "centre", "red-5"))  # a misplay makes no news older
    assert not is_fresh(live)
