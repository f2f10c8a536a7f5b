"""Turning up the cards: one gangster a press, the oldest first."""

from collections.abc import Callable, Mapping

from companion.kit.table_for_tests import cases
from tests.games.stop_me_go.table import Table, arrest, fled

Stops = Mapping[int, list[int]]
BY_ANA: Stops = {8: [1], 2: [], 5: [], 3: []}


# The arrest.


@cases(
    "stops, verdict",
    ("one STOP captures", [2], "captured card=gangster-8 seat=2"),
    ("none lets it flee", [], "fled-nobody card=gangster-8"),
    ("two do", [1, 3], "fled-several card=gangster-8 seats=(1, 3)"),
)
def test_exactly_one_stop_captures_the_oldest_gangster(stops: list[int], verdict: str) -> None:
    table = arrest({8: stops, 2: [], 5: [], 3: []})
    table.flip()
    assert (table.verdict, table.waits) == (verdict, "round-end" if len(stops) == 1 else "misdeed")
    assert table.view["discard"] == ([] if len(stops) == 1 else ["gangster-8"])
    assert [seat for seat in table.seats if table.view["flips"][0]["cards"][str(seat)] == "stop"] == stops


@cases(
    "flip",
    ("a press", lambda t: t.press(3)),
    ("a word", lambda t: t.say(2, "flip")),
    ("with no value", lambda t: t.say(2, "flip", None)),
    ("the host's", lambda t: t.say("host", "flip")),
)
def test_anybody_turns_up_the_cards(flip: Callable[[Table], object]) -> None:
    table = arrest(BY_ANA)
    for _ in range(4):
        flip(table)
    assert (table.misplays, table.takers) == ([], [1])


def test_the_twentieth_flight_is_worth_a_word() -> None:
    table = arrest()
    for flight in range(1, 22):
        table.press(1)
        table.turned()
        assert table.verdict.endswith("long-round number=20") == (flight == 20)
        table.misdeed(table.awaited[0])


# The end of the round.


def test_after_a_capture_the_other_three_are_turned_up_one_a_press_the_oldest_first() -> None:
    table = arrest({8: [1], 2: [], 5: [2, 3], 3: [4]}, 1, 2, 3, 4)
    verdicts = []
    for _ in range(4):
        assert table.takers == []
        table.flip()
        verdicts.append(table.verdict)
    assert verdicts == [
        "captured card=gangster-8 seat=1",
        "discarded-nobody card=gangster-2",
        "discarded-several card=gangster-5 seats=(2, 3)",
        "taken card=gangster-3 seat=4; round-won seat=1 card=gangster-8",
    ]
    assert (table.waits, table.takers) == ("reward", [1])


# A press is felt twice.


@cases(
    "presses, flips",
    ("within half a second of a flip", [0.0, 0.1, 0.3, 0.5], 1),
    ("later", [0.0, 0.500001], 2),
    ("a little earlier, learned of later", [0.0, -0.1], 1),
    ("half a second earlier", [0.0, -0.5, -0.2, 0.5, 0.0], 1),
    ("more than that", [0.0, -0.500001], 2),
    ("from the flip, not from its echo", [0.0, 0.4, 0.8], 2),
    ("an echo of an earlier flip, learned of late", [0.0, 0.6, 0.2], 2),
    ("of any of the last four", [0.0, 2.0, 4.0, 0.3, 2.2, -0.5], 3),
)
def test_presses_within_half_a_second_of_a_flip_are_that_flip(presses: list[float], flips: int) -> None:
    table = arrest(BY_ANA)
    begun = table.now + 100
    for seconds in presses:
        table.press(1, at=round(begun + seconds, 6))
    assert (len(table.view["flips"]), table.misplays) == (flips, [])


def test_an_echo_of_a_flip_that_let_a_gangster_flee_is_no_misplay_nor_a_later_flip() -> None:
    table = fled()
    flight = table.now
    table.press(2, after=0.2)
    table.gangster(9, after=0.2)
    table.press(3, at=flight + 0.5)
    table.all_lay()
    table.press(2, at=flight + 0.5)
    assert (table.misplays, table.waits) == ([], "arrest")


def test_a_flip_said_has_no_echo_and_is_none() -> None:
    table = arrest(BY_ANA)
    table.say(1, "flip")
    table.press(2, after=0.1)
    table.say(1, "flip", after=0.1)
    table.press(2, after=0.1)
    table.say(2, "flip", after=0.1)
    assert (table.takers, table.misplays) == ([1], [])


def test_a_press_that_turned_nothing_up_has_no_echo() -> None:
    table = arrest({8: [], 2: [], 5: []})
    table.gangster(3)
    table.lay(1, 4)
    table.lay(2, 4)
    wrong = table.press(1)
    table.tap(3, table.hand(3)[0], after=0.1)
    table.press(1, after=0.1)
    assert (table.misplays, table.view["fled"]) == ([wrong], 1)
