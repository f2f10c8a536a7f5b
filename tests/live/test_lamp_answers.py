"""A lamp is green for a card that counts, and red for a card or a press that does not."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.devices.lamp_cues import CENTRE, Counted, Cue, Light
from companion.devices.sensing import Appeared
from companion.events import PHONE, Retracted, Tapped, seat_at
from companion.live.lamp_answers import STAYS_RED
from companion.live.lamps import cues
from tests.live.cards import ANA, BO, CLEO, UIDS, Cards
from tests.live.table import Table


class Clock:
    """A clock that a test sets."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


class Lamps(Cards):
    """A table on a clock that a test sets, where cards stay on the pads."""

    def __init__(self, folder: Path, slug: str, **options: object) -> None:
        self.clock = Clock()
        super().__init__(folder, slug, **options)

    def open(self, clock: Callable[[], float] | None = None, **more: Any) -> None:
        super().open(clock or self.clock, **more)

    def puts(self, place: str, card: str) -> Light | None:
        """Lay a card, and return what the lamp there shows while it lies there."""
        self.clock.now += 1.3
        self.lay(place, UIDS.get(card, card))
        return self.lamp(place)

    def takes(self, place: str, card: str) -> Light | None:
        self.lift(place, UIDS.get(card, card))
        return self.lamp(place)

    def reads(self, place: str, card: str) -> Light | None:
        """Lay a card, lift it, and return what the lamp there showed meanwhile."""
        light = self.puts(place, card)
        self.takes(place, card)
        return light

    def lamp(self, place: str) -> Light | None:
        return cues(self.live.snapshot).get(CENTRE if place == "centre" else seat_at(place) or -1)

    def waits(self, seconds: float) -> None:
        """Let time pass; what runs out meanwhile has run out."""
        self.clock.now += seconds
        for _ in range(2):
            self.live.ask(lambda match: None)

    def hits(self, seat: int) -> Light | None:
        self.clock.now += 1.3
        self.press(seat)
        return self.lamp(f"seat-{seat}")


@pytest.fixture
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Lamps]:
    slug, options = request.param
    table = Lamps(tmp_path, slug, **options)
    yield table
    table.close()


def playing(slug: str, **options: object) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("table", [(slug, options)], indirect=True, ids=[slug])


def to_count(table: Lamps) -> None:
    """Have Bo show the red stop: everybody counts."""
    table.hits(ANA)
    table.hits(BO)
    assert table.reads("seat-2", "red-stop-1") is Cue.READ
    table.clock.now += 2


@playing("stop-it")
def test_a_card_that_counts_is_green_while_it_lies_there(table: Lamps) -> None:
    to_count(table)
    assert table.puts("seat-1", "red-1") is Cue.READ
    table.clock.now += 60
    assert table.lamp("seat-1") is Cue.READ
    assert table.takes("seat-1", "red-1") == Counted(1)


@playing("stop-it")
def test_a_seats_own_lamp_says_how_many_of_its_cards_have_counted(table: Lamps) -> None:
    to_count(table)
    assert table.lamp("seat-1") is Cue.WAITING
    for number in range(1, 8):
        table.reads("seat-1", f"red-{number}")
        assert table.lamp("seat-1") == Counted(number)
    assert table.lamp("seat-3") is Cue.WAITING


@playing("stop-it")
def test_a_card_that_is_read_again_or_refused_is_no_further_card(table: Lamps) -> None:
    to_count(table)
    for card in ("red-1", "red-1", "blue-1", "04FFFFFFFFFFFF", "red-1"):
        table.reads("seat-1", card)
    table.waits(STAYS_RED)
    assert table.lamp("seat-1") == Counted(1)


@playing("stop-it")
def test_a_card_that_is_in_another_hand_too_is_a_further_card_since_nobody_may_know(table: Lamps) -> None:
    to_count(table)
    table.reads("seat-2", "red-1")
    table.reads("seat-1", "red-1")
    assert table.lamp("seat-1") == table.lamp("seat-2") == Counted(1)


@playing("stop-it")
def test_what_a_phone_enters_shows_on_no_lamp_because_nobody_saw_it(table: Lamps) -> None:
    to_count(table)
    table.reads("seat-1", "red-1")
    table.live.enter(Tapped(0, 0.0, "seat-1", "red-2", by="seat-1"))
    assert table.lamp("seat-1") == Counted(1)


@playing("stop-it")
def test_the_number_goes_with_the_count_and_with_what_is_taken_back(table: Lamps) -> None:
    to_count(table)
    table.reads("seat-1", "red-1")
    table.reads("seat-1", "red-2")
    table.live.enter(Retracted(0, 0.0, table.events[-2].seq))
    assert table.lamp("seat-1") == Counted(1)
    assert table.hits(ANA) is None


@playing("stop-it")
def test_the_number_is_the_same_after_a_restart(table: Lamps) -> None:
    to_count(table)
    table.reads("seat-1", "red-1")
    table.reads("seat-1", "red-2")
    table.again()
    assert table.lamp("seat-1") == Counted(2)


