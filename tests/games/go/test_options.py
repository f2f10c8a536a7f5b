"""The options of ¡Go!, as a record spells them, and how many play."""

from typing import Any

import pytest
from msgspec.json import encode

from companion.judge import record_file
from tests.games.go.table import Table


@pytest.mark.parametrize(
    "options",
    [
        *({"tracking": value} for value in ("Turns", "", None, ["turns"])),
        *({"caller_series": value} for value in ("best", None, False)),
        *({"target": value} for value in (0, -1, True, "4", 2.5)),
        *({name: 4} for name in ("Target", "no_return", "")),
    ],
    ids=repr,
)
def test_an_option_that_go_does_not_know_is_refused(options: dict[str, Any]) -> None:
    started = record_file.encode([Table().match.started]).replace(b'"options":{}', b'"options":' + encode(options))
    with pytest.raises(record_file.Damaged):
        record_file.decode(started)


@pytest.mark.parametrize(
    "options",
    [{}, {"tracking": "calls", "caller_series": "caller", "target": 4}, {"caller_series": "auto", "target": 1}],
)
def test_every_option_of_the_contract_is_known(options: dict[str, Any]) -> None:
    (started,) = record_file.decode(record_file.encode([Table(1, 2, **options).match.started]))
    assert started == Table(1, 2, **options).match.started


@pytest.mark.parametrize("players", [2, 4])
def test_two_to_four_play(players: int) -> None:
    assert record_file.decode(record_file.encode([Table(*range(1, players + 1)).match.started]))


@pytest.mark.parametrize("players", [1, 5])
def test_no_fewer_and_no_more_play(players: int) -> None:
    with pytest.raises(record_file.Damaged):
        record_file.decode(record_file.encode([Table(*range(1, players + 1)).match.started]))
