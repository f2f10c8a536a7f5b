"""What has its time, and what is never right."""

from collections.abc import Callable

import pytest

from companion.kit.table_for_tests import cases
from tests.games.stop_me_go.table import (
    Table,
    arrest,
    captured,
    card,
    laying,
    valued,
    won,
)

Begin = Callable[[], Table]
Act = Callable[[Table], object]

ACTS: dict[str, tuple[str, Act]] = {
    "a gangster": ("gangster", lambda t: t.tap("centre", "gangster-9")),
    "a press": ("flip", lambda t: t.press(2, after=3)),
    "a word to turn up": ("flip", lambda t: t.say("host", "flip")),
    "a token": ("token", lambda t: t.tap("centre", "token-3-9")),
    "a word for a token": ("token", lambda t: t.say(1, "token")),
}


@pytest.mark.parametrize("act_name", ACTS)
@cases(
    "begin, allowed, first",
    ("in the beginning", Table, "gangster", "gangster"),
    ("while all lay", laying, "card", "lays card=gangster-8 seats=(1, 2, 3)"),
    ("in the arrest", arrest, "flip", "flip card=gangster-8"),
    ("after a capture", captured, "flip", "flip card=gangster-2"),
    ("when the round is won", won, "token", "token seats=(1,)"),
    ("when all tokens are won", valued, "values", "values"),
)
def test_every_act_has_its_time(begin: Begin, allowed: str, first: str, act_name: str) -> None:
    act, does = ACTS[act_name]
    table = begin()
    does(table)
    alone = " →2" if act_name == "a press" else ""
    assert (table.verdict == f"{act}-before-{first}{alone}") == (act != allowed)
    assert bool(table.misplays) == (act != allowed)


@cases(
    "begin, first",
    ("in the arrest", arrest, "flip card=gangster-8"),
    ("after a capture", captured, "flip card=gangster-2"),
    ("when the round is won", won, "token seats=(1,)"),
    ("when all tokens are won", valued, "values"),
)
@pytest.mark.parametrize("spot", [1, "centre"])
def test_no_card_is_laid_but_on_the_newest_gangster(begin: Begin, first: str, spot: int | str) -> None:
    table = begin()
    table.tap(spot, card(1, "stop"))
    allowed_by = "1" if begin is valued else "nobody"  # else who enters all five would be told which one lies there
    assert table.verdict == f"card-before-{first} →{allowed_by}"


@pytest.mark.parametrize("begin", [Table, laying, arrest, captured, won, valued])
@cases(
    "act, verdict",
    ("a card at a pad of other games", lambda t: t.tap("row", card(1, 1)), "wrong-pad"),
    ("a gangster at a seat", lambda t: t.tap(2, "gangster-9"), "gangster-at-centre card=gangster-9"),
    ("an eleventh gangster", lambda t: t.tap("centre", "gangster-11"), "unknown-card"),
    ("a fifth GO", lambda t: t.tap(1, "red-go-5"), "unknown-card →1"),
    ("a token worth 4", lambda t: t.tap("centre", "token-4-1"), "unknown-card"),
)
def test_what_is_never_right(begin: Begin, act: Act, verdict: str) -> None:
    table = begin()
    act(table)
    assert table.verdict == verdict


def test_a_captured_gangster_belongs_to_its_captors_seat_until_the_next_round() -> None:
    table = captured()
    table.tap(1, "gangster-8")
    assert table.verdict == ""
    table.tap(2, "gangster-8")
    assert table.verdict == "gangster-at-centre card=gangster-8"
    table.flip(3)
    table.token(1)
    table.gangster(9)
    table.tap(1, "gangster-8")
    assert table.verdict == "gangster-at-centre card=gangster-8"
