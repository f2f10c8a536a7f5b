"""The real broker, Debian's mosquitto, on this machine's loopback; and somebody who follows all that is said there."""

import shutil
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from companion.club.served_client import let_go
from tests.bench.rig import free_port
from tests.waiting import until

MOSQUITTO = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
OPEN = "allow_anonymous true"
ANY_SIZE = "max_packet_size 20000000"
"""From 2.1 on Mosquitto cuts who sends more than 2 MB, unless told otherwise."""


def keeping(folder: Path) -> tuple[str, ...]:
    """Return the settings of a broker that is open, and keeps there what it has to."""
    return OPEN, "persistence true", f"persistence_location {folder}/"


class Broker:
    """It can be killed and started again on the same port, with what it kept."""

    def __init__(self, folder: Path, *settings: str) -> None:
        self.port = free_port()
        self._file = folder / "mosquitto.conf"
        self.log = folder / "mosquitto.log"
        self.set(*settings or (OPEN,))
        self.start()

    def set(self, *settings: str) -> None:
        always = (f"listener {self.port} 127.0.0.1", "user root", "set_tcp_nodelay true", "max_queued_messages 0")
        self._file.write_text("\n".join((*always, ANY_SIZE, *settings, "")), encoding="utf-8")

    def start(self) -> None:
        assert MOSQUITTO
        with self.log.open("ab") as log:
            self.process = subprocess.Popen([MOSQUITTO, "-c", str(self._file)], stderr=log, stdout=log)

        def answers() -> bool:
            assert self.process.poll() is None, self.log.read_text()
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.port)) == 0

        until(answers)

    def signal(self, signal_to_send: signal.Signals) -> None:
        self.process.send_signal(signal_to_send)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@contextmanager
def running(folder: Path, *settings: str) -> Iterator[Broker]:
    broker = Broker(folder, *settings)
    try:
        yield broker
    finally:
        broker.kill()


class Said(msgspec.Struct, frozen=True):
    """One message as it came; what was retained before counts too."""

    topic: str
    raw: bytes
    expires: int | None

    @property
    def what(self) -> str:
        """What stands after the table's id; "" where no table says it."""
        return "".join(self.topic.split("/", 4)[4:])

    @property
    def value(self) -> Any:
        return msgspec.json.decode(self.raw)


class Follower:
    """Another program at the same broker."""

    def __init__(self, port: int, *topics: str, name: str = "follower", user: tuple[str, str] | None = None) -> None:
        self.said: list[Said] = []
        self.ended: list[int] = []
        self.client = Client(CallbackAPIVersion.VERSION2, name, protocol=MQTTProtocolVersion.MQTTv5)
        self.client.reconnect_delay_set(1, 1)
        if user:
            self.client.username_pw_set(*user)
        is_subscribed = threading.Event()

        def connected(client: Client, *_: object) -> None:
            client.subscribe([(topic, 1) for topic in topics or ("#",)])

        def subscribed(*_: object) -> None:
            is_subscribed.set()

        def heard(_1: Client, _2: object, message: MQTTMessage) -> None:
            expires = getattr(message.properties, "MessageExpiryInterval", None)
            self.said.append(Said(message.topic, bytes(message.payload), expires))

        self.client.on_connect = connected
        self.client.on_subscribe = subscribed
        self.client.on_message = heard
        self.client.connect("127.0.0.1", port, keepalive=30)
        self.client.loop_start()
        until(is_subscribed.is_set)

    def say(self, topic: str, payload: bytes | str, *, retain: bool = False) -> None:
        self.client.publish(topic, payload, qos=1, retain=retain)

    def of(self, kind: str) -> list[Any]:
        """What was said below the tables' topics that begin so, decoded."""
        return [message.value for message in list(self.said) if message.what.startswith(kind) and message.raw]

    def leave(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()
        let_go(self.client)
