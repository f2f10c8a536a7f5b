"""A broker in memory, and the two kinds of clients that a club has: a table's link, and the hub's client.

Sessions, wills, retained messages and acknowledgements are as MQTT 5 and Mosquitto have them, as far as a club uses
them. It may be down, be slow, hand on twice what was not acknowledged, and come back without what it had in memory.
"""

import heapq
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from paho.mqtt.client import topic_matches_sub

from companion.club.link import Answered, CantReach, Ended, Hear, Opened, Told
from companion.club_settings import ClubSettings

TAKEN_OVER = "Session taken over"
MOST_WAITING = 1000
"""Messages that wait for a client that is away: Mosquitto's own limit."""


@dataclass(slots=True)
class Message:
    """As paho hands it on."""

    topic: str
    payload: bytes
    qos: int
    retain: bool
    run: str = ""
    mid: int = 0


@dataclass(slots=True)
class Session:
    """What the broker keeps of one client."""

    client: Any = None
    """None while it is away."""
    topics: dict[str, int] = field(default_factory=dict)
    waiting: deque[Message] = field(default_factory=deque)
    unacknowledged: dict[int, Message] = field(default_factory=dict)
    will: Message | None = None


class Code:
    """An answer's code, as paho has it."""

    is_failure = False
    value = 0


class Broker:
    """It does nothing by itself: `turn` hands on what is due."""

    def __init__(self, chance: random.Random, clock: Callable[[], float]) -> None:
        self.is_up = True
        self.delay = 0.0
        """Seconds that anything takes on its way."""
        self.sessions: dict[str, Session] = {}
        self.retained: dict[str, Message] = {}
        self.taken: list[tuple[str, bytes]] = []
        """All that clients have said, by its topic."""
        self._chance = chance
        self._clock = clock
        self._due: list[tuple[float, int, Any, Callable[[], None]]] = []
        self._numbers = count(1)

    # What happens to it.

    def goes_down(self, *, forgets: bool) -> None:
        """Stop it; what it had not saved is gone if it `forgets`."""
        self.is_up = False
        for name in [*self.sessions]:
            self.cut(name)
        if forgets:
            self.sessions.clear()
            self.retained.clear()

    def cut(self, name: str) -> None:
        """Cut a client's connection, whose will is published if the broker lives."""
        session = self.sessions.get(name)
        if session is None or session.client is None:
            return
        client = session.client
        session.client = None
        session.waiting.extendleft(reversed(session.unacknowledged.values()))
        session.unacknowledged.clear()
        client.is_cut()
        if self.is_up and session.will is not None:
            self._publish(session.will)

    def turn(self) -> None:
        """Hand on whatever is due by now."""
        while self._due and self._due[0][0] <= self._clock():
            _, _, client, call = heapq.heappop(self._due)
            if client is None or client.is_open:
                call()

    @property
    def due(self) -> float | None:
        """When something is due next; None: nothing is under way."""
        return self._due[0][0] if self._due else None

    # What clients do.

    def connect(self, name: str, client: Any, will: Message | None, *, clean: bool) -> bool:
        """Let a client in; return whether its session was still there."""
        self.cut(name)
        if clean:
            self.sessions.pop(name, None)
        had = name in self.sessions
        session = self.sessions.setdefault(name, Session())
        session.client = client
        session.will = will
        return had

    def resume(self, name: str) -> None:
        """Hand on what has waited for this client."""
        session = self.sessions[name]
        while session.waiting:
            self._hand_on(session, session.waiting.popleft())

    def subscribe(self, name: str, topic: str, qos: int, *, retained: bool) -> None:
        """Have a client hear what is said there, and what is retained."""
        session = self.sessions[name]
        session.topics[topic] = qos
        if not retained:
            return
        for message in [*self.retained.values()]:
            if topic_matches_sub(topic, message.topic):
                self._hand_on(session, Message(message.topic, message.payload, qos, True, message.run))

    def publish(self, client: Any, message: Message, answer: Callable[[], None]) -> None:
        """Take a message from a client, some time later, and answer some time after that."""

        def taken() -> None:
            self.taken.append((message.topic, message.payload))
            self._publish(message)
            if self._chance.random() < 0.02:
                client.is_cut_off()  # the answer is lost
            else:
                self.later(client, answer)

        self.later(client, taken)

    def later(self, client: Any, call: Callable[[], None]) -> None:
        """Do this once it is due, unless that connection is cut by then."""
        heapq.heappush(self._due, (self._clock() + self.delay, next(self._numbers), client, call))

    def _publish(self, message: Message) -> None:
        if message.retain and message.payload:
            self.retained[message.topic] = message
        elif message.retain:
            self.retained.pop(message.topic, None)
        for session in [*self.sessions.values()]:
            qos = [qos for topic, qos in session.topics.items() if topic_matches_sub(topic, message.topic)]
            if not qos:
                continue
            copy = Message(message.topic, message.payload, min(message.qos, max(qos)), message.retain, message.run)
            if session.client is not None:
                self._hand_on(session, copy)
                if self._chance.random() < 0.02:
                    self._hand_on(session, copy)  # as a client does that did not hear of its acknowledgement
            elif copy.qos and len(session.waiting) < MOST_WAITING:
                session.waiting.append(copy)

    def _hand_on(self, session: Session, message: Message) -> None:
        client = session.client
        number = next(self._numbers)
        copy = Message(message.topic, message.payload, message.qos, message.retain, message.run, number)
        if copy.qos:
            session.unacknowledged[number] = copy
        self.later(client, lambda: client.hears(copy))


