"""The table's own cards say what no button does: what is theirs alone at once, what concerns others unless somebody
objects.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import threads
from companion.act_cards import ACT_CARDS, BREAK, DROPPED, END, PILE_EMPTY, ROW_EMPTY, SLUG, UNDO, UNSORTED, VOID
from companion.devices.lamp_cues import Cue
from companion.devices.sensing import VIRTUAL, Appeared
from companion.events import Pressed, Retracted, Said, Started
from companion.live.announcement import NOTICE
from companion.live.lamp_answers import STAYS_RED
from companion.live.lamps import cues
from companion.live.pause import Why
from companion.live.recorder import AGAIN_AFTER
from tests.live.cards import ANA, BO, CLEO, PEOPLE, UIDS, Cards
from tests.live.evening import Clock
from tests.live.table import refusing

CENTRE = "centre"


class ActCards(Cards):
    """A table whose clock a test sets; act cards lie ready."""

    def __init__(self, folder: Path, slug: str, **options: object) -> None:
        self.clock = Clock()
        super().__init__(folder, slug, **options)
        self.again(self.clock)
        self.live.begin(slug, PEOPLE, options)

    def wait(self, seconds: float) -> None:
        self.clock.now += seconds
        self.live.ask_any(lambda: None)
        self.live.ask_any(lambda: None)

    def lay_act(self, card: str, place: str | int) -> None:
        """Lay an act card, and lift it again."""
        at = f"seat-{place}" if isinstance(place, int) else place
        self.wait(1)
        self.lay(at, f"{VIRTUAL}{SLUG}/{card}")
        self.lift(at, f"{VIRTUAL}{SLUG}/{card}")

    def press_after(self, seconds: float, seat: int) -> None:
        self.wait(seconds)
        self.press(seat)

    @property
    def announced(self) -> str | None:
        """The code of what is announced."""
        announced = self.live.snapshot.announced
        return None if announced is None else announced.intent.code

    @property
    def said(self) -> list[tuple[object, str, object]]:
        return [(event.seat, event.what, event.value) for event in self.events if isinstance(event, Said)]


@pytest.fixture
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ActCards]:
    """A match has just begun."""
    slug, options = getattr(request, "param", ("stop-it", {}))
    table = ActCards(tmp_path, slug, **options)
    yield table
    table.close()


go = pytest.mark.parametrize("table", [("go", {})], indirect=True)


@pytest.fixture
def counting(table: ActCards) -> ActCards:
    """Bo has shown the red stop: everybody counts."""
    table.press(ANA)
    table.press_after(2, BO)
    table.wait(1)
    table.lay_cards(BO, "red-stop-1")
    table.wait(2)
    return table


def counted(table: ActCards) -> list[int]:
    seats: list[int] = table.live.snapshot.views[None]["table"]["counted"]
    return seats


# Undo.


def test_ones_own_latest_act_is_taken_back_at_once(counting: ActCards) -> None:
    counting.lay_cards(ANA, "red-1")
    counting.press_after(1, ANA)
    assert counted(counting) == [ANA]
    counting.lay_act(UNDO, ANA)
    assert counted(counting) == []
    assert counting.announced is None


def test_at_ones_own_seat_it_is_ones_own_latest_act_whatever_others_have_done_since(counting: ActCards) -> None:
    """The screen says "Wrong? Lay UNDO" to whoever has counted, while the others count too."""
    for seat, card in ((ANA, "red-1"), (BO, "red-2")):
        counting.lay_cards(seat, card)
        counting.press_after(1, seat)
    counting.lay_act(UNDO, ANA)
    assert (counting.announced, counted(counting)) == (None, [BO])
    counting.lay_act(UNDO, BO)
    assert (counting.announced, counted(counting)) == (None, [])


def test_ones_own_act_on_which_anothers_rests_is_taken_back_unless_somebody_objects(counting: ActCards) -> None:
    counting.lay_cards(ANA, "red-1")
    counting.press_after(1, ANA)
    counting.lay_act(UNDO, BO)  # Bo has shown the stop card
    announced = counting.live.snapshot.announced
    assert announced is not None
    assert announced.intent.about is not None
    assert announced.intent.about[1]["card"] == "red-stop-1"


def test_whoever_has_done_nothing_has_nothing_to_take_back(counting: ActCards) -> None:
    counting.lay_act(UNDO, CLEO)
    assert counting.announced is None


def test_what_another_did_is_taken_back_unless_somebody_objects(counting: ActCards) -> None:
    counting.lay_cards(ANA, "red-1")
    counting.press_after(1, ANA)
    counting.lay_act(UNDO, CENTRE)
    assert (counting.announced, counted(counting)) == ("announced-take-back", [ANA])
    counting.wait(NOTICE)
    assert counted(counting) == []


def test_an_objection_is_a_press_and_no_press_of_the_match(counting: ActCards) -> None:
    counting.lay_cards(ANA, "red-1")
    counting.press_after(1, ANA)
    counting.lay_act(UNDO, CENTRE)
    counting.press_after(2, BO)
    assert (counting.announced, counted(counting)) == (None, [ANA])
    counting.wait(NOTICE)
    assert counted(counting) == [ANA]


def test_where_nothing_was_done_nothing_is_taken_back(table: ActCards) -> None:
    table.lay_act(UNDO, ANA)
    assert (table.announced, len(table.events)) == (None, 1)


def test_an_end_that_everybody_has_seen_is_nobodys_to_take_back_alone(tmp_path: Path) -> None:
    table = ActCards(tmp_path, "stop-it", negatives=1, false_call="penalty")
    table.press(ANA)
    table.press_after(2, BO)
    table.press_after(3, BO)
    assert table.live.snapshot.views[None]["over"]
    table.lay_act(UNDO, BO)
    assert table.announced == "announced-take-back"
    table.wait(NOTICE)
    assert not table.live.snapshot.views[None]["over"]
    table.close()


def test_the_lamp_is_green_for_a_card_that_says_something_and_red_for_one_that_does_not(table: ActCards) -> None:
    table.lay("seat-1", f"{VIRTUAL}{SLUG}/{UNDO}")
    assert cues(table.live.snapshot)[ANA] is Cue.REFUSED
    table.lay("seat-2", f"{VIRTUAL}{SLUG}/{BREAK}")
    assert cues(table.live.snapshot)[BO] is Cue.READ


def test_a_word_that_the_game_refuses_is_red(table: ActCards) -> None:
    table.press(ANA)  # all grab, and a fault is told only after a shout
    table.wait(2)
    table.lay("seat-2", f"{VIRTUAL}{SLUG}/{UNSORTED}")
    assert cues(table.live.snapshot)[BO] is Cue.REFUSED


def test_what_says_nothing_is_told_long_enough_to_be_read_though_it_was_lifted_at_once(table: ActCards) -> None:
    table.lay_act(UNDO, ANA)
    table.wait(STAYS_RED - 0.1)
    assert cues(table.live.snapshot)[ANA] is Cue.REFUSED
    assert table.live.snapshot.pad_answers["seat-1"].card == UNDO
    table.wait(0.2)
    assert cues(table.live.snapshot)[ANA] is not Cue.REFUSED
    assert not table.live.snapshot.pad_answers


# A break, and the end.


def test_a_break_begins_and_ends_by_the_same_card(table: ActCards) -> None:
    table.lay_act(BREAK, BO)
    assert table.live.snapshot.pause is Why.BREAK
    table.lay_act(BREAK, CENTRE)
    assert table.live.snapshot.pause is None


def test_a_match_is_ended_early_unless_somebody_objects(table: ActCards) -> None:
    table.lay_act(END, ANA)
    assert table.announced == "announced-end"
    table.press_after(2, BO)
    table.wait(NOTICE)
    assert not table.live.snapshot.ended
    table.lay_act(END, ANA)
    table.wait(NOTICE)
    assert table.live.snapshot.ended


# Words of a game.


def test_the_piles_are_empty(table: ActCards) -> None:
    table.press(ANA)
    table.lay_act(PILE_EMPTY, CENTRE)
    assert table.waits_for == "now-last-calls"
    table.wait(60)
    assert table.live.snapshot.views[None]["over"]


@pytest.mark.parametrize("fault", [UNSORTED, DROPPED])
def test_a_fault_is_that_of_the_seat_at_which_its_card_is_laid(counting: ActCards, fault: str) -> None:
    counting.lay_act(fault, CLEO)
    assert counting.said == [(CLEO, "fault", {"seat": CLEO, "fault": fault})]
    counting.lay_act(fault, CENTRE)
    assert len(counting.said) == 1


@go
def test_whoever_takes_the_last_card_of_the_row_says_so_at_their_seat(table: ActCards) -> None:
    table.lay_act(ROW_EMPTY, BO)
    assert table.said == [(BO, "last-row", table.said[0][2])]
    assert table.live.snapshot.views[None]["table"]["rounds"][0]["void"]


@go
def test_whoever_takes_the_last_card_of_the_pile_has_called(table: ActCards) -> None:
    table.lay_act(PILE_EMPTY, BO)
    assert table.live.snapshot.views[None]["table"]["call"]["caller"] == BO


@go
def test_a_round_is_void_unless_somebody_objects(table: ActCards) -> None:
    table.lay_act(VOID, ANA)
    assert (table.announced, table.said) == ("announced-void", [])
    table.wait(NOTICE)
    assert [(seat, word) for seat, word, _ in table.said] == [("host", "void")]


@pytest.mark.parametrize("table", [("kartel", {"ring": True})], indirect=True)
def test_the_die_is_told_for_whose_turn_it_is(table: ActCards) -> None:
    for token in [card for card in UIDS if card in table.live.ask(lambda match: match.game.deck)]:
        table.lay(CENTRE, UIDS[token])
        table.lift(CENTRE, UIDS[token])
    table.press_after(1, CLEO)
    table.lay_act("die-3", CENTRE)
    assert table.waits_for == "now-reach"
    assert table.said[-1] == (ANA, "roll", 3)


# While nothing can be stored.

WAYS_OF_STORING = ("append", "pause", "try_to_write")


def until_there_is_room(table: ActCards) -> None:
    table.wait(AGAIN_AFTER)


def test_an_undo_that_is_laid_while_the_disk_is_full_counts_once_when_there_is_room(counting: ActCards) -> None:
    counting.lay_cards(ANA, "red-1")
    counting.press_after(1, ANA)
    events_before = len(counting.events)
    with refusing(counting.log, *WAYS_OF_STORING):
        counting.lay_act(UNDO, ANA)
        counting.lay_act(UNDO, ANA)
        assert counted(counting) == [ANA]
    until_there_is_room(counting)
    assert counted(counting) == []
    targets = [event.target for event in counting.events[events_before:] if isinstance(event, Retracted)]
    assert targets == sorted({*targets}, reverse=True)


def test_what_waits_for_room_is_of_no_later_match(counting: ActCards) -> None:
    counting.lay_cards(ANA, "red-1")
    counting.press_after(1, ANA)
    with refusing(counting.log, *WAYS_OF_STORING):
        counting.lay_act(UNDO, ANA)
    counting.live.begin("stop-it", PEOPLE, {})
    until_there_is_room(counting)
    counting.press(ANA)
    assert [type(event) for event in counting.events] == [Started, Pressed]
    assert not threads.faults()


def test_a_break_that_is_laid_while_the_disk_is_full_begins_when_there_is_room(table: ActCards) -> None:
    with refusing(table.log, *WAYS_OF_STORING):
        table.lay_act(BREAK, BO)
    assert table.live.snapshot.pause is None
    until_there_is_room(table)
    assert table.live.snapshot.pause is Why.BREAK


def test_a_card_of_the_game_that_is_told_with_an_act_card_counts_once(counting: ActCards) -> None:
    uid = UIDS["red-1"]
    sensings = (
        Appeared("seat-1", uid, counting.clock.now),
        Appeared("seat-2", f"{VIRTUAL}{SLUG}/{BREAK}", counting.clock.now),
    )
    events_before = len(counting.events)
    with refusing(counting.log, "pause", "try_to_write"):
        counting.live.tell(*sensings)
    until_there_is_room(counting)
    assert counting.live.snapshot.pause is Why.BREAK
    assert len(counting.events) == events_before + 1


def test_what_is_announced_waits_for_room_and_may_be_objected_to_meanwhile(table: ActCards) -> None:
    with refusing(table.log, *WAYS_OF_STORING):
        table.lay_act(END, ANA)
        table.wait(NOTICE)
        table.wait(NOTICE)
        assert (table.announced, table.live.snapshot.ended) == ("announced-end", False)
    until_there_is_room(table)
    assert (table.announced, table.live.snapshot.ended) == (None, True)


def test_it_is_tried_again_no_oftener_than_anything_else(table: ActCards) -> None:
    with refusing(table.log, *WAYS_OF_STORING) as tries:
        table.lay_act(END, ANA)
        table.wait(NOTICE)
        tries_before = len(tries)
        for _ in range(20):
            table.live.ask_any(lambda: None)
        assert len(tries) == tries_before


# What they are beside the game's cards.


def test_a_match_never_hears_of_them(table: ActCards) -> None:
    events_before = len(table.events)
    table.lay_act(VOID, ANA)
    assert len(table.events) == events_before


def test_each_has_a_name_in_every_language() -> None:
    from companion.languages import LANGUAGES
    from companion.words import Words

    for language in LANGUAGES:
        assert all(Words(SLUG, language).card(card) for card in ACT_CARDS.deck)


@go
def test_one_that_lies_there_at_a_start_says_nothing_again(table: ActCards) -> None:
    table.lay(CENTRE, f"{VIRTUAL}{SLUG}/{BREAK}")
    assert table.live.snapshot.pause is Why.BREAK
    table.again(table.clock)
    table.lay(CENTRE, f"{VIRTUAL}{SLUG}/{BREAK}", already=True)
    assert table.live.snapshot.pause is Why.BREAK
