"""The options of Kartel, as a record spells them."""

from typing import Any

import pytest
from msgspec.json import encode

from companion.judge import record_file
from tests.games.kartel.table import Table


@pytest.mark.parametrize(
    "options",
    [
        *({"money": value} for value in (0, "true", None, 1.0)),
        *({"ring": value} for value in (1, "yes", {})),
        *({"free_gang": value} for value in ("plus", "Minus", None, True, ["zero"])),
        *({name: True} for name in ("Money", "rings", "")),
    ],
    ids=repr,
)
def test_an_option_that_kartel_does_not_know_is_refused(options: dict[str, Any]) -> None:
    started = record_file.encode([Table(1, 2).match.started]).replace(b'"options":{}', b'"options":' + encode(options))
    with pytest.raises(record_file.Damaged):
        record_file.decode(started)


@pytest.mark.parametrize("options", [{"money": False, "free_gang": "zero", "ring": True}, {"free_gang": "minus"}, {}])
def test_every_option_of_the_contract_is_known(options: dict[str, Any]) -> None:
    (started,) = record_file.decode(record_file.encode([Table(1, 2, **options).match.started]))
    assert started == Table(1, 2, **options).match.started
