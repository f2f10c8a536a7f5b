"""Nothing is sealed in Kartel: everybody sees the same, and all that was won."""

import pytest

from tests.games.kartel.table import BOSSES, BOX, Table
from tests.games.table import EVERYBODY


def seen(acts: str) -> str:
    """What everybody sees then, all of them alike."""
    table = Table()
    table.acts(acts)
    (alike,) = {table.sees(who) for who in EVERYBODY}
    return alike


def test_everybody_sees_the_same_all_along() -> None:
    table = Table(ring=True)
    table.tap("centre", *BOX[:20])
    acts = ["!host:done", *(f"centre:{card}" for card in BOX[20:]), "!2:red-3", "host:done", "!3:red-3", "!2:roll=3"]
    for act in (*acts, "1:roll=3", f"!1:{BOX[7]}", f"1:{BOX[2]}"):
        table.acts(act)
        assert len({table.sees(who) for who in EVERYBODY}) == 1


def test_an_open_token_is_seen_before_its_owner() -> None:
    tokens = ["red-3", "green-money", "blue-1", "red-2a", "red-boss"]
    view = seen(" ".join(f"centre:{token}" for token in tokens))
    assert all(token in view for token in tokens)


def test_everybody_sees_the_end() -> None:
    assert '"over": true' in seen(" ".join(f"centre:{boss}" for boss in BOSSES[:5]))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("1:red-3", "centre:red-3", id="where a token was sensed"),
        pytest.param("1:red-boss", "prison:red-boss", id="where a boss was sensed"),
        pytest.param(
            "centre:red-3 centre:red-boss", "centre:red-3 1:red-3 2:red-boss prison:red-boss", id="read twice"
        ),
    ],
)
def test_it_makes_no_difference(one: str, other: str) -> None:
    assert seen(one) == seen(other)


def test_it_makes_no_difference_who_told_it_nor_when() -> None:
    table = Table()
    table.tap(1, "red-3", by="phone", tag="04:11", at=4000.5)
    assert table.sees() == seen("1:red-3")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("1:red-2a", "1:red-1", id="which token was won"),
        pytest.param("1:red-2a", "1:green-2a", id="of which gang"),
        pytest.param("1:red-boss", "1:green-boss", id="who is jailed"),
    ],
)
def test_it_is_seen(one: str, other: str) -> None:
    assert seen(one) != seen(other)