@playing("go")
def test_so_does_the_lamp_of_a_hand_that_is_read(table: Lamps) -> None:
    """Everybody holds twelve cards, so how many have been read reveals none."""
    table.hits(ANA)
    table.reads("centre", "grey-1")
    for value in range(1, 12):
        table.reads("seat-2", f"red-{value}")
    assert table.lamp("seat-2") == Counted(11)
    assert table.reads("seat-2", "blue-1") is Cue.READ
    assert table.lamp("seat-2") is None


@playing("go")
def test_a_hand_on_the_shared_reader_is_said_by_the_lamp_of_its_seat(table: Lamps) -> None:
    table.hits(ANA)
    table.reads("centre", "grey-1")
    table.hits(BO)
    for value in range(1, 4):
        table.reads("centre", f"red-{value}")
    assert (table.lamp("seat-2"), table.lamp("seat-3")) == (Counted(3), Cue.WAITING)


@playing("go", tracking="turns")
def test_what_was_drawn_earlier_is_no_number_of_a_turn(table: Lamps) -> None:
    table.reads("discard", "red-9")
    table.reads("row", "grey-1")
    for seat in (1, 2, 3):
        table.reads(f"seat-{seat}", f"red-{seat}")
        assert not isinstance(table.lamp(f"seat-{seat}"), Counted)
        table.reads("discard", f"blue-{seat}")
    assert table.lamp("seat-1") is Cue.WAITING


@playing("stop-me-go", colours={"1": "red", "2": "yellow", "3": "blue"})
def test_a_card_that_is_laid_alone_is_no_number(table: Lamps) -> None:
    table.reads("centre", "gangster-7")
    table.reads("seat-1", "red-go-1")
    assert not isinstance(table.lamp("seat-1"), Counted)


@playing("stop-it")
@pytest.mark.parametrize(
    "card",
    [
        pytest.param("04FFFFFFFFFFFF", id="an unknown sticker"),
        pytest.param("blue-1", id="the wrong colour"),
        pytest.param("negative-1", id="a penalty card"),
        pytest.param("red-stop-2", id="a stop card"),
    ],
)
def test_a_card_that_does_not_count_is_red(table: Lamps, card: str) -> None:
    to_count(table)
    assert table.puts("seat-1", card) is Cue.REFUSED
    assert table.lamp("seat-3") is Cue.WAITING


@playing("stop-it")
def test_so_is_a_phone_or_a_bank_card(table: Lamps) -> None:
    to_count(table)
    table.live.tell(Appeared("seat-1", PHONE, table.clock.now))
    assert table.lamp("seat-1") is Cue.REFUSED


@playing("stop-it")
def test_so_is_any_card_after_ones_own_count(table: Lamps) -> None:
    """One that was counted too, or everybody would see which were."""
    to_count(table)
    assert table.reads("seat-1", "red-1") is Cue.READ
    table.hits(ANA)
    assert table.reads("seat-1", "red-2") is Cue.REFUSED
    assert table.reads("seat-1", "red-1") is Cue.REFUSED


@playing("stop-it")
def test_a_card_that_lay_there_when_its_count_came_in_stays_green(table: Lamps) -> None:
    to_count(table)
    table.puts("seat-1", "red-1")
    assert table.hits(ANA) is Cue.READ


@playing("stop-it")
def test_a_card_that_is_in_another_hand_too_is_green_since_nobody_may_know(table: Lamps) -> None:
    to_count(table)
    assert table.reads("seat-2", "red-1") is Cue.READ
    assert table.reads("seat-1", "red-1") is Cue.READ


@playing("stop-it")
def test_a_card_that_was_read_again_is_still_green_and_a_refused_one_still_red(table: Lamps) -> None:
    to_count(table)
    for _ in range(3):
        assert table.reads("seat-1", "red-1") is Cue.READ
    for _ in range(3):
        assert table.reads("seat-1", "blue-1") is Cue.REFUSED


@playing("stop-it")
def test_red_stays_long_enough_to_be_seen(table: Lamps) -> None:
    to_count(table)
    table.reads("seat-1", "blue-1")
    table.waits(STAYS_RED / 2)
    assert table.lamp("seat-1") is Cue.REFUSED
    table.waits(STAYS_RED)
    assert table.lamp("seat-1") is Cue.WAITING


@playing("stop-it")
def test_the_next_card_is_answered_at_once(table: Lamps) -> None:
    to_count(table)
    table.reads("seat-1", "blue-1")
    assert table.puts("seat-1", "red-1") is Cue.READ


@playing("stop-it")
def test_a_press_that_means_nothing_is_red_for_a_moment(table: Lamps) -> None:
    to_count(table)
    for seat in (ANA, BO, CLEO):
        table.reads(f"seat-{seat}", f"red-{seat}")
        table.hits(seat)
    assert table.hits(CLEO) is Cue.REFUSED  # Bo called, so Bo starts again
    table.waits(STAYS_RED)
    assert table.lamp("seat-3") is None


