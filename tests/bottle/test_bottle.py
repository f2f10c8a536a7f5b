"""Evenings in a bottle: a few by seed, and all that once broke a promise. At length: `make trust`."""

from pathlib import Path

import pytest

from tests.bottle.__main__ import played
from tests.bottle.disk import plugged_in
from tests.bottle.machine import running
from tests.bottle.steps import drawn, line, steps_of
from tests.bottle.table import Table, raising
from tests.bottle.twins import compare_by_hand
from tests.trust.pairs import HAND

KEPT = [text for text in (Path(__file__).parent / "kept.txt").read_text().splitlines() if text.startswith("table:")]


@pytest.mark.parametrize("seed", range(6))
def test_no_promise_is_broken_in_an_evening(seed: int) -> None:
    steps = drawn(seed, 50)
    broken = played(steps)[1]
    assert broken is None, f"{broken[1]}\n{line(steps[: broken[0] + 1])}"


@pytest.mark.parametrize("text", KEPT)
def test_what_once_broke_a_promise_does_no_more(text: str) -> None:
    broken = played(steps_of(text))[1]
    assert broken is None, broken


@pytest.mark.parametrize("number", range(len(HAND)))
def test_two_tables_that_differ_in_what_is_sealed_look_the_same(number: int, tmp_path: Path) -> None:
    assert compare_by_hand(tmp_path, number)


def test_the_code_of_a_game_raises_as_often_as_an_evening_says(tmp_path: Path) -> None:
    table = Table(tmp_path, 1)
    with running(table.machine), plugged_in(table.disk), raising(table):
        table.open()
        table.live.begin(table.slug, table.people, table.options)
        table.raises = 1
        table.lay("centre", next(iter(table.game.deck)))
        assert table.retell()
        assert table.raises == 0
        assert table.live._judging.playing().match.faults
        table.gone()


def test_the_same_steps_go_the_same_way() -> None:
    steps = drawn(3, 30)
    assert played(steps)[0] == played(steps)[0]


def test_steps_read_as_they_were_written() -> None:
    steps = drawn(1, 40)
    assert steps_of(line(steps)) == steps
