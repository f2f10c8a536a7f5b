"""The JSON Schema of table.toml, by which an editor completes and checks it while one types.

It says what holds for one setting at a time; `companion check` says the rest: one reader a place, no port used twice.
"""

import json
from typing import Any

import msgspec

from companion import config
from companion.devices import drivers
from companion.events import SEATS
from companion.field_meanings import schemas
from companion.games import places

_WHERE = "#/$defs/{name}"


def written() -> str:
    """Return the schema as its file has it."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


def schema() -> dict[str, Any]:
    """Return the schema of a whole file, for the drivers that the companion brings."""
    _, named = schemas((config.FileSettings, *config.SECTIONS.values(), config.WebhookSettings), _WHERE)
    whole = named.pop(config.FileSettings.__name__)
    whole["properties"] |= {name: {"$ref": _WHERE.format(name=kind.__name__)} for name, kind in config.SECTIONS.items()}
    for section in ("reader", "buzzers"):
        whole["properties"][section] |= {"items": {"oneOf": [*map(_driver, _settings_of(section).items())]}}
    whole["properties"]["webhook"] |= {"items": {"$ref": _WHERE.format(name=config.WebhookSettings.__name__)}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:table-companion:table:1",
        **whole,
        "title": "table.toml",
        "$defs": named,
    }


def _settings_of(section: str) -> dict[str, type[msgspec.Struct]]:
    return {name: getattr(module, section.capitalize()) for name, module in drivers.find(section).items()}


def _driver(driver: tuple[str, type[msgspec.Struct]]) -> dict[str, Any]:
    """Return the schema of a section of this driver."""
    name, kind = driver
    _, named = schemas((kind,), _WHERE)
    settings: dict[str, Any] = named.pop(kind.__name__)
    assert not named, f"{name} has settings within settings"
    settings["title"] = name
    settings["properties"] |= {"driver": {"const": name}}
    settings["required"] = ["driver", *settings.get("required", ())]
    if "place" in settings["properties"]:
        settings["properties"]["place"]["enum"] = list(places())
    if "seats" in settings["properties"]:
        settings["properties"]["seats"]["items"] |= {"minimum": SEATS[0], "maximum": SEATS[-1]}
    return settings
