"""Whoever undoes a count, or a hand, counts again from nothing; nobody else counts again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.events import Retracted, Said
from companion.judge.attribution import acts_behind
from companion.judge.match import Match
from tests.games.go.table import SEVENTEEN, THIRTYTWO, TWO, cards
from tests.live.cards import ANA, BO, CLEO, UIDS, Cards, counts, scored


def undo(table: Cards, seat: int, *codes: str) -> None:
    """Undo the latest line that tells one of these codes of a seat's act."""

    def plan(match: Match, at: float) -> list[Retracted]:
        lines = [line for line in match.public if line.code in codes and line.facts["seat"] == seat]
        return [Retracted(0, at, seq, by="phone") for seq in acts_behind(match, lines[-1])]

    table.live.act(plan)


def test_a_card_too_many_is_gone_with_the_count(stop_it: Cards) -> None:
    stop_it.count(ANA, "red-1", "red-2", "red-9")  # the red 9 lay on a pile
    undo(stop_it, ANA, "counted")
    stop_it.count(ANA, "red-1", "red-2")
    stop_it.count(BO, "red-3")
    stop_it.count(CLEO)
    assert counts(stop_it) == {ANA: 2, BO: 1, CLEO: 0}


def test_after_the_verdict_only_those_count_again_who_undo_theirs(stop_it: Cards) -> None:
    """Ana's red 1 was laid on Bo's pad only."""
    stop_it.count(ANA, "red-2")
    stop_it.count(BO, "red-1", "red-3")
    stop_it.count(CLEO, "red-4")
    undo(stop_it, ANA, "counted")
    undo(stop_it, BO, "counted")
    stop_it.count(ANA, "red-1", "red-2")
    stop_it.count(BO, "red-3")
    assert counts(stop_it) == {ANA: 2, BO: 1, CLEO: 1}


def test_a_count_pressed_too_early_is_undone(stop_it: Cards) -> None:
    stop_it.count(ANA, "red-1")
    stop_it.count(BO)
    stop_it.count(CLEO, "red-4")
    undo(stop_it, BO, "counted")
    stop_it.count(BO, "red-3", "red-5")
    assert counts(stop_it) == {ANA: 1, BO: 2, CLEO: 1}


def test_a_count_of_an_earlier_call_takes_nothing_of_a_later_one_along(stop_it: Cards) -> None:
    for seat in (ANA, BO, CLEO):
        stop_it.count(seat, f"red-{seat}")
    line = stop_it.live.ask(lambda match: next(line for line in match.public if line.code == "counted"))
    stop_it.press(BO, stop_it.live.clock() + 9)
    stop_it.press(CLEO, stop_it.live.clock() + 12)
    stop_it.lay_cards(CLEO, "blue-stop-1")
    stop_it.lay_cards(ANA, "blue-1", "blue-2")
    behind = stop_it.live.ask(lambda match: [match.events[seq - 1] for seq in acts_behind(match, line)])
    assert [getattr(event, "card", "done") for event in behind] == ["done", "red-1"]


@pytest.fixture
def go(tmp_path: Path) -> Iterator[Cards]:
    """Ana has called with a grey row."""
    table = Cards(tmp_path, "go")
    table.press(ANA)
    table.lay("row", UIDS["grey-11"])
    table.lay_cards(ANA, *cards(TWO))
    yield table
    table.close()


def test_a_hand_is_read_from_nothing(go: Cards) -> None:
    """A card of the pile was read among Bo's, so that his twelfth was one too many."""
    *most, last = cards(THIRTYTWO)
    go.lay_cards(BO, *most[:3], "orange-11", *most[3:])
    undo(go, BO, "hand-complete")
    go.lay_cards(BO, *most, last)
    assert go.live.snapshot.views[BO]["table"]["own"]["cards"] == sorted_as_in(go, cards(THIRTYTWO))


def test_a_hand_that_was_complete_once_already_is_read_from_nothing(tmp_path: Path) -> None:
    """The discard was read as Ana's first card, and a card of the pile as her second: the thirteenth took the place of
    the one that lies open, and the other was counted still.
    """
    table = Cards(tmp_path, "go", tracking="turns")
    table.lay("discard", UIDS["pink-10"])
    table.lay("row", UIDS["grey-11"])
    table.lay_cards(ANA, "pink-8")
    table.lay("discard", UIDS["orange-11"])
    table.press(ANA)
    hand = cards(TWO)
    table.lay_cards(ANA, "orange-11", "green-1", *hand[:11])
    undo(table, ANA, "hand-complete")
    table.lay_cards(ANA, *hand)
    own_cards = table.live.snapshot.views[ANA]["table"]["own"]["cards"]
    assert own_cards == sorted_as_in(table, hand)
    table.close()


def test_a_card_swept_over_a_pad_is_its_owners_again_once_that_hand_is_undone(go: Cards) -> None:
    """Ana's first card is swept over Cléo's pad. Cléo reads her hand anew; nobody asks Ana to."""
    *most, last = cards(SEVENTEEN)
    go.live.act(lambda match, at: (Said(0, at, ANA, "series", "best"),))
    go.lay_cards(BO, *cards(THIRTYTWO))
    go.lay_cards(CLEO, cards(TWO)[0], *most, last)
    assert go.live.snapshot.views[None]["table"]["now"]["seats"] == [ANA]
    undo(go, CLEO, "hand-complete")
    go.lay_cards(CLEO, *most, last)
    assert scored(go) == {BO: set(cards(THIRTYTWO)), CLEO: set(cards(SEVENTEEN))}


def sorted_as_in(table: Cards, names: list[str]) -> list[str]:
    deck = table.live.ask(lambda match: list(match.game.deck))
    return sorted(names, key=deck.index)


def test_a_flip_is_undone_without_the_card_that_was_changed_before_it(tmp_path: Path) -> None:
    table = Cards(tmp_path, "stop-me-go")
    for number in range(1, 5):
        table.lay("centre", UIDS[f"gangster-{number}"])
        table.lay_cards(ANA, f"blue-go-{number}")
        if number == 4:
            table.lay_cards(ANA, "blue-stop")
        table.lay_cards(BO, f"red-go-{number}")
        table.lay_cards(CLEO, f"green-go-{number}")
    table.press(ANA, table.live.clock() + 2)
    behind = table.live.ask(lambda match: acts_behind(match, match.public[-1]))
    table.close()
    assert len(behind) == 1
