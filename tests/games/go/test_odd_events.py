"""What a table throws in: words, presses, delays, cards and times that mean nothing."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.json import encode
from msgspec.structs import replace

from companion.judge import record
from companion.judge.match import judge
from tests.games.go.table import ALL_THREE, BOX, Table, called, opened, tracked

WORDS = ["", "hello", "Void", "series ", "count", "fault", "no-stop", "piles-empty", "roll", "flip", "call", "lastrow"]
VALUES: list[Any] = [UNSET, None, True, 3, 3.0, "best", [], ["orange-1"], {}, {"seat": 1}, 10**40, -1]
STAGES = (Table, lambda: Table(tracking="turns"), tracked, called, opened)


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("by", [1, 2, "host"])
def test_words_that_go_does_not_know_are_misplays(word: str, by: int | str) -> None:
    for stage in STAGES:
        table = stage()
        wrong = [table.say(by, word, value) for value in VALUES]
        assert table.misplays == wrong
        assert table.points == {1: 0, 2: 0, 3: 0}


@pytest.mark.parametrize("value", VALUES[2:], ids=repr)
def test_void_and_the_last_cards_are_told_without_a_value(value: Any) -> None:
    table = opened()
    assert table.say("host", "void", value) in table.misplays
    assert table.unread == [2, 3]
    table = Table()
    wrong = [table.say(1, "last-row", value), table.say(1, "last-pile", value)]
    assert table.misplays == wrong
    assert not table.wants_row


@pytest.mark.parametrize("value", [UNSET, None])
def test_no_value_is_as_good_as_none(value: Any) -> None:
    table = Table()
    table.say(1, "last-row", value)
    table.say(2, "last-pile", value)
    table.say("host", "void", value)
    assert table.misplays == []


@pytest.mark.parametrize("what", ["last-calls", "supper", "", "series", "call"])
def test_no_delay_means_anything(what: str) -> None:
    for stage in STAGES:
        table = stage()
        assert table.elapse(what) in table.misplays
        assert table.points == {1: 0, 2: 0, 3: 0}


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_no_press_after_the_call_disturbs_hands_tapped_at_the_seats(seat: int) -> None:
    table = Table()
    table.press(1)
    table.press(seat)
    table.tap("row", "K11")
    table.press(seat)
    for number, hand in ALL_THREE.items():
        table.tap(number, hand)
        table.press(seat)
    table.series(1)
    assert table.points == {1: 1, 2: 0, 3: 0}
    assert table.misplays == []


def test_an_empty_seat_says_taps_and_presses_nothing() -> None:
    table = called(1, 2)
    wrong = [table.press(3), table.tap(4, "O1"), table.series(5), table.say(6, "void"), table.say(3, "last-pile")]
    assert table.misplays == wrong
    table.tap(1, "O1")
    assert table.misplays == wrong


def test_lifting_is_nothing() -> None:
    table = called()
    table.tap(1, "O1")
    table.lift(1, "O1")
    table.lift("row", "K11")
    table.lift("centre", "gangster-3")
    table.lift(6, "B1")
    table.hands(ALL_THREE)
    table.series(1)
    assert table.misplays == []
    assert table.points == {1: 1, 2: 0, 3: 0}


def test_an_unknown_sticker_is_a_misplay_at_any_time() -> None:
    for stage in STAGES:
        for spot in (1, "centre", "row", "discard"):
            table = stage()
            assert table.tap(spot, "?", tag="04:A2:19") in table.misplays


def test_the_pad_of_another_game_is_of_no_use() -> None:
    for stage in STAGES:
        table = stage()
        assert table.tap("prison", "O8") in table.misplays
        assert table.points == {1: 0, 2: 0, 3: 0}


@given(seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_the_clock_and_who_enters_it_change_no_judgement(seed: int) -> None:
    chance = random.Random(seed)
    table = tracked(1, 2)
    for seat in (1, 2):
        table.turn(seat, "N1", "N1")
    table.press(2)
    table.claim(1, ALL_THREE[2])
    table.tap(2, ALL_THREE[1])
    table.series(2)
    table.press(1)
    shaken = []
    for event in table.match.events:
        shaken.append(replace(event, at=round(chance.uniform(0, 500), 6)))
        if hasattr(event, "by") and chance.random() < 0.5:
            shaken[-1] = replace(shaken[-1], by=chance.choice(["phone", "", "Ana"]))
    other = judge(shaken)
    assert other.outcome == table.match.outcome
    assert [misplay.seq for misplay in other.misplays] == table.misplays
    again = Table(1, 2)
    again.match = other
    assert again.seen() == table.seen()


@given(seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_whatever_happens_is_judged(seed: int) -> None:
    """Nothing makes the judge fail, points never fall, and nobody wins before the end."""
    chance = random.Random(seed)
    table = Table(*chance.choice([(1, 2), (6, 1, 3), (2, 3, 4, 5)]), tracking=chance.choice(["calls", "turns"]))
    for _ in range(150):
        before = table.points
        seat = chance.choice((*table.seats, *range(1, 7)))
        match chance.randrange(8):
            case 0:
                table.press(seat)
            case 1:
                word = chance.choice(["series", "void", "last-row", "last-pile", "hello"])
                table.say(chance.choice((seat, "host")), word, chance.choice(VALUES))
            case 2 if len(table.match.events) > 2:
                table.retract(chance.randrange(2, len(table.match.events) + 1))
                before = table.points
            case _:
                spot = chance.choice((seat, seat, seat, "centre", "discard", "row"))
                table.tap(spot, " ".join(chance.sample(BOX, chance.choice((1, 1, 14)))))
        assert all(misplay.code != "judge-failed" for misplay in table.match.misplays)
        assert all((points or 0) >= (before[seat] or 0) for seat, points in table.points.items())
        assert table.over or table.winners == []


# Options.


@pytest.mark.parametrize(
    "options",
    [
        *({"tracking": value} for value in ("Turns", "", None, 0, True, ["turns"])),
        *({"caller_series": value} for value in ("best", "judge", None, False, {})),
        *({"target": value} for value in (0, -1, True, "4", None, 2.5, [4])),
        *({name: 4} for name in ("Target", "no_return", "max_players", "others", "")),
    ],
    ids=repr,
)
def test_an_option_that_go_does_not_know_is_refused(options: dict[str, Any]) -> None:
    started = record.encode([Table().match.started]).replace(b'"options":{}', b'"options":' + encode(options))
    with pytest.raises(record.Damaged):
        record.decode(started)


@pytest.mark.parametrize(
    "options",
    [{}, {"tracking": "calls", "caller_series": "caller", "target": 4}, {"caller_series": "auto", "target": 1}],
)
def test_every_option_of_the_contract_is_known(options: dict[str, Any]) -> None:
    (started,) = record.decode(record.encode([Table(1, 2, **options).match.started]))
    assert started == Table(1, 2, **options).match.started


@pytest.mark.parametrize(("players", "good"), [(1, False), (2, True), (4, True), (5, False), (6, False)])
def test_two_to_four_play(players: int, good: bool) -> None:
    started = record.encode([Table(*range(1, players + 1)).match.started])
    if good:
        assert len(record.decode(started)) == 1
    else:
        with pytest.raises(record.Damaged):
            record.decode(started)
