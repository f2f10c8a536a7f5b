"""A seat hears its cards: told to it alone, and no lay."""

from pathlib import Path

import pytest

from companion.devices.sensing import Appeared
from companion.events import UNKNOWN, Tapped
from companion.live.cards_aloud import MOST, HeardCards
from companion.live.judging import NoMatch
from companion.live.lamps import cues
from companion.live.table import Live
from tests.live.table import Table
from tests.web.table import PEOPLE, Clock, living

RED = "040404BB"
STOP = "040404AA"


def begins(live: Live, seat: int = 1) -> None:
    live.listen(lambda hearing: hearing.begin(seat))


def ends(live: Live, seat: int = 1) -> None:
    live.listen(lambda hearing: hearing.end(seat))


def heard(table: Table, seat: int = 1) -> tuple[str, ...]:
    return table.live.snapshot.hearing[seat].cards


def test_a_card_that_is_heard_is_no_event(table: Table) -> None:
    begins(table.live)
    table.lay("seat-1", RED)
    table.lift("seat-1", RED)
    assert heard(table) == ("red-7",)
    assert len(table.events) == 1


def test_each_card_is_told_once_when_it_is_laid_also_the_same_again(table: Table) -> None:
    begins(table.live)
    for uid in (RED, STOP, RED):
        table.lay("seat-1", uid)
        table.lift("seat-1", uid)
    assert table.live.snapshot.hearing[1] == HeardCards(3, ("red-7", "red-stop-1", "red-7"))


def test_no_more_is_kept_than_a_hand(table: Table) -> None:
    begins(table.live)
    for _ in range(MOST + 3):
        table.lay("seat-1", RED)
        table.lift("seat-1", RED)
    assert (table.live.snapshot.hearing[1].number, len(heard(table))) == (MOST + 3, MOST)


def test_only_the_seats_own_reader_is_heard(table: Table) -> None:
    begins(table.live)
    table.lay("centre", STOP)
    table.lay("seat-2", RED)
    assert (heard(table), [type(event) for event in table.events[1:]]) == ((), [Tapped, Tapped])


def test_a_card_belongs_to_the_time_it_was_laid_at(bare: Table) -> None:
    clock = Clock()
    live = bare.again(clock)
    bare.begin()
    clock.now = 10.0
    begins(live)
    clock.now = 20.0
    ends(live)
    clock.now = 15.0
    bare.lay("seat-1", RED)
    assert len(bare.events) == 1, "laid to be heard, and told late"
    clock.now = 9.0
    bare.lay("seat-1", STOP)
    assert len(bare.events) == 2, "laid to be played, and told late"


def test_a_restart_and_a_new_match_end_it(table: Table) -> None:
    begins(table.live)
    table.begin()
    assert table.live.snapshot.hearing == {}
    begins(table.live)
    assert table.again().snapshot.hearing == {}


def test_a_sticker_that_no_deck_knows_is_told_as_such(table: Table) -> None:
    begins(table.live)
    table.lay("seat-1", "040404FF")
    assert heard(table) == (UNKNOWN,)


def test_nor_has_it_a_name_to_be_read_aloud_where_it_is_played(table: Table) -> None:
    table.lay("seat-1", "040404FF")
    table.lay("seat-1", RED)
    assert table.live.snapshot.feedback[1].faces == ("", "red-7")


def test_a_lamp_shows_of_any_card_that_it_was_read(table: Table) -> None:
    begins(table.live)
    cues_shown = []
    for uid in (RED, STOP, "040404FF"):
        table.lay("seat-1", uid)
        cues_shown.append(cues(table.live.snapshot))
        table.lift("seat-1", uid)
    assert cues_shown[0] == cues_shown[1] == cues_shown[2]


def test_without_a_match_nothing_can_be_heard(bare: Table) -> None:
    with pytest.raises(NoMatch):
        begins(bare.live)


@pytest.mark.parametrize(
    ("card", "card_heard"),
    [
        ("yellow-stop", "yellow-stop"),
        ("yellow-go-1", ""),
        ("gangster-7", "gangster-7"),
        ("gangster-8", ""),
        ("red-stop", ""),
        ("token-3-1", ""),
    ],
    ids=("in hand", "laid face down", "turned up", "in the pile", "another's", "a token"),
)
def test_what_its_player_may_not_look_at_is_not_told(tmp_path: Path, card: str, card_heard: str) -> None:
    with living(tmp_path, Clock()) as live:
        live.begin("stop-me-go", PEOPLE, {"colours": {"1": "red", "3": "yellow", "5": "blue"}})
        live.enter(Tapped(0, 0.0, "centre", "gangster-7"), Tapped(0, 0.0, "seat-3", "yellow-go-1"))
        live.listen(lambda hearing: hearing.begin(3))
        live.tell(Appeared("seat-3", f"virtual:stop-me-go/{card}", 0.0))
        assert live.snapshot.hearing[3].cards == (card_heard,)
