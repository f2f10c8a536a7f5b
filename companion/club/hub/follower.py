"""Follows a club's tables at the broker.

Only results are queued at the broker for an absent hub (`broker_session.py`). Presence and views have QoS 0: the broker
silently drops some if the hub reads too slowly, so some time after a burst the hub subscribes again and gets everything
retained, with QoS 1. A result is acknowledged only once it is on disk, so that a kill at any moment loses nothing.
Results lost elsewhere are asked for: all whenever the hub has reconnected, because a correction may be missing; later
those that leave a gap in the numbers.

The broker has one queue for the hub, which a flooding table may fill. It is kept short, and what does not fit is asked
for: that is quicker than waiting for the end of a long queue.
"""

import contextlib
import logging
import math
import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.reasoncodes import ReasonCode

from companion.club.credentials import WrongCredentials, password
from companion.club.hub import broker_session
from companion.club.hub.allowance import Allowance, SecondCount
from companion.club.hub.known_table import KnownTable, behind, is_all_told, still_told, with_result
from companion.club.hub.result_intake import ArrivedResult, ResultIntake
from companion.club.hub.result_requests import ResultRequests
from companion.club.hub.store import HubFault, Store
from companion.club.hub.table_book import TableBook
from companion.club.hub.table_messages import Ignored, TableMessages, body_to_store
from companion.club.payloads import LARGEST, LARGEST_RESULT
from companion.club.served_client import ServedClient
from companion.club.topics import Spot, placed, topic_of
from companion.club_settings import ClubSettings
from companion.errors import NotNow
from companion.threads import LastingThread, Rounds

BURST = 500
"""Messages within a second from which the broker may have dropped some; it queues at least as many for a hub."""
FIRST_WAIT = 1.0
"""Seconds between the first two attempts to connect; doubled each time."""
LONGEST_WAIT = 15.0
"""Seconds between two attempts, at most."""
AFTER_BURST = 5.0
"""Seconds from a burst until the hub subscribes again, and asks for missing results."""
MOST_WORDS = 300.0
WORDS_PER_S = 10.0
"""A table's allowance of messages, and its refill a second: a table sends two views a second, and little else."""
A_WORD = 8192
"""Bytes of payload that count as one message more."""
MOST_TABLES = 5000

_journal = logging.getLogger(__name__)


