"""One connection to the broker; the next connection is another link.

paho's own queue and reconnecting are not used, because only the outbox knows what to send. Callbacks come from the
link's own thread.
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
"""Seconds between pings; the broker drops a client that is silent for half as long again (MQTT)."""
GOODBYE_S = 1.0
"""Seconds to send what is queued before the connection is closed."""
TCP_S = 5.0
"""Seconds for the TCP connection to be made."""
LARGEST_HEARD = 16 * 1024
"""Bytes; the broker must send no larger message."""

_journal = logging.getLogger(__name__)
_TAKEN_OVER = 0x8E
"""MQTT 5's reason code "Session taken over"."""
_RUN = "run"
"""The user property of a `status` that identifies the run of the program that sent it."""

Hear = Callable[[str, bytes, str], None]
"""Takes a topic, a payload, and the run of the program that sent it ("" if unknown)."""


class Opened(msgspec.Struct, frozen=True):
    """The broker has accepted the connection."""

    session: bool
    """Whether it still had the session of the last connection."""


class Ended(msgspec.Struct, frozen=True):
    """The connection has ended, or was not accepted."""

    why: str
    refused: bool = False
    """Whether the broker refused it."""
    taken_over: bool = False
    """Whether another client with the same id has taken the session over."""


class Answered(msgspec.Struct, frozen=True):
    """The broker has acknowledged a message."""

    number: int
    """The message id."""
    why: str = ""
    """Why the broker refused it; "" if it did not."""


Told = Opened | Ended | Answered


class CantReach(Exception):
    """The connection could not be made; the message says why, without credentials."""


class Link:
    """A connection of a table. Use it from one thread."""

    def __init__(self, club: ClubSettings, table: str, run: str) -> None:
        """Prepare a connection; `run` marks its statuses."""
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
        """Set the message that the broker publishes if the connection is lost. Call it before `open`."""
        more = Properties(PacketTypes.WILLMESSAGE)  # type: ignore[no-untyped-call]
        more.UserProperty = (_RUN, self._run)
        self._client.will_set(topic, payload, qos=1, retain=True, properties=more)

    def open(self, tell: Callable[["Link", Told], None], hear: Hear, *, again: bool) -> None:
        """Connect; with `again`, resume the session that the broker has kept. Raises `CantReach`.

        `tell` gets the link's events, and `hear` the messages of others, both from the link's own thread.
        """
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
            except Exception as wrong:  # a fault of ours must not end the link's thread
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
            client.on_socket_open = _send_at_once
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
        """Whether the link's thread still runs: a server that does not speak MQTT may end it without an event."""
        return self._thread.is_alive

    def subscribe(self, *topics: str) -> None:
        """Subscribe to topics with QoS 1."""
        self._client.subscribe([(topic, 1) for topic in topics])
        self._served.ring()

    def publish(self, topic: str, payload: bytes, *, retain: bool, expires_s: int | None = None) -> int:
        """Publish a message with QoS 1; return its message id."""
        more = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        if expires_s is not None:
            more.MessageExpiryInterval = expires_s
        if topic.endswith("/status"):
            more.UserProperty = (_RUN, self._run)
        number = self._client.publish(topic, payload, qos=1, retain=retain, properties=more).mid
        self._served.ring()
        return number

    def leave(self) -> None:
        """Disconnect properly, so that the broker does not publish the will."""
        self._leaves = True
        self._client.disconnect()
        self.drop()

    def drop(self) -> None:
        """Close the connection without a DISCONNECT, so that the broker publishes the will."""
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


def _send_at_once(_1: Client, _2: object, opened: Any) -> None:
    """Switch Nagle's algorithm off, which would delay the hub's tiles by 40 ms."""
    opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
