"""A card that was read at two seats counts where it was laid last."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.events import Retracted, Said, Tapped
from tests.games.go.table import SEVENTEEN, THIRTYTWO, TWO, cards
from tests.live.cards import ANA, BO, CLEO, UIDS, Cards, counts, scored


def test_a_card_laid_on_a_neighbours_pad_first_counts_on_ones_own(stop_it: Cards) -> None:
    stop_it.lay_cards(BO, "red-1")
    stop_it.count(ANA, "red-1")
    stop_it.count(BO, "red-2")
    stop_it.count(CLEO, "red-3")
    assert stop_it.live.ask(lambda match: match.state.history[0].counts) == {ANA: 1, BO: 1, CLEO: 1}


def contested(table: Cards) -> list[tuple[str, tuple[int, ...], int]]:
    return [(card.card, card.seats, card.counts_at) for card in table.live.snapshot.contested]


def counted(table: Cards) -> None:
    """Ana's red 1 was laid on Bo's pad before she laid it on her own; all have counted."""
    table.lay_cards(BO, "red-1")
    table.count(ANA, "red-1", "red-4")
    table.count(BO, "red-2")
    table.count(CLEO, "red-3", "red-5")


def test_nobody_is_told_that_a_verdict_was_corrected_that_nobody_has_seen(stop_it: Cards) -> None:
    counted(stop_it)
    assert counts(stop_it) == {ANA: 2, BO: 1, CLEO: 2}
    assert stop_it.live.snapshot.change is None
    assert contested(stop_it) == [("red-1", (BO, ANA), ANA)]


def test_whoever_acted_last_may_still_take_that_back(stop_it: Cards) -> None:
    counted(stop_it)
    done = stop_it.live.snapshot.done
    assert done is not None
    assert done.by == {CLEO}
    assert stop_it.live.ask(lambda match: match.public[done.entry].seq) == done.seq


def test_laid_again_after_the_verdict_it_counts_there(stop_it: Cards) -> None:
    counted(stop_it)
    stop_it.lay_cards(BO, "red-1")
    assert counts(stop_it) == {ANA: 1, BO: 2, CLEO: 2}
    assert contested(stop_it) == [("red-1", (BO, ANA), BO)]
    assert stop_it.live.snapshot.change is not None
    stop_it.lay_cards(ANA, "red-1")
    assert counts(stop_it) == {ANA: 2, BO: 1, CLEO: 2}


def test_it_is_not_moved_to_somebody_who_never_counted_it(stop_it: Cards) -> None:
    """After the verdict cards lie anywhere."""
    counted(stop_it)
    stop_it.lay_cards(CLEO, "red-1")
    assert counts(stop_it) == {ANA: 2, BO: 1, CLEO: 2}


def test_no_other_card_moves(stop_it: Cards) -> None:
    counted(stop_it)
    stop_it.lay_cards(CLEO, "red-2")
    assert counts(stop_it) == {ANA: 2, BO: 1, CLEO: 2}


def test_only_what_a_reader_has_sensed_moves_a_card(stop_it: Cards) -> None:
    """Whoever enters a card on a phone may not have it."""
    stop_it.lay_cards(BO, "red-1")
    stop_it.live.enter(Tapped(0, 0.0, "seat-1", "red-1", by="phone"))
    stop_it.count(ANA)
    stop_it.count(BO)
    stop_it.count(CLEO)
    assert counts(stop_it) == {ANA: 0, BO: 1, CLEO: 0}
    assert contested(stop_it) == [("red-1", (BO, ANA), BO)]
    stop_it.lay_cards(ANA, "red-1")
    assert counts(stop_it) == {ANA: 1, BO: 0, CLEO: 0}


def test_with_the_next_start_it_is_settled(stop_it: Cards) -> None:
    counted(stop_it)
    stop_it.press(BO, stop_it.live.clock() + 9)
    assert contested(stop_it) == []
    stop_it.lay_cards(BO, "red-1")
    assert counts(stop_it) == {ANA: 2, BO: 1, CLEO: 2}


def test_a_restart_forgets_nothing_of_it(stop_it: Cards) -> None:
    counted(stop_it)
    stop_it.again()
    assert contested(stop_it) == [("red-1", (BO, ANA), ANA)]
    stop_it.lay_cards(BO, "red-1")
    assert counts(stop_it) == {ANA: 1, BO: 2, CLEO: 2}


def test_while_hands_are_sealed_nothing_is_moved(stop_it: Cards) -> None:
    stop_it.lay_cards(BO, "red-1")
    stop_it.lay_cards(ANA, "red-1")
    assert not any(isinstance(event, Retracted) for event in stop_it.events)


# STOP me GO: a seat's first card says its colour, also if it is a neighbour's.


@pytest.fixture
def stop_me_go(tmp_path: Path) -> Iterator[Cards]:
    """A gangster waits; nobody has a colour yet."""
    table = Cards(tmp_path, "stop-me-go")
    table.lay("centre", UIDS["gangster-4"])
    yield table
    table.close()


def colours(table: Cards) -> dict[str, str]:
    colours_told: dict[str, str] = table.live.snapshot.views[None]["table"]["colours"]
    return colours_told


def laid(table: Cards) -> list[int]:
    seats: list[int] = table.live.snapshot.views[None]["table"]["laid"]
    return seats


def test_a_colour_said_on_a_neighbours_pad_is_ones_own_once_a_card_is_laid_there(stop_me_go: Cards) -> None:
    stop_me_go.lay_cards(ANA, "blue-go-1")
    stop_me_go.lay_cards(BO, "blue-go-1")
    assert colours(stop_me_go) == {"1": None, "2": "blue", "3": None}
    assert laid(stop_me_go) == [BO]
    stop_me_go.lay_cards(ANA, "red-stop")
    assert colours(stop_me_go) == {"1": "red", "2": "blue", "3": None}
    assert laid(stop_me_go) == [ANA, BO]


def test_which_card_of_that_colour_it_is_makes_no_difference(stop_me_go: Cards) -> None:
    """It is sealed which of them lies there."""
    stop_me_go.lay_cards(ANA, "blue-stop")
    stop_me_go.lay_cards(BO, "blue-go-3")
    assert colours(stop_me_go) == {"1": None, "2": "blue", "3": None}


def test_a_colour_comes_back_once_its_owner_lays_again(stop_me_go: Cards) -> None:
    """Ana's card is swept over Bo's pad."""
    stop_me_go.lay_cards(ANA, "blue-go-1")
    stop_me_go.lay_cards(BO, "blue-go-1")
    stop_me_go.lay_cards(ANA, "blue-go-1")
    assert colours(stop_me_go) == {"1": "blue", "2": None, "3": None}


def test_whoever_has_a_colour_takes_nobody_elses(stop_me_go: Cards) -> None:
    stop_me_go.lay_cards(BO, "red-go-1")
    stop_me_go.lay_cards(ANA, "blue-go-1")
    stop_me_go.lay_cards(BO, "blue-go-1")
    assert colours(stop_me_go) == {"1": "blue", "2": "red", "3": None}


def test_a_colour_of_an_earlier_gangster_stays(stop_me_go: Cards) -> None:
    for seat, card in ((ANA, "blue-go-1"), (BO, "red-go-1"), (CLEO, "green-go-1")):
        stop_me_go.lay_cards(seat, card)
    stop_me_go.lay("centre", UIDS["gangster-5"])
    stop_me_go.lay_cards(BO, "blue-go-2")
    assert colours(stop_me_go) == {"1": "blue", "2": "red", "3": "green"}


def test_a_colour_entered_on_a_phone_takes_nobodys(stop_me_go: Cards) -> None:
    stop_me_go.lay_cards(ANA, "blue-go-1")
    stop_me_go.live.enter(Tapped(0, 0.0, "seat-2", "blue-go-1", by="phone"))
    assert colours(stop_me_go) == {"1": "blue", "2": None, "3": None}


# ¡Go!: twelve cards each; who has read more hears "hand is complete" and loses nothing.


@pytest.fixture
def go(tmp_path: Path) -> Iterator[Cards]:
    """Ana has called with a grey row, and told her series."""
    table = Cards(tmp_path, "go")
    table.press(ANA)
    table.lay("row", UIDS["grey-11"])
    table.lay_cards(ANA, *cards(TWO))
    table.live.act(lambda match, at: (Said(0, at, ANA, "series", "best"),))
    yield table
    table.close()


def test_a_card_of_ones_hand_laid_on_a_neighbours_pad_first_is_ones_own(go: Cards) -> None:
    blue = cards(THIRTYTWO)[0]
    go.lay_cards(CLEO, blue, *cards(SEVENTEEN))
    go.lay_cards(BO, *cards(THIRTYTWO))
    assert scored(go) == {BO: set(cards(THIRTYTWO)), CLEO: set(cards(SEVENTEEN))}


def test_a_card_that_has_gone_over_a_neighbours_pad_is_laid_once_more(go: Cards) -> None:
    """Bo's first card is swept over Cléo's pad while she is a card short; then the table asks Bo for one."""
    blue = cards(THIRTYTWO)[0]
    *most, last = cards(SEVENTEEN)
    go.lay_cards(CLEO, *most)
    go.lay_cards(BO, *cards(THIRTYTWO))
    go.lay_cards(CLEO, blue)
    assert go.live.snapshot.views[None]["table"]["now"]["seats"] == [BO]
    go.lay_cards(CLEO, last)
    go.lay_cards(BO, blue)
    assert scored(go) == {BO: set(cards(THIRTYTWO)), CLEO: set(cards(SEVENTEEN))}
