"""Home Assistant's MQTT discovery of a table at home: one message that describes the whole device."""

import msgspec

from companion.club.home_assistant import device
from companion.house.topics import Topics
from companion.house_settings import event_names
from companion.versions.commit import full_version


class HomeDevice(msgspec.Struct, frozen=True):
    """A table's identity for Home Assistant."""

    table: str
    """Its id, which never changes."""
    name: str
    """Its name for people."""
    address: str
    """The URL of its page."""


def described(home: HomeDevice) -> bytes:
    """Return the discovery message; every id in it is made from the table's."""
    topics = Topics(home.table)

    def entity(platform: str, key: str, name: str, **more: object) -> dict[str, object]:
        return {"p": platform, "unique_id": f"{home.table}_{key}", "name": name, **more}

    def sensor(key: str, name: str, icon: str) -> dict[str, object]:
        template = f"{{{{ value_json.{key} }}}}"
        return entity("sensor", key, name, icon=icon, state_topic=topics.state, value_template=template)

    def switched(key: str, name: str, device_class: str, when: str) -> dict[str, object]:
        template = f"{{{{ 'ON' if {when} else 'OFF' }}}}"
        more = {"device_class": device_class, "state_topic": topics.state, "value_template": template}
        return entity("binary_sensor", key, name, **more)

    icon = "mdi:cards-playing-outline"
    events = entity("event", "event", "At the table", icon=icon, state_topic=topics.event)
    return msgspec.json.encode(
        {
            **device(home.table, home.name, home.address, full_version()),
            "availability": [{"topic": topics.status}],
            "qos": 1,
            "cmps": {
                "event": {**events, "event_types": sorted(event_names())},
                "game": sensor("game", "Game", icon),
                "winner": sensor("winner", "Winner", "mdi:trophy"),
                "playing": switched("playing", "Playing", "running", "value_json.playing"),
                "not_recording": switched("not_recording", "Not recording", "problem", "not value_json.recording"),
            },
        }
    )
