"""Home Assistant's MQTT discovery of a table: one message that describes the whole device."""

import msgspec

from companion import __version__
from companion.club import topics
from companion.club.payloads import About

BIRTH = "homeassistant/status"
"""The topic of Home Assistant's birth message, sent when it has started."""
AWAKE = b"online"


def topic_of(table: str) -> str:
    """Return the topic of a device's discovery message."""
    return f"homeassistant/device/{table}/config"


def device(table: str, name: str, address: str, version: str) -> dict[str, object]:
    """Return the message's identification of device and origin; `address` is that of the table's page."""
    return {
        "dev": {
            "identifiers": [f"table-companion-{table}"],
            "name": name,
            "model": "Game table",
            "manufacturer": "table companion",
            "sw_version": version,
            "configuration_url": address,
        },
        "o": {"name": "table-companion", "sw": __version__},
    }


def described(club: str, table: str, about: About) -> bytes:
    """Return the discovery message; every id in it is made from the table's, which never changes."""
    public = topics.topic_of(club, table, "public")

    def sensor(key: str, name: str, icon: str, template: str) -> dict[str, str]:
        return {
            "p": "sensor",
            "unique_id": f"{table}_{key}",
            "name": name,
            "icon": icon,
            "state_topic": public,
            "value_template": template,
        }

    names = "value_json.view.players|selectattr('seat','in',value_json.view.winners)|map(attribute='name')|join(', ')"
    over = "value_json.view and value_json.view.over"
    return msgspec.json.encode(
        {
            **device(table, about.name, about.address, about.version),
            "availability": [
                {
                    "topic": topics.topic_of(club, table, "status"),
                    "value_template": "{{ 'online' if value_json.state == 'ready' else 'offline' }}",
                }
            ],
            "qos": 1,
            "cmps": {
                "game": sensor(
                    *("game", "Game", "mdi:cards-playing-outline"),
                    "{{ value_json.view.game if value_json.view else 'none' }}",
                ),
                "winner": sensor("winner", "Winner", "mdi:trophy", f"{{{{ {names} if {over} else '' }}}}"),
                "playing": {
                    "p": "binary_sensor",
                    "unique_id": f"{table}_playing",
                    "name": "Playing",
                    "device_class": "running",
                    "state_topic": public,
                    "value_template": "{{ 'ON' if value_json.view and not value_json.view.over else 'OFF' }}",
                },
            },
        }
    )
