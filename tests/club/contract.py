"""The contract for machines: a JSON Schema of each payload and an AsyncAPI document, written from the payloads."""

from pathlib import Path
from typing import Any

import msgspec

from companion.club import home_assistant, topics
from companion.club.payloads import EXPIRES_S, KINDS, Ask
from companion.club_settings import CLUB
from companion.field_meanings import schemas

FOLDER = Path(__file__).parents[2] / "companion/club/contract"
TOPIC = "result/{match}"
_DEVICE = {"type": "object", "required": ["dev", "o", "cmps"]}
ASYNCAPI = "asyncapi.json"
SCHEMA = ".schema.json"
FILES = (*(f"{kind}{SCHEMA}" for kind in KINDS), ASYNCAPI)
"""The names of the contract's files."""
RETAINED = ("status", "about", "public")


def document(name: str) -> str:
    """Return what one of the contract's files is to say: "asyncapi.json", or the schema of a payload."""
    described = asyncapi() if name == ASYNCAPI else schema(name.removesuffix(SCHEMA))
    return msgspec.json.format(msgspec.json.encode(described)).decode() + "\n"


def schema(kind: str) -> dict[str, Any]:
    (described,), named = schemas([KINDS[kind]], "#/$defs/{name}")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **described, "$defs": named}


def asyncapi() -> dict[str, Any]:
    _, named = schemas([*KINDS.values()], "#/components/schemas/{name}")
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "A club of game tables",
            "version": "1.0.0",
            "description": "What a table says to its club's broker, and hears from the hub. Seen from the table.",
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "channels": {kind: _channel(kind) for kind in KINDS} | {"homeAssistant": _home_assistant()},
        "operations": {kind: _operation(kind) for kind in KINDS},
        "components": {
            "schemas": named,
            "messages": {
                kind: {"name": kind, "payload": {"$ref": f"#/components/schemas/{struct.__name__}"}}
                for kind, struct in KINDS.items()
            }
            | {
                "homeAssistant": {
                    "name": "homeAssistant",
                    "payload": {"type": "object", "required": ["dev", "o", "cmps"]},
                }
            },
            "parameters": {
                "club": {"description": f"The club's name: {CLUB}"},
                "table": {"description": f"The table's id: {topics.TABLE}"},
                "match": {"description": "The match's number in the table's log: 1, 2, 3 …"},
            },
        },
    }


def _channel(kind: str) -> dict[str, Any]:
    address = topics.topic_of("{club}", "{table}", TOPIC if kind == "result" else kind)
    return {
        "address": address,
        "messages": {kind: {"$ref": f"#/components/messages/{kind}"}},
        "parameters": _parameters(address),
    }


def _home_assistant() -> dict[str, Any]:
    address = home_assistant.topic_of("{table}")
    return {
        "address": address,
        "description": f"Retained; said again when {home_assistant.BIRTH} says {home_assistant.AWAKE.decode()}.",
        "messages": {"homeAssistant": {"$ref": "#/components/messages/homeAssistant"}},
        "parameters": _parameters(address),
    }


def _parameters(address: str) -> dict[str, Any]:
    return {
        name: {"$ref": f"#/components/parameters/{name}"}
        for name in ("club", "table", "match")
        if f"{{{name}}}" in address
    }


def _operation(kind: str) -> dict[str, Any]:
    says: dict[str, Any] = {"qos": 1, "retain": kind in RETAINED, "bindingVersion": "0.2.0"}
    if kind == "public":
        says["messageExpiryInterval"] = EXPIRES_S
    return {
        "action": "receive" if KINDS[kind] is Ask else "send",
        "channel": {"$ref": f"#/channels/{kind}"},
        "messages": [{"$ref": f"#/channels/{kind}/messages/{kind}"}],
        "bindings": {"mqtt": says},
    }