class TableLink:
    """A table's connection, as `companion.club.link.Link` is."""

    def __init__(self, broker: Broker, table: str, run: str) -> None:
        self.is_open = False
        self._broker = broker
        self._table = table
        self._run = run
        self._will: Message | None = None
        self._tell: Callable[[Any, Told], None] = lambda link, told: None
        self._hear: Hear = lambda topic, payload, run: None
        self._numbers = count(1)

    def will(self, topic: str, payload: bytes) -> None:
        self._will = Message(topic, payload, 1, True, self._run)

    def open(self, tell: Callable[[Any, Told], None], hear: Hear, *, again: bool) -> None:
        if not self._broker.is_up:
            raise CantReach("connection refused")
        self._tell = tell
        self._hear = hear
        self.is_open = True
        had = self._broker.connect(self._table, self, self._will, clean=not again)

        def let_in() -> None:
            tell(self, Opened(had))
            self._broker.resume(self._table)

        self._broker.later(self, let_in)

    @property
    def alive(self) -> bool:
        return True

    def subscribe(self, *topics: str) -> None:
        for topic in topics:
            self._broker.later(
                self,
                lambda topic=topic: self._broker.subscribe(self._table, topic, 1, retained=True),  # type: ignore[misc]
            )

    def publish(self, topic: str, payload: bytes, *, retain: bool, expires_s: int | None = None) -> int:
        number = next(self._numbers)
        message = Message(topic, payload, 1, retain, self._run if topic.endswith("/status") else "")
        self._broker.publish(self, message, lambda: self._tell(self, Answered(number)))
        return number

    def leave(self) -> None:
        session = self._broker.sessions.get(self._table)
        if session is not None and session.client is self:
            session.will = None
        self.drop()

    def drop(self) -> None:
        """Cut the connection; whoever has dropped it hears no more of it."""
        self._tell = lambda link, told: None
        self.is_cut_off()

    def is_cut_off(self) -> None:
        """Have the network fail."""
        session = self._broker.sessions.get(self._table)
        if session is not None and session.client is self:
            self._broker.cut(self._table)

    def hears(self, message: Message) -> None:
        self._hear(message.topic, message.payload, message.run)
        session = self._broker.sessions.get(self._table)
        if session is not None:
            session.unacknowledged.pop(message.mid, None)

    def is_cut(self) -> None:
        self.is_open = False
        self._tell(self, Ended("the connection was cut"))


class HubClient:
    """The hub's client, as paho's is: its callbacks are called as the broker has something for it."""

    on_connect: Any
    on_disconnect: Any
    on_subscribe: Any
    on_message: Any

    def __init__(self, broker: Broker, name: str) -> None:
        self.is_open = False
        self._broker = broker
        self._name = name
        self._numbers = count(1)

    def connect_async(self, *_: object, **__: object) -> None:
        """Wait for `reconnect`."""

    def reconnect(self) -> None:
        """Connect. Raises OSError."""
        if not self._broker.is_up:
            raise ConnectionRefusedError
        self.is_open = True
        self._broker.connect(self._name, self, None, clean=False)

        def let_in() -> None:
            self.on_connect(self, None, None, Code, None)
            self._broker.resume(self._name)

        self._broker.later(self, let_in)

    def socket(self) -> None:
        """Return that there is none."""

    def disconnect(self) -> None:
        self._broker.cut(self._name)

    def is_cut_off(self) -> None:
        """Have the network fail."""
        self.disconnect()

    def subscribe(self, topic: str, options: Any) -> tuple[int, int]:
        number = next(self._numbers)

        def subscribed() -> None:
            self._broker.subscribe(self._name, topic, options.QoS, retained=options.retainHandling == 0)
            self._broker.later(self, lambda: self.on_subscribe(self, None, number))

        self._broker.later(self, subscribed)
        return 0, number

    def unsubscribe(self, topic: str) -> None:
        self._broker.later(self, lambda: self._broker.sessions[self._name].topics.pop(topic, None) and None)

    def publish(self, topic: str, payload: bytes, qos: int = 0, retain: bool = False) -> None:
        self._broker.publish(self, Message(topic, payload, qos, retain), lambda: None)

    def ack(self, number: int, qos: int) -> None:
        session = self._broker.sessions.get(self._name)
        if session is not None:
            session.unacknowledged.pop(number, None)

    def hears(self, message: Message) -> None:
        self.on_message(self, None, message)

    def is_cut(self) -> None:
        self.is_open = False
        if self.on_disconnect is not None:
            self.on_disconnect(self, None, _ByNobody, _Cut, None)


class _ByNobody:
    is_disconnect_packet_from_server = False


class _Cut(Code):
    is_failure = True


def new_link(broker: Broker) -> Callable[[ClubSettings, str, str], Any]:
    """Return what makes a table's links to this broker."""
    return lambda club, table, run: TableLink(broker, table, run)


def new_client(broker: Broker) -> Callable[..., Any]:
    """Return what makes the hub's client of this broker."""
    return lambda *_, client_id, **__: HubClient(broker, client_id)
