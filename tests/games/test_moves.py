"""What people do in a game is declared once: the judge, likely acts and the running delay follow from it."""

from msgspec import Struct

from companion.events import Elapsed, Event, Pressed, Said, Tapped
from companion.game import Delay, GameMoves, HowSaid, Judged, Misplay, Presses, Ruling, Taps, Wait, Word


class State(Struct, frozen=True):
    over: bool = False


def rule(state: State, event: Event) -> Judged[State]:
    return state, (Ruling(type(event).__name__, event.seq),)


ONLY_CARDS = GameMoves[State](taps=Taps(rule))
EVERYTHING = GameMoves[State](
    taps=Taps(rule, likely=lambda state: [("centre", "queen")]),
    presses=Presses(rule, likely=lambda state: [1, 2]),
    words={
        "bid": Word(rule, (HowSaid.PHONE,), likely=lambda state: [(2, 7)], bears=lambda value: isinstance(value, int)),
        "pass": Word(rule, (HowSaid.PRESS,)),
    },
    waits={"hush": Wait(rule, lambda state: 5_000_000), "never": Wait(rule, lambda state: None)},
)


def codes(moves: GameMoves[State], event: Event) -> list[str]:
    return [verdict.code for verdict in moves.judge(State(), event)[1]]


def test_each_kind_of_act_is_judged_by_its_own_rule() -> None:
    assert codes(EVERYTHING, Tapped(1, 0.0, "centre", "queen")) == ["Tapped"]
    assert codes(EVERYTHING, Pressed(1, 0.0, 1)) == ["Pressed"]
    assert codes(EVERYTHING, Said(1, 0.0, 1, "bid", 4)) == ["Said"]
    assert codes(EVERYTHING, Elapsed(1, 0.0, "hush")) == ["Elapsed"]


def test_what_is_not_declared_is_a_misplay() -> None:
    for event in (Pressed(1, 0.0, 1), Said(1, 0.0, 1, "bid", 4), Elapsed(1, 0.0, "hush")):
        assert [type(verdict) for verdict in ONLY_CARDS.judge(State(), event)[1]] == [Misplay]


def test_a_press_means_something_where_it_is_judged_or_says_a_word() -> None:
    in_press = Word[State](rule, (HowSaid.PRESS,), in_press=lambda state, press: Said(0, 0.0, press.seat, "pass"))
    assert EVERYTHING.hears_presses
    assert GameMoves[State](taps=Taps(rule), words={"pass": in_press}).hears_presses
    assert not ONLY_CARDS.hears_presses


def test_a_word_that_has_no_value_refuses_one() -> None:
    assert codes(EVERYTHING, Said(1, 0.0, 1, "pass", 3)) == ["unknown-value"]


def test_what_is_likely_is_made_an_act_of_its_kind_and_so_is_the_running_delay() -> None:
    assert EVERYTHING.likely(State()) == (
        Tapped(0, 0.0, "centre", "queen"),
        Pressed(0, 0.0, 1),
        Pressed(0, 0.0, 2),
        Said(0, 0.0, 2, "bid", 7),
        Elapsed(0, 0.0, "hush"),
    )
    assert EVERYTHING.delay(State()) == Delay("hush", 5_000_000)