@playing("stop-it")
def test_so_is_one_that_is_asked_for_again(table: Lamps) -> None:
    to_count(table)
    assert table.hits(ANA) is Cue.REFUSED


@playing("stop-it")
def test_what_is_undone_no_longer_counts_and_what_is_refused_no_longer_may(table: Lamps) -> None:
    to_count(table)
    table.puts("seat-1", "red-1")
    tap = table.events[-1].seq
    table.live.enter(Retracted(0, 0.0, tap))
    assert table.lamp("seat-1") is Cue.WAITING
    table.live.enter(Retracted(0, 0.0, tap + 1))
    assert table.lamp("seat-1") is Cue.READ


@playing("stop-it")
def test_a_card_lies_there_after_a_restart_as_before(table: Lamps) -> None:
    to_count(table)
    table.puts("seat-1", "red-1")
    table.puts("seat-3", "blue-1")
    table.again()
    assert (table.lamp("seat-1"), table.lamp("seat-3")) == (Cue.READ, Cue.REFUSED)


@playing("stop-it")
def test_before_the_count_no_card_counts(table: Lamps) -> None:
    assert table.reads("seat-1", "red-1") is Cue.REFUSED
    table.hits(ANA)
    assert table.reads("seat-1", "red-1") is Cue.REFUSED


@playing("kartel")
def test_a_token_out_of_turn_is_red(table: Lamps) -> None:
    assert table.puts("seat-3", "red-1") is Cue.REFUSED


@playing("stop-me-go", colours={"1": "red", "2": "yellow", "3": "blue"})
def test_anothers_card_is_red(table: Lamps) -> None:
    table.reads("centre", "gangster-7")
    assert table.reads("seat-1", "yellow-go-1") is Cue.REFUSED
    assert table.reads("seat-1", "red-go-1") is Cue.READ


@playing("stop-me-go", colours={"1": "red", "2": "yellow", "3": "blue"})
def test_a_card_from_an_older_gangster_is_green_where_it_would_look_like_a_change(table: Lamps) -> None:
    """While the table still waits for that seat, everybody knows that it does not count."""
    table.reads("centre", "gangster-7")
    for seat, card in ((1, "red-go-1"), (2, "yellow-go-1"), (3, "blue-go-1")):
        table.reads(f"seat-{seat}", card)
    table.reads("centre", "gangster-3")
    assert table.reads("seat-1", "red-go-1") is Cue.REFUSED
    assert table.reads("seat-1", "red-go-2") is Cue.READ
    assert table.reads("seat-1", "red-go-1") is Cue.READ
    wrong = table.live.snapshot.feedback[1].wrong
    assert wrong is not None
    assert wrong.code == "lies-already"


@playing("go", tracking="turns")
def test_a_drawn_card_shows_by_no_lamp_once_the_turn_is_over(table: Lamps) -> None:
    table.reads("discard", "red-9")
    table.reads("row", "grey-1")
    assert table.reads("seat-1", "red-3") is Cue.READ
    assert table.reads("seat-1", "red-3") is Cue.REFUSED
    assert table.reads("seat-1", "red-4") is Cue.REFUSED
    table.reads("discard", "blue-9")
    assert table.reads("seat-1", "red-3") is Cue.REFUSED
    assert table.reads("seat-1", "red-4") is Cue.REFUSED


@playing("go")
def test_any_card_beyond_a_complete_hand_is_red(table: Lamps) -> None:
    table.hits(ANA)
    for value in range(1, 12):
        assert table.reads("seat-2", f"red-{value}") is Cue.READ
    assert table.reads("seat-2", "blue-1") is Cue.READ
    assert table.reads("seat-2", "blue-2") is Cue.REFUSED
    assert table.reads("seat-2", "red-1") is Cue.REFUSED


def test_without_a_match_no_card_counts(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.lay("seat-1", "040404AA")
    assert cues(table.live.snapshot) == {}
    table.close()


@playing("stop-it")
def test_who_was_first_is_lit_as_such_though_a_card_of_theirs_was_just_refused(table: Lamps) -> None:
    """What was done last is answered."""
    table.hits(ANA)
    assert table.reads("seat-2", "red-1") is Cue.REFUSED
    assert table.hits(BO) is Cue.FIRST


@playing("stop-it")
def test_a_sticker_that_is_put_on_is_green_and_one_that_is_refused_red(table: Lamps) -> None:
    table.live.enrol(lambda enrolment: enrolment.begin("stop-it", card="red-1"))
    assert table.puts("seat-1", "red-2") is Cue.REFUSED
    assert table.takes("seat-1", "red-2") is Cue.REFUSED
    table.waits(STAYS_RED)
    assert table.lamp("seat-1") is Cue.READING
    assert table.puts("seat-1", "04FFFFFFFFFFFE") is Cue.READ