class TableIsThere(NotNow):
    """A table can't be forgotten while it is online."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is there: it can be forgotten once it is offline")
        self.name = name


class Follower:
    """The club's tables, as they report themselves. Watchers are called from its threads."""

    def __init__(
        self,
        club: ClubSettings,
        store: Store,
        clock: Callable[[], float] = time.monotonic,
        new_client: Callable[..., mqtt.Client] = mqtt.Client,
    ):
        """Follow a club's tables. `new_client` is paho's `Client` or a stand-in."""
        self.club = club
        self.store = store
        self._clock = clock
        self._lock = threading.Lock()
        self._known: dict[str, KnownTable] = {}
        self._book = TableBook(store)
        self._messages = TableMessages(store)
        self._requests = ResultRequests(store, self._publish_request, clock)
        self._results_subscribed: int | None = None
        """The message id by which the broker confirms the subscription to results."""
        self._connected_at: float | None = None
        self._cut_at: float | None = clock()
        self._connections = 0
        self._words = Allowance(MOST_WORDS, WORDS_PER_S, clock)
        self._later: dict[tuple[str, str], tuple[Spot, mqtt.MQTTMessage]] = {}
        """The newest message of each kind from tables over their allowance."""
        self._results = ResultIntake(
            store,
            clock,
            is_kept=self._is_kept,
            ignore=self._messages.ignore,
            ask=self._requests.ask_for_gaps,
            has_changed=self._changed,
        )
        self._heard_this_second = SecondCount()
        self._hear_again_at = math.inf
        """When the hub subscribes again."""
        self._wait = FIRST_WAIT
        """Seconds until the next attempt to connect."""
        self._watchers: list[Callable[[], None]] = []
        self.trouble = ""
        """Why the broker can't be reached, as shown to the keeper; "" if it can."""
        self._client = self._with_callbacks(broker_session.client_of(club, store.own_id(), new_client))
        self._served = ServedClient(self._client)
        self._thread = LastingThread("broker", self._follow)

    def start(self) -> None:
        """Connect in a thread, and reconnect whenever the connection is lost."""
        broker_session.prepare_to_connect(self._client, self.club)
        self._results.start()
        self._thread.start()

    def stop(self) -> None:
        """Disconnect from the broker."""
        self._results.stop()
        self._client.disconnect()
        self._thread.stop(self._served.ring)
        self._served.close()

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call `watcher`, from another thread, after every change."""
        self._watchers.append(watcher)

    @property
    def disk_trouble(self) -> str:
        """Why results can't be stored at present; "" if they can."""
        return self._results.disk_trouble

    @property
    def ignored(self) -> Counter[Ignored]:
        """Counts of ignored messages, by table and reason."""
        return self._messages.ignored

    @property
    def connected(self) -> bool:
        """Whether the hub is connected to the broker."""
        return self._cut_at is None

    def tables(self) -> dict[str, KnownTable]:
        """Return every table that is or was online, by id, except those that the keeper has forgotten."""
        with self._lock:
            known_tables = still_told(self._known, self._connected_at if self.connected else None, self._clock())
        return {
            table: known_table
            for table, known_table in known_tables.items()
            if not self._book.is_forgotten(known_table)
        }

    def name_of(self, table: str) -> str:
        """Return a table's name, also of one not heard since the hub started; "" if it has left the club."""
        known_table = self.tables().get(table)
        if known_table is None:
            has_heard_all = is_all_told(self._connected_at if self.connected else None, self._clock())
            return "" if has_heard_all else self._book.name_of(table)
        if known_table.about is None:
            return self._book.name_of(table) or known_table.name
        return known_table.name

    def forget(self, table: str) -> None:
        """Hide a table until it is heard again; its results stay. Raises `TableIsThere` and `HubFault`."""
        known_table = self.tables().get(table)
        if known_table is None:
            return
        if known_table.state == "ready":
            raise TableIsThere(known_table.name)
        self._book.forget(table)
        self._changed()

    def newest_matches(self) -> dict[str, int]:
        """Return the newest match's number, or 0, of each online table heard on this connection."""
        with self._lock:
            connected_at = self._connected_at if self.connected else None
            known_tables = [*self._known.values()]
        if connected_at is None:
            return {}
        heard = [table for table in known_tables if table.state == "ready" and table.told_at >= connected_at]
        return {table.table: table.match or self.store.newest_match(table.table) for table in heard}

    def behind(self, known_table: KnownTable) -> float:
        """Return by how many seconds a table's known state may lag."""
        return behind(known_table, self._clock(), self._cut_at)

    def told_on(self, known_table: KnownTable) -> datetime | None:
        """Return the wall-clock time at which a table's state was reported; None: before this hub listened."""
        if known_table.since is None:
            return None
        return datetime.now().astimezone() - timedelta(seconds=self._clock() - known_table.since)

    def ask_all(self) -> None:
        """Have every table send all its results again."""
        self._requests.ask_all(self._ready_tables())

    def _ready_tables(self) -> list[str]:
        with self._lock:
            return [table for table, known_table in self._known.items() if known_table.state == "ready"]

    def _publish_request(self, table: str, since: int) -> None:
        self._client.publish(topic_of(self.club.club, table, "ask"), b'{"since": %d}' % since, qos=1)
        self._served.ring()

    def _with_callbacks(self, client: mqtt.Client) -> mqtt.Client:
        client.on_connect = self._on_connected
        client.on_disconnect = self._on_disconnected
        client.on_subscribe = self._on_subscribed
        client.on_message = self._on_message
        return client

    def _follow(self, rounds: Rounds) -> None:
        """Connect and serve the connection; reconnect whenever it is lost."""
        while not rounds.is_set():
            self._connect()
            while not rounds.is_set() and self._served.serve():
                self.do_what_is_due()
            if not rounds.is_set():
                rounds.wait(self._wait)
                self._wait = min(LONGEST_WAIT, 2 * self._wait)
        self._served.send_rest(FIRST_WAIT)

    def _connect(self) -> None:
        try:
            self._client.reconnect()
        except OSError as wrong:
            self._note_trouble(broker_session.trouble_of(self.club, wrong))
            self._changed()

    def _changed(self) -> None:
        for watcher in self._watchers:
            watcher()

    def _note_trouble(self, trouble: str) -> None:
        """Note what is wrong with the connection, and log it if that is new; "": nothing is."""
        if trouble != self.trouble:
            _journal.warning("%s", trouble or f"{self.club.broker} is heard again")
        self.trouble = trouble

    def _refused(self, reason: ReasonCode) -> bool:
        cure = "see user and password_file in CLUB.toml"
        self._note_trouble(f"the broker refuses the hub: {reason}; {cure}" if reason.is_failure else "")
        if reason.is_failure and self.club.user:
            with contextlib.suppress(WrongCredentials):  # a new password needs no restart
                self._client.username_pw_set(self.club.user, password(self.club))
        return bool(reason.is_failure)

    def _on_connected(self, _: mqtt.Client, __: Any, ___: Any, reason: ReasonCode, ____: Any) -> None:
        if not self._refused(reason):
            self._wait = FIRST_WAIT
            self._connections += 1
            with self._lock:
                self._connected_at = self._clock()
                self._cut_at = None
            self._requests.forget()
            self._results_subscribed = self._hear_all()
        self._changed()

    def _hear_all(self) -> int | None:
        """Subscribe to everything; return the message id of the subscription to results."""
        self._hear_again_at = math.inf
        return broker_session.hear_all(self._client, self.club.club)

    def _count_message(self, at: float) -> None:
        """Count a message; after a burst, have the hub subscribe again."""
        if self._heard_this_second.add(at) >= BURST:
            self._hear_again_at = min(self._hear_again_at, at + AFTER_BURST)

    def do_what_is_due(self) -> None:
        """Subscribe again some time after a burst, and ask for results that may be lost."""
        if self._clock() < self._hear_again_at:
            return
        for key in list(self._later):
            spot, message = self._later.pop(key)
            self._take(spot, message)
        self._hear_all()
        for table in self._ready_tables():
            self._requests.ask_for_gaps(table)

    def _on_subscribed(self, _: mqtt.Client, __: Any, number: int, *___: Any) -> None:
        if number == self._results_subscribed:
            self._requests.can_be_answered = True
            self.ask_all()

    def _on_disconnected(
        self, _: mqtt.Client, __: Any, how: mqtt.DisconnectFlags, reason: ReasonCode, ___: Any
    ) -> None:
        self._requests.can_be_answered = False
        if self._cut_at is None:
            self._cut_at = self._clock()
        if reason.is_failure and not self.trouble:
            why = reason if how.is_disconnect_packet_from_server else "the connection was cut"
            self._note_trouble(f"the broker is gone: {why}. Retrying automatically")
        self._changed()

    def _on_message(self, client: mqtt.Client, _: Any, message: mqtt.MQTTMessage) -> None:
        """Process a message, then acknowledge it, even an unreadable one: the broker would send it again for ever."""
        done = True
        try:
            spot = placed(message.topic)
            is_result = spot is not None and spot.what == "result"
            if is_result or not message.retain:  # retained messages come in a burst at each subscription
                self._count_message(self._clock())
            if spot is None:
                self._messages.ignore_topic(message.topic)
            elif is_result:
                done = self._hand_over(client, spot, message)
            elif spot.what != "ask" and self._may_say(spot, message):
                self._take(spot, message)
        except Exception:  # deliberately everything: one bad message must not end the hub's only connection
            _journal.exception("message %d", message.mid)
            self._messages.ignore("", "a fault of the hub")
        if done:
            client.ack(message.mid, message.qos)

    def _may_say(self, spot: Spot, message: mqtt.MQTTMessage) -> bool:
        """Return whether a table is within its allowance; if not, the newest message of each kind is kept for later."""
        if self._words.take(spot.table, 1 + min(len(message.payload), LARGEST) / A_WORD):
            self._later.pop((spot.table, spot.what), None)
            return True
        self._messages.ignore(spot.table, "too many messages")
        self._later[spot.table, spot.what] = spot, message
        self._hear_again_at = min(self._hear_again_at, self._clock() + AFTER_BURST)
        return False

    def _take(self, spot: Spot, message: mqtt.MQTTMessage) -> None:
        """Process a table's message other than a result."""
        at = self._clock()
        table = spot.table
        with self._lock:
            known_table = self._known.get(table)
            if known_table is None and len(self._known) >= MOST_TABLES:
                self._messages.ignore("", "too many tables")
                return
            known_table = known_table or self._book.first_known(table, at)
            updated = self._messages.apply(known_table, spot.what, message.payload, at, retained=message.retain)
            if updated is None:
                self._known.pop(table, None)
            else:
                self._known[table] = updated
        if updated is None:
            self._book.drop(table)
        else:
            self._book.note(known_table, updated)
        if updated is not None and updated.state == "ready" and spot.what == "status":
            self._requests.ask_ready_table(table, reconnected=updated.birth != known_table.birth)
        self._changed()

    def _hand_over(self, client: mqtt.Client, spot: Spot, message: mqtt.MQTTMessage) -> bool:
        """Hand a result to the intake; return whether it can be acknowledged at once.

        A retained result is cleared at the broker: the hub's session gets each anyway, and those of a flooding table
        would take all of the broker's memory for good.
        """
        if message.retain:
            client.publish(message.topic, b"", retain=True)
        if not message.qos or not message.payload:
            return True
        if len(message.payload) > LARGEST_RESULT:
            self._messages.ignore(spot.table, "unreadable payload")
            return True
        if not self._results.has_room(spot.table, len(message.payload)):
            self._messages.ignore(spot.table, "too many results")
            return True
        result = self._messages.read_result(spot, message.payload)
        if result is None:
            return True
        arrived = ArrivedResult(
            spot.table, result.match, result.revision, body_to_store(message.payload), message.mid, self._connections
        )
        self._results.add(arrived)
        return False

    def _is_kept(self, arrived: ArrivedResult, is_news: bool) -> None:
        """Acknowledge a stored result, and show it if it is news."""
        if arrived.connection == self._connections:  # on another, this message id may mean another message
            self._client.ack(arrived.number, 1)
        if not is_news:
            return
        with self._lock:
            known_table = self._known.get(arrived.table)
        if known_table is not None and known_table.match == arrived.match:
            self._show_result(arrived)
        self._requests.ask_for_gap_before(arrived.table, arrived.match)
        self._changed()

    def _show_result(self, arrived: ArrivedResult) -> None:
        result = None
        with contextlib.suppress(HubFault):  # else it is shown without a result
            result = self.store.standing(arrived.table, arrived.match)
        with self._lock:
            known_table = self._known.get(arrived.table)
            if known_table is not None and result is not None:
                self._known[arrived.table] = with_result(known_table, result, self._clock())
