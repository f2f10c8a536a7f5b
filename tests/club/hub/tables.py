"""Tables that say whatever they are told to."""

from typing import Any

import msgspec
import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from companion.club.served_client import let_go
from tests.club.broker import Broker

CLUB = "wednesday"
ONE, OTHER = "abcdefgh234567ab", "bbbbbbbb234567bb"
"""What tables are known by."""


class SpeakingTable:
    """A table that knows nothing but the contract, and answers what it is asked for with all its results."""

    def __init__(self, broker: Broker, table: str, birth: int = 1, *results: dict[str, Any]):
        self.table = table
        self.root = f"table-companion/1/{CLUB}/{table}"
        self.results = {result["match"]: result for result in results}
        self.asked: list[int] = []
        self.client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=table, protocol=mqtt.MQTTv5)
        self.client.will_set(f"{self.root}/status", status("lost", birth), qos=1, retain=True)
        self.client.on_message = self._asked
        self.client.username_pw_set(table)
        self.client.connect("127.0.0.1", broker.port, keepalive=5)
        self.client.loop_start()
        self.client.subscribe(f"{self.root}/ask", qos=1)
        self.say("status", status("ready", birth), retain=True)

    def say(self, kind: str, payload: bytes | Any, retain: bool = False, expires: int = 0) -> None:
        properties = Properties(PacketTypes.PUBLISH)
        if expires:
            properties.MessageExpiryInterval = expires
        body = payload if isinstance(payload, bytes) else msgspec.json.encode(payload)
        self.client.publish(f"{self.root}/{kind}", body, qos=1, retain=retain, properties=properties).wait_for_publish()

    def ends(self, match: int, revision: int = 1, **more: Any) -> None:
        """Publish a result, and keep it for whoever asks."""
        self.results[match] = result(match, revision, **more)
        self.say(f"result/{match}", self.results[match])

    def shows(self, match: int, at: float, view: dict[str, Any]) -> None:
        self.say("public", {"match": match, "at": at, "view": view}, retain=True, expires=3600)

    def crash(self) -> None:
        """Vanish without a word: the broker says the will."""
        self.client.loop_stop()
        let_go(self.client)
        self.client.socket().close()

    def leave(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()
        let_go(self.client)

    def _asked(self, _: Any, __: Any, message: mqtt.MQTTMessage) -> None:
        since = msgspec.json.decode(message.payload)["since"]
        self.asked.append(since)
        for match, sent_result in sorted(self.results.items()):
            if match > since:
                self.client.publish(f"{self.root}/result/{match}", msgspec.json.encode(sent_result), qos=1)


def status(state: str, birth: int) -> bytes:
    return msgspec.json.encode({"state": state, "birth": birth})


def result(match: int, revision: int = 1, **more: Any) -> dict[str, Any]:
    named = [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "Bo"}, {"seat": 3, "name": "Cy"}]
    seats = [str(player["seat"]) for player in more.get("players", named)]
    return {
        "match": match,
        "revision": revision,
        "began": "2026-11-22T20:15:03+01:00",
        "game": "stop-it",
        "options": {},
        "players": named,
        "over": True,
        "scores": {seat: points for seat, points in {"1": 4, "2": 6, "3": 9}.items() if seat in seats},
        "winners": [1],
        "simulated": False,
        "demo": False,
        **more,
    }


def about(name: str) -> dict[str, Any]:
    return {
        "name": name,
        "games": ["stop-it"],
        "seats": [1, 2, 3],
        "languages": ["en"],
        "address": "http://10.0.0.9:8000/",
        "version": "0.2.0",
        "simulated": False,
    }
