"""An editor that reads the schema of table.toml accepts what the companion accepts, and marks what it refuses."""

import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.table_schema import schema

HARDWARE = Path(__file__).parent.parent / "hardware"
TABLES = [HARDWARE / "table.toml", *sorted((HARDWARE / "tables").glob("*.toml"))]
SCHEMA = jsonschema.Draft202012Validator(schema())


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("table", TABLES, ids=lambda path: path.name)
def test_every_table_of_the_guide_is_valid(table: Path) -> None:
    SCHEMA.validate(tomllib.loads(table.read_text(encoding="utf-8")))


@pytest.mark.parametrize("table", TABLES, ids=lambda path: path.name)
def test_every_table_of_the_guide_names_it(table: Path) -> None:
    mark, _, named = table.read_text(encoding="utf-8").partition("\n")[0].partition(" ")
    assert mark == "#:schema"
    assert (table.parent / named).resolve() == HARDWARE / "table.schema.json"


@pytest.mark.parametrize(
    "wrong",
    [
        {"colour": "red"},
        {"seats": 7},
        {"page": {"port": 0}},
        {"reader": [{"driver": "pn532-uart", "place": "kitchen", "port": "/dev/ttyUSB0"}]},
        {"reader": [{"driver": "pn533-uart", "place": "seat-1", "port": "/dev/ttyUSB0"}]},
        {"buzzers": [{"driver": "pico", "seats": [1, 7]}]},
    ],
    ids=["unknown setting", "seven seats", "port", "place", "driver", "seat"],
)
def test_a_mistake_is_marked(wrong: dict[str, Any]) -> None:
    assert not SCHEMA.is_valid(wrong)
