"""Publishes happenings and the table's state to the home's MQTT broker, from a thread of its own.

Happenings are of the moment: one that could not be sent within `OLD_S` is dropped. The state is retained.
"""

import logging
import ssl
import time
from collections import deque

import msgspec
from msgspec.structs import replace
from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.club import home_assistant
from companion.club.credentials import WrongCredentials, password, trusted, why_unreachable
from companion.club.served_client import ServedClient
from companion.house.happenings import Happening
from companion.house.home_assistant import HomeDevice, described
from companion.house.topics import Topics
from companion.house_settings import HouseSettings
from companion.live.snapshot import Snapshot
from companion.threads import LastingThread, Rounds

KEEPALIVE_S = 15
TCP_S = 5.0
"""Seconds for the TCP connection to be made."""
GOODBYE_S = 1.0
"""Seconds to send what is queued before the connection is closed."""
AGAIN_S = (1.0, 30.0)
"""First and longest wait (seconds) before a broker that can't be reached is tried again."""
OLD_S = 10.0
"""Seconds after which a happening is of no use any more."""
MOST = 50
"""Most happenings in the queue."""

_journal = logging.getLogger(__name__)


class TableState(msgspec.Struct, frozen=True):
    """The state of a table, for subscribers that come later than the happenings."""

    match: int | None
    game: str
    playing: bool
    winner: str
    """The winners' names; "" while there are none."""
    recording: bool


def state_of(snapshot: Snapshot) -> TableState:
    """Return a table's state, as everybody sees it."""
    view = snapshot.views.get(None)
    if view is None:
        return TableState(None, "none", playing=False, winner="", recording=not snapshot.trouble)
    won = [player["name"] for player in view["players"] if player["seat"] in view["winners"]]
    return TableState(
        snapshot.match,
        view["game"],
        playing=snapshot.in_play is not None,
        winner=", ".join(won),
        recording=not snapshot.trouble,
    )


class HomeBroker:
    """The home's broker. `tell`, `show` and `trouble` may be used from any thread."""

    def __init__(self, settings: HouseSettings, home: HomeDevice) -> None:
        """Prepare to publish to a broker."""
        self.name = settings.broker
        self.trouble = ""
        """Why nothing can be published; "" if it can."""
        self._settings = settings
        self._home = home
        self._topics = Topics(home.table)
        self._state = b""
        self._said = b""
        """The state last published over this connection."""
        self._waiting: deque[tuple[float, bytes]] = deque(maxlen=MOST)
        self._served: ServedClient | None = None
        self._describes = False
        """Whether Home Assistant's description must be published, for the first time or again."""
        self._in = False
        """Whether the broker has accepted the connection."""
        self._thread = LastingThread("home broker", self._run, daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Publish "offline", and stop; waits only briefly for the broker."""
        self._thread.stop(self._ring, GOODBYE_S + 1.0)

    def tell(self, happening: Happening) -> None:
        """Queue a happening."""
        self._waiting.append((time.monotonic(), msgspec.json.encode(happening)))
        self._ring()

    def show(self, snapshot: Snapshot) -> None:
        """Set the state to be published."""
        self._state = msgspec.json.encode(state_of(snapshot))
        self._ring()

    def tell_address(self, address: str) -> None:
        """Publish a new address of the table's page."""
        self._home = replace(self._home, address=address)
        self._describes = self._settings.home_assistant
        self._ring()

    def _ring(self) -> None:
        if served := self._served:
            served.ring()

    def _run(self, rounds: Rounds) -> None:
        breath = AGAIN_S[0]
        while not rounds.is_set():
            try:
                self._converse(rounds)
                breath = AGAIN_S[0]
            except (OSError, ValueError, WrongCredentials, ssl.SSLError) as wrong:
                self._note(why_unreachable(wrong))
            if rounds.wait(breath):
                return
            breath = min(2 * breath, AGAIN_S[1])

    def _note(self, trouble: str) -> None:
        if trouble != self.trouble:
            _journal.warning("%s does not hear of the table: %s", self.name, trouble)
        self.trouble = trouble

    def _converse(self, rounds: Rounds) -> None:
        """Connect, and publish until the connection is lost. Raises `WrongCredentials`, OSError and ValueError."""
        client = self._client()
        served = ServedClient(client)
        try:
            host, port = self._settings.address
            client.connect(host, port, KEEPALIVE_S, clean_start=True)
            self._served = served
            self._said = b""  # over a new connection, the state is published again
            while not rounds.is_set() and served.serve():
                if self._in:
                    self._speak(client)
            if self._in and rounds.is_set():
                client.publish(self._topics.status, "offline", qos=1, retain=True)
                client.disconnect()
                served.send_rest(GOODBYE_S)
        finally:
            self._in = False
            self._served = None
            served.close()

    def _client(self) -> Client:
        client = Client(
            CallbackAPIVersion.VERSION2, client_id="", protocol=MQTTProtocolVersion.MQTTv5, reconnect_on_failure=False
        )
        client.connect_timeout = TCP_S
        client.will_set(self._topics.status, "offline", qos=1, retain=True)
        if self._settings.by_tls:
            client.tls_set_context(trusted(self._settings))
        if self._settings.user:
            client.username_pw_set(self._settings.user, password(self._settings))

        def connected(_1: Client, _2: object, _3: ConnectFlags, code: ReasonCode, _4: Properties | None) -> None:
            if code.is_failure:
                self._note(code.getName())
                return
            self._in = True
            self._describes = self._settings.home_assistant
            self.trouble = ""
            client.publish(self._topics.status, "online", qos=1, retain=True)
            if self._settings.home_assistant:
                client.subscribe(home_assistant.BIRTH, qos=1)

        def disconnected(_1: Client, _2: object, _3: DisconnectFlags, code: ReasonCode, _4: Properties | None) -> None:
            if code.is_failure:
                self._note(code.getName() if self._in else self.trouble or code.getName())

        def heard(_1: Client, _2: object, message: MQTTMessage) -> None:
            self._describes = self._describes or message.payload == home_assistant.AWAKE

        client.on_connect = connected
        client.on_disconnect = disconnected
        client.on_message = heard
        return client

    def _speak(self, client: Client) -> None:
        if self._describes:
            self._describes = False
            client.publish(home_assistant.topic_of(self._home.table), described(self._home), qos=1, retain=True)
        while self._waiting:
            at, payload = self._waiting.popleft()
            if time.monotonic() - at < OLD_S:
                client.publish(self._topics.event, payload, qos=1)
        if self._state != self._said:
            self._said = self._state
            client.publish(self._topics.state, self._state, qos=1, retain=True)
