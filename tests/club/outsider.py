"""Somebody who has read the contract (`companion/club/contract/README.md`) and knows nothing else: no code of ours.

They follow a club at its broker, and write down what a hub's two routes should say.
"""

import json
import re
import threading
from typing import Any

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

_TOPIC = re.compile(r"table-companion/1/[a-z0-9-]{1,32}/([a-z2-7]{16})/(status|about|public|result/([1-9][0-9]*))")


class Outsider:
    def __init__(self, port: int, club: str) -> None:
        self._root, self._lock = f"table-companion/1/{club}", threading.Lock()
        self._status: dict[str, Any] = {}
        self._about: dict[str, Any] = {}
        self._public: dict[str, Any] = {}
        self._results: dict[tuple[str, int], dict[str, Any]] = {}
        self._client = Client(CallbackAPIVersion.VERSION2, "outsider", protocol=MQTTProtocolVersion.MQTTv5)
        self._client.reconnect_delay_set(1, 1)
        self._client.on_connect = self._connected
        self._client.on_message = self._heard
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()

    def leave(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()
        self._client.on_connect = self._client.on_message = None  # its sockets go with it, and by no collector

    def tables(self) -> dict[str, Any]:
        """What `/api/1/tables` should say, but for how far it is behind."""
        with self._lock:
            return {table: self._told(table) for table in self._status}

    def results(self) -> dict[tuple[str, int], dict[str, Any]]:
        """What `/api/1/results?after=0` should say, but for its numbers."""
        with self._lock:
            return dict(self._results)

    def _told(self, table: str) -> dict[str, Any]:
        public = self._public.get(table, {"match": None, "view": None})
        view = public["view"] or {"game": None, "over": False, "scores": {}, "players": []}
        return {
            "table": table,
            "name": self._about.get(table, {"name": table})["name"],
            "state": self._status[table]["state"],
            "match": public["match"],
            **{key: view[key] for key in ("game", "over", "scores")},
            "players": [{"seat": player["seat"], "name": player["name"]} for player in view["players"]],
        }

    def _connected(self, client: Client, *_: object) -> None:
        client.subscribe([(f"{self._root}/+/#", 1)])

    def _heard(self, client: Client, _: object, message: MQTTMessage) -> None:
        topic = _TOPIC.fullmatch(message.topic)
        if topic is None or not message.payload:
            return
        table, kind, match = topic.groups()
        message_body = json.loads(message.payload)
        with self._lock:
            if match:
                result_before = self._results.get((table, int(match)))
                if result_before is None or result_before["revision"] < message_body["revision"]:
                    self._results[table, int(match)] = {"table": table, **message_body}
            elif kind == "status":
                self._take_status(client, table, message_body)
            else:
                {"about": self._about, "public": self._public}[kind][table] = message_body

    def _take_status(self, client: Client, table: str, status: dict[str, Any]) -> None:
        status_before = self._status.get(table)
        if status["state"] != "ready" and status_before and status["birth"] < status_before["birth"]:
            return
        self._status[table] = status
        if status["state"] == "ready":
            client.publish(f"{self._root}/{table}/ask", json.dumps({"since": 0}), qos=1)
