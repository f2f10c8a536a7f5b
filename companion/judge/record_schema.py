"""The record as a JSON Schema (2020-12), made from the types of the events and of the games' options.

It describes a record as the list of its lines. `record.md` says what no schema can (numbers without gaps, what may be
taken back, that a seat is listed once), and `companion replay --validate` checks it.
"""

from typing import Any

from companion import games
from companion.events import SEAT_PLACES, UNKNOWN, Event, Lifted, Started, Tapped
from companion.field_meanings import schemas
from companion.judge.record_file import DIGEST, FARTHEST

_WHERE = "#/$defs/{name}"
_DIGEST = {
    "type": "string",
    "pattern": f"^{DIGEST}$",
    "description": "Shows whether this event, or one before it, was altered; on every event or on none.",
}


def schema() -> dict[str, Any]:
    """Return the schema of a record of the installed games; for any other game it says what holds in every game."""
    (event,), named = schemas((Event,), _WHERE)
    for kind in event["anyOf"]:
        fields = named[kind["$ref"].rpartition("/")[2]]["properties"]
        fields["seq"]["minimum"] = 1
        fields["at"] |= {"minimum": -FARTHEST, "maximum": FARTHEST}
        fields["digest"] = _DIGEST
    for kind in (Tapped, Lifted):
        named[kind.__name__]["properties"]["place"] = {
            "anyOf": [{"enum": [*SEAT_PLACES]}, {"enum": sorted(set(games.places()).difference(SEAT_PLACES))}]
        }
    started = named[Started.__name__]
    started["allOf"] = []
    for slug, game in games.known().items():
        (options,), of_options = schemas((game.options,), _WHERE.format(name=f"{slug}-{{name}}"))
        named |= {f"{slug}-{name}": definition for name, definition in of_options.items()}
        players = {"minItems": game.fewest_players, "maxItems": game.most_players}
        started["allOf"].append(_in_game(slug, {"options": options, "players": players}))
    named["Tapped"]["if"] = {"properties": {"card": {"const": UNKNOWN}}}
    named["Tapped"]["then"] = {"required": ["tag"]}
    first = {"$ref": _WHERE.format(name=Started.__name__)}
    later = [kind for kind in event["anyOf"] if kind != first]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:table-companion:record:1",
        "title": "The record of a match",
        "description": "The events of one match, in the order in which they were learned of; in the file one a line.",
        "type": "array",
        "minItems": 1,
        "prefixItems": [first],
        "items": {"anyOf": later},
        "$defs": named,
    }


def _in_game(slug: str, properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of these properties that applies only to a record of this game."""
    return {"if": {"properties": {"game": {"const": slug}}}, "then": {"properties": properties}}
