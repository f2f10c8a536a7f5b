"""One connection to the broker, from its first byte to its last. The next connection is another link.

paho's own queue and reconnecting are not used: only the outbox knows what to send.
Everything a link tells comes from paho's thread.
"""

import logging
import socket
from collections.abc import Callable
from typing import Any

import msgspec
from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.club.credentials import WrongCredentials, password, trusted, why_unreachable
from companion.club.served_client import ServedClient
from companion.club.session_taken_over import SESSION_S
from companion.club_settings import ClubSettings
from companion.threads import LastingThread, Rounds, keep

KEEPALIVE_S = 15
"""Seconds; the broker gives up a table that is silent for half as long again."""
GOODBYE_S = 1.0
"""Seconds for the broker to take our last words."""
TCP_S = 5.0
"""Seconds that the broker's machine has to answer."""
LARGEST_HEARD = 16 * 1024
"""Bytes; the broker must not send us anything larger."""

_journal = logging.getLogger(__name__)
_TAKEN_OVER = 0x8E
_RUN = "run"

Hear = Callable[[str, bytes, str], None]
"""Takes a topic, what is said there, and which run of a table says it ("" if unknown)."""


class Opened(msgspec.Struct, frozen=True):
    """The broker has let us in."""

    session: bool
    """Whether it still had the session of our last connection."""


class Ended(msgspec.Struct, frozen=True):
    """The connection is over, or never was."""

    why: str
    refused: bool = False
    """Whether the broker turned us away."""
    taken_over: bool = False
    """Whether another client with our id has the session now."""


class Answered(msgspec.Struct, frozen=True):
    """The broker has answered what was published."""

    number: int
    why: str = ""
    """Why it was not taken; "" if it was."""


Told = Opened | Ended | Answered


class CantReach(Exception):
    """There is no connection, and the broker has not heard of us: the message says why, without credentials."""


class Link:
    """Use it from one thread."""

    def __init__(self, club: ClubSettings, table: str, run: str) -> None:
        """Prepare a connection of this table; `run` marks its statuses."""
        self._club = club
        self._run = run
        self._client = Client(
            CallbackAPIVersion.VERSION2, table, protocol=MQTTProtocolVersion.MQTTv5, reconnect_on_failure=False
        )
        self._client.connect_timeout = TCP_S
        self._served = ServedClient(self._client)
        self._leaves = False
        self._thread = LastingThread("broker", self._serve, daemon=True)

    def will(self, topic: str, payload: bytes) -> None:
        """Have the broker say this if we are cut off."""
        more = Properties(PacketTypes.WILLMESSAGE)  # type: ignore[no-untyped-call]
        more.UserProperty = (_RUN, self._run)
        self._client.will_set(topic, payload, qos=1, retain=True, properties=more)

    def open(self, tell: Callable[["Link", Told], None], hear: Hear, *, again: bool) -> None:
        """Connect, or connect `again` in the session that the broker has kept. Raises `CantReach`."""
        client = self._client

        def connected(_1: Client, _2: object, flags: ConnectFlags, code: ReasonCode, _4: Properties | None) -> None:
            news = Ended(code.getName(), refused=True) if code.is_failure else Opened(flags.session_present)
            tell(self, news)

        def disconnected(_1: Client, _2: object, how: DisconnectFlags, code: ReasonCode, _4: Properties | None) -> None:
            by_server = how.is_disconnect_packet_from_server
            why = code.getName() if by_server else "the connection was cut"
            tell(self, Ended(why, taken_over=by_server and code.value == _TAKEN_OVER))

        def published(_1: Client, _2: object, number: int, code: ReasonCode, _3: Properties) -> None:
            tell(self, Answered(number, code.getName() if code.is_failure else ""))

        def heard(_1: Client, _2: object, message: MQTTMessage) -> None:
            marks = dict(getattr(message.properties, "UserProperty", ()))
            try:
                hear(message.topic, bytes(message.payload), marks.get(_RUN, ""))
            except Exception as wrong:  # ours, not the broker's: the link goes on
                keep("broker", wrong)

        wishes = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        wishes.MaximumPacketSize = LARGEST_HEARD
        wishes.SessionExpiryInterval = SESSION_S
        host, port = self._club.address
        try:
            if self._club.by_tls:
                client.tls_set_context(trusted(self._club))
            if self._club.user:
                client.username_pw_set(self._club.user, password(self._club))
            client.on_socket_open = _at_once
            client.connect(host, port, KEEPALIVE_S, clean_start=not again, properties=wishes)
        except WrongCredentials as wrong:
            self._served.close()
            raise CantReach(str(wrong)) from wrong
        except (OSError, ValueError) as wrong:  # ssl's errors are OSErrors; a host's name may be invalid
            self._served.close()
            raise CantReach(why_unreachable(wrong)) from wrong
        client.on_connect = connected
        client.on_disconnect = disconnected
        client.on_publish = published
        client.on_message = heard
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether anybody listens: a broker that does not speak MQTT may end that without our hearing of it."""
        return self._thread.is_alive

    def subscribe(self, *topics: str) -> None:
        """Hear what is said there."""
        self._client.subscribe([(topic, 1) for topic in topics])
        self._served.ring()

    def publish(self, topic: str, payload: bytes, *, retain: bool, expires_s: int | None = None) -> int:
        """Say something; return the number of the broker's answer."""
        more = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        if expires_s is not None:
            more.MessageExpiryInterval = expires_s
        if topic.endswith("/status"):
            more.UserProperty = (_RUN, self._run)
        number = self._client.publish(topic, payload, qos=1, retain=retain, properties=more).mid
        self._served.ring()
        return number

    def leave(self) -> None:
        """Say goodbye, so that the broker does not publish our last will."""
        self._leaves = True
        self._client.disconnect()
        self.drop()

    def drop(self) -> None:
        """End the connection without a word."""
        self._thread.stop(self._served.ring)
        self._served.close()

    def _serve(self, rounds: Rounds) -> None:
        try:
            while not rounds.is_set() and self._served.serve():
                pass
            if self._leaves:
                self._served.send_rest(GOODBYE_S)
        except Exception:
            _journal.debug("the broker's words are not MQTT", exc_info=True)


def _at_once(_1: Client, _2: object, opened: Any) -> None:
    """Send without waiting for more to send, or a tile of the hub would be 40 ms late."""
    opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
